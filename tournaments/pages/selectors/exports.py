"""Export entries, results and standings of a competition as CSV or JSON, streamed in chunks of any number of rows."""

import csv
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Exists, F, OuterRef, Subquery
from django.utils.translation import gettext as _

from formats.protocol import Order
from tournaments.models import BY_DECISION, Competition, Entry, Fixture, Seat, Standing
from tournaments.pages.errors import ExportNotFound
from tournaments.records.stages import check_numbers, is_of_parts
from tournaments.tables.columns import FIELDS

Row = dict[str, Any]

CHUNK = 1000
_NUMBERS = {"stage": "stage__number", "group": "group__number"}
_IN_GROUP = {"stage": "stage__number", "group": "number"}
FORMULA_STARTS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
"""The beginnings of what a spreadsheet would compute, some of them in any width."""


class Export(StrEnum):
    """The lists that can be exported."""

    ENTRIES = "entries"
    RESULTS = "results"
    STANDINGS = "standings"


class ExportFormat(StrEnum):
    """The format of an export."""

    CSV = "csv"
    JSON = "json"

    @property
    def content_type(self) -> str:
        """Return the media type."""
        return "text/csv; charset=utf-8" if self is ExportFormat.CSV else "application/json"


def parse_export(what: str, form: str) -> tuple[Export, ExportFormat]:
    """Return what a URL asks for. Raises ``ExportNotFound``."""
    try:
        return Export(what), ExportFormat(form)
    except ValueError:
        raise ExportNotFound(_("There is no such file of a competition.")) from None


@dataclass(frozen=True, slots=True)
class _Part:
    """The exported part of a competition: all, a stage or a group by its number; ``is_named`` in columns of its own."""

    competition: Competition
    stage: int | None = None
    group: int | None = None

    @property
    def is_named(self) -> bool:
        return is_of_parts(self.competition.first_stage)

    def where(self, stage: str, group: str) -> dict[str, int]:
        """Return the filter of rows that reach their stage and group by these names."""
        numbers = {f"{stage}__number": self.stage, f"{group}__number": self.group}
        return {name: number for name, number in numbers.items() if number is not None}


def export_competition(
    *,
    competition: Competition,
    what: Export,
    form: ExportFormat,
    stage: int | None = None,
    group: int | None = None,
) -> Iterator[str]:
    """Return the text in chunks of many rows each, read from the database as they are asked for.

    Of a competition with several stages or groups each row names its own, or only those of one are listed. One query;
    two more at most check the numbers, and one reads the stages of tables. Raises ``GroupNotFound``.
    """
    check_numbers(competition, stage=stage, group=group)
    columns, rows = _SOURCES[what](_Part(competition, stage, group))
    return write_csv(columns, rows) if form is ExportFormat.CSV else write_json(rows)


def write_csv(columns: list[str], rows: Iterator[Row]) -> Iterator[str]:
    """Return the rows as CSV, titles first, in chunks. No cell of text begins like a formula."""
    lines = _Lines()
    writer = csv.writer(lines)
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(row[column]) for column in columns])
        if len(lines.chunk) >= CHUNK:
            yield lines.take()
    yield lines.take()


def write_json(rows: Iterator[Row]) -> Iterator[str]:
    """Return the rows as a JSON list, in chunks."""
    encoder = DjangoJSONEncoder(ensure_ascii=False)
    chunk: list[str] = []
    opening = "[\n"
    for row in rows:
        chunk.append(encoder.encode(row))
        if len(chunk) >= CHUNK:
            yield opening + ",\n".join(chunk)
            opening, chunk = ",\n", []
    if chunk:
        yield opening + ",\n".join(chunk) + "\n]\n"
    else:
        yield "[]\n" if opening == "[\n" else "\n]\n"


class _Lines:
    """Collects what a CSV writer writes."""

    def __init__(self) -> None:
        self.chunk: list[str] = []

    def write(self, line: str) -> int:
        self.chunk.append(line)
        return len(line)

    def take(self) -> str:
        text = "".join(self.chunk)
        self.chunk = []
        return text


def _cell(value: Any) -> Any:
    """Return what stands in a cell; an apostrophe keeps a spreadsheet from computing a text."""
    if value is None or isinstance(value, bool | int | float):
        return value
    text = json.loads(json.dumps(value, cls=DjangoJSONEncoder)) if not isinstance(value, str) else value
    return f"'{text}" if str(text).startswith(FORMULA_STARTS) else text


