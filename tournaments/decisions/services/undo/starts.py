"""Take back the start of a competition: it is closed for entry again, with its draw."""

from collections import defaultdict
from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _

from formats.protocol import Flow, Order
from players.models import Player
from tournaments.decisions.services.undo.levels import forget_groups
from tournaments.models import (
    SITTING,
    Competition,
    CompetitionStatus,
    Fixture,
    Group,
    PlaceChange,
    ProposedRound,
    Round,
    Seat,
    Stage,
    Standing,
    TableSection,
    Tie,
)
from tournaments.office.selectors.organisers import check_organiser
from tournaments.office.services.locks import lock_competition, lock_tables
from tournaments.office.services.log import log_action
from tournaments.records.competitions import find_ladder
from tournaments.records.matches import played_fixtures
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.rounds.services.consequences import (
    MAX_MATCHES,
    Consequences,
    check_confirmed,
    sort_matches,
)
from tournaments.rounds.services.set_aside import naming_cause, put_away
from tournaments.running.services.absences import bring_back_absent
from tournaments.running.services.catch_up import catch_up
from tournaments.running.services.departure import let_go, note_waiting
from tournaments.running.services.free_places import fill_places
from tournaments.tables.services.challenge_results import replay_challenges
from tournaments.tables.services.known_games import forget_all_games


def take_back_start(*, competition_id: int, confirm: bool, actor: Player, reason: str, now: datetime) -> Competition:
    """Let a running competition be closed as if it had not started, and return it; its draw stays.

    A player who was left out at the start for not having checked in is in again; then the draw is discarded.

    Its matches count nowhere. It does not start by itself any more where it would at once. Raises ``NotAnOrganiser``,
    ``WrongCompetitionStatus`` unless it is running with at most ``MAX_MATCHES`` begun, or ``MatchesWouldBeLost`` where
    somebody has moved and this is not confirmed.
    """
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_id)
        check_organiser(competition=competition, player=actor)
        _check_possible(competition)
        lock_tables(competition_id=competition_id)
        catch_up(competition=competition, now=now)
        check_confirmed(_foresee(competition), confirm=confirm)
        with naming_cause(competition=competition, action="start-undone"):
            pairs = _drawn_pairs(competition)
            _annul_all(competition, now)
            _close(competition, now)
            Standing.objects.filter(group__stage__competition_id=competition.pk).delete()
            TableSection.objects.filter(group__stage__competition_id=competition.pk).delete()
            Seat.objects.filter(stage__competition_id=competition.pk, has_place=True).update(has_place=False)
            if competition.first_stage.gathers:
                forget_groups(competition=competition)
            elif not competition.is_endless:
                _forget_rounds(competition)
                if competition.first_stage.format_spec.flow is Flow.ROUNDS:
                    _draw_fixtures(competition, pairs, now)
            if (ladder := find_ladder(competition)) is not None:
                note_waiting(ladder=ladder)
                let_go(competition=competition, now=now)
            _forget_places(competition)
            groups = Group.objects.filter(stage__competition_id=competition.pk)
            groups.update(standings_stale_since=None, results_version=F("results_version") + 1)
            log_action(competition=competition, action="start-undone", actor=actor, reason=reason, now=now)
        competition.refresh_from_db()
        bring_back_absent(competition=competition, now=now)
        fill_places(competition=competition, now=now)
    return competition


def what_follows_from_taking_back_start(*, competition_id: int, now: datetime) -> Consequences:
    """Return what follows from taking back the start now. Raises ``WrongCompetitionStatus`` unless it is running."""
    return _foresee(Competition.objects.get(pk=competition_id))


def _check_possible(competition: Competition) -> None:
    """Refuse to take back what has not started, or of which too much has been played."""
    if competition.status != CompetitionStatus.RUNNING:
        raise WrongCompetitionStatus(_("You can take back the start of a running competition only."))
    begun = _counting(competition).filter(Q(match__isnull=False) | Q(counted_at__isnull=False))
    if begun.order_by()[: MAX_MATCHES + 1].count() > MAX_MATCHES:
        raise WrongCompetitionStatus(
            _("It is too late to take back the start: more than %(most)d matches have begun. You can cancel it.")
            % {"most": MAX_MATCHES}
        )


def _counting(competition: Competition) -> QuerySet[Fixture]:
    return Fixture.objects.filter(competition_id=competition.pk, is_annulled=False)


