"""Why a row of a stored table stands where it stands."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.metrics import METRICS, Ledger, Sums
from tournaments.models import Event, Standing
from tournaments.standings import write_number


@dataclass(frozen=True, slots=True)
class Split:
    """What sets two neighbouring rows apart: the metric, those before it, and both numbers as a table shows them.

    The numbers are empty where they say nothing to a reader: those of the draw.
    """

    metric: str
    level_on: tuple[str, ...]
    upper: str
    lower: str

    def explain(self, *, from_above: bool) -> str:
        """Return the sentence about the row above the gap, or about the one below it."""
        words = {"metric": METRICS[self.metric].title}
        own, other = (self.upper, self.lower) if from_above else (self.lower, self.upper)
        if own and other:
            words["metric"] += f" ({own} : {other})"
        if self.level_on:
            words["level"] = ", ".join(METRICS[key].title for key in self.level_on)
            ahead = _("Ahead of the next below by %(metric)s, level on %(level)s.")
            behind = _("Behind the next above by %(metric)s, level on %(level)s.")
        else:
            ahead = _("Ahead of the next below by %(metric)s.")
            behind = _("Behind the next above by %(metric)s.")
        return (ahead if from_above else behind) % words


def split_between(event: Event, upper: Standing, lower: Standing) -> Split | None:
    """Return what sets two neighbouring rows apart, ``None`` where nothing does."""
    key = lower.decided_by
    if key not in METRICS or key not in event.metrics:
        return None
    level_on = tuple(event.metrics[: event.metrics.index(key)])
    return Split(key, level_on, _write(key, upper), _write(key, lower))


def _write(key: str, row: Standing) -> str:
    if key in row.values:
        return str(row.values[key])
    if METRICS[key].needs_results or key in {"rating", "draw"}:
        return ""
    sums = Sums(
        points=row.points,
        rounds=row.played,
        wins=row.won,
        goals_for=row.goals_for,
        goals_against=row.goals_against,
        matches_as_red=row.as_red,
    )
    return write_number(METRICS[key].measure(Ledger(sums={row.pk: sums}), [row.pk])[row.pk])
