"""The pages of ladders, cups and ratings."""

from django.urls import include, path

from tournaments.views import cup, entering, ladder, lists, log, players

LADDER = {"kind": "ladder"}
CUP = {"kind": "cup"}

urlpatterns = [
    path("", include("tournaments.views.organising.urls")),
    path("ladders/", lists.ladders, name="ladders"),
    path("ladders/<slug:slug>/", ladder.ladder_page, name="ladder"),
    path("ladders/<slug:slug>/enter/", entering.enter, LADDER, name="ladder-enter"),
    path("ladders/<slug:slug>/leave/", entering.leave, LADDER, name="ladder-leave"),
    path("ladders/<slug:slug>/log/", log.event_log, LADDER, name="ladder-log"),
    path("ladders/<slug:slug>/challenge/<str:username>/", ladder.challenge_player, name="ladder-challenge"),
    path("cups/", lists.cups, name="cups"),
    path("cups/<slug:slug>/", cup.cup_page, name="cup"),
    path("cups/<slug:slug>/enter/", entering.enter, CUP, name="cup-enter"),
    path("cups/<slug:slug>/leave/", entering.leave, CUP, name="cup-leave"),
    path("cups/<slug:slug>/log/", log.event_log, CUP, name="cup-log"),
    path("players/", players.rating_lists, name="players"),
]
