"""Settle what is over or overdue in a competition, in the order of time. Callers hold the competition's lock."""

from datetime import datetime

from django.db.models import QuerySet

from matches.models import Match
from matches.models.match import RUNNING
from matches.selectors.clocks import overdue_matches
from matches.services.expiry import expire_together, lock_to_expire
from tournaments.models import Competition, Round, RoundEnd
from tournaments.records.cups import rounds_due, rounds_due_in
from tournaments.rounds.services.cut_rounds import cut_short
from tournaments.running.services.settlement import settle_competition


def settle_overdue(*, competition: Competition, now: datetime) -> int:
    """Settle all that is over in a running competition and end all whose time has run out; return how much that was.

    What has begun in a round that was cut short is cut short in its turn.
    """
    done = 0
    while more := sum(_cut_due_rounds(competition, now)) + _expire_and_settle(competition, now, now):
        done += more
    return done


def cut_due_rounds(*, competition: Competition, now: datetime) -> int:
    """Cut a cup's rounds short whose time is over, as of their dates; return how many matches ended so.

    What was over by then comes first.
    """
    ended, _ = _cut_due_rounds(competition, now)
    return ended


def _cut_due_rounds(competition: Competition, now: datetime) -> tuple[int, int]:
    """Return how many matches ended with their rounds, and how many before them were lost on time or settled."""
    rounds = rounds_due_in(competition.pk, now)
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
    is_overdue = overdue_matches(until).filter(competition=competition.pk).exists()
    expired = expire_together(matches=_running_in(competition), now=until) if is_overdue else 0
    return expired + settle_competition(competition=competition, until=until, now=now)


def _running_in(competition: Competition) -> QuerySet[Match]:
    return Match.objects.filter(RUNNING, competition=competition.pk)