def _entries(part: _Part) -> tuple[list[str], Iterator[Row]]:
    """Return everybody with the latest seat, or that in the part."""
    where = part.where("stage", "group")
    last = Seat.objects.filter(entry=OuterRef("pk"), **where).order_by("-pk")
    of_seat = {name: Subquery(last.values(path)[:1]) for name, path in _NUMBERS.items()} if part.is_named else {}
    fields = {
        "username": F("player__username"),
        **({} if part.competition.boards is None else {"team": F("team__name")}),
        **{name: F(f"_{name}") for name in of_seat},
        **{name: F(name) for name in ("status", "seed", "position", "entered_at", "left_at", "disqualified_at")},
    }
    entries = Entry.objects.filter(competition_id=part.competition.pk).annotate(
        seed=Subquery(last.values("seed")[:1]),
        position=Subquery(last.values("position")[:1]),
        **{f"_{name}": each for name, each in of_seat.items()},
    )
    if where:
        entries = entries.filter(Exists(last))
    order = [f"_{name}" for name in of_seat]
    found = entries.order_by(*order, "seed", "pk").values_list(*fields.values()).iterator(chunk_size=CHUNK)
    return list(fields), (dict(zip(fields, values, strict=True)) for values in found)


_OF_SINGLES = {"yellow": "yellow__player__username", "red": "red__player__username"}
_OF_TEAMS = {
    "board": "board",
    "yellow_team": "yellow__team__name",
    "red_team": "red__team__name",
    "yellow": "yellow_player__username",
    "red": "red_player__username",
}


def _results(part: _Part) -> tuple[list[str], Iterator[Row]]:
    fields: dict[str, Any] = {
        **({name: f"group__{path}" for name, path in _IN_GROUP.items()} if part.is_named else {}),
        "round": "round__number",
        "leg": "leg",
        **(_OF_SINGLES if part.competition.boards is None else _OF_TEAMS),
        "goals_yellow": "goals_yellow",
        "goals_red": "goals_red",
        "points_yellow": "points_yellow",
        "points_red": "points_red",
        "ending": "ending",
        "by_decision": BY_DECISION,
        "finished_at": "finished_at",
        "match": "match_id",
        "annulled": "is_annulled",
        # A player who has taken over a place has its results, too.
        "played_by_yellow": "match__yellow__username",
        "played_by_red": "match__red__username",
    }
    fixtures = Fixture.objects.filter(competition_id=part.competition.pk, counted_at__isnull=False)
    fixtures = fixtures.filter(**part.where("group__stage", "group")).order_by("finished_at", "pk")
    found = fixtures.values_list(*fields.values()).iterator(chunk_size=CHUNK)
    return list(fields), (dict(zip(fields, values, strict=True)) for values in found)


def _standings(part: _Part) -> tuple[list[str], Iterator[Row]]:
    competition = part.competition
    sums = ["place", *FIELDS, "decided_by"]
    standings = Standing.objects.filter(group__stage__competition_id=competition.pk)
    standings = standings.filter(**part.where("group__stage", "group"))
    standings = standings.select_related("seat__entry__player", "seat__entry__team", "group__stage")
    by_position = competition.first_stage.format_spec.order is Order.POSITIONS
    place = F("seat__position") if by_position else F("place")
    order = ("group__stage__number", "group__number", place.asc(nulls_last=True), "seat_id")
    rows = standings.order_by(*order).iterator(chunk_size=CHUNK)
    stages = competition.all_stages if part.is_named else [competition.first_stage]
    used = dict.fromkeys(tiebreak for stage in stages for tiebreak in stage.tiebreaks)
    extra = [tiebreak for tiebreak in used if tiebreak not in {"points", "goals", "wins"}]
    return [*(_NUMBERS if part.is_named else ()), "username", *sums, *extra], (
        {
            **({"stage": row.group.stage.number, "group": row.group.number} if part.is_named else {}),
            "username": row.seat.entry.name,
            **{name: getattr(row, name) for name in sums},
            "place": row.seat.position if by_position else row.place,
            **{tiebreak: row.values.get(tiebreak) for tiebreak in extra},
        }
        for row in rows
    )


_SOURCES: dict[Export, Callable[[_Part], tuple[list[str], Iterator[Row]]]] = {
    Export.ENTRIES: _entries,
    Export.RESULTS: _results,
    Export.STANDINGS: _standings,
}
