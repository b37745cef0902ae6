"""Do what is due in a competition before anything else, so that no outcome depends on when a worker ran.

Every service that acts on a competition locks it and then calls ``catch_up``: matches that have
ended are counted, matches whose time has run out are lost, rounds whose date has passed are cut short, the rounds that
follow from them are drawn, and players who have done nothing for long leave ladders. All of it is dated by its own
moment and done in the order of these moments.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from matches.models import Match
from matches.models.match import RUNNING
from matches.services.expiry import expire_together, lock_to_expire
from tournaments.models import NOT_STARTED, Competition, CompetitionStatus, Round, RoundEnd
from tournaments.selectors.competitions import competitions_due
from tournaments.selectors.cups import rounds_due
from tournaments.selectors.ladders import ladders_left_inactive
from tournaments.services.cups.cut_rounds import cut_short
from tournaments.services.cups.pairings import pair_rounds_of
from tournaments.services.ladders.inactivity import leave_inactive
from tournaments.services.lifecycle.start import start_competition
from tournaments.services.locks import lock_competition
from tournaments.services.settlement import settle_competition
from web.errors import DomainError


def catch_up(*, competition: Competition, now: datetime) -> int:
    """Do all that is due in a competition by now, read it anew if anything was, and return how much was done.

    The caller holds the competition's lock, and has locked no player and no match yet. If a clock has run out, all
    running matches of the competition are locked afterwards.
    """
    done = _start(competition, now) if competition.status in NOT_STARTED else 0
    if competition.status == CompetitionStatus.RUNNING:
        # What has begun in a round that was cut short is cut short in its turn.
        while more := sum(_cut_due_rounds(competition, now)) + _expire_and_settle(competition, now, now):
            done += more
        # A round is over as soon as it is drawn if nobody is left to play in it.
        while _may_pair(competition) and (paired := pair_rounds_of(competition=competition, now=now)):
            done += paired
        done += leave_inactive(competition=competition, now=now)
    if done:
        competition.refresh_from_db()
    return done


def catch_up_for(*, player_id: int, now: datetime) -> None:
    """Catch up with the running ladders that a player should have left by now for doing nothing.

    It is asked when the player acts again, while the last act before is still known. The caller has locked nothing.
    """
    for competition_id in ladders_left_inactive(player_id=player_id, now=now):
        with transaction.atomic():
            catch_up(competition=lock_competition(competition_id=competition_id), now=now)


def cut_due_rounds(*, competition: Competition, now: datetime) -> int:
    """Cut a cup's rounds short whose time is over, as of their dates; return how many matches ended so.

    What was over by then comes first. The caller holds the competition's lock.
    """
    ended, _ = _cut_due_rounds(competition, now)
    return ended


def _start(competition: Competition, now: datetime) -> int:
    """Start a competition whose time has come, if it can be started."""
    is_dated = competition.starts_at is not None and competition.starts_at <= now
    if not (is_dated or competition.starts_when_full) or not competitions_due(now).filter(pk=competition.pk).exists():
        return 0
    try:
        with transaction.atomic():
            start_competition(competition_id=competition.pk, actor=None, now=now)
    except DomainError:
        return 0
    competition.refresh_from_db()
    return 1


def _may_pair(competition: Competition) -> bool:
    """Return whether there may be rounds that follow from results: in a first stage, or in one that comes later."""
    stage = competition.first_stage
    return stage.abilities.pairs_by_results or stage.advance is not None


def _cut_due_rounds(competition: Competition, now: datetime) -> tuple[int, int]:
    """Return how many matches ended with their rounds, and how many before them were lost on time or settled."""
    rounds = list(rounds_due(now).filter(group__stage__competition=competition.pk))
    if rounds:
        lock_to_expire(matches=_running_in(competition), now=now)
    ended = settled = 0
    for round_ in rounds:
        settled += _expire_and_settle(competition, round_.ends_at or now, now)
        ended += _cut_if_due(competition, round_, now)
    return ended, settled


def _cut_if_due(competition: Competition, round_: Round, now: datetime) -> int:
    if not rounds_due(now).filter(pk=round_.pk).exists():
        return 0
    at, policy = round_.ends_at or now, RoundEnd(round_.group.stage.at_round_end)
    return cut_short(competition=competition, round=round_, policy=policy, actor=None, at=at)


def _expire_and_settle(competition: Competition, until: datetime, now: datetime) -> int:
    expired = expire_together(matches=_running_in(competition), now=until)
    return expired + settle_competition(competition=competition, until=until, now=now)


def _running_in(competition: Competition) -> QuerySet[Match]:
    return Match.objects.filter(RUNNING, competition=competition.pk)
