"""Make forecasts anew that are due. They are estimates: nothing follows from them, and a late one does no harm."""

from datetime import datetime, timedelta

import structlog

from tournaments.models import Competition, Forecast
from tournaments.running.forecast import ForecastRanges, make_forecast
from tournaments.running.forecast_ranges import Range
from tournaments.running.selectors.forecasts import forecasts_due, look_ahead

BATCH = 50

MIN_INTERVAL = timedelta(minutes=1)
MAX_INTERVAL = timedelta(hours=1)
SHARE_OF_THE_WAY = 20
"""A forecast is made anew after this part of the time until the end of the round or stage."""

logger = structlog.get_logger(__name__)


def update_forecasts(*, now: datetime, limit: int = BATCH) -> int:
    """Make up to ``limit`` forecasts that are missing or due, and return how many; one that fails stops no others."""
    made = 0
    for competition in forecasts_due(now)[:limit]:
        try:
            update_forecast(competition=competition, now=now)
            made += 1
        except Exception:
            logger.exception("forecast_not_made", competition_id=competition.pk)
            # It must not be the first again each time.
            later = {"made_at": now, "due_at": now + MAX_INTERVAL}
            Forecast.objects.update_or_create(competition_id=competition.pk, defaults=later)
    return made


def update_forecast(*, competition: Competition, now: datetime) -> Forecast:
    """Make the forecast of a running competition that comes to an end, and return it. It locks nothing."""
    ahead = look_ahead(competition, now)
    made = make_forecast(
        now=now,
        groups=ahead.groups,
        later=ahead.later,
        known=ahead.known,
        levels=ahead.levels,
        seed=competition.pk,
    )
    values = {"made_at": now, "due_at": _next_time(made, now), "stage_number": ahead.stage.number, **_columns(made)}
    forecast, _is_new = Forecast.objects.update_or_create(competition_id=competition.pk, defaults=values)
    return forecast


def _next_time(made: ForecastRanges[int] | None, now: datetime) -> datetime:
    end = None if made is None else made.round or made.stage
    wait = MAX_INTERVAL if end is None else (end.likely - now) / SHARE_OF_THE_WAY
    return now + max(MIN_INTERVAL, min(MAX_INTERVAL, wait))


def _columns(made: ForecastRanges[int] | None) -> dict[str, object]:
    """Return what is stored of a forecast, all of it empty where there is none."""
    ranges: dict[str, Range | None] = {"round": None, "stage": None, "whole": None}
    if made is not None:
        ranges = {"round": made.round, "stage": made.stage, "whole": made.whole}
    return {
        "round_number": None if made is None else made.round_number,
        "holds_up": [] if made is None else [[each.key, each.entrant] for each in made.holds_up],
        **{column: moment for name, found in ranges.items() for column, moment in _moments(name, found)},
    }


def _moments(name: str, found: Range | None) -> list[tuple[str, datetime | None]]:
    return [(f"{name}_{end}", None if found is None else getattr(found, end)) for end in ("early", "likely", "late")]
