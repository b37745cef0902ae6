"""Calendars, as iCalendar files (RFC 5545): of a cup, and of a player's own deadlines."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Count, Max, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_safe
from icalendar import Calendar, Event, vDuration

from database.clock import current_moment
from database.row_counts import count_rows
from formats.protocol import Part
from matches.models import Match
from matches.selectors.matches import matches_to_move
from players.current_player import current_player
from players.models import Player, Scope
from players.selectors import find_token
from players.services import note_use
from tournaments.models import ENDED, Competition, CompetitionStatus, Entry, Fixture, LogEntry, Round, Tie, is_played_by
from tournaments.office.stage_names import name_part, name_round
from tournaments.office.views import find_competition
from tournaments.rounds.sentences import name_column, name_parts
from web.limits.table import REQUESTS, TOKENS_BY_CLIENT
from web.requests.client_ip import client_network
from web.requests.conditional import with_etag
from web.storable_text import printable

REFRESH_INTERVAL = timedelta(hours=1)


class CalendarFile:
    """A calendar that programs read again every hour."""

    def __init__(self, name: str) -> None:
        """Begin an empty calendar of this name."""
        self._calendar = Calendar()
        self._calendar.add("prodid", "-//Kickabout//Competitions//EN")
        self._calendar.add("version", "2.0")
        self._calendar.add("x-wr-calname", printable(name))
        self._calendar.add("refresh-interval", vDuration(REFRESH_INTERVAL), parameters={"VALUE": "DURATION"})

    def add(
        self,
        *,
        key: str,
        title: str,
        path: str,
        begins: datetime,
        ends: datetime | None = None,
        revision: int,
        changed_at: datetime,
        status: str = "CONFIRMED",
    ) -> None:
        """Add an event under a key that stays; ``revision`` only grows. ``path`` is the page about it."""
        event = Event()
        event.add("uid", f"{key}@{urlsplit(settings.SITE_URL).hostname}")
        event.add("sequence", revision)
        event.add("dtstamp", changed_at)
        event.add("dtstart", begins)
        if ends is not None and ends > begins:
            event.add("dtend", ends)
        event.add("summary", printable(title))
        event.add("url", f"{settings.SITE_URL}{path}")
        event.add("status", status)
        event.add("transp", "TRANSPARENT")
        self._calendar.add_component(event)

    def __bytes__(self) -> bytes:
        return bytes(self._calendar.to_ical())


@dataclass(frozen=True, slots=True)
class Revision:
    """The number of changes of a competition, which only grows, and the moment of the last."""

    number: int
    changed_at: datetime


def dated_rounds(competition: Competition) -> list[Round]:
    """Return the rounds that have begun or must end at some moment, in order; of very many the latest. One query.

    Each has its group and stage, and these the competition.
    """
    rounds = Round.objects.filter(group__stage__competition_id=competition.pk)
    rounds = rounds.filter(Q(started_at__isnull=False) | Q(ends_at__isnull=False)).select_related("group__stage")
    order = ("group__stage__number", "number", "group__number")
    found = list(rounds.order_by(*(f"-{name}" for name in order))[: settings.MAX_CALENDAR_ROUNDS])
    for each in found:
        each.group.stage.competition = competition
    return found[::-1]


def parts_played(rounds: list[Round]) -> dict[int, list[tuple[int, Part]]]:
    """Return which parts are played in which rounds of the brackets that have some of these, by group, in order.

    One query, of one row for each part of a round.
    """
    found: dict[int, list[tuple[int, Part]]] = defaultdict(list)
    ties = Tie.objects.filter(round__group__in={each.group_id for each in rounds}).order_by()
    for group, number, part in ties.values_list("round__group", "round__number", "part").distinct():
        found[group].append((number, Part(part)))
    order = list(Part)
    return {group: sorted(played, key=lambda each: (each[0], order.index(each[1]))) for group, played in found.items()}


def revision_of(competition: Competition) -> Revision:
    """Return the competition's revision: every change of its dates is in its log. One query."""
    log = LogEntry.objects.filter(competition_id=competition.pk).aggregate(number=Count("pk"), last=Max("logged_at"))
    return Revision(log["number"], log["last"] or competition.created_at)


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


