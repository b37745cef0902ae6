"""Draw a cup for its organisers."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from players.models import Player
from tournaments.models import NOT_STARTED, Cup, Seeding
from tournaments.records.competitions import waits_for_last_season
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.rounds.services.draws import Draw, keep_draw, preview_draw
from tournaments.running.errors import LastSeasonRunning
from tournaments.running.services.catch_up import lock_for_organiser


def draw_cup(
    *,
    cup_id: int,
    actor: Player | None,
    now: datetime,
    seed: int | None = None,
    order: Sequence[int] | None = None,
    reason: str = "",
) -> Draw:
    """Draw a cup that has not started, or draw it again, and return the draw. Entry is closed with it.

    Takes what ``preview_draw`` takes and raises what it raises; ``NotAnOrganiser``, ``LastSeasonRunning`` or
    ``WrongCompetitionStatus`` besides.
    """
    with transaction.atomic():
        competition = lock_for_organiser(competition_id=cup_id, actor=actor, now=now)
        if competition.status not in NOT_STARTED:
            raise WrongCompetitionStatus(_("A cup can be drawn only before it starts."))
        if competition.first_stage.seeding == Seeding.SEASON and waits_for_last_season(competition, now=now):
            raise LastSeasonRunning(
                _("The previous season has no final result yet, and its table decides the seeds of this one.")
            )
        cup = Cup.objects.get(pk=cup_id)
        draw = preview_draw(competition=cup, seed=seed, order=order)
        keep_draw(competition=cup, draw=draw, actor=actor, reason=reason, now=now)
    return draw
