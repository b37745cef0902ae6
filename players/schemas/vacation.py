"""Vacation in JSON."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from typing import TypedDict

from players.models import VacationDay
from players.selectors import VacationYear


class VacationYearSchema(TypedDict):
    """A year's days of vacation."""

    year: int
    allowance: int
    spent: int
    planned: int
    left: int
    """Days that are neither spent nor planned."""


class VacationDaySchema(TypedDict):
    """A day of vacation, which lasts 24 hours."""

    date: date
    """In UTC."""
    starts_at: datetime
    ends_at: datetime
    is_planned: bool
    """True if the player planned the day; else it was spent to save a clock."""


class VacationSchema(TypedDict):
    """A player's vacation."""

    years: list[VacationYearSchema]
    days: list[VacationDaySchema]


def vacation_to_json(years: Iterable[VacationYear], days: Iterable[VacationDay]) -> VacationSchema:
    """Return a player's vacation."""
    return {"years": [_year_to_json(year) for year in years], "days": [_day_to_json(day) for day in days]}


def _year_to_json(year: VacationYear) -> VacationYearSchema:
    return {
        "year": year.year,
        "allowance": year.allowance,
        "spent": year.spent,
        "planned": year.planned,
        "left": year.left,
    }


def _day_to_json(day: VacationDay) -> VacationDaySchema:
    return {"date": day.date, "starts_at": day.starts_at, "ends_at": day.ends_at, "is_planned": day.is_planned}