def rounds_to_end(player: Player) -> list[Round]:
    """Return the rounds with a deadline in which the player has open matches, the most urgent first. Three queries.

    Each has its group, stage and competition, and of the competition how often it has changed, as ``revision``, and
    when it last did, as ``changed_at``. In competitions that are paused the dates move, so these are left out.
    """
    log = LogEntry.objects.filter(competition=OuterRef("group__stage__competition"))
    latest = log.order_by().values("competition").annotate(last=Max("logged_at")).values("last")
    going_on = Competition.objects.filter(paused_at=None, hidden_at=None).exclude(status__in=ENDED)
    entries = list(Entry.objects.filter(player=player, competition__in=going_on).values_list("pk", flat=True))
    own = Fixture.objects.filter(is_played_by(player, entries), counted_at=None, is_annulled=False)
    # By their ids: PostgreSQL would look for own matches in every round of the site that has a date.
    keys = list(own.filter(round__isnull=False).values_list("round", flat=True).distinct())
    rounds = Round.objects.filter(pk__in=keys, ends_at__isnull=False, ended_at=None)
    rounds = rounds.filter(group__stage__competition__in=going_on)
    rounds = rounds.annotate(
        revision=count_rows(log, by="competition"),
        changed_at=Coalesce(Subquery(latest), "group__stage__competition__created_at"),
    )
    joined = rounds.select_related("group__stage__competition")
    return list(joined.order_by("ends_at", "pk")[: settings.MAX_OWN_DEADLINES])


@never_cache
@sensitive_variables("secret")
@require_safe
def deadlines(request: HttpRequest, secret: str) -> HttpResponse:
    """Return by when the player of a token has to move, and when their rounds end, as an iCalendar file.

    The token needs the scope ``calendar``: what stands in a URL opens nothing else.
    """
    now = current_moment()
    found = find_token(secret=secret, now=now)
    if found is None or Scope.CALENDAR not in found.scopes:
        TOKENS_BY_CLIENT.of(client_network(request)).spend()
        raise Http404
    REQUESTS["exports"].of(f"calendar-{found.pk}").spend()
    note_use(token=found, now=now)
    return HttpResponse(
        _write(found.player),
        content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="deadlines.ics"'},
    )


def _write(player: Player) -> bytes:
    calendar = CalendarFile(_("Kickabout: %(player)s") % {"player": player.username})
    for match in matches_to_move(player)[: settings.MAX_OWN_DEADLINES]:
        _add_match(calendar, match, player)
    for round_ in rounds_to_end(player):
        _add_round(calendar, round_)
    return bytes(calendar)


def _add_match(calendar: CalendarFile, match: Match, player: Player) -> None:
    if match.deadline is None:
        return
    opponent = match.red if match.yellow_id == player.pk else match.yellow
    calendar.add(
        key=f"match-{match.pk}",
        title=_("Your time against %(opponent)s runs out") % {"opponent": opponent.username},
        path=f"/matches/{match.pk}/",
        begins=match.deadline,
        revision=match.ply + match.extensions,
        changed_at=match.changed_at,
    )


def _add_round(calendar: CalendarFile, round_: Round) -> None:
    competition = round_.group.stage.competition
    if round_.ends_at is None:
        return
    facts = {"competition": competition.name, "round": name_round(round_)}
    calendar.add(
        key=f"round-{round_.pk}",
        title=_("%(competition)s: %(round)s must end") % facts,
        path=competition.get_absolute_url(),
        begins=round_.ends_at,
        revision=vars(round_)["revision"],
        changed_at=vars(round_)["changed_at"],
    )
