"""Queries for matches."""

from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import takewhile
from typing import Any, NamedTuple

from django.db.models import BigIntegerField, Case, Count, Exists, F, IntegerField, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from database.compiled_queries import CompiledQuery
from matches.clock import DAY, MAX_DRAWN, SECOND
from matches.dice import Spent
from matches.errors import MatchNotFound
from matches.models import Match, Move, Status
from matches.models.match import RUNNING
from players.models import Player
from rules_engine.values import Side


class MatchVersion(NamedTuple):
    """To what a match has come: another one for everything that others see of it."""

    ply: int
    chain: str
    changed_at: datetime


def get_match(match_id: int) -> Match:
    """Return the match with its players; raises ``MatchNotFound``."""
    # SQLite fails to compare with a number that is out of range.
    match = _MATCH.find(match_id=match_id) if match_id <= MAX_ID else None
    if match is None:
        raise MatchNotFound(_("There is no such match."))
    return match


def find_version(match_id: int) -> MatchVersion | None:
    """Return to what a match has come, ``None`` if there is no such match."""
    rows = _VERSION.rows(match_id=match_id) if match_id <= MAX_ID else []
    return MatchVersion(*rows[0]) if rows else None


def check_matches(match_ids: Collection[int]) -> None:
    """Raise ``MatchNotFound`` unless there is a match with each of these ids."""
    ids = set(match_ids)
    # Nearly all streams name one: each of them would compile the query anew.
    known = find_version(min(ids)) is not None if len(ids) == 1 else _are_there(ids)
    if not known:
        raise MatchNotFound(_("There is no such match."))


def _are_there(ids: Collection[int]) -> bool:
    return not ids or Match.objects.filter(pk__in=ids).count() == len(ids)


def list_moves(match_id: int) -> list[tuple[Any, ...]]:
    """Return every move of a match, the first one first: ply, actor, text, moment, thinking time, how."""
    return _MOVES.rows(match_id=match_id)


def moves_between(match_id: int, *, since: int, until: int) -> list[Move]:
    """Return the moves of a match from a ply on and before another, the first one first."""
    return _MOVES_BETWEEN.all(match_id=match_id, since=since, until=until)


def find_last_turn(match: Match, *, since: int) -> int:
    """Return the ply at which the last turn of a match began, with the rolls after it, from a ply on; 0 for none."""
    # They were stored at one moment. Moves played since the match was read are of another.
    rows = _MOMENTS.rows(match_id=match.pk, since=since, until=match.ply)
    return min((row[0] for row in takewhile(lambda row: row[1] == match.last_move_at, rows)), default=0)


def count_drawn(match: Match, side: Side) -> int:
    """Return how many decisions of a side in a row were drawn before the present one, ``MAX_DRAWN`` at most."""
    latest = match.moves.filter(actor=side, by_itself=False).order_by("-ply").values_list("is_drawn", flat=True)
    return sum(takewhile(bool, latest[:MAX_DRAWN]))


def moved_by_both() -> Q:
    """Return the condition that both sides have made a move of their own: none that was drawn or played by itself.

    A match that ended before is not rated, whatever ended it (rules: competitions, "Rating games").
    """
    own_moves = Move.objects.filter(match=OuterRef("pk"), is_drawn=False, by_itself=False)
    return Q(*(Exists(own_moves.filter(actor=side)) for side in Side))


def all_matches() -> QuerySet[Match]:
    """Return every match with what it shows of its players, the newest first."""
    return Match.objects.select_related("yellow", "red").defer(*_PRIVATE).order_by("-pk")


def find_matches(
    *,
    player: Player | None = None,
    status: str | None = None,
    game: str | None = None,
    ids: Collection[int] | None = None,
    to_move: Player | None = None,
) -> QuerySet[Match]:
    """Return the matches that fit everything given, the newest first.

    Those that wait for a move of the player ``to_move`` are ``due`` at their deadline.
    """
    matches = all_matches() if player is None else _matches_of(player)
    if to_move is not None:
        # By the column itself PostgreSQL would go through the running matches of everybody until it has found enough.
        due = Coalesce("deadline", "turn_started_at")
        matches = matches.filter(_is_turn_of(to_move), RUNNING).annotate(due=due)
    if status is not None:
        matches = matches.filter(status=status)
    if game is not None:
        matches = matches.filter(game=game)
    if ids is not None:
        matches = matches.filter(pk__in=ids)
    return matches


def running_matches(player: Player | int) -> QuerySet[Match]:
    """Return the player's running matches: those in which it is their turn first, then by deadline.

    Each has ``your_turn``, 1 or 0.
    """
    your_turn = When(_is_turn_of(player), then=Value(1))
    return (
        _matches_of(player)
        .filter(status=Status.PLAYING)
        .annotate(your_turn=Case(your_turn, default=Value(0), output_field=IntegerField()))
        .order_by("-your_turn", "deadline", "pk")
    )


def first_running(player: Player) -> Sequence[Match]:
    """Return the first of these, as many as the home page lists."""
    return _RUNNING.all(player_id=player.pk)


def running_matches_in(*, competition_id: int, player: Player) -> Sequence[Match]:
    """Return the player's matches that go on in a competition, the one with the least time first: 20 at most."""
    return _RUNNING_IN.all(competition_id=competition_id, player_id=player.pk)


def matches_to_move(player: Player) -> QuerySet[Match]:
    """Return the matches in which it is the player's turn, and the clock runs, the one with the least time first."""
    return find_matches(to_move=player).order_by(*BY_DEADLINE)


