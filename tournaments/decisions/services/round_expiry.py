"""End rounds whose time is over."""

from datetime import datetime
from itertools import islice

from django.db import transaction
from django.utils.translation import gettext as _

from database.isolation import attempt_each
from players.models import Player
from tournaments.models import CompetitionStatus, Round, RoundEnd
from tournaments.office.services.locks import lock_competition
from tournaments.records.cups import rounds_due
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.rounds.services.cut_rounds import cut_short
from tournaments.running.services.catch_up import lock_for_organiser
from tournaments.running.services.overdue import cut_due_rounds

BATCH = 50


def end_due_rounds(*, now: datetime, limit: int = BATCH) -> int:
    """Cut rounds of up to ``limit`` cups short whose time is over, as these want it; return how many matches ended.

    Rounds whose matches are waited for are left alone. A cup that fails stops none of the others.
    """

    def cut(cup_id: int) -> int:
        with transaction.atomic():
            return cut_due_rounds(competition=lock_competition(competition_id=cup_id), now=now)

    due = dict.fromkeys(rounds_due(now).values_list("group__stage__competition", flat=True))
    return sum(islice(attempt_each(due, cut, event="round_not_ended", key="competition_id"), limit))


def end_round(
    *,
    round: Round,  # noqa: A002
    policy: RoundEnd,
    actor: Player | None,
    now: datetime,
    reason: str = "",
) -> int:
    """End all running matches of a round, by their score or as losses of the side to move; return how many.

    Its ties get no more replays. The results are counted as those of all other matches, and then the cup goes on;
    done again, it ends what was started in the round since. Raises ``NotAnOrganiser``, or
    ``WrongCompetitionStatus`` where the round is not going on, or for a policy that ends nothing.
    """
    if policy == RoundEnd.WAIT:
        raise WrongCompetitionStatus(
            _("Choose how unfinished matches are decided. You cannot end a round by waiting for them.")
        )
    with transaction.atomic():
        competition = lock_for_organiser(competition_id=round.competition_id, actor=actor, now=now)
        fresh = Round.objects.select_related("group__stage__competition").get(pk=round.pk)
        if competition.status != CompetitionStatus.RUNNING or fresh.started_at is None or fresh.ended_at is not None:
            raise WrongCompetitionStatus(_("You can end only a round that is running."))
        return cut_short(competition=competition, round=fresh, policy=policy, actor=actor, at=now, reason=reason)
