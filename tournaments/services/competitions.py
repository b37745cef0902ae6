"""Create ladders and cups, and change their options."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import transaction
from django.utils.text import slugify

from players.models import Player
from tournaments.errors import WrongCompetitionStatus
from tournaments.formats.options import options_of, write_options
from tournaments.formats.protocol import Flow
from tournaments.models import ENDED, NOT_STARTED, Competition, CompetitionStatus, Cup, Stage
from tournaments.services.catch_up import catch_up
from tournaments.services.cups.draws import is_drawn
from tournaments.services.ladders.inactivity import leave_inactive
from tournaments.services.locks import lock_competition
from tournaments.services.log import log_action
from tournaments.services.stages import store_competition
from tournaments.services.standings import mark_standings_stale

MAX_SLUG_LENGTH = 80

OPTIONS = frozenset(
    "name slug description game time_bank time_increment time_cap vacation_limit is_rated admits_computers "
    "max_entrants min_rating max_rating password starts_at starts_when_full point_table".split()
)
STAGE_OPTIONS = frozenset("format tiebreaks seeding round_days at_round_end late_entry".split())

FREE_ALWAYS = frozenset({"name", "description"})
FREE_WHILE_RUNNING = FREE_ALWAYS | frozenset(
    "admits_computers max_entrants min_rating max_rating password at_round_end late_entry".split()
)
FIXED_BY_A_DRAW = frozenset("format seeding round_days".split())


def fixed_options(*, competition: Competition) -> frozenset[str]:
    """Return the names of the options that can't be changed any more as far as the competition has come.

    They are columns of the competition and of its first stage, and options of its format.
    """
    spec = competition.first_stage.format_spec
    known = list(options_of(spec.options))
    every = OPTIONS | STAGE_OPTIONS | {option.name for option in known}
    if competition.status in ENDED:
        return every - FREE_ALWAYS
    if competition.status not in NOT_STARTED:
        always_shaped = {"tiebreaks"} if spec.flow is Flow.CONTINUOUS else set()
        return every - FREE_WHILE_RUNNING - {option.name for option in known if option.is_free} - always_shaped
    if isinstance(competition, Cup) and is_drawn(cup=competition):
        return FIXED_BY_A_DRAW | {option.name for option in known if not option.is_free}
    return frozenset()


def create_competition(
    *, competition: Competition, stage: Stage, creator: Player, now: datetime, later: Sequence[Stage] = ()
) -> None:
    """Store a new competition, whose creator becomes its organiser, with its first stage and the ``later`` ones.

    An empty slug is made from the name. Raises ``InvalidOptions``.
    """
    competition.created_at = now
    competition.slug = competition.slug or _free_slug(competition)
    with transaction.atomic():
        store_competition(competition=competition, stage=stage, later=later)
        competition.organisers.add(creator)


def change_competition(
    *, competition: Competition, stage: Stage, changed: Collection[str], actor: Player, now: datetime
) -> None:
    """Store changed options of a competition and of its first stage, and log for its players which ones.

    ``changed`` are names as ``fixed_options`` returns them. A running competition's table that is made differently now
    is recomputed. Raises ``WrongCompetitionStatus`` where an option has become fixed, and ``InvalidOptions``.
    """
    names = sorted(changed)
    if not names:
        return
    known = {option.name: option for option in options_of(stage.format_spec.options)}
    titles = {name: str(known[name].label) if name in known else _title(name) for name in names}
    with transaction.atomic():
        locked = lock_competition(competition_id=competition.pk)
        catch_up(competition=locked, now=now)
        competition.status = locked.status
        fixed = sorted(fixed_options(competition=locked) & set(names))
        if fixed:
            raise WrongCompetitionStatus(f"It is too late to change this: {', '.join(titles[name] for name in fixed)}.")
        competition.save(update_fields=OPTIONS.intersection(names))
        _store_stage(locked.first_stage, stage, names)
        shapes_table = {"tiebreaks"} | {option.name for option in known.values() if option.shapes_table}
        if competition.status == CompetitionStatus.RUNNING and shapes_table & set(names):
            mark_standings_stale(competition_id=competition.pk, now=now)
        if "inactive_days" in names:
            # Nobody has left before the ladder said that they would.
            leave_inactive(competition=locked, now=now, not_before=now)
        log_action(competition=competition, action="changed", actor=actor, subject=", ".join(titles.values()), now=now)


def change_organisers(
    *, competition: Competition, organisers: Collection[Player], actor: Player, now: datetime
) -> None:
    """Let these players organise the competition from now on, and log it.

    The actor stays an organiser, so that nobody locks themselves out.

    A superuser organises every competition, and so need not be among them.
    """
    kept = {*organisers} if actor.is_superuser else {*organisers, actor}
    with transaction.atomic():
        competition.organisers.set(kept)
        names = ", ".join(sorted(player.username for player in kept))
        log_action(competition=competition, action="organised", actor=actor, subject=names, now=now)


def _store_stage(stored: Stage, stage: Stage, changed: Collection[str]) -> None:
    """Store what has changed of a stage, and leave what others have changed meanwhile."""
    options = {name: stage.options[name] for name in changed if name in stage.options}
    if stored.format == stage.format:
        options = stored.options | options
    for name in STAGE_OPTIONS.intersection(changed):
        setattr(stored, name, getattr(stage, name))
    stored.options = options
    stored.options = write_options(stored.chosen_options)
    stored.save(update_fields={*STAGE_OPTIONS.intersection(changed), "options"})
    stage.options = stored.options


def _title(name: str) -> str:
    model = Stage if name in STAGE_OPTIONS else Competition
    return str(getattr(model._meta.get_field(name), "verbose_name", name))  # noqa: SLF001 - Django's own


def _free_slug(competition: Competition) -> str:
    """Return the name as a slug that no competition has yet."""
    base = slugify(competition.name)[:MAX_SLUG_LENGTH] or competition.kind
    slug, number = base, 1
    while Competition.objects.filter(slug=slug).exists():
        number += 1
        ending = f"-{number}"
        slug = base[: MAX_SLUG_LENGTH - len(ending)] + ending
    return slug
