"""Competitions and results for the tests of settling: matches end by a decision, at the moment that a test needs."""

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from formats.protocol import Order
from matches.clock import CORRESPONDENCE
from matches.models import Match
from matches.services import start_match
from matches.services.adjudication import adjudicate_match
from players.models import Player, Rating
from rules_engine.values import BySide, Ending, Outcome, Side
from tests.matches.play import move_both
from tests.tournaments.verbs import make_stage
from tournaments.models import (
    CompetitionStatus,
    Entry,
    Fixture,
    Ladder,
    PlaceChange,
    RatingChange,
    RatingCount,
    RatingDue,
    Standing,
)
from tournaments.records.groups import first_group_id
from tournaments.rounds.services.fixtures import add_fixture, new_fixture, start_fixtures
from tournaments.rounds.services.seating import store_competition
from tournaments.running.services.challenge_positions import enter_positions
from tournaments.running.services.entry_rows import seat_entries
from tournaments.running.services.numbers import store_numbers
from tournaments.running.services.settlement import settle_match
from tournaments.tables.services.challenge_results import replay_challenges
from tournaments.tables.services.ratings import rate_waiting

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
GAME = "streetsoccer-board"
FAMILY = "streetsoccer"


def make_players(count: int, prefix: str = "player") -> list[Player]:
    return Player.objects.bulk_create(
        [Player(username=f"{prefix}-{number}", date_joined=NOON) for number in range(count)]
    )


def make_ladder(players: Sequence[Player], **options: Any) -> tuple[Ladder, list[Entry]]:
    """Return a running ladder on which games start only when a test says so, and its entries."""
    given = {
        "name": "Ladder",
        "slug": "ladder",
        "game": GAME,
        "status": CompetitionStatus.RUNNING,
        "tiebreaks": ["points", "wins", "goal-difference", "goals", "draw"],
        "min_matches": 0,
        "created_at": NOON,
        "started_at": NOON,
    }
    given |= options
    stage = make_stage(Ladder, given)
    ladder = Ladder(**given)
    store_competition(competition=ladder, stage=stage)
    entries = Entry.objects.bulk_create(
        [
            Entry(competition=ladder, player=player, draw=number * 7 % 11, entered_at=NOON)
            for number, player in enumerate(players)
        ]
    )
    store_numbers(competition_id=ladder.pk)
    seat_entries(competition=ladder, entries=entries)
    if ladder.first_stage.format_spec.order is Order.POSITIONS:
        enter_positions(entries=entries, now=NOON - HOUR)
    return ladder, entries


def begin(
    ladder: Ladder, yellow: Entry, red: Entry, *, challenger: Entry | None = None, now: datetime = NOON
) -> Fixture:
    return add_fixture(
        competition=ladder,
        group_id=first_group_id(competition_id=ladder.pk),
        sides=BySide(yellow, red),
        challenger=challenger,
        now=now,
    )


def end(fixture: Fixture, winner: Side | None, at: datetime) -> Match:
    """End the fixture's match after a move of each side; it waits to be settled."""
    assert fixture.match is not None
    return adjudicate_match(match_id=move_both(fixture.match).pk, winner=winner, now=at)


def give_result(match: Match, outcome: Outcome, at: datetime) -> None:
    """Let a running match have ended with this outcome."""
    points = match.rules.match_points(outcome)
    Match.objects.filter(pk=match.pk).update(
        status="finished",
        side="",
        deadline=None,
        finished_at=at,
        winner=outcome.winner or "",
        ending=outcome.ending,
        score_yellow=outcome.score.yellow,
        score_red=outcome.score.red,
        points_yellow=points.yellow,
        points_red=points.red,
    )


def random_outcome(source: random.Random) -> Outcome:
    """Return an end by the rules, goalless and narrow ones among them."""
    ending = source.choice([Ending.NORMAL_TIME, Ending.SUDDEN_DEATH, Ending.LAST_GOAL, Ending.GOALLESS])
    if ending == Ending.GOALLESS:
        return Outcome(None, ending, BySide(0, 0))
    winner = source.choice(list(Side))
    score = BySide(source.randrange(3), source.randrange(3))
    return Outcome(winner, ending, score.with_side(winner, score[winner.opponent] + 1))


def play_ladder(ladder: Ladder, entries: Sequence[Entry], count: int, seed: int = 1) -> list[int]:
    """Let so many games of the ladder have ended, one an hour; return their matches, none settled."""
    source = random.Random(seed)
    group_id = first_group_id(competition_id=ladder.pk)
    challenges = ladder.first_stage.format_spec.order is Order.POSITIONS
    fixtures, outcomes = [], []
    for _game in range(count):
        one, other = source.sample(list(entries), 2)
        sides, challenger = BySide(one, other), other if challenges else None
        fixtures.append(
            new_fixture(competition=ladder, group_id=group_id, sides=sides, challenger=challenger, now=NOON)
        )
        outcomes.append(random_outcome(source))
    start_fixtures(fixtures=fixtures, competition=ladder, now=NOON)
    matches = [fixture.match for fixture in fixtures if fixture.match is not None]
    for number, (match, outcome) in enumerate(zip(matches, outcomes, strict=True)):
        give_result(move_both(match), outcome, NOON + number * HOUR)
    return [match.pk for match in matches]


def start_rated(yellow: Player, red: Player, now: datetime = NOON) -> Match:
    """Start a rated match in which both sides have moved."""
    return move_both(
        start_match(game=GAME, yellow=yellow, red=red, time_control=CORRESPONDENCE, now=now, is_rated=True)
    )


def rated(yellow: Player, red: Player, winner: Side | None, at: datetime = NOON) -> Match:
    """Return a rated match outside of competitions that has ended so, with its ratings."""
    match = start_rated(yellow, red)
    adjudicate_match(match_id=match.pk, winner=winner, now=at)
    settle_match(match_id=match.pk, now=at)
    rate_waiting(now=at)
    return match


def stored_tables() -> dict[str, list[Any]]:
    """Return everything that settling has left, but for when it did it and by what numbers the rows go."""
    return {
        "positions": list(Entry.objects.order_by("pk").values_list("pk", "seats__position", "waits_since")),
        "standings": list(
            Standing.objects.order_by("pk").values_list(
                "pk",
                "place",
                "played",
                "won",
                "drawn",
                "lost",
                "as_red",
                "goals_for",
                "goals_against",
                "points",
                "decided_by",
            )
        ),
        "changes": list(
            RatingChange.objects.order_by("match", "player").values_list(
                "match", "player", "before", "after", "games", "wins", "rank"
            )
        ),
        "history": sorted(
            PlaceChange.objects.filter(seat__stage__format="challenge-ladder").values_list(
                "changed_at", "seat", "place", "match"
            ),
            key=str,
        ),
    }


def unsettle() -> None:
    """Forget everything but the matches themselves."""
    Match.objects.update(settled_at=None)
    Fixture.objects.update(
        counted_at=None,
        finished_at=None,
        ending="",
        points_yellow=None,
        points_red=None,
        goals_yellow=None,
        goals_red=None,
        is_in_history=False,
    )
    Entry.objects.update(waits_since=None)
    for model in (Rating, RatingChange, RatingCount, RatingDue, Standing):
        model.objects.all().delete()
    if Ladder.objects.filter(stages__format="challenge-ladder").exists():
        for ladder in Ladder.objects.all():
            replay_challenges(ladder_id=ladder.pk)
    else:
        PlaceChange.objects.all().delete()
