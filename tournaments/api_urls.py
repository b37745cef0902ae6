"""The URLs of competitions and ratings under ``/api/v1/``."""

from django.urls import path

from tournaments.entries.api import entries, team_entries, usernames
from tournaments.making.api import competitions, series
from tournaments.pages.api import competition, disputes, invitations, roles
from tournaments.tables import api as tables
from tournaments.teams import api as teams

urlpatterns = [
    path("competitions/", competitions.CompetitionsView.as_view(), name="api-competitions"),
    path("competitions/<slug:slug>/", competitions.CompetitionView.as_view(), name="api-competition"),
    path("competitions/<slug:slug>/copy/", competitions.CopyView.as_view()),
    path("competitions/<slug:slug>/standings/", competition.StandingsView.as_view(), name="api-standings"),
    path("competitions/<slug:slug>/places/", competition.PlacesView.as_view(), name="api-places"),
    path("competitions/<slug:slug>/bracket/", competition.BracketView.as_view(), name="api-bracket"),
    path("competitions/<slug:slug>/rounds/", competition.RoundsView.as_view(), name="api-rounds"),
    path("competitions/<slug:slug>/fixtures/", competition.FixturesView.as_view(), name="api-fixtures"),
    path("competitions/<slug:slug>/fixtures/<int:fixture_id>/dispute/", disputes.DisputeView.as_view()),
    path("competitions/<slug:slug>/disputes/", disputes.DisputesView.as_view()),
    path("competitions/<slug:slug>/log/", competition.LogView.as_view(), name="api-competition-log"),
    path(
        "competitions/<slug:slug>/export/<str:what>.<str:form>",
        competition.ExportView.as_view(),
        name="api-export",
    ),
    path("competitions/<slug:slug>/enter/", entries.EnterView.as_view(), name="api-enter"),
    path("competitions/<slug:slug>/enter-team/", team_entries.EnterTeamView.as_view(), name="api-enter-team"),
    path("competitions/<slug:slug>/line-up/", team_entries.LineUpView.as_view(), name="api-line-up"),
    path("competitions/<slug:slug>/line-ups/", team_entries.LineUpsView.as_view(), name="api-line-ups"),
    path("competitions/<slug:slug>/meetings/", team_entries.MeetingsView.as_view(), name="api-meetings"),
    path("competitions/<slug:slug>/leave/", entries.LeaveView.as_view(), name="api-leave"),
    path(
        "competitions/<slug:slug>/waiting-list/join/",
        entries.JoinWaitingListView.as_view(),
        name="api-join-waiting-list",
    ),
    path(
        "competitions/<slug:slug>/waiting-list/leave/",
        entries.LeaveWaitingListView.as_view(),
        name="api-leave-waiting-list",
    ),
    path("competitions/<slug:slug>/check-in/", entries.CheckInView.as_view(), name="api-check-in"),
    path("competitions/<slug:slug>/bye/", entries.ByeView.as_view(), name="api-bye"),
    path("competitions/<slug:slug>/bye/take-back/", entries.TakeBackByeView.as_view(), name="api-take-back-bye"),
    path("competitions/<slug:slug>/challenges/", entries.ChallengesView.as_view(), name="api-challenges"),
    path("competitions/<slug:slug>/invitation/accept/", invitations.AcceptView.as_view(), name="api-accept-invitation"),
    path(
        "competitions/<slug:slug>/invitation/decline/", invitations.DeclineView.as_view(), name="api-decline-invitation"
    ),
    path("competitions/<slug:slug>/role/accept/", roles.AcceptRoleView.as_view(), name="api-accept-role"),
    path("competitions/<slug:slug>/role/decline/", roles.DeclineRoleView.as_view(), name="api-decline-role"),
    path("role-invitations/", roles.RoleInvitationsView.as_view(), name="api-role-invitations"),
    path("series/", series.SeriesListView.as_view(), name="api-all-series"),
    path("series/<slug:slug>/", series.SeriesView.as_view(), name="api-series"),
    path("series/<slug:slug>/end/", series.EndSeriesView.as_view(), name="api-end-series"),
    path("series/<slug:slug>/seasons/", series.SeasonsView.as_view(), name="api-seasons"),
    path(
        "series/<slug:slug>/players/<str:username>/", series.SeasonsOfPlayerView.as_view(), name="api-seasons-of-player"
    ),
    path("invitations/", invitations.ReceivedInvitationsView.as_view(), name="api-invitations"),
    path("usernames/", usernames.UsernamesView.as_view(), name="api-usernames"),
    path("teams/", teams.TeamsView.as_view(), name="api-teams"),
    path("teams/<slug:slug>/", teams.TeamView.as_view(), name="api-team"),
    path("teams/<slug:slug>/close/", teams.CloseTeamView.as_view(), name="api-close-team"),
    path("teams/<slug:slug>/captain/", teams.TeamCaptainView.as_view(), name="api-team-captain"),
    path("teams/<slug:slug>/leave/", teams.LeaveTeamView.as_view(), name="api-leave-team"),
    path("teams/<slug:slug>/members/<str:username>/", teams.TeamMemberView.as_view(), name="api-team-member"),
    path("teams/<slug:slug>/invitations/", teams.TeamInvitationsView.as_view(), name="api-team-invitations"),
    path(
        "teams/<slug:slug>/invitations/<str:username>/",
        teams.TeamInvitationView.as_view(),
        name="api-team-invitation",
    ),
    path(
        "teams/<slug:slug>/invitation/accept/",
        teams.AcceptTeamInvitationView.as_view(),
        name="api-accept-team-invitation",
    ),
    path(
        "teams/<slug:slug>/invitation/decline/",
        teams.DeclineTeamInvitationView.as_view(),
        name="api-decline-team-invitation",
    ),
    path("team-invitations/", teams.ReceivedTeamInvitationsView.as_view(), name="api-received-team-invitations"),
    path("titles/", tables.TitlesView.as_view(), name="api-titles"),
    path("ratings/", tables.RatingsView.as_view(), name="api-ratings"),
    path("players/<str:username>/ratings/", tables.PlayerRatingsView.as_view(), name="api-player-ratings"),
    path("players/<str:username>/rating-changes/", tables.RatingHistoryView.as_view(), name="api-rating-changes"),
    path("players/<str:username>/seasons/", series.PlayerSeasonsView.as_view(), name="api-player-seasons"),
    path(
        "players/<str:username>/competitions/",
        competition.PlayerCompetitionsView.as_view(),
        name="api-player-competitions",
    ),
]
