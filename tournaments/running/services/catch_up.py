"""Do what is due in a competition before anything else, so that no outcome depends on when a worker ran.

Every service that acts on a competition locks it and then calls ``catch_up``: matches that have
ended are counted, matches whose time has run out are lost, rounds whose date has passed are cut short, the rounds that
follow from them are drawn, and players who have done nothing for long leave ladders. All of it is dated by its own
moment and done in the order of these moments.
"""

from datetime import datetime

from django.db import transaction

from players.models import Player
from tournaments.models import NOT_STARTED, Competition, CompetitionStatus
from tournaments.models.rights import Right
from tournaments.office.selectors.organisers import check_organiser
from tournaments.office.services.locks import lock_competition
from tournaments.records.competitions import is_start_due
from tournaments.running.services.check_in_opening import open_check_in_if_due
from tournaments.running.services.departure import ladders_left_inactive, leave_inactive
from tournaments.running.services.next_rounds import pair_rounds_of
from tournaments.running.services.overdue import settle_overdue
from tournaments.running.services.start import start_competition
from web.errors import DomainError


def catch_up(*, competition: Competition, now: datetime) -> int:
    """Do all that is due in a competition by now, read it anew if anything was, and return how much was done.

    The caller holds the competition's lock, and has locked no player and no match yet. If a clock has run out, all
    running matches of the competition are locked afterwards.
    """
    done = 0
    if competition.status in NOT_STARTED:
        done = open_check_in_if_due(competition=competition, now=now) + _start(competition, now)
    if competition.status == CompetitionStatus.RUNNING:
        done += settle_overdue(competition=competition, now=now)
        # A round is over as soon as it is drawn if nobody is left to play in it.
        while _may_pair(competition) and (paired := pair_rounds_of(competition=competition, now=now)):
            done += paired
        done += leave_inactive(competition=competition, now=now)
    if done:
        competition.refresh_from_db()
    return done


def lock_for_organiser(
    *, competition_id: int, actor: Player | None, now: datetime, right: Right = Right.ORGANISE
) -> Competition:
    """Lock a competition in which somebody with this right acts, do what is due in it, and return it.

    Raises ``CompetitionNotFound`` or ``NotAnOrganiser``.
    """
    competition = lock_competition(competition_id=competition_id)
    check_organiser(competition=competition, player=actor, right=right)
    catch_up(competition=competition, now=now)
    return competition


def catch_up_for(*, player_id: int, now: datetime) -> None:
    """Catch up with the running ladders that a player should have left by now for doing nothing.

    It is asked when the player acts again, while the last act before is still known. The caller has locked nothing.
    """
    for competition_id in ladders_left_inactive(player_id=player_id, now=now):
        with transaction.atomic():
            catch_up(competition=lock_competition(competition_id=competition_id), now=now)


def _start(competition: Competition, now: datetime) -> int:
    """Start a competition whose time has come, if it can be started."""
    is_dated = competition.starts_at is not None and competition.starts_at <= now
    starts_by_itself = is_dated or competition.starts_with_entries
    if not starts_by_itself or not is_start_due(competition.pk, now):
        return 0
    try:
        with transaction.atomic():
            start_competition(competition_id=competition.pk, actor=None, now=now)
    except DomainError:
        return 0
    competition.refresh_from_db()
    return 1


def _may_pair(competition: Competition) -> bool:
    """Return whether there may be rounds or groups that follow from results: in a first stage, or in a later one."""
    stage = competition.first_stage
    return stage.abilities.pairs_by_results or stage.advance is not None or stage.gathers
