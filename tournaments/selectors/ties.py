"""How the ties of a bracket stand, from results and withdrawals alone. Reads only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, F, OuterRef, Q

from rules_engine.values import BySide, Ending
from tournaments.formats.protocol import Outcome, Part
from tournaments.models import CompetitionStatus, Cup, Entry, EntryStatus, Fixture, Tie
from tournaments.pairing.legs import REPLAY_LEGS, Absence, Decider, Decision, Leg, decide_in_time
from tournaments.selectors.brackets import IN_ORDER, seeds_of
from tournaments.selectors.played_matches import played_fixtures
from tournaments.tiebreaks import Result

Absences = Mapping[int, Sequence[Absence[int]]]
"""When the places of a cup were empty, by the ids of the entries that hold them now."""


@dataclass(frozen=True, slots=True)
class Entrants:
    """What is known of the entrants of a cup: when places were empty, and the seeds, by the ids of their entries."""

    absences: Absences
    seeds: Mapping[int, int]


@dataclass(slots=True)
class DerivedTie:
    """A tie as what was before it, its results and withdrawals give it: entry ids, and who has won it, why and when.

    ``is_other`` says that these are not the entrants that are stored, ``is_left`` that they stay as they are stored.
    """

    tie: Tie
    first: int | None
    second: int | None
    winner: int | None = None
    decided_by: str = ""
    decided_at: datetime | None = None
    is_other: bool = False
    is_left: bool = False

    @property
    def winner_id(self) -> int | None:
        """Return the entrant who has won it."""
        return self.winner

    @property
    def loser_id(self) -> int | None:
        """Return the entrant who has lost it to the winner."""
        if self.winner is None:
            return None
        return self.second if self.winner == self.first else self.first


def read_entrants(*, cup_id: int) -> Entrants:
    """Return absences and seeds of a cup. Two queries."""
    return Entrants(absences_in(cup_id=cup_id), seeds_of(cup_id=cup_id))


def absences_in(*, cup_id: int) -> Absences:
    """Return when entrants of a cup had withdrawn and nobody had taken their places over yet. One query."""
    rows = list(
        Entry.objects.filter(competition_id=cup_id)
        .filter(Q(left_at__isnull=False) | Q(replaces__isnull=False))
        .annotate(taken_by=F("replaced_by"), taken_at=F("replaced_by__entered_at"))
        .values_list("pk", "status", "left_at", "taken_by", "taken_at")
    )
    successors = {key: taken_by for key, _, _, taken_by, _ in rows}
    absences: dict[int, list[Absence[int]]] = defaultdict(list)
    for key, status, left_at, _, taken_at in rows:
        if left_at is None or (status != EntryStatus.GONE and (taken_at is None or taken_at <= left_at)):
            continue
        holder = key
        while (successor := successors.get(holder)) is not None:
            holder = successor
        absences[holder].append(Absence(holder, left_at, taken_at))
    return absences


def legs_of_ties(ties: Iterable[Tie]) -> Mapping[int, Sequence[Fixture]]:
    """Return the fixtures of ties that are not annulled, by the tie's id, in the order of the legs. One query."""
    legs: dict[int, list[Fixture]] = {tie.pk: [] for tie in ties}
    for fixture in Fixture.objects.filter(tie__in=list(legs), is_annulled=False).order_by("leg"):
        legs[fixture.tie_id or 0].append(fixture)
    return legs


def where_tie_stands(
    cup: Cup,
    tie: Tie,
    legs: Sequence[Fixture],
    entrants: Entrants,
    *,
    known_at: datetime | None = None,
) -> tuple[Decision[int], datetime]:
    """Return how a tie of two known entrants stands by its results and their withdrawals, and since when.

    ``known_at`` is when it could be played; if not given, it is read where it matters. Raises ``ValueError`` where
    an entrant is not known, or a result is not one of theirs.
    """
    if tie.first is None or tie.second is None:
        raise ValueError("The players of this tie are not known yet.")
    higher, lower = sorted((tie.first, tie.second), key=lambda entry: entrants.seeds.get(entry.pk, 0))
    gone = [*entrants.absences.get(higher.pk, ()), *entrants.absences.get(lower.pk, ())]
    if known_at is None:
        # Everything before now has been decided, or was taken back: only who is absent now matters.
        gone = [absence for absence in gone if absence.until is None]
        known_at = _known_at(cup, tie) if gone else tie.round.started_at or cup.started_at or cup.created_at
    return decide_in_time(
        higher.pk,
        lower.pk,
        _results_of(legs),
        gone,
        known_at=known_at,
        legs_each=cup.first_stage.chosen_options.legs,
        replays=_replays_allowed(cup, tie, legs),
    )


