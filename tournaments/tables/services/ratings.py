"""Ratings: what the rated matches, in the order of their ends, make of everybody's rating.

A match that has to be rated, or counts no more, leaves a row in ``RatingDue``. Rating rolls the
changes back to the earliest of these and plays the rest again, so that the result is always that of
a replay of all matches from the start, in whatever order they were settled.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from math import floor
from typing import NamedTuple

from django.db import transaction
from django.db.models import F, Q, QuerySet, Window
from django.db.models.functions import Coalesce, RowNumber

from database.isolation import attempt_each
from matches.models import Match, Status
from matches.selectors.matches import moved_by_both
from matches.services.adjudication import annul_match
from matches.services.reopen_match import count_match_again, forgive_loss, reopen_match
from players.models import Player, Rating
from rules_engine.registry import GAMES
from rules_engine.values import BySide, Side
from tournaments.models import Competition, CompetitionStatus, Group, RatingChange, RatingDue, RatingPool
from tournaments.models.elo import RatingState, rate
from tournaments.office.services.after_commit import notify_ratings
from tournaments.office.services.locks import lock_competitions
from tournaments.tables.services.rating_counts import change_counts, lock_first_ratings, recount_ratings
from tournaments.tables.services.standings import mark_groups_stale

MAX_ROWS = 1000

RATED_WINNER = Coalesce("fixture__correction__winner", "winner")
"""Who has won a match for the ratings: a corrected result decides it."""


class Moment(NamedTuple):
    """A match's place in the order of its family."""

    finished_at: datetime
    match_id: int


def mark_ratings_due(*, matches: Collection[Match]) -> None:
    """Note that matches must be rated, or no longer, and queue the rating. Part of the caller's transaction."""
    RatingDue.objects.bulk_create([RatingDue(family=match.rules.family, match=match) for match in matches])
    for family in sorted({match.rules.family for match in matches}):
        notify_ratings(family=family)


def annul_rated(*, match_id: int, now: datetime) -> Match:
    """Annul a match, for the ratings too, and return it. Again has no effect. Raises ``MatchNotFound``."""
    with transaction.atomic():
        match = annul_match(match_id=match_id, now=now)
        if match.is_rated:
            mark_ratings_due(matches=[match])
    return match


def reopen_rated(*, match_id: int, now: datetime, is_paused: bool, since: datetime | None = None) -> Match:
    """Let a match go on, for the ratings too, as ``reopen_match`` does, or with ``since`` as ``forgive_loss``."""
    with transaction.atomic():
        if since is None:
            match = reopen_match(match_id=match_id, now=now, is_paused=is_paused)
        else:
            match = forgive_loss(match_id=match_id, since=since, now=now, is_paused=is_paused)
        if match.is_rated:
            mark_ratings_due(matches=[match])
    return match


def count_rated_again(*, match_id: int) -> Match:
    """Let a match that was annulled after its end count again, for the ratings too, and return it."""
    with transaction.atomic():
        match = count_match_again(match_id=match_id)
        if match.is_rated:
            mark_ratings_due(matches=[match])
    return match


def rate_pending(*, family: str, now: datetime) -> int:
    """Make the changes that are due in a family of games; return how many matches were rated or rated again."""
    with transaction.atomic():
        _lock_pool(family)
        # The list of due matches is read before the matches: one that comes in between is due once more.
        due = list(RatingDue.objects.filter(family=family).select_related("match"))
        moments = _moments_of([each.match for each in due])
        rated = _rate_again(family, min(moments), now) if moments else 0
        RatingDue.objects.filter(pk__in=[each.pk for each in due]).delete()
    return rated


def recompute_ratings(*, family: str, now: datetime) -> int:
    """Make all changes of a family of games anew, from the matches alone; return how many matches were rated."""
    with transaction.atomic():
        _lock_pool(family)
        due = list(RatingDue.objects.filter(family=family).values_list("pk", flat=True))
        rated = _rate_again(family, None, now)
        RatingDue.objects.filter(pk__in=due).delete()
    return rated


def rate_waiting(*, now: datetime) -> int:
    """Make the changes that are due in every family, each for itself; return how many matches were rated."""
    families = RatingDue.objects.order_by("family").values_list("family", flat=True).distinct()
    return sum(
        attempt_each(
            list(families),
            lambda family: rate_pending(family=family, now=now),
            event="ratings_not_made",
            key="family",
        )
    )


def rated_matches(*, family: str, since: Moment | None = None) -> QuerySet[Match]:
    """Return the matches that count for a family's ratings, in the order of their ends, from ``since`` on."""
    games = [key for key, game in GAMES.items() if game.family == family]
    matches = Match.objects.filter(
        Q(fixture__correction=None) | Q(fixture__correction__is_rated=True),
        moved_by_both(),
        game__in=games,
        is_rated=True,
        status=Status.FINISHED,
        settled_at__isnull=False,
        annulled_at=None,
    )
    if since is not None:
        matches = matches.filter(_not_before(since, match="pk"))
    return matches.order_by("finished_at", "pk")


def _lock_pool(family: str) -> None:
    pool = RatingPool.objects.select_for_update().filter(pk=family)
    if pool.first() is None:
        RatingPool.objects.bulk_create([RatingPool(family=family)], ignore_conflicts=True)
        pool.get()


def _moments_of(matches: Collection[Match]) -> list[Moment]:
    """Return when matches ended, and when they did as they were rated: one may have gone on since."""
    moments = [Moment(match.finished_at, match.pk) for match in matches if match.finished_at is not None]
    changes = RatingChange.objects.filter(match__in=[match.pk for match in matches])
    return [*moments, *(Moment(*row) for row in changes.values_list("finished_at", "match").distinct())]