def _foresee(competition: Competition) -> Consequences:
    _check_possible(competition)
    counting = _counting(competition)
    played = set(played_fixtures(competition_id=competition.pk).values_list("pk", flat=True))
    begun = counting.filter(match__isnull=False) | counting.filter(pk__in=played)
    follows = sort_matches(begun.select_related(*SITTING).order_by("pk"), played)
    sentence = _("Nobody can join until you open entry again.")
    if competition.absent_players.exists():
        sentence = _(
            "Players who were left out are back in, and players who moved up are back on the waiting list. There is "
            "no draw."
        )
    elif not (competition.is_endless or competition.first_stage.gathers):
        sentence = _("The draw is kept. You can start the cup again with it.")
    return replace(follows, more=(sentence,))


def _drawn_pairs(competition: Competition) -> dict[int, list[tuple[int, int, int | None]]]:
    """Return who meets whom in each round of a round robin, in the order of the draw: Yellow, Red, the board."""
    drawn: dict[int, dict[tuple[int, int, int | None], None]] = defaultdict(dict)
    fixtures = Fixture.objects.filter(competition_id=competition.pk, round__isnull=False, tie=None)
    in_order = fixtures.order_by("round__number", "pk")
    for round_id, yellow, red, board in in_order.values_list("round_id", "yellow", "red", "board"):
        # A match that is played again keeps its sides.
        drawn[round_id or 0][yellow, red, board] = None
    return {round_id: list(pairs) for round_id, pairs in drawn.items()}


def _annul_all(competition: Competition, now: datetime) -> None:
    """Annul all matches. Their fixtures leave rounds and ties, which belong to the draw."""
    fixtures = Fixture.objects.filter(competition_id=competition.pk)
    put_away(competition=competition, fixtures=fixtures, now=now)
    forget_all_games(competition_ids=[competition.pk])


def _close(competition: Competition, now: datetime) -> None:
    competition.status = CompetitionStatus.CLOSED
    competition.started_at = competition.paused_at = None
    competition.leavers = 0
    competition.starts_when_full = False
    if competition.starts_at is not None and competition.starts_at <= now:
        competition.starts_at = None
    competition.save(update_fields=["status", "started_at", "leavers", "paused_at", "starts_when_full", "starts_at"])
    Group.objects.filter(stage__competition_id=competition.pk).update(started_at=None, ended_at=None)
    Stage.objects.filter(competition_id=competition.pk).update(next_begins_at=None)


def _forget_rounds(competition: Competition) -> None:
    """Let rounds and ties be as they were drawn; dates that organisers have set stay."""
    groups = Group.objects.filter(stage__competition_id=competition.pk)
    groups.filter(stage__number__gt=1).delete()
    later = Stage.objects.filter(competition_id=competition.pk, number__gt=1)
    later.update(draw_seed=None)
    if competition.first_stage.max_levels is not None:
        later.delete()
    groups.update(pairing_due_since=None)
    rounds = Round.objects.filter(group__in=groups)
    if competition.first_stage.abilities.pairs_by_results:
        rounds.filter(number__gt=1).delete()
        ProposedRound.objects.filter(group__in=groups, number__gt=1).delete()
    rounds.filter(dated_at=None).update(ends_at=None)
    rounds.update(started_at=None, ended_at=None, cut_short_at=None, cuts=[])
    ties = Tie.objects.filter(round__in=rounds)
    ties.update(winner=None, decided_by="", decided_at=None)
    ties.filter(first_from__isnull=False).update(first=None)
    ties.filter(second_from__isnull=False).update(second=None)


def _draw_fixtures(
    competition: Competition, pairs: dict[int, list[tuple[int, int, int | None]]], now: datetime
) -> None:
    group_of = dict(Round.objects.filter(pk__in=list(pairs)).values_list("pk", "group_id"))
    Fixture.objects.bulk_create(
        Fixture(
            competition_id=competition.pk,
            group_id=group_of[round_id],
            round_id=round_id,
            board=board,
            yellow_id=yellow,
            red_id=red,
            created_at=now,
        )
        for round_id, met in pairs.items()
        if round_id in group_of
        for yellow, red, board in met
    )


def _forget_places(competition: Competition) -> None:
    """Let the history of places be what it is without results: on a challenge ladder those who came and left."""
    if competition.first_stage.format_spec.order is Order.POSITIONS:
        replay_challenges(ladder_id=competition.pk)
    else:
        PlaceChange.objects.filter(competition=competition.pk).delete()
