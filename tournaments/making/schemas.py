"""Series and their seasons, in JSON."""

from datetime import datetime
from typing import Literal, TypedDict, cast

from tournaments.making.selectors.season_history import PastSeason, SeasonsPlayed
from tournaments.making.selectors.series import AwaitedFinal, awaited_final, finals_of, last_season_of, next_season_of
from tournaments.models import Competition, Series
from tournaments.models.season_dates import NextSeason
from tournaments.pages.schemas.competition import CompetitionSchema, competition_to_json

MAX_FINALS = 20

RhythmName = Literal["weekly", "monthly", "dates", "after-end"]
CarryOverName = Literal["nobody", "same-entrants", "promotion"]


class SeriesSchema(TypedDict):
    """A competition that comes again."""

    slug: str
    url: str
    """Its page."""
    name: str
    rhythm: RhythmName
    anchor: datetime
    """The hour of every start, and the day of the week or the month."""
    days: list[str]
    """Of the year, as month and day, where the rhythm is ``dates``."""
    announce_days: int
    """Entry of a season opens so many days before it is due."""
    carry_over: CarryOverName
    overlap: bool
    """True if a season starts on its date even if earlier ones still go on."""
    year_final: bool
    """True if the winners of a year's seasons meet in a final."""
    ended_at: datetime | None
    """The moment since which no further season comes."""


class NextSeasonSchema(TypedDict):
    """A season to come."""

    season: int
    announced_at: datetime
    starts_at: datetime
    """The moment when it is due. It starts no earlier than the last one ends."""


class FinalSchema(TypedDict):
    """A final of the winners of a year's seasons."""

    year: int
    competition: str
    """Its slug."""
    winner: str | None


class AwaitedFinalSchema(TypedDict):
    """The final of a year that is over, which is announced when these seasons are."""

    year: int
    seasons: list[str]
    """Their slugs."""


class SeriesDetailSchema(SeriesSchema):
    """A series with the season to come, null where none comes, or only the end of the last one will tell when."""

    next_season: NextSeasonSchema | None
    finals: list[FinalSchema]
    """Of the last years, the latest first."""
    awaited_final: AwaitedFinalSchema | None


class SeasonSchema(TypedDict):
    """A season of a series."""

    season: int
    """From 1."""
    competition: CompetitionSchema


class PastSeasonSchema(TypedDict):
    """A season that a player has played."""

    season: int
    competition: str
    """Its slug."""
    league: str | None
    """1, 2A, 2B, 3A and so on; null where there are no leagues."""
    place: int | None
    """In the group, at the end; null while it goes on."""


class SeasonsPlayedSchema(TypedDict):
    """The seasons of a series that a player has played."""

    series: str
    """Its slug."""
    name: str
    """Its name."""
    seasons: list[PastSeasonSchema]
    """The latest first."""


def series_to_json(series: Series) -> SeriesSchema:
    """Return a series as a list shows it."""
    return {
        "slug": series.slug,
        "url": series.get_absolute_url(),
        "name": series.name,
        "rhythm": cast("RhythmName", str(series.rhythm)),
        "anchor": series.anchor,
        "days": series.days,
        "announce_days": series.announce_days,
        "carry_over": cast("CarryOverName", series.carry_over),
        "overlap": series.overlap,
        "year_final": series.year_final,
        "ended_at": series.ended_at,
    }


def series_detail_to_json(series: Series, *, now: datetime) -> SeriesDetailSchema:
    """Return a series with the season to come."""
    last = last_season_of(series)
    coming = None if last is None else next_season_of(series, last)
    number = 0 if last is None else last.season or 0
    awaited = awaited_final(series, now=now)
    return {
        **series_to_json(series),
        "next_season": None if coming is None else _next_to_json(coming, number + 1),
        "finals": [_final_to_json(final) for final in finals_of(series)[:MAX_FINALS]],
        "awaited_final": None if awaited is None else _awaited_to_json(awaited),
    }


def season_to_json(competition: Competition) -> SeasonSchema:
    """Return a season."""
    return {
        "season": competition.season or 1,
        "competition": competition_to_json(competition),
    }


def past_season_to_json(past: PastSeason) -> PastSeasonSchema:
    """Return a season that a player has played."""
    return {
        "season": past.season,
        "competition": past.slug,
        "league": past.league or None,
        "place": past.place,
    }


def seasons_played_to_json(played: SeasonsPlayed) -> SeasonsPlayedSchema:
    """Return the seasons of a series that a player has played."""
    return {
        "series": played.series.slug,
        "name": played.series.name,
        "seasons": [past_season_to_json(each) for each in played.seasons],
    }


def _final_to_json(final: Competition) -> FinalSchema:
    winner = final.winner
    return {
        "year": final.final_of or 0,
        "competition": final.slug,
        "winner": None if winner is None else winner.name,
    }


def _awaited_to_json(awaited: AwaitedFinal) -> AwaitedFinalSchema:
    return {"year": awaited.year, "seasons": [season.slug for season in awaited.seasons]}


def _next_to_json(coming: NextSeason, number: int) -> NextSeasonSchema:
    return {"season": number, "announced_at": coming.announced_at, "starts_at": coming.starts_at}
