"""Challenges: who may challenge whom, what the preview says, and what starts by itself."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from matches.services import expire_due
from players.models import Player
from players.services import note_act
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON
from tournaments.models import Entry, EntryStatus, PlaceChange, Stage
from tournaments.office.errors import EntryNotFound
from tournaments.records.challenges import (
    challenge_preview,
    opponents_within_reach,
    positions_of,
    read_challenge_ladder,
)
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.running.errors import ChallengeRefused
from tournaments.running.services.challenges import challenge
from web.problems import describe_refusal

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def players(db):
    return verbs.make_players(6)


@pytest.fixture
def ladder(players):
    ladder = verbs.make_ladder(format="challenge-ladder")
    for lot, entry in enumerate(reversed(verbs.enter_all(ladder, players))):
        # In the draw the lower player comes first, and so is Yellow in a first game.
        Entry.objects.filter(pk=entry.pk).update(draw=lot)
    verbs.start(ladder)
    return ladder


def order_of(ladder):
    return [
        str(entry)
        for entry in Entry.objects.filter(competition=ladder, seats__position__isnull=False).order_by("seats__position")
    ]


def positions_are_whole(ladder):
    positions = Entry.objects.filter(competition=ladder, seats__position__isnull=False).values_list(
        "seats__position", flat=True
    )
    return sorted(positions) == list(range(1, len(positions) + 1))


def refusal(ladder, challenger, opponent, now=NOON):
    with pytest.raises(ChallengeRefused) as raised:
        challenge(ladder_id=ladder.pk, challenger=challenger, opponent=opponent, now=now)
    return raised.value.obstacle


def test_newcomers_enter_at_the_bottom(ladder, players):
    assert order_of(ladder) == [player.username for player in players]
    late = Player.objects.create(username="late")
    assert verbs.enter(ladder, late).seat.position == 7


def test_a_challenge_starts_a_game_in_which_the_draw_says_who_is_yellow_first(ladder, players):
    fixture = challenge(ladder_id=ladder.pk, challenger=players[3], opponent=players[1], now=NOON)
    assert (fixture.challenger.player, fixture.match.yellow, fixture.match.red) == (players[3], players[3], players[1])
    Entry.objects.filter(player=players[2]).update(draw=9)
    fixture = challenge(ladder_id=ladder.pk, challenger=players[2], opponent=players[0], now=NOON)
    assert (fixture.challenger.player, fixture.match.yellow, fixture.match.red) == (players[2], players[0], players[2])


def test_in_a_rematch_the_sides_are_swapped(ladder, players):
    first = challenge(ladder_id=ladder.pk, challenger=players[3], opponent=players[2], now=NOON)
    verbs.end(first, None)
    again = challenge(ladder_id=ladder.pk, challenger=players[3], opponent=players[2], now=NOON + 14 * DAY)
    assert (again.challenger, again.yellow, again.red) == (first.challenger, first.red, first.yellow)


def test_the_player_less_often_yellow_is_yellow_in_games_that_start_by_themselves(ladder, players):
    challenge(ladder_id=ladder.pk, challenger=players[1], opponent=players[0], now=NOON)
    verbs.pair(ladder)
    games = {str(each.challenger): (str(each.yellow), str(each.red)) for each in verbs.running(ladder)}
    assert games["player-2"] == ("player-2", "player-1")
    assert games["player-3"] == ("player-3", "player-1")
    assert games["player-4"] == ("player-4", "player-2")


def test_a_challenge_that_the_ladder_does_not_allow_is_refused_with_its_reason(ladder, players):
    assert refusal(ladder, players[1], players[1]) == "yourself"
    assert refusal(ladder, players[1], players[2]) == "not-above"
    assert refusal(ladder, players[5], players[0]) == "out-of-reach"
    game = challenge(ladder_id=ladder.pk, challenger=players[3], opponent=players[2], now=NOON)
    assert refusal(ladder, players[3], players[2]) == "playing-already"
    assert refusal(ladder, players[3], players[1]) == "too-many-outgoing"
    challenge(ladder_id=ladder.pk, challenger=players[4], opponent=players[2], now=NOON)
    assert refusal(ladder, players[5], players[2]) == "too-many-incoming"
    verbs.end(game, None)
    assert refusal(ladder, players[3], players[2], NOON + 14 * DAY - timedelta(seconds=1)) == "met-lately"
    assert challenge(ladder_id=ladder.pk, challenger=players[3], opponent=players[2], now=NOON + 14 * DAY)


def test_strangers_and_other_competitions(ladder, players):
    stranger = Player.objects.create(username="stranger")
    with pytest.raises(EntryNotFound):
        challenge(ladder_id=ladder.pk, challenger=stranger, opponent=players[0], now=NOON)
    for competition in (verbs.make_cup(), verbs.make_ladder(slug="points")):
        with pytest.raises(WrongCompetitionStatus):
            challenge(ladder_id=competition.pk, challenger=players[1], opponent=players[0], now=NOON)


def test_the_preview_tells_what_each_end_would_do_or_why_not(ladder, players):
    options = challenge_preview(ladder=ladder, player=players[3], now=NOON)
    assert [(option.opponent.player, option.refusal and option.refusal.obstacle) for option in options] == [
        (players[0], "out-of-reach"),
        (players[1], None),
        (players[2], None),
        (players[4], "not-above"),
        (players[5], "not-above"),
    ]
    prospects = options[1].prospects
    assert (prospects.win.position, prospects.draw.position, prospects.loss.position, prospects.timeout.position) == (
        2,
        4,
        4,
        4,
    )
    assert options[0].prospects is None
    page = list(Entry.objects.filter(competition=ladder, player=players[1]).select_related("player"))
    assert challenge_preview(ladder=ladder, player=players[3], now=NOON, opponents=page) == [options[1]]
    stranger = Player.objects.create(username="stranger")
    assert challenge_preview(ladder=ladder, player=stranger, now=NOON) == []


def test_a_player_who_has_just_ended_a_game_has_a_day_to_choose_the_next_opponent(ladder, players):
    Stage.objects.update(options={"challenges_by": "in-time"})
    game = challenge(ladder_id=ladder.pk, challenger=players[5], opponent=players[4], now=NOON)
    verbs.end(game, None)
    verbs.pair(ladder, NOON + DAY - timedelta(seconds=1))
    assert players[5] not in {each.challenger.player for each in verbs.running(ladder)}
    verbs.pair(ladder, NOON + DAY)
    assert players[5] in {each.challenger.player for each in verbs.running(ladder)}


def test_a_leaver_keeps_their_position_until_their_games_end_and_then_makes_room(ladder, players):
    game = challenge(ladder_id=ladder.pk, challenger=players[2], opponent=players[1], now=NOON)
    leaver = verbs.leave(game.red)
    assert (leaver.status, leaver.seat.position) == (EntryStatus.ON_HOLD, 2)
    assert refusal(ladder, players[3], players[1]) == "opponent-paused"
    verbs.end(game, None)
    verbs.pair(ladder, NOON + timedelta(minutes=1))
    assert order_of(ladder) == ["player-1", "player-3", "player-4", "player-5", "player-6"]
    assert positions_are_whole(ladder)
    assert PlaceChange.objects.filter(seat__entry=leaver).latest("pk").place is None
    back = verbs.enter(ladder, players[1], NOON + timedelta(minutes=2))
    assert (back.pk, back.seat.position) == (leaver.pk, 3)


def test_leaving_before_the_start_makes_room(players):
    ladder = verbs.make_ladder(format="challenge-ladder")
    entries = verbs.enter_all(ladder, players)
    verbs.leave(entries[0])
    assert order_of(ladder) == [player.username for player in players[1:]]
    assert positions_are_whole(ladder)


def test_a_refused_challenge_is_a_problem_with_its_obstacle():
    refused = describe_refusal(ChallengeRefused("Not now.", obstacle="paused"))
    assert (refused["status"], refused["code"], refused["obstacle"]) == (409, "challenge_refused", "paused")


def test_a_player_who_lost_on_time_is_not_counted_until_their_next_act(ladder, players):
    game = challenge(ladder_id=ladder.pk, challenger=players[4], opponent=players[3], now=NOON)
    at = NOON + 10 * DAY
    expire_due(now=at)
    verbs.settle_all(at)
    loser = game.match.player_to_act
    counted = [str(player) for player in players[1:5] if player != loser]
    assert opponents_of(ladder, players[5], at) == counted
    assert refusal(ladder, players[5], loser, at) == "opponent-paused"
    assert challenge(ladder_id=ladder.pk, challenger=players[5], opponent=players[1], now=at)
    later = at + timedelta(minutes=1)
    note_act(player=loser, now=later)
    verbs.pair(ladder, later)
    assert opponents_of(ladder, players[5], later) == ["player-3", "player-4", "player-5"]


@pytest.mark.parametrize(("by", "started"), [("at-once", [5, 5, 5]), ("in-time", [0, 4, 5]), ("players", [1, 1, 1])])
def test_the_ladder_chooses_at_once_after_a_tenth_of_the_bank_or_never(players, by, started):
    ladder = verbs.make_ladder(format="challenge-ladder", challenges_by=by)
    verbs.enter_all(ladder, players[:5])
    verbs.start(ladder)
    tenth, counts = ladder.time_control.bank / 10, []
    for now in (NOON, NOON + tenth, NOON + 1.5 * tenth):
        if by == "players" and now == NOON:
            challenge(ladder_id=ladder.pk, challenger=players[1], opponent=players[0], now=now)
        if now == NOON:
            verbs.pair(ladder, now)
            verbs.enter(ladder, players[5], now + tenth / 2)
        verbs.pair(ladder, now)
        counts.append(len(verbs.running(ladder)))
    assert counts == started


def test_a_player_reads_how_long_there_is_to_choose(client_of, api, players):
    ladder = verbs.make_ladder(format="challenge-ladder", challenges_by="in-time")
    verbs.enter_all(ladder, players)
    verbs.start(ladder, timezone.now())
    ladder.refresh_from_db()
    until = ladder.started_at + ladder.time_control.bank / 10
    for player, seen in [(players[0], None), (players[5], until)]:
        page = client_of(player).get("/ladders/ladder/").content.decode()
        assert ("After that, the ladder starts a game for you." in page) == (seen is not None)
        stated = api(player).get("/api/v1/competitions/ladder/").json()["chooses_until"]
        assert (stated and parse_datetime(stated)) == seen
    assert "within a tenth of the starting time" in client_of(players[5]).get("/ladders/ladder/").content.decode()


def test_players_who_leave_or_have_closed_the_account_are_not_counted_either(ladder, players):
    Entry.objects.filter(player=players[4]).update(status=EntryStatus.ON_HOLD)
    Player.objects.filter(pk=players[3].pk).update(is_active=False)
    assert opponents_of(ladder, players[5]) == ["player-1", "player-2", "player-3"]


def opponents_of(ladder, player, now=NOON):
    """Return whom the player can reach, as it is listed, and check that the ladder itself says the same."""
    own = Entry.objects.get(competition=ladder, player=player)
    near = opponents_within_reach(seat=own.seat)
    state = read_challenge_ladder(ladder, now, challengers=positions_of([own.pk]))
    assert [entry.pk for entry in near] == list(state.opponents_of(own.pk))
    return [str(entry) for entry in near]
