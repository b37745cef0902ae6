"""Find what players and organisers of competitions must be notified of, and whom."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import DateTimeField, Exists, F, OuterRef, Q, QuerySet, Value

from tournaments.models import (
    GOING_ON,
    SITTING,
    Competition,
    CompetitionStatus,
    Entry,
    Fixture,
    Group,
    LogEntry,
    Round,
    RoundEnd,
    Seat,
    Standing,
    Tie,
    is_played_by,
)
from tournaments.models.audiences import audience_of
from tournaments.office.selectors.changes import choose_hearers
from tournaments.office.selectors.entrants import entrants_at, entrants_in
from tournaments.records.competitions import THOSE_IN_IT_FIRST

BEGUN = Q(match__isnull=False, counted_at__isnull=True, is_annulled=False)
NEWS_TIMEOUT = timedelta(days=1)
"""The time after its end for which a competition is looked at for news."""


@dataclass(frozen=True, slots=True)
class Hearers:
    """The readers of a mail about a line of a log, by ids: players, and organisers who do not get it as players."""

    players: tuple[int, ...]
    organisers: tuple[int, ...]


def lock_log_lines_to_notify(*, limit: int) -> list[LogEntry]:
    """Return entries of logs that are news, with their competitions, locked until the transaction ends.

    Those held elsewhere are left out. That a competition is over waits for its last tables, which say everybody's
    place.
    """
    stale = Group.objects.filter(stage__competition=OuterRef("competition"), standings_stale_since__isnull=False)
    waiting = LogEntry.objects.filter(~Exists(stale) | ~Q(action="finished"), is_notified=False).order_by("pk")
    locked = waiting.select_for_update(skip_locked=True, no_key=True, of=("self",))
    return list(locked.select_related("competition")[:limit])


def lock_fixtures_to_notify(*, limit: int) -> list[Fixture]:
    """Return fixtures whose match has begun and whose players have not been notified; locked in the same way.

    Each has its entries.
    """
    waiting = Fixture.objects.filter(match__isnull=False, counted_at__isnull=True, is_notified=False).order_by("pk")
    locked = waiting.select_for_update(skip_locked=True, no_key=True, of=("self",))
    return list(locked.select_related("yellow", "red")[:limit])


def hearers_of(*, lines: Collection[LogEntry]) -> dict[int, Hearers]:
    """Return who gets a mail about each line, by its id: not who did it, and of a draft hardly anybody.

    Of a hidden competition only organisers do. Helpers get what they hear of as organisers do. One query, none if
    nobody can hear of any line.
    """
    entrants, found = _possible_hearers(lines)
    hearers = {}
    for line in lines:
        audience, competition = audience_of(line.action), line.competition
        is_shown = audience.in_drafts or (not _is_draft(line) and competition.hidden_at is None)
        named, entered = found.get(("named", line.pk)), entrants_at(entrants[competition.pk], line.logged_at)
        players = choose_hearers(audience.mail, named, entered) if is_shown else ()
        others = found["organiser", competition.pk] if audience.mails_organisers else []
        if audience.mails_organisers and audience.helpers:
            others = [*others, *found["helper", competition.pk]]
        hearers[line.pk] = Hearers(
            tuple(each for each in players if each != line.actor_id),
            tuple(each for each in others if each not in {line.actor_id, *players}),
        )
    return hearers


def _possible_hearers(
    lines: Collection[LogEntry],
) -> tuple[dict[int, dict[int, datetime]], dict[tuple[str, int], list[int]]]:
    """Return the players, by ids, that may hear of lines, in two parts.

    The first has the entrants of competitions with since when they are in, the second organisers, and those named.
    Players who cannot hear of any of them are not asked for; of a draft they are those whom a line names.
    """
    heard = [(line, audience_of(line.action)) for line in lines]
    known = [(line, by) for line, by in heard if not _is_draft(line)]
    for_all = {line.competition_id for line, by in known if by.mail.may_be_all}
    naming = {line.pk for line, by in heard if by.mail.may_be_named}
    organised = {line.competition_id for line, by in known if by.mails_organisers}
    helped = {line.competition_id for line, by in known if by.mails_organisers and by.helpers}
    organisers = Competition.organisers.through.objects.filter(competition__in=organised)
    helpers = Competition.helpers.through.objects.filter(competition__in=helped)
    named = LogEntry.concerns.through.objects.filter(logentry__in=naming)
    teams = {line.competition_id for line, _by in known if line.competition.boards is not None} & for_all
    entrants, *others = entrants_in(for_all, of_teams=teams)
    rows = entrants.union(
        *others,
        _pairs("organiser", organisers, "competition_id"),
        _pairs("helper", helpers, "competition_id"),
        _pairs("named", named, "logentry_id"),
        all=True,
    )
    since: dict[int, dict[int, datetime]] = defaultdict(dict)
    found: dict[tuple[str, int], list[int]] = defaultdict(list)
    for role, key, player, entered_at in rows:
        if entered_at is None:
            found[role, key].append(player)
        else:
            # A player who has played for a team in several rounds, or is its captain besides, is named once.
            since[key][player] = min(entered_at, since[key].get(player, entered_at))
    return since, found


def _is_draft(line: LogEntry) -> bool:
    return line.competition.status == CompetitionStatus.DRAFT


def _pairs(role: str, rows: QuerySet[Any], key: str) -> QuerySet[Any]:
    at = Value(None, output_field=DateTimeField())
    return rows.annotate(role=Value(role), since=at).values_list("role", key, "player_id", "since")


def begun_fixtures(*, player_id: int, ids: Collection[int]) -> QuerySet[Fixture]:
    """Return those of the player's fixtures that go on, with all that a mail says of them."""
    own = is_played_by(player_id)
    related = ("competition", "round", "match", *SITTING)
    return Fixture.objects.filter(BEGUN, own, pk__in=ids).select_related(*related).order_by("competition_id", "pk")


