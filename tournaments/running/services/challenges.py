"""Start challenges on a challenge ladder."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from formats.protocol import Order
from players.models import Player
from players.selectors import check_is_open
from players.services.budgets import spending_of
from tournaments.models import CompetitionStatus, Entry, Fixture
from tournaments.office.errors import EntryNotFound
from tournaments.office.services.locks import lock_competition
from tournaments.records.challenges import positions_of, read_challenge_ladder
from tournaments.records.groups import first_group_id
from tournaments.records.sides import balance_of
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.rounds.services.fixtures import add_fixture
from tournaments.running.errors import ChallengeRefused
from tournaments.running.sentences import refusal_sentence
from tournaments.running.services.catch_up import catch_up
from tournaments.running.services.departure import note_waiting
from web.limits.table import GAMES


def challenge(*, ladder_id: int, challenger: Player, opponent: Player, now: datetime) -> Fixture:
    """Start a game against somebody above on a challenge ladder, and return it.

    Raises ``EntryNotFound`` where one of both is not in the competition, ``WrongCompetitionStatus`` where it is not
    a running challenge ladder, ``AccountClosed``, ``ChallengeRefused`` with the reason, and ``BudgetSpent``.
    """
    check_is_open(challenger)
    check_is_open(opponent)
    with spending_of(challenger, GAMES, now=now), transaction.atomic():
        competition = lock_competition(competition_id=ladder_id)
        catch_up(competition=competition, now=now)
        is_running = competition.status == CompetitionStatus.RUNNING
        if competition.first_stage.format_spec.order is not Order.POSITIONS or not is_running:
            raise WrongCompetitionStatus(_("Players can challenge each other only on a running challenge ladder."))
        note_waiting(ladder=competition)
        entries = {
            entry.player_id: entry
            for entry in Entry.objects.filter(
                competition=competition, player__in=[challenger, opponent]
            ).select_related("player")
        }
        if challenger.pk not in entries or opponent.pk not in entries:
            raise EntryNotFound(_("Both players must be on the ladder."))
        one, other = entries[challenger.pk], entries[opponent.pk]
        state = read_challenge_ladder(competition, now, challengers=positions_of([one.pk]), opponents=[other.pk])
        refusal = state.reason_not(one.pk, other.pk, now)
        if refusal is not None:
            raise ChallengeRefused(refusal_sentence(refusal), obstacle=refusal.obstacle)
        both = {one.pk: one, other.pk: other}
        sides = balance_of(entries=both).give(*both).map(both.__getitem__)
        group_id = first_group_id(competition_id=ladder_id)
        return add_fixture(competition=competition, group_id=group_id, sides=sides, challenger=one, now=now)
