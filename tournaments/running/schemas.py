"""Forecasts in JSON."""

from datetime import datetime
from typing import TypedDict

from tournaments.running.forecast_ranges import Range
from tournaments.running.selectors.forecasts import ShownForecast


class RangeSchema(TypedDict):
    """The probable end of something: in about eight of ten cases from `early` to `late`."""

    early: datetime
    likely: datetime
    late: datetime


class HoldUpSchema(TypedDict):
    """A match on which the end depends most."""

    match: int
    player: str
    """The slower one of both players."""


class ForecastSchema(TypedDict):
    """The probable end of a running cup. It is an estimate: nothing follows from it."""

    made_at: datetime
    stage: int
    """The number of the stage that is played; of several levels that are played at once, the highest."""
    round: int | None
    """The number of the first round that goes on, null where all rounds are played at once."""
    round_ends: RangeSchema | None
    stage_ends: RangeSchema | None
    ends: RangeSchema | None
    """The end of the whole cup; if players can still join groups to come, as if nobody else did."""
    holds_up: list[HoldUpSchema]
    """The matches that will probably end last, of the round if there is one."""


def forecast_to_json(forecast: ShownForecast) -> ForecastSchema:
    """Return a forecast."""
    return {
        "made_at": forecast.made_at,
        "stage": forecast.stage_number,
        "round": forecast.round_number,
        "round_ends": _range_to_json(forecast.round),
        "stage_ends": _range_to_json(forecast.stage),
        "ends": _range_to_json(forecast.whole),
        "holds_up": [{"match": each.match, "player": each.slower} for each in forecast.holds_up],
    }


def _range_to_json(found: Range | None) -> RangeSchema | None:
    return None if found is None else {"early": found.early, "likely": found.likely, "late": found.late}
