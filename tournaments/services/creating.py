"""Making ladders and cups, and changing their options."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.utils.text import slugify

from players.models import Player
from tournaments.errors import WrongEventStatus
from tournaments.models import ENDED, NOT_STARTED, Cup, Event, EventStatus, Ladder
from tournaments.services.catch_up import catch_up
from tournaments.services.locking import lock_event
from tournaments.services.log import log_action
from tournaments.services.standings import want_standings

LONGEST_SLUG = 80

LADDER_METRICS = ("points", "wins", "goal-difference", "goals", "draw")
CUP_METRICS = ("points", "head-to-head", "sonneborn-berger", "wins", "goal-difference", "goals", "draw")

OPTIONS = frozenset(
    "name slug description game time_bank time_increment time_cap vacation_limit is_rated "
    "admits_computers max_entrants min_rating max_rating password starts_at starts_when_full metrics".split()
)
LADDER_OPTIONS = frozenset(
    "system window_days best_results least_matches games_each rematch_days most_outgoing most_incoming".split()
)
CUP_OPTIONS = frozenset("format seeding legs replays third_place cycles round_days at_round_end late_entry".split())
TABLE_OPTIONS = frozenset("metrics window_days best_results least_matches".split())

FREE_ALWAYS = frozenset({"name", "description"})
FREE_WHILE_RUNNING = FREE_ALWAYS | frozenset(
    "admits_computers max_entrants min_rating max_rating password at_round_end late_entry".split()
)
FREE_IN_RUNNING_LADDERS = FREE_WHILE_RUNNING | TABLE_OPTIONS | (LADDER_OPTIONS - {"system"})
FIXED_BY_A_DRAW = CUP_OPTIONS - {"at_round_end", "late_entry"}


def fixed_options(*, event: Ladder | Cup) -> frozenset[str]:
    """Return the names of the options that can't be changed any more as far as the event has come."""
    every = OPTIONS | (LADDER_OPTIONS if isinstance(event, Ladder) else CUP_OPTIONS)
    if event.status in ENDED:
        return every - FREE_ALWAYS
    if event.status not in NOT_STARTED:
        return every - (FREE_IN_RUNNING_LADDERS if isinstance(event, Ladder) else FREE_WHILE_RUNNING)
    if isinstance(event, Cup) and event.rounds.exists():
        return FIXED_BY_A_DRAW
    return frozenset()


def default_metrics(kind: type[Event]) -> list[str]:
    """Return the order of the table that a new ladder or cup has unless its organiser chooses another one."""
    return list(LADDER_METRICS if issubclass(kind, Ladder) else CUP_METRICS)


def create_event(*, event: Ladder | Cup, creator: Player, now: datetime) -> None:
    """Store a new event, whose creator becomes its organiser. An empty address is made from the name."""
    event.created_at = now
    event.slug = event.slug or _free_slug(event)
    event.metrics = event.metrics or default_metrics(type(event))
    with transaction.atomic():
        event.save(force_insert=True)
        event.organisers.add(creator)


def change_event(*, event: Ladder | Cup, changed: Collection[str], actor: Player, now: datetime) -> None:
    """Store an event's changed options, and log for its players which ones; ``changed`` are names of its fields.

    A ladder's table that is made differently now is recomputed. Raises ``WrongEventStatus`` where an
    option has become fixed.
    """
    names = sorted(changed)
    if not names:
        return
    titles = {name: _title(event, name) for name in names}
    with transaction.atomic():
        locked = lock_event(event_id=event.pk)
        catch_up(event=locked, now=now)
        event.status = locked.status
        fixed = sorted(fixed_options(event=event) & set(names))
        if fixed:
            raise WrongEventStatus(f"It is too late to change this: {', '.join(titles[name] for name in fixed)}.")
        event.save(update_fields=names)
        if event.status == EventStatus.RUNNING and TABLE_OPTIONS & set(names):
            want_standings(event_id=event.pk, now=now)
        log_action(event=event, action="changed", actor=actor, subject=", ".join(titles.values()), now=now)


def change_organisers(*, event: Ladder | Cup, organisers: Collection[Player], actor: Player, now: datetime) -> None:
    """Let these players organise the event from now on, and log it. Nobody locks himself out: the actor stays one.

    A superuser organises every event, and so need not be among them.
    """
    kept = {*organisers} if actor.is_superuser else {*organisers, actor}
    with transaction.atomic():
        event.organisers.set(kept)
        names = ", ".join(sorted(player.username for player in kept))
        log_action(event=event, action="organised", actor=actor, subject=names, now=now)


def _title(event: Event, name: str) -> str:
    field = event._meta.get_field(name)  # noqa: SLF001 - Django's own
    return str(getattr(field, "verbose_name", name))


def _free_slug(event: Event) -> str:
    """Return the name as an address that no event has yet."""
    base = slugify(event.name)[:LONGEST_SLUG] or type(event).__name__.lower()
    slug, number = base, 1
    while Event.objects.filter(slug=slug).exists():
        number += 1
        ending = f"-{number}"
        slug = base[: LONGEST_SLUG - len(ending)] + ending
    return slug
