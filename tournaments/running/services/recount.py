"""Recount a competition after one of its results has been changed or annulled."""

from datetime import datetime

from formats.protocol import Order
from tournaments.models import Competition
from tournaments.office.services.log import log_action
from tournaments.records.groups import groups_of
from tournaments.rounds.services.bracket_repair import repair_bracket
from tournaments.rounds.services.set_aside import naming_cause
from tournaments.running.services.ladder_seats import note_all_on_ladder
from tournaments.running.services.numbers import store_numbers
from tournaments.tables.services.challenge_results import replay_challenges
from tournaments.tables.services.known_games import forget_all_games
from tournaments.tables.services.standings import mark_all_standings_stale


def recount_competition(*, competition: Competition, now: datetime) -> None:
    """Let positions, ties and winners follow from what counts now, and the table and numbers of any competition.

    The caller holds the competition's lock.
    """
    store_numbers(competition_id=competition.pk)
    note_all_on_ladder(competition_id=competition.pk)
    forget_all_games(competition_ids=[competition.pk])
    stage = competition.first_stage
    if stage.format_spec.order is Order.POSITIONS:
        replay_challenges(ladder_id=competition.pk)
    with naming_cause(competition=competition, action="recounted"):
        brackets = [each for each in groups_of(competition) if each.stage.is_bracket and each.started_at is not None]
        repaired = [repair_bracket(group=group, now=now) for group in brackets]
        if any(repaired):
            log_action(competition=competition, action="recounted", now=now)
    mark_all_standings_stale(competition_id=competition.pk, now=now)
