"""Find what players and organisers of competitions must be notified of, and whom."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from matches.models import Status
from tournaments.audiences import audience_of
from tournaments.models import (
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
)
from tournaments.selectors.changes import by_competition, choose_hearers, players_named
from tournaments.selectors.competitions import IN_COMPETITION

BEGUN = Q(match__isnull=False, counted_at__isnull=True, is_annulled=False)
KEPT = timedelta(days=1)
"""How long after its end a competition is looked at for news."""


@dataclass(frozen=True, slots=True)
class Hearers:
    """Who gets a mail about a line of a log, by ids: players, and organisers who do not get it as players."""

    players: tuple[int, ...]
    organisers: tuple[int, ...]


def lock_log_lines_to_notify(*, limit: int) -> list[LogEntry]:
    """Return entries of logs that are news, locked until the transaction ends; those held elsewhere are left out.

    That a competition is over waits for its last tables, which say everybody's place.
    """
    stale = Group.objects.filter(stage__competition=OuterRef("competition"), standings_stale_since__isnull=False)
    waiting = LogEntry.objects.filter(~Exists(stale) | ~Q(action="finished"), is_notified=False).order_by("pk")
    return list(waiting.select_for_update(skip_locked=True, no_key=True)[:limit])


def lock_fixtures_to_notify(*, limit: int) -> list[Fixture]:
    """Return fixtures whose match has begun and whose players have not been notified; locked in the same way."""
    waiting = Fixture.objects.filter(match__isnull=False, counted_at__isnull=True, is_notified=False).order_by("pk")
    return list(waiting.select_for_update(skip_locked=True, no_key=True)[:limit])


def hearers_of(*, lines: Collection[LogEntry]) -> dict[int, Hearers]:
    """Return who gets a mail about each line, by its id: not who did it, and of a draft hardly anybody.

    Of a hidden competition only organisers do. Helpers get what they hear of as organisers do. Five queries.
    """
    competitions = {line.competition_id for line in lines}
    known = Competition.objects.filter(pk__in=competitions).exclude(status=CompetitionStatus.DRAFT)
    shown = dict(known.values_list("pk", "hidden_at"))
    known_ids = set(shown)
    entrants = by_competition(Entry.objects.filter(status__in=IN_COMPETITION), known_ids)
    organisers = by_competition(Competition.organisers.through.objects.all(), known_ids)
    helpers = by_competition(Competition.helpers.through.objects.all(), known_ids)
    named = players_named([line.pk for line in lines])
    hearers = {}
    for line in lines:
        audience = audience_of(line.action)
        is_shown = audience.in_drafts or (line.competition_id in shown and shown[line.competition_id] is None)
        entered = entrants[line.competition_id]
        players = choose_hearers(audience.mail, named.get(line.pk), entered) if is_shown else ()
        others = organisers[line.competition_id] if audience.mails_organisers else []
        if audience.mails_organisers and audience.helpers:
            others = [*others, *helpers[line.competition_id]]
        hearers[line.pk] = Hearers(
            tuple(each for each in players if each != line.actor_id),
            tuple(each for each in others if each not in {line.actor_id, *players}),
        )
    return hearers


def players_of(*, fixtures: Collection[Fixture]) -> dict[int, int]:
    """Return the ids of the fixtures' players, by the ids of their entries."""
    entries = {entry for fixture in fixtures for entry in (fixture.yellow_id, fixture.red_id)}
    return dict(Entry.objects.filter(pk__in=entries).values_list("pk", "player_id"))


def begun_fixtures(*, player_id: int, ids: Collection[int]) -> QuerySet[Fixture]:
    """Return those of the player's fixtures that go on, with all that a mail says of them."""
    own = Q(yellow__player_id=player_id) | Q(red__player_id=player_id)
    related = ("competition", "round", "match", "yellow__player", "red__player")
    return Fixture.objects.filter(BEGUN, own, pk__in=ids).select_related(*related).order_by("competition_id", "pk")


def entrants_of_open_matches(round_: Round) -> list[Entry]:
    """Return the entrants of the matches of a round that go on."""
    going_on = Fixture.objects.filter(round=round_, is_annulled=False, match__status=Status.PLAYING)
    pairs = going_on.values_list("yellow", "red")
    return list(Entry.objects.filter(pk__in={entry for pair in pairs for entry in pair}).order_by("pk"))


def place_at_end(*, competition_id: int, player_id: int) -> int | None:
    """Return a player's place in the table of the last stage, ``None`` for who has none in it."""
    standings = Standing.objects.filter(seat__entry__player=player_id, group__stage__competition=competition_id)
    last = standings.filter(group__stage__advance__isnull=True)
    place: int | None = last.values_list("place", flat=True).first()
    return place


def competitions_with_news(*, now: datetime, lead: timedelta) -> list[int]:
    """Return the ids of the competitions in which something has come about that no line of the log tells yet."""
    watched = Competition.objects.filter(Q(status=CompetitionStatus.RUNNING) | Q(finished_at__gt=now - KEPT))
    found = {
        *decided_ties()
        .filter(round__group__stage__competition__in=watched)
        .values_list("round__group__stage__competition", flat=True),
        *ended_groups().filter(stage__competition__in=watched).values_list("stage__competition", flat=True),
        *rounds_near_end(now=now, lead=lead).values_list("group__stage__competition", flat=True),
        *rounds_overdue(now=now).values_list("group__stage__competition", flat=True),
    }
    return sorted(found)


def decided_ties() -> QuerySet[Tie]:
    """Return the ties whose decision nobody has been notified of."""
    return Tie.objects.filter(decided_at__isnull=False).exclude(notified_of__isnull=False, notified_of=F("decided_at"))


def ended_groups() -> QuerySet[Group]:
    """Return the groups whose end nobody has been notified of."""
    return Group.objects.filter(ended_at__isnull=False).exclude(notified_of__isnull=False, notified_of=F("ended_at"))


def rounds_near_end(*, now: datetime, lead: timedelta) -> QuerySet[Round]:
    """Return the rounds that must end within ``lead``, and had more time when they began."""
    near = _running_rounds().filter(ends_at__gt=now, ends_at__lte=now + lead, started_at__lt=F("ends_at") - lead)
    return near.exclude(reminded_of__isnull=False, reminded_of=F("ends_at"))


def rounds_overdue(*, now: datetime) -> QuerySet[Round]:
    """Return the rounds that should have ended, and wait for their matches."""
    late = _running_rounds().filter(ends_at__lte=now, group__stage__at_round_end=RoundEnd.WAIT)
    return late.exclude(overdue_of__isnull=False, overdue_of=F("ends_at"))


def seats_in(*, group: Group) -> list[Seat]:
    """Return the seats of a group with the entries, and with the standing of those who have one."""
    return list(Seat.objects.filter(group=group).select_related("entry", "standing").order_by("pk"))


def _running_rounds() -> QuerySet[Round]:
    rounds = Round.objects.filter(ended_at=None, cut_short_at=None, ends_at__isnull=False, started_at__isnull=False)
    running = {"group__stage__competition__status": CompetitionStatus.RUNNING}
    return rounds.filter(**running, group__stage__competition__paused_at=None).order_by("pk")
