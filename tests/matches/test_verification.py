"""Deriving matches once more from their moves."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from matches.clock import CORRESPONDENCE
from matches.models import Match, Move
from matches.services import expire_due, expire_match, resign
from matches.services.verification import verify_match
from tests.matches.conftest import NOON
from tests.matches.play import act, play_randomly, reread, set_up


def faults_of(match: Match) -> list[str]:
    return verify_match(match=reread(match))


@pytest.mark.parametrize("game", ["streetsoccer-board", "streetsoccer-online"])
def test_every_match_that_is_played_is_borne_out(game, begin, anna):
    finished, resigned, expired = play_randomly(begin(game)), begin(game), begin(game)
    play_randomly(expired, until=30)
    resign(match_id=resigned.pk, player=anna, now=NOON + timedelta(days=1))
    expire_match(match_id=expired.pk, now=NOON + timedelta(days=100))
    assert [faults_of(match) for match in (finished, resigned, expired, begin(game))] == [[], [], [], []]


def test_an_end_in_the_future_is_found(begin, anna):
    now = timezone.now()
    match = begin(now=now)
    resign(match_id=match.pk, player=anna, now=now + timedelta(days=1))
    with pytest.raises(CommandError, match="1 of 1"):
        call_command("verify_matches", stdout=(said := StringIO()))
    assert said.getvalue() == f"Match {match.pk}: finished_at is {reread(match).finished_at}, which is still to come.\n"


@pytest.mark.parametrize(
    "change",
    [
        {"position": "over 36.1 - - b2,d2,h4,f7,a3 a6,d4,f2,h8,f6 e8 0-0 -"},
        {"ply": 3},
        {"rolls": 1},
        {"chain": "00" * 32},
        {"bank_yellow": 1000},
        {"bank_red": 1000},
        {"turn_started_at": NOON},
        {"last_move_at": NOON},
        {"deadline": NOON + timedelta(days=3)},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_changed_cache_is_found(change, begin):
    match = play_randomly(begin(), until=20)
    before = getattr(match, next(iter(change)))
    Match.objects.filter(pk=match.pk).update(**change)
    (fault,) = faults_of(match)
    name, value = next(iter(change.items()))
    assert fault == f"{name} is {value}, but the moves give {before}."


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("winner", lambda winner: "red" if winner == "yellow" else "yellow"),
        ("ending", lambda ending: "goalless" if ending == "normal-time" else "normal-time"),
        ("score_yellow", lambda score: score + 1),
        ("points_red", lambda points: points + 1),
        ("finished_at", lambda moment: moment - timedelta(seconds=1)),
    ],
)
def test_a_changed_result_is_found(name, change, begin):
    match = play_randomly(begin())
    before = getattr(match, name)
    Match.objects.filter(pk=match.pk).update(**{name: change(before)})
    assert faults_of(match) == [f"{name} is {change(before)}, but the moves give {before}."]


def update(match: Match, **fields: Any) -> None:
    Match.objects.filter(pk=match.pk).update(**fields)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda match: update(match, side="yellow"), "side is yellow, but the moves give red."),
        (lambda match: update(match, commitment="00" * 32), "The seed is not the one that was committed to."),
        (lambda match: update(match, game="chess"), "The game is unknown"),
        (lambda match: match.moves.get(ply=0).delete(), "The moves cannot be replayed: your goalie starts"),
        (lambda match: match.moves.update(text="c3-c5"), "The moves cannot be replayed: "),
        (lambda match: match.moves.update(actor="red"), "chain is "),
        (
            lambda match: match.moves.update(played_at=NOON + timedelta(days=20)),
            "The clocks cannot be replayed: The time ran out before the turn was over.",
        ),
    ],
)
def test_other_changes_are_found(change, fault, begin):
    match = act(act(begin(), "@d1"), "@c3,d5,f7,g4")
    change(match)
    (found,) = faults_of(match)
    assert found.startswith(fault)


def test_a_timeout_that_is_not_dated_at_the_deadline_is_found(begin):
    match = begin()
    expire_match(match_id=match.pk, now=NOON + timedelta(days=100))
    Match.objects.filter(pk=match.pk).update(finished_at=NOON + timedelta(days=100))
    assert [fault.split()[0] for fault in faults_of(match)] == ["finished_at"]


def test_vacation_that_was_not_allowed_is_found(begin):
    match = begin()
    expire_due(now=NOON + CORRESPONDENCE.bank)
    Match.objects.filter(pk=match.pk).update(vacation_limit=0)
    assert faults_of(match) == [
        "There were days of vacation, but the match allows none.",
        "There were more days of vacation than the 0 that the match allows.",
    ]


def test_a_changed_roll_is_found(begin):
    match = set_up(begin())
    roll = match.moves.filter(actor="chance").latest("ply")
    faults = []
    for face in {"1", "2", "3", "4", "5", "6"} - {roll.text}:
        Move.objects.filter(pk=roll.pk).update(text=face)
        faults += faults_of(match)
    assert any("which the seed does not give" in fault for fault in faults)


def test_to_verify_changes_nothing(begin):
    match = reread(play_randomly(begin(), until=20))
    before = dict(vars(match))
    verify_match(match=match)
    assert {name: value for name, value in vars(match).items() if name != "_state"} == {
        name: value for name, value in before.items() if name != "_state"
    }


def test_the_command_says_that_all_is_well(begin):
    for _ in range(2):
        play_randomly(begin(), until=10)
    out = StringIO()
    call_command("verify_matches", stdout=out)
    assert out.getvalue() == "Borne out by their moves: 2.\n"


def test_the_command_reports_every_difference_and_fails(begin):
    sound, broken = begin(), begin()
    Match.objects.filter(pk=broken.pk).update(ply=4, rolls=2)
    out = StringIO()
    with pytest.raises(CommandError, match="Not borne out by their moves: 1 of 2") as raised:
        call_command("verify_matches", stdout=out)
    assert raised.value.returncode == 1
    assert out.getvalue().splitlines() == [
        f"Match {broken.pk}: ply is 4, but the moves give 0.",
        f"Match {broken.pk}: rolls is 2, but the moves give 0.",
    ]
    call_command("verify_matches", "--match", str(sound.pk), stdout=out)


def test_the_command_wants_a_match_that_exists(db):
    with pytest.raises(CommandError, match="There is no match 77"):
        call_command("verify_matches", match=77)
