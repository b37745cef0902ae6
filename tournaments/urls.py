"""The pages of ladders, cups and ratings."""

from django.urls import include, path

from tournaments.views import (
    byes,
    calendars,
    cup,
    embeds,
    entries,
    exports,
    feeds,
    groups,
    invitations,
    ladder,
    link_previews,
    lists,
    log,
    own_calendar,
    players,
    series,
    waiting_lists,
)
from tournaments.views.organisers import drafts, mine

LADDER = {"kind": "ladder"}
CUP = {"kind": "cup"}

urlpatterns = [
    path("", include("tournaments.views.organisers.urls")),
    path("organise/", mine.my_competitions, name="my-competitions"),
    path("make/", drafts.choose_recipe, name="make"),
    path("make/<slug:recipe>/", drafts.make, name="make-from"),
    path("ladders/", lists.ladders, name="ladders"),
    path("ladders/<slug:slug>/", ladder.ladder_page, name="ladder"),
    path("ladders/<slug:slug>/enter/", entries.enter, LADDER, name="ladder-enter"),
    path("ladders/<slug:slug>/invitation/", invitations.answer, LADDER, name="ladder-invitation"),
    path("ladders/<slug:slug>/leave/", entries.leave, LADDER, name="ladder-leave"),
    path("ladders/<slug:slug>/waiting-list/join/", waiting_lists.join, LADDER, name="ladder-join-waiting-list"),
    path("ladders/<slug:slug>/waiting-list/leave/", waiting_lists.leave, LADDER, name="ladder-leave-waiting-list"),
    path("ladders/<slug:slug>/log/", log.competition_log, LADDER, name="ladder-log"),
    path("ladders/<slug:slug>/feed/", feeds.competition_feed, LADDER, name="ladder-feed"),
    path("ladders/<slug:slug>/preview.png", link_previews.link_preview, LADDER, name="ladder-preview"),
    path("ladders/<slug:slug>/embed/", embeds.embed, LADDER, name="ladder-embed"),
    path("ladders/<slug:slug>/export/<str:what>.<str:form>", exports.export, LADDER, name="ladder-export"),
    path("ladders/<slug:slug>/challenge/<str:username>/", ladder.challenge_player, name="ladder-challenge"),
    path("cups/", lists.cups, name="cups"),
    path("cups/<slug:slug>/", cup.cup_page, name="cup"),
    path("cups/<slug:slug>/calendar.ics", calendars.cup_calendar, name="cup-calendar"),
    path("cups/<slug:slug>/feed/", feeds.competition_feed, CUP, name="cup-feed"),
    path("cups/<slug:slug>/preview.png", link_previews.link_preview, CUP, name="cup-preview"),
    path("cups/<slug:slug>/embed/", embeds.embed, CUP, name="cup-embed"),
    path("cups/<slug:slug>/enter/", entries.enter, CUP, name="cup-enter"),
    path("cups/<slug:slug>/invitation/", invitations.answer, CUP, name="cup-invitation"),
    path("cups/<slug:slug>/leave/", entries.leave, CUP, name="cup-leave"),
    path("cups/<slug:slug>/waiting-list/join/", waiting_lists.join, CUP, name="cup-join-waiting-list"),
    path("cups/<slug:slug>/waiting-list/leave/", waiting_lists.leave, CUP, name="cup-leave-waiting-list"),
    path("cups/<slug:slug>/bye/", byes.ask_for_bye, name="cup-bye"),
    path("cups/<slug:slug>/bye/take-back/", byes.cancel_bye, name="cup-take-back-bye"),
    path("cups/<slug:slug>/log/", log.competition_log, CUP, name="cup-log"),
    path("cups/<slug:slug>/export/<str:what>.<str:form>", exports.export, CUP, name="cup-export"),
    path("cups/<slug:slug>/stages/<int:stage>/groups/<int:group>/", groups.group_page, name="cup-group"),
    path(
        "cups/<slug:slug>/stages/<int:stage>/groups/<int:group>/rounds/<int:number>/",
        groups.group_page,
        name="cup-round",
    ),
    path("series/", series.all_series, name="all-series"),
    path("series/<slug:slug>/", series.series_page, name="series"),
    path("calendar/<str:secret>/deadlines.ics", own_calendar.deadlines, name="own-calendar"),
    path("mail/invitation/<str:token>/", invitations.answer_by_mail, name="invitation-by-mail"),
    path("players/", players.rating_lists, name="players"),
]
