"""Read, decide and store the ties of a bracket.

Callers hold the competition's lock. A tie that is known and whose turn it is gets all legs that it needs
at once; as soon as its results, or somebody's withdrawal, decide it, the winner stands in the next
tie. Nothing here looks at whole rounds.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Case, F, Q, When

from formats.pairing.legs import Decider, Decision, decide_in_time
from formats.protocol import Game, Outcome, Part
from formats.sides import Balance, lay_boards, sides_of_leg
from formats.team_meetings import join_boards
from rules_engine.values import BySide
from tournaments.models import OF_TIES, Entry, Fixture, Group, Round, Tie
from tournaments.office.services.log import log_action
from tournaments.records.brackets import IN_ORDER, seeds_of
from tournaments.records.games import read_game
from tournaments.records.group_records import Absences, absences_in
from tournaments.records.sides import balance_of, balance_of_teams
from tournaments.rounds.services.fixtures import seat_players, start_fixtures
from tournaments.rounds.services.set_aside import take_up_begun

WITHOUT_PLAY = frozenset({Decider.SEED, Decider.WITHDRAWAL, Decider.NEITHER, Decider.BYE, Decider.NOT_PLAYED})
"""The ways to decide a tie that are logged: the results alone do not tell who goes on."""


@dataclass(frozen=True, slots=True)
class _Entrants:
    """The times when places of a group's entrants were empty, and their seeds, by the ids of their entries."""

    absences: Absences
    seeds: Mapping[int, int]


def play_ties(*, group: Group, ties: Iterable[Tie], now: datetime) -> list[Tie]:
    """Decide ties, or start their legs; return the decided ones in order.

    Where rounds have no length, nobody waits for others: winners whose next opponent is known go on at
    once, and so their ties are played in the same way, as in a round that has begun. Ties that are not decided cost no
    queries of their own.
    """
    decided: list[Tie] = []
    waiting = list(ties)
    if not waiting:
        return []
    entrants = _Entrants(absences_in(competition_id=group.stage.competition_id), seeds_of(group_id=group.pk))
    while waiting:
        followers: list[Tie] = []
        over = _play(group, waiting, entrants, now)
        while over:
            decided += over
            # Everybody is sent on first: where nobody comes from one tie, somebody may come from the other.
            reached = {follower.pk: follower for tie in over for follower in _send_on(tie)}
            over = _pass_all_over(group, reached.values())
            followers += [follower for follower in reached.values() if follower.decided_at is None]
        at_once = group.stage.round_days is None
        waiting = [each for each in followers if _is_known(each) and (each.round.started_at or at_once)]
    for tie in decided:
        if tie.decided_by in WITHOUT_PLAY:
            log_action(
                competition=group.competition,
                action="tie-decided",
                subject=str(tie) if tie.winner is None else f"{tie}: {tie.winner}",
                reason=tie.decided_by,
                concerns=[]
                if tie.decided_by == Decider.NOT_PLAYED
                else [each for each in (tie.first, tie.second) if each],
                now=tie.decided_at or now,
            )
    return decided


def load_ties(
    *, group: Group, round_: Round | None = None, entry: Entry | None = None, begun_only: bool = False
) -> list[Tie]:
    """Return the ties that are known and not decided, with round and entries, top of the bracket first.

    Only those of a round, of an entrant, and of rounds that have begun, if given.
    """
    known = Tie.objects.filter(round__group=group.pk, decided_at=None, first__isnull=False, second__isnull=False)
    ties = known.select_related("round", *OF_TIES).order_by(*IN_ORDER)
    if entry is not None:
        ties = ties.filter(Q(first=entry.pk) | Q(second=entry.pk))
    elif round_ is not None:
        ties = ties.filter(round=round_.pk)
    return [tie for tie in ties if not begun_only or tie.round.started_at is not None]


def has_ties_by_seed(round_: Round) -> bool:
    """Return whether ties of a round have gone to the higher seed, as they do where it is cut short."""
    return Tie.objects.filter(round=round_, decided_by=Decider.SEED).exists()


def _is_known(tie: Tie) -> bool:
    return tie.first is not None and tie.second is not None