def count_matches_to_move(player: Player) -> int:
    """Return the number of matches in which it is the player's turn, and the clock runs."""
    return sum(number for (number,) in _NUMBER_TO_MOVE.rows(player_id=player.pk))


def next_match_to_move(player: Player, *, skipped: Sequence[int] = ()) -> int | None:
    """Return the id of the match to move with the least time; those that were skipped come last, in their order."""
    # One more than were skipped: the first that was not is among them, if there is one.
    waiting = matches_to_move(player).values_list("pk", flat=True)[: len(skipped) + 1]
    places = {match_id: place for place, match_id in enumerate(skipped, start=1)}
    return min(waiting, key=lambda match_id: places.get(match_id, 0), default=None)


def latest_finished(player: Player) -> Sequence[Match]:
    """Return the player's latest finished matches, the last one first, without those that came to nothing."""
    return _FINISHED.all(player_id=player.pk)


def has_won(player: Player) -> bool:
    """Return whether the player has won a match."""
    won = Q(yellow=player, winner=Side.YELLOW) | Q(red=player, winner=Side.RED)
    return Match.objects.filter(won, status=Status.FINISHED).exists()


def shown_matches(player: Player | int) -> QuerySet[Match]:
    """Return the player's matches, the newest first, without those that came to nothing."""
    return _matches_of(player).exclude(_CAME_TO_NOTHING)


def live_matches(players: Collection[int]) -> list[tuple[int, int, int]]:
    """Return the running matches of these players that are played in one sitting: id, Yellow and Red."""
    sides = Q(yellow__in=players) | Q(red__in=players)
    live = Match.objects.filter(sides, status=Status.PLAYING, time_bank__lt=DAY // SECOND)
    return list(live.order_by().values_list("pk", "yellow", "red"))


def lively_matches(*, ply: int) -> QuerySet[Match]:
    """Return the matches that have come to ``ply`` at least, the one that changed last first."""
    return all_matches().filter(ply__gte=ply).order_by("-changed_at")


_PRIVATE = [
    f"{side.value}__{name}"
    for side in Side
    for name in (
        "password",
        "email",
        "email_confirmed_at",
        "email_bounced_at",
        "last_login",
        "acted_at",
        "date_joined",
        "is_staff",
        "is_superuser",
    )
]
BY_DEADLINE = ("due", "pk")
MAX_ID = BigIntegerField.MAX_BIGINT
_MATCH = CompiledQuery(lambda match_id: all_matches().filter(pk=match_id).order_by())
_VERSION = CompiledQuery(
    lambda match_id: Match.objects.filter(pk=match_id).order_by().values_list("ply", "chain", "changed_at")
)
_MOVES = CompiledQuery(
    lambda match_id: (
        Move.objects.filter(match=match_id)
        .order_by("ply")
        .values_list("ply", "actor", "text", "played_at", "thinking", "is_drawn", "by_itself", "allowance")
    )
)
_MOVES_BETWEEN = CompiledQuery(
    lambda match_id, since, until: Move.objects.filter(match=match_id, ply__gte=since, ply__lt=until).order_by("ply")
)
_MOMENTS = CompiledQuery(
    lambda match_id, since, until: (
        Move.objects.filter(match=match_id, ply__gte=since, ply__lt=until)
        .order_by("-ply")
        .values_list("ply", "played_at")
    )
)


_CAME_TO_NOTHING = Q(competition__isnull=False, annulled_at=F("finished_at"), ply=F("rolls"))
"""Matches that a competition broke off before anybody moved: players need not hear of them any more."""


def _matches_of(player: Player | int) -> QuerySet[Match]:
    return all_matches().filter(Q(yellow=player) | Q(red=player))


def _is_turn_of(player: Player | int) -> Q:
    return Q(yellow=player, side=Side.YELLOW) | Q(red=player, side=Side.RED)


MAX_LISTED, MAX_FINISHED = 50, 5
"""The numbers of matches on the home page."""

_RUNNING = CompiledQuery(lambda player_id: running_matches(player_id)[:MAX_LISTED], is_prepared=False)
_FINISHED = CompiledQuery(
    lambda player_id: (
        shown_matches(player_id).filter(status=Status.FINISHED).order_by("-finished_at", "-pk")[:MAX_FINISHED]
    ),
    is_prepared=False,
)

MAX_RUNNING = 20
# By the column itself PostgreSQL might go through all matches of the competition.
_RUNNING_IN = CompiledQuery(
    lambda competition_id, player_id: (
        _matches_of(player_id)
        .alias(of=Coalesce("competition", 0))
        .filter(of=competition_id, status=Status.PLAYING)
        .order_by("deadline", "pk")[:MAX_RUNNING]
    ),
    is_prepared=False,
)


def number_to_move(player_id: int) -> QuerySet[Match, Any]:
    """Return the number of ``count_matches_to_move``, for a larger query: no row for none."""
    waiting = Match.objects.filter(_is_turn_of(player_id), RUNNING).order_by().values("status")
    return waiting.annotate(number=Count("pk")).values_list("number")


# Found by an index of the matches that go on: PostgreSQL has to know whom it is about.
_NUMBER_TO_MOVE = CompiledQuery(number_to_move, is_prepared=False)


def spent_seeds(match: Match) -> list[Spent]:
    """Return the seeds of a match that were shown before it went on, in order.

    One query, none outside of competitions: only organisers' decisions are taken back.
    """
    if match.competition is None:
        return []
    return [Spent(each.rolls, bytes.fromhex(each.seed), each.commitment) for each in match.spent_seeds.all()]
