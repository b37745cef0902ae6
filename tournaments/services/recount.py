"""Recount a competition after one of its results has been changed or annulled."""

from __future__ import annotations

from datetime import datetime

from tournaments.models import Competition, CupFormat, LadderSystem
from tournaments.selectors.competitions import find_cup, find_ladder
from tournaments.services.cups.bracket_repair import repair_bracket
from tournaments.services.ladders.challenge_results import replay_challenges
from tournaments.services.standings import mark_standings_stale


def recount_competition(*, competition: Competition, now: datetime) -> None:
    """Let positions, ties and winners follow from what counts now, and the table of any competition.

    The caller holds the competition's lock.
    """
    ladder = find_ladder(competition)
    if ladder is not None and ladder.system == LadderSystem.CHALLENGE:
        replay_challenges(ladder_id=competition.pk)
    cup = find_cup(competition)
    if cup is not None and cup.format == CupFormat.ELIMINATION and cup.started_at is not None:
        repair_bracket(cup=cup, now=now)
    mark_standings_stale(competition_id=competition.pk, now=now)