def _play(group: Group, ties: Iterable[Tie], entrants: _Entrants, now: datetime) -> list[Tie]:
    """Return the ties that were decided just now; start what the others need."""
    open_ties = [tie for tie in ties if tie.decided_at is None and _is_known(tie)]
    decided: list[Tie] = []
    waiting = open_ties
    while waiting:
        games = dict(_read_games(waiting))
        due: list[tuple[Tie, list[int]]] = []
        for tie in waiting:
            decision, at = _where_tie_stands(group, tie, games[tie.pk], entrants)
            is_given_up = decision.decided_by == Decider.WITHDRAWAL and not games[tie.pk]
            if is_given_up and _known_at(group, tie) < at and take_up_begun(group=group, tie=tie, now=now):
                games |= _read_games([tie])
                decision, at = _where_tie_stands(group, tie, games[tie.pk], entrants)
            if decision.decided_by is not None:
                winner = next((entry for entry in _both(tie) if entry.pk == decision.winner), None)
                _decide(tie, winner, decision.decided_by, at)
                decided.append(tie)
                continue
            begun = {game.leg for game in games[tie.pk]}
            if missing := [leg for leg in range(1, decision.legs_due + 1) if leg not in begun]:
                due.append((tie, missing))
        fixtures = _new_legs(group, due, games, now)
        start_fixtures(fixtures=fixtures, competition=group.competition, now=now)
        # Where a team has nobody at any board, its tie is lost before anybody could play.
        forfeited = {each.tie_id for each in fixtures if each.counted_at is not None}
        waiting = [tie for tie, _missing in due if tie.pk in forfeited]
    _note_starts({tie.round_id: tie.round for tie in open_ties}.values(), now)
    return decided


def _read_games(ties: Iterable[Tie]) -> Mapping[int, Sequence[Game[int]]]:
    """Return the legs of ties that are not annulled, by the tie's id, in order: of two teams one a meeting.

    One query.
    """
    legs: dict[int, list[Fixture]] = {tie.pk: [] for tie in ties}
    for fixture in Fixture.objects.filter(tie__in=list(legs), is_annulled=False).order_by("leg", "board"):
        legs[fixture.tie_id or 0].append(fixture)
    return {
        tie.pk: join_boards(
            (each.board, read_game(each, round_=tie.round.number, tie=tie.key)) for each in legs[tie.pk]
        )
        for tie in ties
    }


def _where_tie_stands(
    group: Group, tie: Tie, games: Sequence[Game[int]], entrants: _Entrants
) -> tuple[Decision[int], datetime]:
    """Return how a tie of two known entrants stands by its results and their withdrawals, and since when.

    Raises ``ValueError`` where a result is not one of theirs.
    """
    higher, lower = sorted((entry.pk for entry in _both(tie)), key=lambda entry: entrants.seeds.get(entry, 0))
    # Everything before now has been decided, or was taken back: only who is absent now matters.
    absent = [*entrants.absences.get(higher, ()), *entrants.absences.get(lower, ())]
    gone = [absence for absence in absent if absence.until is None]
    options = group.stage.chosen_options
    return decide_in_time(
        higher,
        lower,
        games,
        gone,
        known_at=_known_at(group, tie) if gone else tie.round.started_at or _beginning_of(group),
        legs=options.legs,
        replays=options.replays,
        is_cut_short=tie.round.cut_short_at is not None,
    )


def _known_at(group: Group, tie: Tie) -> datetime:
    in_rounds = group.stage.round_days is not None
    moments = [_beginning_of(group), *(each.decided_at for each in _ways_into(tie))]
    if in_rounds:
        moments.append(tie.round.started_at)
    return max(moment for moment in moments if moment is not None)


def _ways_into(tie: Tie) -> list[Tie]:
    """Return the ties from which the entrants of a tie come; none where the draw has put both there. One query."""
    return list(Tie.objects.filter(pk__in=[tie.first_from_id, tie.second_from_id]))


def _beginning_of(group: Group) -> datetime:
    """Return when a group began; for one that has not, when its competition was made."""
    return group.started_at or group.competition.created_at


def _new_legs(
    group: Group, due: Sequence[tuple[Tie, Iterable[int]]], games: Mapping[int, Sequence[Game[int]]], now: datetime
) -> list[Fixture]:
    """Return fixtures for the legs that are due, not stored yet; of two teams one for each board, manned.

    In a tie of one match the balance of sides says who is Yellow, in others the first entrant is in the odd legs; a
    tie that has begun goes on as it began. Of two teams the home team is meant by that, which is Yellow on odd boards.
    """
    new = [tie for tie, _missing in due if group.stage.chosen_options.legs == 1 and not games[tie.pk]]
    balance = _balance(group, new) if new else None
    fixtures: list[Fixture] = []
    for tie, missing in due:
        first, second = _both(tie)
        if games[tie.pk]:
            begun = games[tie.pk][0]
            in_odd_legs = sides_of_leg(begun.sides.yellow, begun.sides.red, begun.leg)
        else:
            in_odd_legs = BySide(first.pk, second.pk) if balance is None else balance.give(first.pk, second.pk)
        odd = (second, first) if in_odd_legs.yellow == second.pk else (first, second)
        fixtures += [
            Fixture(
                competition_id=group.stage.competition_id,
                group_id=group.pk,
                round_id=tie.round_id,
                tie=tie,
                leg=leg,
                board=board,
                yellow=sides.yellow,
                red=sides.red,
                created_at=now,
            )
            for leg in missing
            for board, sides in lay_boards(sides_of_leg(*odd, leg), group.competition.boards)
        ]
    at_boards = [each for each in fixtures if each.board is not None]
    for round_ in {tie.round_id: tie.round for tie, _missing in due}.values():
        seat_players(fixtures=[each for each in at_boards if each.round_id == round_.pk], number=round_.number)
    return fixtures


