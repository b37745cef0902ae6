"""The calendar of a cup: its start, its rounds and their deadlines, for programs that read iCalendar files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from formats.protocol import Part
from players.current_player import current_player
from tournaments.models import Competition, CompetitionStatus, Round
from tournaments.office.stage_names import name_part, name_round
from tournaments.office.views import find_competition
from tournaments.pages.selectors.calendars import Revision, dated_rounds, parts_played, revision_of
from tournaments.pages.views.calendar_files import CalendarFile
from tournaments.rounds.sentences import name_column, name_parts
from web.requests.conditional import with_etag


@dataclass(frozen=True, slots=True)
class CalendarEvent:
    """An event of a calendar: under a key that stays, from a moment to another, or at a moment alone.

    ``revision`` only grows while the event stays. One that is not ``is_certain`` moves while the clocks stand still.
    """

    key: str
    title: str
    begins: datetime
    ends: datetime | None = None
    revision: int = 0
    is_certain: bool = True


@require_safe
def cup_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the calendar of a cup as an iCalendar file."""
    cup = find_competition("cup", slug, current_player(request))
    rounds = dated_rounds(cup)
    events = list_events(cup, rounds, parts_played(rounds))
    response = HttpResponse(
        write_calendar(cup, events, revision_of(cup)),
        content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{cup.slug}.ics"'},
    )
    return with_etag(request, response)


def list_events(
    competition: Competition, rounds: Sequence[Round], played: Mapping[int, Iterable[tuple[int, Part]]]
) -> Iterator[CalendarEvent]:
    """Yield the start, each round that has begun, and the deadline of each that has not ended."""
    starts = competition.started_at or competition.starts_at
    if starts is not None:
        yield CalendarEvent("start", _("Start"), starts, revision=int(competition.started_at is not None))
    names = {group: name_parts(parts) for group, parts in played.items()}
    for each in rounds:
        stage, group = each.group.stage, each.group
        key = f"stage-{stage.number}-group-{group.number}-round-{each.number}"
        name = name_round(each)
        if group.pk in names:
            part, own = name_part(group), name_column(names[group.pk], each.number)
            name = f"{part}: {own}" if part else own
        revision = int(each.started_at is not None) + int(each.ended_at is not None)
        is_certain = competition.paused_at is None or each.ended_at is not None
        if each.started_at is not None:
            ends = each.ended_at or each.ends_at
            yield CalendarEvent(key, name, each.started_at, ends, revision, is_certain)
        if each.ends_at is not None and each.ended_at is None:
            title = _("%(round)s must end") % {"round": name}
            yield CalendarEvent(f"{key}-deadline", title, each.ends_at, None, revision, is_certain)


def write_calendar(competition: Competition, events: Iterable[CalendarEvent], revision: Revision) -> bytes:
    """Return the events as an iCalendar file."""
    calendar = CalendarFile(competition.name)
    for each in events:
        calendar.add(
            key=f"competition-{competition.pk}-{each.key}",
            title=f"{competition.name}: {each.title}",
            path=competition.get_absolute_url(),
            begins=each.begins,
            ends=each.ends,
            revision=revision.number + each.revision,
            changed_at=revision.changed_at,
            status=_status(competition, each),
        )
    return bytes(calendar)


def _status(competition: Competition, event: CalendarEvent) -> str:
    if competition.status == CompetitionStatus.CANCELLED:
        return "CANCELLED"
    return "CONFIRMED" if event.is_certain else "TENTATIVE"