def _not_before(moment: Moment, *, match: str) -> Q:
    later = Q(finished_at__gt=moment.finished_at) | Q(**{f"{match}__gte": moment.match_id})
    return Q(finished_at__gte=moment.finished_at) & later


def _rate_again(family: str, since: Moment | None, now: datetime) -> int:
    """Undo a family's rating changes back to a moment, or to the start, and rate the matches from there again."""
    undone = RatingChange.objects.filter(family=family)
    if since is None:
        rolled_back = set(Rating.objects.filter(family=family).values_list("player", flat=True))
    else:
        undone = undone.filter(_not_before(since, match="match"))
        rolled_back = set(undone.values_list("player", flat=True).distinct())
    undone.delete()
    rated = rated_matches(family=family, since=since).annotate(rated_winner=RATED_WINNER)
    matches = list(rated.only("finished_at", "yellow_id", "red_id"))
    players = rolled_back.union(*((match.yellow_id, match.red_id) for match in matches))
    present = _states_of_ratings(family, players - rolled_back)
    has_newcomers = not players <= rolled_back | present.keys()
    states = (_states_after_changes(family, rolled_back) if since else {}) | present
    RatingChange.objects.bulk_create(list(_play_again(family, matches, states)), batch_size=MAX_ROWS)
    # Competitions are locked before ratings, as closing an account locks them.
    _want_tables_by_rating(family, since, now)
    if has_newcomers:
        lock_first_ratings()
    _store(family, players, states)
    if since is None:
        recount_ratings(family=family)
    return len(matches)


def _states_of_ratings(family: str, players: Collection[int]) -> dict[int, RatingState]:
    """Return the present state of those of the players who have been rated."""
    ratings = Rating.objects.filter(family=family, player__in=players)
    return {row[0]: RatingState(*row[1:]) for row in ratings.values_list("player", "rating", "games", "wins", "rank")}


def _states_after_changes(family: str, players: Collection[int]) -> dict[int, RatingState]:
    """Return the state after the last remaining change of each player who has one."""
    latest = Window(RowNumber(), partition_by=F("player"), order_by=[F("finished_at").desc(), F("match").desc()])
    changes = RatingChange.objects.filter(family=family, player__in=players).annotate(age=latest).filter(age=1)
    return {row[0]: RatingState(*row[1:]) for row in changes.values_list("player", "after", "games", "wins", "rank")}


def _play_again(family: str, matches: Iterable[Match], states: dict[int, RatingState]) -> Iterator[RatingChange]:
    """Yield the changes of the matches; ``states`` go along with them."""
    for match in matches:
        if match.finished_at is None:
            continue
        players = BySide(match.yellow_id, match.red_id)
        before = players.map(lambda player: states.get(player, RatingState()))
        winner = vars(match)["rated_winner"]
        changes = rate(before, Side(winner) if winner else None)
        for side in Side:
            change = changes[side]
            states[players[side]] = change.after
            yield RatingChange(
                player_id=players[side],
                family=family,
                match=match,
                finished_at=match.finished_at,
                before=change.before.rating,
                after=change.after.rating,
                games=change.after.games,
                wins=change.after.wins,
                rank=change.after.rank,
            )


def _store(family: str, players: set[int], states: dict[int, RatingState]) -> None:
    """Store the players' ratings, and count them; a player without a rated match has none."""
    stored = Rating.objects.select_for_update().filter(family=family, player__in=players).order_by("player")
    before = {row[0]: (row[1], row[2]) for row in stored.values_list("player", "rating", "is_listed")}
    rated = players & states.keys()
    Rating.objects.filter(family=family, player__in=before.keys() - rated).delete()
    # Read after the ratings were locked: a service that opens or closes an account locks them before.
    accounts = Player.objects.filter(pk__in=rated, is_active=True)
    listed = set(accounts.values_list("pk", flat=True))
    Rating.objects.bulk_create(
        (
            Rating(
                player_id=player,
                family=family,
                rating=states[player].rating,
                games=states[player].games,
                wins=states[player].wins,
                rank=states[player].rank,
                is_listed=player in listed,
            )
            for player in sorted(rated)
        ),
        batch_size=MAX_ROWS,
        update_conflicts=True,
        unique_fields=["player", "family"],
        update_fields=["rating", "games", "wins", "rank", "is_listed"],
    )
    changes = Counter(floor(states[player].rating) for player in listed)
    changes.subtract(floor(rating) for rating, is_listed in before.values() if is_listed)
    change_counts(family=family, changes=changes)


def _want_tables_by_rating(family: str, since: Moment | None, now: datetime) -> None:
    """Mark tables stale in which ratings may decide places: those of before the end of what has ended."""
    games = [key for key, game in GAMES.items() if game.family == family]
    ended = Q(ended_at__isnull=False) if since is None else Q(ended_at__gt=since.finished_at)
    finished = Q(finished_at__isnull=False) if since is None else Q(finished_at__gt=since.finished_at)
    competitions = Competition.objects.filter(Q(status=CompetitionStatus.RUNNING) | finished, game__in=games)
    competitions = competitions.exclude(status=CompetitionStatus.CANCELLED, started_at=None)
    groups = Group.objects.filter(Q(ended_at=None) | ended, stage__competition__in=competitions)
    rows = groups.values_list("stage__competition", "pk", "stage__tiebreaks")
    by_rating = [(competition_id, group_id) for competition_id, group_id, keys in rows if "rating" in keys]
    if by_rating:
        # The rows of groups are marked under the lock of their competition, as the counting of results marks them.
        lock_competitions(competition_ids={competition_id for competition_id, _group_id in by_rating})
        mark_groups_stale(groups=Group.objects.filter(pk__in=[group_id for _id, group_id in by_rating]), now=now)