def _balance(group: Group, ties: Iterable[Tie]) -> Balance[int]:
    """Return how often the entrants of these ties have been Yellow, or the home team, and what they were last."""
    if group.competition.boards is not None:
        return balance_of_teams(group_id=group.pk)
    return balance_of(entries=[entry.pk for tie in ties for entry in _both(tie)])


def _both(tie: Tie) -> tuple[Entry, Entry]:
    if tie.first is None or tie.second is None:
        raise ValueError("the players of this tie are not known yet")
    return tie.first, tie.second


def _note_starts(rounds: Iterable[Round], now: datetime) -> None:
    """Note that rounds begin with the first of their ties, as those without days do; a date that has passed goes."""
    new = [each for each in rounds if each.started_at is None]
    if not new:
        return
    is_past = When(ends_at__lte=now, then=None)
    Round.objects.filter(pk__in=[each.pk for each in new], started_at=None).update(
        started_at=now,
        ends_at=Case(is_past, default=F("ends_at")),
        dated_at=Case(is_past, default=F("dated_at")),
    )
    for each in new:
        each.started_at = now
        if each.ends_at is not None and each.ends_at <= now:
            each.ends_at = each.dated_at = None


def _pass_all_over(group: Group, ties: Iterable[Tie]) -> list[Tie]:
    """Decide the ties that are not played, and return them; those that one of them leads to wait for who comes."""
    over: list[Tie] = []
    for tie in ties:
        if not {tie.first_from_id, tie.second_from_id} & {each.pk for each in over} and _pass_over(group, tie):
            over.append(tie)
    return over


def _pass_over(group: Group, tie: Tie) -> bool:
    """Decide a tie that is not played, as nobody comes from a tie before, or that calls for none.

    Return whether this call did it.
    """
    if tie.decided_at is not None:
        return False
    before = _ways_into(tie)
    moments = [each.decided_at for each in before if each.decided_at is not None]
    is_due = len(moments) == len(before) and _is_called_for(group, tie)
    if len(moments) < len(before) or (is_due and _is_known(tie)):
        return False
    winner = (tie.first or tie.second) if is_due else None
    at = max([_beginning_of(group), *moments])
    _decide(tie, winner, Decider.NOT_PLAYED if winner is None else Decider.BYE, at)
    return True


def _is_called_for(group: Group, tie: Tie) -> bool:
    """Return whether a tie is to be played, by the ties before it, which are decided.

    Only a second final may not be; its format tells whose loss calls for it. One query for one, none for others.
    """
    if tie.part != Part.RESET:
        return True
    ties = {each.key: each for each in Tie.objects.filter(round__group=group).select_related("round")}
    entrants = sum(seed is not None for each in ties.values() for seed in (each.first_seed, each.second_seed))
    drawn = group.stage.format_spec.draw_ties(entrants, group.stage.chosen_options)
    condition = next((each.only_if_lost_by for each in drawn if each.key == tie.key), None)
    if condition is None:
        return True
    came_from = ties[condition.tie]
    named = came_from.winner_id if condition.outcome is Outcome.WINNER else came_from.loser_id
    before = next(each for each in ties.values() if each.pk == tie.first_from_id)
    return named is not None and before.loser_id == named


def _decide(tie: Tie, winner: Entry | None, decided_by: Decider, at: datetime) -> None:
    tie.winner, tie.decided_by, tie.decided_at = winner, decided_by, at
    tie.save(update_fields=["winner", "decided_by", "decided_at"])


def _send_on(tie: Tie) -> list[Tie]:
    """Put the winner, and the loser, into the ties that take them; return those.

    Nobody comes from a tie that went to nobody.
    """
    if tie.decided_at is None:
        return []
    loser = None if tie.loser_id is None else tie.second if tie.loser_id == tie.second_id else tie.first
    taking = Tie.objects.filter(Q(first_from=tie.pk) | Q(second_from=tie.pk))
    followers = list(taking.select_related("round", *OF_TIES))
    for follower in followers:
        if follower.first_from_id == tie.pk:
            follower.first = tie.winner if follower.first_takes == Outcome.WINNER else loser
        if follower.second_from_id == tie.pk:
            follower.second = tie.winner if follower.second_takes == Outcome.WINNER else loser
        follower.save(update_fields=["first", "second"])
    return followers