def derive_ties(cup: Cup) -> list[DerivedTie]:
    """Return every tie of a drawn elimination as results and withdrawals alone give it, in the order of the rounds.

    Where a tie has been played, or its cup is over, its entrants are taken as they are: what is to become of it is for
    an organiser to say, and ``is_left`` tells so. Six queries at any size.
    """
    related = ("round", "first", "second")
    ties = list(
        Tie.objects.filter(round__group__stage__competition=cup.pk).select_related(*related).order_by(*IN_ORDER)
    )
    legs, entrants, played = legs_of_ties(ties), read_entrants(cup_id=cup.pk), _ties_played(cup)
    entries = Entry.objects.filter(competition_id=cup.pk).in_bulk()
    again = _begun_again(cup)
    conditions = _conditions(cup, ties)
    derived: dict[int, DerivedTie] = {}
    found = []
    for tie in ties:
        sources = [derived[key] for key in (tie.first_from_id, tie.second_from_id) if key is not None]
        first = _come_from(tie.first_id, tie.first_from_id, tie.first_takes, derived)
        second = _come_from(tie.second_id, tie.second_from_id, tie.second_takes, derived)
        moments = [begins_with_its_round(cup, tie), again.get(tie.pk), *(each.decided_at for each in sources)]
        known_at = max(moment for moment in moments if moment is not None)
        condition = conditions.get(tie.pk)
        is_off = (
            condition is not None
            and all(source.decided_by for source in sources)
            and not _calls(derived[condition[0]], condition[1], sources[0])
        )
        is_other = {first, second} != {tie.first_id, tie.second_id} or (is_off and bool(legs[tie.pk]))
        row = DerivedTie(tie, first, second, is_other=is_other, is_left=is_other and tie.pk in played)
        if row.is_left:
            row.first, row.second = tie.first_id, tie.second_id
        if is_off and not row.is_left:
            row.decided_by, row.decided_at = Decider.NOT_PLAYED, _at_the_latest(cup, sources)
        elif _is_playable(cup, row):
            stands = copy(tie)
            stands.first, stands.second = entries[row.first or 0], entries[row.second or 0]
            results = [] if is_other and not row.is_left else legs[tie.pk]
            decision, at = where_tie_stands(cup, stands, results, entrants, known_at=known_at)
            if decision.decided_by is not None:
                row.winner, row.decided_by, row.decided_at = decision.winner, decision.decided_by, at
        elif all(source.decided_by for source in sources) and None in (row.first, row.second):
            row.winner = row.second if row.first is None else row.first
            row.decided_by = Decider.NOT_PLAYED if row.winner is None else Decider.BYE
            row.decided_at = _at_the_latest(cup, sources)
        if row.winner is None and is_other and cup.status != CompetitionStatus.RUNNING:
            row.is_left = True
            row.first, row.second, row.winner = tie.first_id, tie.second_id, tie.winner_id
        found.append(row)
        derived[tie.pk] = row
    return found


def is_called_for(cup: Cup, tie: Tie) -> bool:
    """Return whether a tie is to be played, by the ties before it, which are decided.

    Only a second final may not be; its format tells whose loss calls for it. Two queries for one, none for others.
    """
    if tie.part != Part.RESET:
        return True
    ties = list(Tie.objects.filter(round__group__stage__competition=cup.pk).select_related("round"))
    by_id = {each.pk: each for each in ties}
    condition = _conditions(cup, ties).get(tie.pk)
    return condition is None or _calls(by_id[condition[0]], condition[1], by_id[tie.first_from_id or 0])


def _conditions(cup: Cup, ties: Sequence[Tie]) -> dict[int, tuple[int, Outcome]]:
    """Return by the ids of ties that are played only if somebody lost the tie before: from which tie, and as what."""
    if not any(tie.part == Part.RESET for tie in ties):
        return {}
    entrants = sum(seed is not None for tie in ties for seed in (tie.first_seed, tie.second_seed))
    ids = {tie.key: tie.pk for tie in ties}
    stage = cup.first_stage
    return {
        ids[drawn.key]: (ids[drawn.only_if_lost_by.tie], drawn.only_if_lost_by.outcome)
        for drawn in stage.format_spec.draw_ties(entrants, stage.chosen_options)
        if drawn.only_if_lost_by is not None
    }


