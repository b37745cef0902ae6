"""Create ladders and cups, and change their options."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.utils.text import slugify

from players.models import Player
from tournaments.errors import WrongCompetitionStatus
from tournaments.models import ENDED, NOT_STARTED, Competition, CompetitionStatus, Cup, Ladder
from tournaments.services.catch_up import catch_up
from tournaments.services.ladders.inactivity import leave_inactive
from tournaments.services.locks import lock_competition
from tournaments.services.log import log_action
from tournaments.services.stages import store_competition
from tournaments.services.standings import mark_standings_stale

MAX_SLUG_LENGTH = 80

LADDER_TIEBREAKS = ("points", "wins", "goal-difference", "goals", "draw")
CUP_TIEBREAKS = ("points", "head-to-head", "sonneborn-berger", "wins", "goal-difference", "goals", "draw")

OPTIONS = frozenset(
    "name slug description game time_bank time_increment time_cap vacation_limit is_rated "
    "admits_computers max_entrants min_rating max_rating password starts_at starts_when_full point_table "
    "tiebreaks".split()
)
LADDER_OPTIONS = frozenset(
    "system window_days best_results min_matches games_each rematch_days max_outgoing max_incoming "
    "inactive_days return_days".split()
)
CUP_OPTIONS = frozenset("format seeding legs replays third_place cycles round_days at_round_end late_entry".split())
TABLE_OPTIONS = frozenset("tiebreaks window_days best_results min_matches".split())

FREE_ALWAYS = frozenset({"name", "description"})
FREE_WHILE_RUNNING = FREE_ALWAYS | frozenset(
    "admits_computers max_entrants min_rating max_rating password at_round_end late_entry".split()
)
FREE_IN_RUNNING_LADDERS = FREE_WHILE_RUNNING | TABLE_OPTIONS | (LADDER_OPTIONS - {"system", "return_days"})
FIXED_BY_A_DRAW = CUP_OPTIONS - {"at_round_end", "late_entry"}


def fixed_options(*, competition: Ladder | Cup) -> frozenset[str]:
    """Return the names of the options that can't be changed any more as far as the competition has come."""
    every = OPTIONS | (LADDER_OPTIONS if isinstance(competition, Ladder) else CUP_OPTIONS)
    if competition.status in ENDED:
        return every - FREE_ALWAYS
    if competition.status not in NOT_STARTED:
        return every - (FREE_IN_RUNNING_LADDERS if isinstance(competition, Ladder) else FREE_WHILE_RUNNING)
    if isinstance(competition, Cup) and competition.rounds.exists():
        return FIXED_BY_A_DRAW
    return frozenset()


def default_tiebreaks(kind: type[Competition]) -> list[str]:
    """Return the order of the table that a new ladder or cup has unless its organiser chooses another one."""
    return list(LADDER_TIEBREAKS if issubclass(kind, Ladder) else CUP_TIEBREAKS)


def create_competition(*, competition: Ladder | Cup, creator: Player, now: datetime) -> None:
    """Store a new competition, whose creator becomes its organiser. An empty slug is made from the name."""
    competition.created_at = now
    competition.slug = competition.slug or _free_slug(competition)
    competition.tiebreaks = competition.tiebreaks or default_tiebreaks(type(competition))
    with transaction.atomic():
        store_competition(competition=competition)
        competition.organisers.add(creator)


def change_competition(*, competition: Ladder | Cup, changed: Collection[str], actor: Player, now: datetime) -> None:
    """Store a competition's changed options, and log for its players which ones; ``changed`` are names of its fields.

    A ladder's table that is made differently now is recomputed. Raises ``WrongCompetitionStatus`` where an
    option has become fixed.
    """
    names = sorted(changed)
    if not names:
        return
    titles = {name: _title(competition, name) for name in names}
    with transaction.atomic():
        locked = lock_competition(competition_id=competition.pk)
        catch_up(competition=locked, now=now)
        competition.status = locked.status
        fixed = sorted(fixed_options(competition=competition) & set(names))
        if fixed:
            raise WrongCompetitionStatus(f"It is too late to change this: {', '.join(titles[name] for name in fixed)}.")
        competition.save(update_fields=names)
        if competition.status == CompetitionStatus.RUNNING and TABLE_OPTIONS & set(names):
            mark_standings_stale(competition_id=competition.pk, now=now)
        if "inactive_days" in names:
            # Nobody has left before the ladder said that they would.
            leave_inactive(competition=competition, now=now, not_before=now)
        log_action(competition=competition, action="changed", actor=actor, subject=", ".join(titles.values()), now=now)


def change_organisers(
    *, competition: Ladder | Cup, organisers: Collection[Player], actor: Player, now: datetime
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


def _title(competition: Competition, name: str) -> str:
    field = competition._meta.get_field(name)  # noqa: SLF001 - Django's own
    return str(getattr(field, "verbose_name", name))


def _free_slug(competition: Competition) -> str:
    """Return the name as a slug that no competition has yet."""
    base = slugify(competition.name)[:MAX_SLUG_LENGTH] or type(competition).__name__.lower()
    slug, number = base, 1
    while Competition.objects.filter(slug=slug).exists():
        number += 1
        ending = f"-{number}"
        slug = base[: MAX_SLUG_LENGTH - len(ending)] + ending
    return slug
