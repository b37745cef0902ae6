"""The pages of ladders, cups and ratings."""

from django.urls import include, path

from tournaments.desk.views import desk
from tournaments.entries import views as entries
from tournaments.making.views import series
from tournaments.pages.views import (
    calendars,
    cup,
    disputes,
    embeds,
    exports,
    feeds,
    groups,
    invitations,
    ladder,
    lists,
    log,
    team_entries,
)
from tournaments.tables import views as tables
from tournaments.teams import views as teams
from web.pages.spectators import for_spectators

LADDER = {"kind": "ladder"}
CUP = {"kind": "cup"}

urlpatterns = [
    path("", include("tournaments.making.urls")),
    path("", include("tournaments.desk.urls")),
    path("organise/", desk.my_competitions, name="my-competitions"),
    path("ladders/", for_spectators(lists.ladders), name="ladders"),
    path("ladders/<slug:slug>/", for_spectators(ladder.ladder_page), name="ladder"),
    path("ladders/<slug:slug>/enter/", entries.enter, LADDER, name="ladder-enter"),
    path("ladders/<slug:slug>/invitation/", invitations.answer, LADDER, name="ladder-invitation"),
    path("ladders/<slug:slug>/role/", invitations.answer_role, LADDER, name="ladder-role"),
    path("ladders/<slug:slug>/leave/", entries.leave, LADDER, name="ladder-leave"),
    path("ladders/<slug:slug>/waiting-list/join/", entries.wait, LADDER, name="ladder-join-waiting-list"),
    path("ladders/<slug:slug>/waiting-list/leave/", entries.stop_waiting, LADDER, name="ladder-leave-waiting-list"),
    path("ladders/<slug:slug>/log/", for_spectators(log.competition_log), LADDER, name="ladder-log"),
    path("ladders/<slug:slug>/feed/", for_spectators(feeds.competition_feed), LADDER, name="ladder-feed"),
    path("ladders/<slug:slug>/preview.png", embeds.link_preview, LADDER, name="ladder-preview"),
    path("ladders/<slug:slug>/embed/", for_spectators(embeds.embed), LADDER, name="ladder-embed"),
    path("ladders/<slug:slug>/export/<str:what>.<str:form>", exports.export, LADDER, name="ladder-export"),
    path("ladders/<slug:slug>/challenge/<str:username>/", ladder.challenge_player, name="ladder-challenge"),
    path("ladders/<slug:slug>/fixtures/<int:fixture_id>/dispute/", disputes.dispute, LADDER, name="ladder-dispute"),
    path("cups/", for_spectators(lists.cups), name="cups"),
    path("cups/<slug:slug>/", for_spectators(cup.cup_page), name="cup"),
    path("cups/<slug:slug>/calendar.ics", for_spectators(calendars.cup_calendar), name="cup-calendar"),
    path("cups/<slug:slug>/feed/", for_spectators(feeds.competition_feed), CUP, name="cup-feed"),
    path("cups/<slug:slug>/preview.png", embeds.link_preview, CUP, name="cup-preview"),
    path("cups/<slug:slug>/embed/", for_spectators(embeds.embed), CUP, name="cup-embed"),
    path("cups/<slug:slug>/enter/", entries.enter, CUP, name="cup-enter"),
    path("cups/<slug:slug>/invitation/", invitations.answer, CUP, name="cup-invitation"),
    path("cups/<slug:slug>/role/", invitations.answer_role, CUP, name="cup-role"),
    path("cups/<slug:slug>/leave/", entries.leave, CUP, name="cup-leave"),
    path("cups/<slug:slug>/waiting-list/join/", entries.wait, CUP, name="cup-join-waiting-list"),
    path("cups/<slug:slug>/waiting-list/leave/", entries.stop_waiting, CUP, name="cup-leave-waiting-list"),
    path("cups/<slug:slug>/team/", team_entries.enter, name="cup-enter-team"),
    path("cups/<slug:slug>/line-up/", team_entries.line_up, name="cup-line-up"),
    path("cups/<slug:slug>/check-in/", entries.check_in_to_cup, name="cup-check-in"),
    path("cups/<slug:slug>/bye/", entries.ask_for_bye, name="cup-bye"),
    path("cups/<slug:slug>/bye/take-back/", entries.cancel_bye, name="cup-take-back-bye"),
    path("cups/<slug:slug>/fixtures/<int:fixture_id>/dispute/", disputes.dispute, CUP, name="cup-dispute"),
    path("cups/<slug:slug>/log/", for_spectators(log.competition_log), CUP, name="cup-log"),
    path("cups/<slug:slug>/export/<str:what>.<str:form>", exports.export, CUP, name="cup-export"),
    path(
        "cups/<slug:slug>/stages/<int:stage>/groups/<int:group>/", for_spectators(groups.group_page), name="cup-group"
    ),
    path(
        "cups/<slug:slug>/stages/<int:stage>/groups/<int:group>/rounds/<int:number>/",
        groups.group_page,
        name="cup-round",
    ),
    path("series/", for_spectators(series.all_series), name="all-series"),
    path("series/<slug:slug>/", for_spectators(series.series_page), name="series"),
    path("calendar/<str:secret>/deadlines.ics", calendars.deadlines, name="own-calendar"),
    path("mail/invitation/<str:token>/", invitations.answer_by_mail, name="invitation-by-mail"),
    path("hall-of-fame/", for_spectators(tables.hall_of_fame), name="hall-of-fame"),
    path("players/", for_spectators(tables.rating_lists), name="players"),
    path("teams/", teams.all_teams, name="teams"),
    path("found-team/", teams.found, name="found-team"),
    path("teams/<slug:slug>/", teams.team_page, name="team"),
    path("teams/<slug:slug>/edit/", teams.edit, name="team-edit"),
    path("teams/<slug:slug>/invite/", teams.invite, name="team-invite"),
    path("teams/<slug:slug>/close/", teams.close, name="team-close"),
    path("teams/<slug:slug>/invitation/", teams.answer, name="team-invitation"),
    path("teams/<slug:slug>/leave/", teams.leave, name="team-leave"),
    path("teams/<slug:slug>/members/<str:username>/<slug:act>/", teams.act_on_member, name="team-member"),
]