def _calls(came_from: Tie | DerivedTie, outcome: Outcome, before: Tie | DerivedTie) -> bool:
    """Return whether who came from a tie has lost the tie before."""
    named = came_from.winner_id if outcome is Outcome.WINNER else came_from.loser_id
    return before.loser_id is not None and before.loser_id == named


def _at_the_latest(cup: Cup, sources: Iterable[DerivedTie]) -> datetime:
    moments = (cup.started_at or cup.created_at, *(each.decided_at for each in sources))
    return max(moment for moment in moments if moment is not None)


def _is_playable(cup: Cup, row: DerivedTie) -> bool:
    has_begun = cup.first_stage.round_days is None or row.tie.round.started_at is not None
    return has_begun and row.first is not None and row.second is not None


def _come_from(stored: int | None, source: int | None, takes: str, derived: Mapping[int, DerivedTie]) -> int | None:
    """Return who comes into a tie from an earlier one, or whom the draw has put there."""
    if source is None:
        return stored
    return derived[source].winner if takes == Outcome.WINNER else derived[source].loser_id


def _ties_played(cup: Cup) -> set[int]:
    """Return the ids of the ties in which somebody has moved, or that have a result that is no forfeit."""
    played = played_fixtures(competition_id=cup.pk).filter(tie__isnull=False)
    return {key for key in played.values_list("tie", flat=True) if key is not None}


def _begun_again(cup: Cup) -> dict[int, datetime]:
    """Return since when ties are played again of which a leg was taken back, by their ids."""
    taken_back = Fixture.objects.filter(tie=OuterRef("tie"), leg=OuterRef("leg"), is_annulled=True)
    again = Fixture.objects.filter(Exists(taken_back), competition_id=cup.pk, tie__isnull=False, is_annulled=False)
    return {key: at for key, at in again.order_by("created_at").values_list("tie", "created_at") if key is not None}


def ways_into(tie: Tie) -> list[Tie]:
    """Return the ties from which the entrants of a tie come; none where the draw has put both there. One query."""
    return list(Tie.objects.filter(pk__in=[tie.first_from_id, tie.second_from_id]))


def begins_with_its_round(cup: Cup, tie: Tie) -> datetime:
    """Return the earliest moment at which a tie of its round can be played."""
    start = cup.started_at or cup.created_at
    in_rounds = cup.first_stage.round_days is not None
    return max(start, tie.round.started_at) if in_rounds and tie.round.started_at else start


def _known_at(cup: Cup, tie: Tie) -> datetime:
    moments = (begins_with_its_round(cup, tie), *(each.decided_at for each in ways_into(tie)))
    return max(moment for moment in moments if moment is not None)


def _results_of(legs: Sequence[Fixture]) -> list[Leg[int]]:
    """Return the results as far as they follow each other without a gap: a later leg waits for an earlier one."""
    results = []
    for number, fixture in enumerate(legs, start=1):
        points, goals = fixture.points, fixture.goals
        if fixture.leg != number or points is None or goals is None or fixture.finished_at is None:
            break
        result = Result(fixture.yellow_id, fixture.red_id, points, goals)
        forfeited_by = who_forfeited(fixture, points)
        is_unplayed = fixture.ending == Ending.FORFEIT and forfeited_by is None
        results.append(Leg(result, fixture.finished_at, forfeited_by, is_unplayed=is_unplayed))
    return results


def who_forfeited(fixture: Fixture, points: BySide[int]) -> int | None:
    """Return which entry has forfeited a match with these points, ``None`` where nobody did, or both."""
    if fixture.ending != Ending.FORFEIT or points.yellow == points.red:
        return None
    return fixture.yellow_id if points.yellow < points.red else fixture.red_id


def _replays_allowed(cup: Cup, tie: Tie, legs: Sequence[Fixture]) -> int:
    """Return how many replay pairs the tie may have: where the round was cut short, no more than have begun."""
    options = cup.first_stage.chosen_options
    if tie.round.cut_short_at is None:
        return int(options.replays)
    begun = max((fixture.leg for fixture in legs), default=0) - options.legs
    return int(min(options.replays, max(0, -(-begun // REPLAY_LEGS))))
