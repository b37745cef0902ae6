"""Tags and filters about ratings, titles and points."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django import template
from django.template import Context

from database.clock import current_moment
from matches.models import Match
from matches.selectors.matches import moved_by_both
from matches.sentences import result_text
from players.models import Player
from players.selectors import ratings_in
from rules_engine.values import BySide, Ending, Outcome, Side
from tournaments.models import Competition, RatingChange, Standing, Title
from tournaments.models.elo import name_rank
from tournaments.models.game_families import FAMILIES
from tournaments.records.results import Result, corrections_of
from tournaments.tables.columns import COLUMNS, POINTS, Column
from tournaments.tables.plot import Plot, Reading, draw_plot
from tournaments.tables.selectors.records import RatingRecord, rating_records
from tournaments.tables.selectors.titles import find_holder, titles_of
from tournaments.tables.sentences import reasons_text

register = template.Library()
register.filter("rank_name", name_rank)
register.filter("reasons_in_words", reasons_text)

MAX_HELD = 3
"""The most titles of a player that stand below the name."""


@dataclass(frozen=True, slots=True)
class PlottedRating:
    """A rating with its history as a plot."""

    title: str
    record: RatingRecord
    plot: Plot | None


@register.filter
def rounded(rating: Decimal) -> str:
    """Return a rating as people say it: without decimals."""
    return f"{rating:.0f}"


@register.filter
def signed(number: int) -> str:
    """Return a number with its sign, a true minus."""
    return f"{number:+d}".replace("-", "−") if number else "±0"


@register.filter
def change_of(change: RatingChange) -> int:
    """Return by how much a match changed the rating as it is shown: the difference of the rounded numbers."""
    return int(rounded(change.after)) - int(rounded(change.before))


@register.simple_tag
def match_ratings(match: Match) -> dict[str, str]:
    """Return both sides' ratings by side; empty for a side that has none: guests play no rated matches."""
    ratings = ratings_in(family=match.rules.family, players=list(match.players))
    return {
        side: "" if player.is_guest else rounded(ratings[player.pk])
        for side, player in (("yellow", match.yellow), ("red", match.red))
    }


@register.simple_tag
def match_rating_changes(match: Match) -> list[RatingChange]:
    """Return what a rated match did to its players' ratings, Yellow's change first; empty before it is counted."""
    if not match.is_rated or match.finished_at is None:
        return []
    changes = RatingChange.objects.filter(match=match).select_related("player")
    return sorted(changes, key=lambda change: change.player_id != match.yellow_id)


@register.filter
def ended_too_early(match: Match) -> bool:
    """Return whether a match ended before both sides had moved: then it is not rated."""
    return match.finished_at is not None and not Match.objects.filter(moved_by_both(), pk=match.pk).exists()


@dataclass(frozen=True, slots=True)
class ShownResult:
    """The result of a match that counts: goals, who has won, and what it is worth where that was asked for."""

    score: BySide[int]
    winner: Side | None
    points: BySide[int] | None = None
    headline: str = ""
    is_corrected: bool = False


@register.simple_tag(name="corrections_of")
def read_corrections(matches: Iterable[Match]) -> dict[int, Result]:
    """Return the results that count in place of the matches' own, by match. One query, none if all have their own."""
    return corrections_of(matches)


@register.simple_tag(takes_context=True)
def result_in_row(context: Context, match: Match) -> ShownResult:
    """Return the result that counts, or how a match stands; the context has the ``corrections`` of the list."""
    correction = (context.get("corrections") or {}).get(match.pk)
    if correction is not None:
        return ShownResult(correction.goals, correction.winner)
    return ShownResult(match.state.score, Side(match.winner) if match.winner else None)


@register.simple_tag
def counted_result(match: Match, you: Side | None) -> ShownResult:
    """Return the result of a finished match that counts: in its competition, else by its game."""
    outcome = match.outcome or Outcome(None, Ending.ADJUDICATION, match.state.score)
    correction = corrections_of([match]).get(match.pk)
    if correction is not None:
        decided = Outcome(correction.winner, correction.ending, correction.goals)
        headline = result_text(match, decided, you or None)
        return ShownResult(decided.score, decided.winner, correction.points, headline, is_corrected=True)
    points = _points_of(match, outcome)
    return ShownResult(outcome.score, outcome.winner, points, result_text(match, outcome, you or None))


def _points_of(match: Match, outcome: Outcome) -> BySide[int] | None:
    if match.competition is None:
        return match.points
    competition = Competition.objects.filter(pk=match.competition).only("game", "point_table").first()
    return match.points if competition is None else competition.points_of(outcome)


@register.simple_tag
def player_ratings(player: Player) -> list[PlottedRating]:
    """Return the player's ratings with their plots."""
    return [
        PlottedRating(FAMILIES.get(record.rating.family, record.rating.family), record, _plot(record))
        for record in rating_records(player)
    ]


@register.simple_tag
def player_titles(player: Player) -> list[Title]:
    """Return the latest titles that the player has won."""
    return titles_of(player)


@register.filter
def held(titles: list[Title]) -> list[Title]:
    """Return the first few of a player's titles that the player holds."""
    return [title for title in titles if vars(title)["is_held"]][:MAX_HELD]


@register.simple_tag
def title_holder(competition: Competition) -> Title | None:
    """Return the title of the season before, of one who plays in this season of a series."""
    return find_holder(competition)


@register.filter
def family_title(family: str) -> str:
    """Return what people call a family of games."""
    return FAMILIES.get(family, family)


def _plot(record: RatingRecord) -> Plot | None:
    if not record.changes:
        return None
    first = record.changes[0]
    readings = [Reading(first.finished_at, float(first.before))]
    readings += [Reading(change.finished_at, float(change.after)) for change in record.changes]
    return draw_plot(readings, until=current_moment())


@register.simple_tag
def table_columns() -> dict[str, Any]:
    """Return the columns of a table: ``sums`` of results, the ``points``, and those of both ``on_cards``."""
    on_cards = [column for column in (*COLUMNS, POINTS) if column.on_cards]
    return {"sums": COLUMNS, "points": POINTS, "on_cards": on_cards}


@register.filter
def in_column(standing: Standing | None, column: Column) -> str:
    """Return what stands in a column of a row."""
    return column.show(standing)
