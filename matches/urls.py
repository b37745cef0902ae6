"""The matches' pages."""

from django.urls import path

from matches.views import (
    analysis,
    dice,
    friends,
    home,
    match,
    my_turns,
    offers,
    positions,
    rematches,
    replays,
    rules,
    seeks,
    turn_badge,
    updates,
)
from web.pages.spectators import for_spectators

urlpatterns = [
    path("", home.home, name="home"),
    path("play/", home.play_computer, name="play-computer"),
    path("turns/", turn_badge.turns, name="turns"),
    path("my-turns/", my_turns.my_turns, name="my-turns"),
    path("offline/", my_turns.offline, name="offline"),
    path("my-turns/next/", my_turns.next_turn, name="next-turn"),
    path("seeks/", seeks.seeks, name="seeks"),
    path("seeks/<int:seek_id>/take/", seeks.take_seek, name="take-seek"),
    path("seeks/<int:seek_id>/withdraw/", seeks.withdraw_seek, name="withdraw-seek"),
    path("seeks/<int:seek_id>/decline/", seeks.decline_seek, name="decline-seek"),
    path("friend/", friends.invite_friend, name="invite-friend"),
    path("friend/<str:token>/", friends.friend_game, name="friend-game"),
    path("replay/", replays.replay_page, name="replay"),
    path("rules/", rules.rules_index, name="rules-index"),
    path("rules/<slug:name>/", rules.rules_page, name="rules"),
    path("matches/<int:match_id>/", for_spectators(match.match_page), name="match"),
    path("matches/<int:match_id>/panels/", match.match_panels, name="match-panels"),
    path("matches/<int:match_id>/ahead/", positions.look_ahead, name="match-ahead"),
    path(
        "matches/<int:match_id>/positions/<slug:version>/<int:first>-<int:last>/",
        positions.position_stretch,
        name="match-positions",
    ),
    path("matches/<int:match_id>/updates/", updates.match_updates, name="match-updates"),
    path("matches/<int:match_id>/resign/", match.resign, name="match-resign"),
    path("matches/<int:match_id>/abort/", offers.abort, name="match-abort"),
    path("matches/<int:match_id>/offer/", offers.make_offer, name="match-offer"),
    path("matches/<int:match_id>/offer/accept/", offers.accept_offer, name="match-accept-offer"),
    path("matches/<int:match_id>/offer/decline/", offers.decline_offer, name="match-decline-offer"),
    path("matches/<int:match_id>/offer/state/", offers.offer_state, name="match-offer-state"),
    path("matches/<int:match_id>/rematch/", match.rematch, name="match-rematch"),
    path("matches/<int:match_id>/rematch/state/", rematches.rematch_state, name="match-rematch-state"),
    path("matches/<int:match_id>/analysis/", analysis.analysis_page, name="match-analysis"),
    path("matches/<int:match_id>/dice/", dice.dice_proof, name="match-dice"),
]
