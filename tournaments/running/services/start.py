"""Start competitions: by hand, at their time, or when they are full."""

import secrets
from contextlib import suppress
from datetime import datetime
from itertools import islice

from django.db import transaction
from django.utils.translation import gettext as _

from database.isolation import attempt_each
from players.models import Player
from tournaments.models import NOT_STARTED, Competition, CompetitionStatus, Group
from tournaments.office.selectors.organisers import check_organiser
from tournaments.office.services.after_commit import notify_pairing
from tournaments.office.services.locks import lock_competition
from tournaments.office.services.log import log_action
from tournaments.records.competitions import (
    ids_of_competitions_due,
    is_start_due,
    last_season_ended_at,
    waits_for_last_season,
)
from tournaments.records.groups import groups_of, is_drawn
from tournaments.rounds.errors import TooFewEntrants, TooManyEntrants, WrongCompetitionStatus
from tournaments.rounds.services.draws import MAX_DRAW_SEED, check_number, keep_draw, preview_draw
from tournaments.rounds.services.levels import start_levels
from tournaments.rounds.services.stage_ends import begin_groups
from tournaments.running.errors import LastSeasonRunning
from tournaments.running.selectors.entry_conditions import count_entrants
from tournaments.running.services.absences import leave_out_absent
from tournaments.running.services.check_in_opening import open_check_in_if_due
from tournaments.running.services.free_places import note_end_of_waiting, note_lapsed_invitations
from tournaments.running.services.numbers import store_start
from tournaments.tables.services.standings import mark_all_standings_stale

BATCH = 50


def start_competition(*, competition_id: int, actor: Player | None, now: datetime, reason: str = "") -> Competition:
    """Start a competition and return it.

    A ladder looks for games; a cup is drawn, if it is not yet, and its first matches begin, without those who have not
    checked in where players do. Where groups form one by one, those do that can. Again has no effect. Raises
    ``NotAnOrganiser``, ``WrongCompetitionStatus``, ``LastSeasonRunning``, ``TooFewEntrants`` or ``TooManyEntrants``.
    """
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_id)
        check_organiser(competition=competition, player=actor)
        if competition.status == CompetitionStatus.RUNNING:
            return competition
        if competition.status not in NOT_STARTED:
            raise WrongCompetitionStatus(_("The competition is over."))
        if waits_for_last_season(competition, now=now):
            raise LastSeasonRunning(
                _("The previous season has not ended, or its result is still provisional. This season starts after it.")
            )
        open_check_in_if_due(competition=competition, now=now)
        leave_out_absent(competition=competition, until=_counts_until(competition, actor, now), now=now)
        gathers = competition.first_stage.gathers
        if gathers:
            check_number(competition, count_entrants(competition))
        elif not competition.is_endless and not is_drawn(competition=competition):
            keep_draw(competition=competition, draw=preview_draw(competition=competition), actor=actor, now=now)
        store_start(competition=competition, now=now)
        log_action(competition=competition, action="started", actor=actor, reason=reason, now=now)
        note_end_of_waiting(competition=competition, action="waiting-ended", now=now)
        note_lapsed_invitations(competition=competition, now=now)
        mark_all_standings_stale(competition_id=competition.pk, now=now)
        if competition.is_endless:
            Group.objects.filter(stage__competition=competition).update(started_at=now)
            notify_pairing(ladder_id=competition.pk)
        elif gathers:
            start_levels(competition=competition, draw_seed=secrets.randbelow(MAX_DRAW_SEED), now=now)
        else:
            begin_groups(groups=groups_of(competition), now=now)
    return competition


def _counts_until(competition: Competition, actor: Player | None, now: datetime) -> datetime:
    """Return until when players must have checked in: a start by itself is as of its time, whenever a worker ran.

    A season that had to wait starts as of the end of the season before.
    """
    if actor is not None or competition.starts_at is None:
        return now
    return min(max(competition.starts_at, last_season_ended_at(competition) or competition.starts_at), now)


def start_competition_if_due(*, competition_id: int, now: datetime) -> bool:
    """Start a competition whose time has come or that is full, if it can start; return whether it has.

    How many its groups and later stages need is asked in no query: where they are too few or too many, it waits.
    """
    with suppress(TooFewEntrants, TooManyEntrants), transaction.atomic():
        lock_competition(competition_id=competition_id)
        if is_start_due(competition_id, now):
            start_competition(competition_id=competition_id, actor=None, now=now)
            return True
    return False


def start_due_competitions(*, now: datetime, limit: int = BATCH) -> int:
    """Start up to ``limit`` competitions whose time has come or that are full; return how many this call started.

    A cup whose time has come waits until all its stages can be played. Each competition has a transaction of its own,
    so that one that cannot start stops none of the others.
    """
    started = attempt_each(
        ids_of_competitions_due(now),
        lambda competition_id: start_competition_if_due(competition_id=competition_id, now=now),
        event="competition_not_started",
        key="competition_id",
    )
    return sum(islice(filter(None, started), limit))
