"""Export entries, results and standings of a competition as CSV or JSON, streamed in chunks of any number of rows."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import F, OuterRef, Subquery

from tournaments.errors import ExportNotFound
from tournaments.formats.protocol import Order
from tournaments.models import Competition, Entry, Fixture, Seat, Standing

Row = dict[str, Any]

CHUNK = 1000
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


class Export(StrEnum):
    """The lists that can be exported."""

    ENTRIES = "entries"
    RESULTS = "results"
    STANDINGS = "standings"


class ExportFormat(StrEnum):
    """In which form."""

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
        raise ExportNotFound("There is no such file of a competition.") from None


def export_competition(*, competition: Competition, what: Export, form: ExportFormat) -> Iterator[str]:
    """Return the text in chunks of many rows each, read from the database as they are asked for. One query."""
    columns, rows = _SOURCES[what](competition)
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


def _entries(competition: Competition) -> tuple[list[str], Iterator[Row]]:
    columns = ["username", "status", "seed", "position", "entered_at", "left_at"]
    last = Seat.objects.filter(entry=OuterRef("pk")).order_by("-pk")
    entries = Entry.objects.filter(competition_id=competition.pk).annotate(
        seed=Subquery(last.values("seed")[:1]), position=Subquery(last.values("position")[:1])
    )
    found = entries.order_by("seed", "pk").values_list("player__username", *columns[1:]).iterator(chunk_size=CHUNK)
    return columns, (dict(zip(columns, values, strict=True)) for values in found)


def _results(competition: Competition) -> tuple[list[str], Iterator[Row]]:
    fields = {
        "round": "round__number",
        "leg": "leg",
        "yellow": "yellow__player__username",
        "red": "red__player__username",
        "goals_yellow": "goals_yellow",
        "goals_red": "goals_red",
        "points_yellow": "points_yellow",
        "points_red": "points_red",
        "ending": "ending",
        "finished_at": "finished_at",
        "match": "match_id",
        "annulled": "is_annulled",
    }
    fixtures = Fixture.objects.filter(competition_id=competition.pk, counted_at__isnull=False).order_by(
        "finished_at", "pk"
    )
    found = fixtures.values_list(*fields.values()).iterator(chunk_size=CHUNK)
    return list(fields), (dict(zip(fields, values, strict=True)) for values in found)


def _standings(competition: Competition) -> tuple[list[str], Iterator[Row]]:
    sums = ["place", "played", "won", "drawn", "lost", "goals_for", "goals_against", "points", "decided_by"]
    standings = Standing.objects.filter(group__stage__competition_id=competition.pk)
    standings = standings.select_related("seat__entry__player")
    by_position = competition.first_stage.format_spec.order is Order.POSITIONS
    place = F("seat__position") if by_position else F("place")
    rows = standings.order_by(place.asc(nulls_last=True), "seat_id").iterator(chunk_size=CHUNK)
    extra = [tiebreak for tiebreak in competition.first_stage.tiebreaks if tiebreak not in {"points", "goals", "wins"}]
    return ["username", *sums, *extra], (
        {
            "username": row.seat.entry.player.username,
            **{name: getattr(row, name) for name in sums},
            "place": row.seat.position if by_position else row.place,
            **{tiebreak: row.values.get(tiebreak) for tiebreak in extra},
        }
        for row in rows
    )


_SOURCES: dict[Export, Callable[[Competition], tuple[list[str], Iterator[Row]]]] = {
    Export.ENTRIES: _entries,
    Export.RESULTS: _results,
    Export.STANDINGS: _standings,
}