def place_at_end(*, competition: Competition, player_id: int) -> int | None:
    """Return a player's place in the table of the last stage, ``None`` for who has none in it.

    Where teams play it is that of the team whose captain the player is now, or else of the one for which they sat last.
    """
    standings = Standing.objects.filter(group__stage__competition=competition.pk, group__stage__advance__isnull=True)
    if competition.boards is None:
        last = standings.filter(seat__entry__player=player_id)
    else:
        entry = _entry_led_by(competition, player_id) or _entry_sat_for(competition, player_id)
        last = standings.filter(seat__entry=entry)
    place: int | None = last.values_list("place", flat=True).first()
    return place


def _entry_led_by(competition: Competition, player_id: int) -> int | None:
    led = Entry.objects.filter(competition=competition.pk, team__captain=player_id)
    return led.order_by(*THOSE_IN_IT_FIRST).values_list("pk", flat=True).first()


def _entry_sat_for(competition: Competition, player_id: int) -> int | None:
    boards = Fixture.objects.filter(competition=competition.pk, board__isnull=False, is_annulled=False)
    sat = boards.filter(is_played_by(player_id)).order_by("-round__number", "-pk")
    latest = sat.only("yellow_id", "red_id", "yellow_player_id").first()
    if latest is None:
        return None
    return latest.yellow_id if latest.yellow_player_id == player_id else latest.red_id


def competitions_with_news(*, now: datetime, lead: timedelta) -> list[int]:
    """Return the ids of the competitions in which something has come about that no line of the log tells yet.

    One query.
    """
    watched = Competition.objects.filter(Q(status=CompetitionStatus.RUNNING) | Q(finished_at__gt=now - NEWS_TIMEOUT))
    of_ties, of_groups, of_rounds = (f"{part}stage__competition" for part in ("round__group__", "", "group__"))
    ties = decided_ties().filter(**{f"{of_ties}__in": watched}).values_list(of_ties)
    groups = ended_groups().filter(**{f"{of_groups}__in": watched}).values_list(of_groups)
    due = _rounds_between(now, now + lead, lead), rounds_overdue(now=now)
    rounds = (each.order_by().values_list(of_rounds) for each in due)
    return sorted(competition for (competition,) in ties.union(groups, *rounds))


def decided_ties() -> QuerySet[Tie]:
    """Return the ties whose decision nobody has been notified of."""
    return Tie.objects.filter(decided_at__isnull=False).exclude(notified_of__isnull=False, notified_of=F("decided_at"))


def ended_groups() -> QuerySet[Group]:
    """Return the groups whose end nobody has been notified of; none of a stage that waits for the day of the next."""
    ended = Group.objects.filter(ended_at__isnull=False, stage__next_begins_at=None)
    return ended.exclude(notified_of__isnull=False, notified_of=F("ended_at"))


def rounds_near_end(*, now: datetime, lead: timedelta) -> QuerySet[Round]:
    """Return the rounds that must end within ``lead``, and had more time when they began."""
    return _rounds_between(now, now + lead, lead)


def _rounds_between(now: Any, near: Any, lead: timedelta) -> QuerySet[Round]:
    ending = _running_rounds().filter(ends_at__gt=now, ends_at__lte=near, started_at__lt=F("ends_at") - lead)
    return ending.exclude(reminded_of__isnull=False, reminded_of=F("ends_at"))


def rounds_overdue(*, now: Any) -> QuerySet[Round]:
    """Return the rounds that should have ended, and wait for their matches."""
    late = _running_rounds().filter(ends_at__lte=now, group__stage__at_round_end=RoundEnd.WAIT)
    return late.exclude(overdue_of__isnull=False, overdue_of=F("ends_at"))


def seats_in(*, group: Group) -> list[Seat]:
    """Return the seats of a group with the entries, and with the standing of those who have one."""
    return list(Seat.objects.filter(group=group).select_related("entry", "standing").order_by("pk"))


def _running_rounds() -> QuerySet[Round]:
    rounds = Round.objects.filter(GOING_ON, ends_at__isnull=False, started_at__isnull=False)
    running = {"group__stage__competition__status": CompetitionStatus.RUNNING}
    return rounds.filter(**running, group__stage__competition__paused_at=None).order_by("pk")
