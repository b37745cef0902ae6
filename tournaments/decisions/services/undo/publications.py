"""Take back the publication of a round: it waits for the organisers again, as it was published."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from formats.pairing.proposed import Pairings
from players.models import Player
from rules_engine.values import BySide
from tournaments.models import (
    NOT_STARTED,
    SITTING,
    Bye,
    Competition,
    CompetitionStatus,
    Fixture,
    ProposedRound,
    Round,
    Seat,
    write_pairings,
)
from tournaments.office.services.log import log_action
from tournaments.records.matches import played_fixtures
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.rounds.services.consequences import Consequences, check_confirmed, sort_matches
from tournaments.rounds.services.round_codes import code_round
from tournaments.rounds.services.set_aside import naming_cause, put_away
from tournaments.running.services.catch_up import lock_for_organiser
from tournaments.tables.services.standings import mark_standings_stale


def take_back_publication(
    *,
    round: Round,  # noqa: A002
    confirm: bool,
    actor: Player,
    reason: str,
    now: datetime,
) -> ProposedRound:
    """Let a round that follows from results wait for the organisers again, and return what is proposed then.

    Its matches count nowhere. Raises ``NotAnOrganiser``, ``WrongCompetitionStatus`` unless it is the last round and has
    not ended, or ``MatchesWouldBeLost`` where somebody has moved and this is not confirmed.
    """
    with transaction.atomic():
        competition = lock_for_organiser(competition_id=round.competition_id, actor=actor, now=now)
        fresh = _find(round, competition)
        check_confirmed(_foresee(fresh), confirm=confirm)
        with naming_cause(competition=competition):
            log_action(
                competition=competition,
                action="publication-undone",
                actor=actor,
                subject=code_round(fresh.group, fresh),
                reason=reason,
                now=now,
            )
            proposed = _propose(fresh, now)
            _forget(competition, fresh, now)
        if competition.started_at is not None:
            mark_standings_stale(group_id=fresh.group_id, now=now)
    return proposed


def what_follows_from_taking_back_publication(*, round: Round, now: datetime) -> Consequences:  # noqa: A002
    """Return what follows from taking back the publication now. Raises ``WrongCompetitionStatus``."""
    return _foresee(_find(round, round.group.stage.competition))


def _find(round_: Round, competition: Competition) -> Round:
    fresh = Round.objects.select_related("group__stage").filter(pk=round_.pk).first()
    is_running = competition.status == CompetitionStatus.RUNNING or competition.status in NOT_STARTED
    if fresh is None or fresh.ended_at is not None or not is_running:
        raise WrongCompetitionStatus(_("You can take back a round only until it has ended."))
    fresh.group.stage.competition = competition
    if not fresh.group.stage.abilities.pairs_by_results:
        raise WrongCompetitionStatus(
            _("In this competition all rounds are drawn at the same time. You can draw it again.")
        )
    if Round.objects.filter(group=fresh.group, number__gt=fresh.number).exists():
        raise WrongCompetitionStatus(_("A later round has been drawn."))
    return fresh


def _foresee(round_: Round) -> Consequences:
    counting = Fixture.objects.filter(round=round_, is_annulled=False)
    played = set(played_fixtures(competition_id=round_.competition_id).values_list("pk", flat=True))
    begun = counting.filter(Q(match__isnull=False) | Q(pk__in=played))
    return sort_matches(begun.select_related(*SITTING).order_by("pk"), played)


def _propose(round_: Round, now: datetime) -> ProposedRound:
    """Store the pairings as they were published. A match that is played again keeps its sides."""
    seat_of = dict(Seat.objects.filter(group=round_.group_id).values_list("entry", "pk"))
    met = Fixture.objects.filter(round=round_).order_by("pk").values_list("yellow", "red")
    byes = list(Bye.objects.filter(round=round_).order_by("pk").values_list("seat", "is_asked"))
    pairings = Pairings(
        tuple(BySide(*pair).map(seat_of.__getitem__) for pair in dict.fromkeys(met)),
        tuple(seat for seat, is_asked in byes if not is_asked),
        tuple(seat for seat, is_asked in byes if is_asked),
    )
    stored = write_pairings(pairings)
    return ProposedRound.objects.create(
        group=round_.group,
        number=round_.number,
        drawn_at=round_.drawn_at or round_.started_at or now,
        drawn=stored if round_.drawn is None else round_.drawn,
        pairings=stored,
    )


def _forget(competition: Competition, round_: Round, now: datetime) -> None:
    """Annul the matches, and take the round away. Fixtures that were played stay, outside of rounds."""
    fixtures = Fixture.objects.filter(round=round_)
    put_away(competition=competition, fixtures=fixtures, now=now)
    round_.delete()
