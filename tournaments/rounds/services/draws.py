"""The draw of a cup: seeds, groups, rounds, and who meets whom."""

import secrets
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import Q
from django.utils.translation import gettext as _

from formats.grouping import is_only_one, merge_groups
from formats.pairing.seeding import InvalidSeeds, SeedingFault, seed_by_draw, seed_by_hand, seed_by_rating
from formats.protocol import DrawnRound, Format, Pair
from formats.stage_plans import ImpossibleStage, PlanFault, find_impossible_stage
from players.models import Player
from rules_engine.values import BySide
from tournaments.models import (
    NOT_STARTED,
    Competition,
    CompetitionStatus,
    Entry,
    EntryStatus,
    Fixture,
    Group,
    ProposedRound,
    Round,
    Seat,
    Seeding,
    Stage,
    read_pairings,
)
from tournaments.models.elo import START
from tournaments.office.services.log import log_action
from tournaments.records.entrant_ratings import ratings_now
from tournaments.records.groups import first_group_id, is_drawn
from tournaments.records.seasons import order_season
from tournaments.rounds.errors import InvalidSeeding, TooFewEntrants, TooManyEntrants, WrongCompetitionStatus
from tournaments.rounds.selectors import entries_by_seat
from tournaments.rounds.services.group_draws import DrawnGroup, draw_groups, split_seeded, store_groups

MAX_DRAW_SEED = 10**12


@dataclass(frozen=True, slots=True)
class Draw:
    """A draw that can be looked at before it is kept: the groups of the first stage. ``seed`` draws the same again."""

    seed: int
    groups: tuple[DrawnGroup, ...]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Return all entries in the order of the seeds with which they came into their groups."""
        in_leagues = any(group.in_leagues for group in self.groups)
        return merge_groups([group.entries for group in self.groups], in_leagues=in_leagues)


def preview_draw(*, competition: Competition, seed: int | None = None, order: Sequence[int] | None = None) -> Draw:
    """Return what the draw would be; nothing is stored.

    ``seed`` is the draw's, a random one if not given. ``order`` are entry ids, the first seed first,
    for seeds by hand; players who are not named are drawn behind them. Without it the seeds count that the
    entries have already. Raises ``TooFewEntrants``, ``TooManyEntrants``, ``InvalidSeeding``, or
    ``WrongCompetitionStatus`` once the cup has started.
    """
    if competition.status not in NOT_STARTED:
        raise WrongCompetitionStatus(_("The cup has started. Its draw is final, and you cannot preview another one."))
    if competition.first_stage.gathers:
        raise WrongCompetitionStatus(_("There is no draw here: a group forms whenever enough players have joined."))
    seed = secrets.randbelow(MAX_DRAW_SEED) if seed is None else seed
    entries = {
        entry.pk: entry
        for entry in Entry.objects.filter(competition_id=competition.pk, status=EntryStatus.ACTIVE)
        .select_related("player", "team")
        .order_by("pk")
    }
    stage = competition.first_stage
    check_number(competition, len(entries))
    known = ratings_now(competition)
    ratings = {entry: known.get(entry, START) for entry in entries}
    seeded = [entries[key] for key in _order_seeds(competition, entries, ratings, seed, order)]
    groups = split_seeded(stage, seeded)
    return Draw(seed, draw_groups(stage=stage, groups=groups, ratings=ratings, draw_seed=seed))


def kept_draw(*, competition: Competition) -> Draw | None:
    """Return the draw that a cup has, with those who play in its places now; ``None`` if it has not been drawn."""
    stage = competition.first_stage
    if stage.draw_seed is None or not is_drawn(competition=competition):
        return None
    seated: dict[int, list[Entry]] = defaultdict(list)
    seats = Seat.objects.filter(stage=stage, seed__isnull=False).order_by("group__number", "seed")
    for seat in seats.select_related("entry__player", "entry__team", "group"):
        seated[0 if seat.group is None else seat.group.number].append(seat.entry)
    rounds = _kept_rounds(stage, {entry.pk: entry for entries in seated.values() for entry in entries})
    return Draw(
        stage.draw_seed,
        tuple(
            DrawnGroup(
                number,
                tuple(entries),
                ties=stage.format_spec.draw_ties(len(entries), stage.chosen_options),
                rounds=tuple(rounds[number]),
                in_leagues=stage.has_leagues,
                is_only_one=is_only_one(number, len(seated)),
            )
            for number, entries in seated.items()
        ),
    )


def _kept_rounds(stage: Stage, entries: dict[int, Entry]) -> dict[int, list[DrawnRound[Entry]]]:
    """Return the rounds that have been drawn, by the number of the group; none where there are ties."""
    pairs: dict[tuple[int, int], dict[BySide[int], None]] = defaultdict(dict)
    # Teams meet once, at several boards: the home team is Yellow at the first one.
    fixtures = Fixture.objects.filter(Q(board=None) | Q(board=1), group__stage=stage, round__isnull=False, tie=None)
    drawn = fixtures.order_by("group__number", "round__number", "pk")
    for group, number, yellow, red in drawn.values_list("group__number", "round__number", "yellow", "red"):
        # A match that is played again keeps its sides.
        pairs[group, number][BySide(yellow, red)] = None
    rounds: dict[int, list[DrawnRound[Entry]]] = defaultdict(list)
    for (group, number), met in pairs.items():
        rounds[group].append(DrawnRound(number, tuple(Pair(pair.map(entries.__getitem__)) for pair in met)))
    for proposed in ProposedRound.objects.filter(group__stage=stage).select_related("group"):
        pairings = read_pairings(proposed.pairings)
        seated = entries_by_seat([pairings])
        rounds[proposed.group.number].append(
            DrawnRound(
                proposed.number,
                tuple(Pair(pair.map(seated.__getitem__)) for pair in pairings.pairs),
                tuple(seated[seat] for seat in pairings.byes),
                tuple(seated[seat] for seat in pairings.asked_byes),
            )
        )
    return rounds


def keep_draw(*, competition: Competition, draw: Draw, actor: Player | None, now: datetime, reason: str = "") -> None:
    """Store a draw in place of any before it, and close entry. The caller holds the competition's lock."""
    _clear(competition)
    stage = competition.first_stage
    store_groups(stage=stage, drawn=draw.groups, now=now)
    stage.draw_seed, stage.discarded_draw, competition.status = draw.seed, None, CompetitionStatus.CLOSED
    stage.save(update_fields=["draw_seed", "discarded_draw"])
    competition.save(update_fields=["status"])
    log_action(competition=competition, action="drawn", actor=actor, subject=str(draw.seed), reason=reason, now=now)


def undo_draw(*, competition: Competition, actor: Player | None, now: datetime, remembers: bool = False) -> bool:
    """Forget the draw of a competition that has not started; return whether there was one.

    One that is remembered comes back once the same entrants are in as then. The caller holds the competition's lock.

    Seeds by hand stay.
    """
    stage = competition.first_stage
    draw = kept_draw(competition=competition) if remembers else None
    if draw is not None:
        groups = [[each.pk for each in group.entries] for group in draw.groups]
        stage.discarded_draw = {"seed": draw.seed, "groups": groups, "rules": _rules_of(stage)}
        stage.save(update_fields=["discarded_draw"])
    elif not remembers and stage.discarded_draw is not None:
        stage.discarded_draw = None
        stage.save(update_fields=["discarded_draw"])
    if not _clear(competition):
        return False
    log_action(competition=competition, action="draw-undone", actor=actor, now=now)
    return True


def redraw_discarded(*, competition: Competition, actor: Player | None, now: datetime) -> None:
    """Draw again as before somebody came, if just those are in who were then. The caller holds the lock."""
    stage = competition.first_stage
    if stage.discarded_draw is None or competition.status != CompetitionStatus.CLOSED:
        return
    if stage.discarded_draw["rules"] != _rules_of(stage):
        return
    seed, groups = stage.discarded_draw["seed"], stage.discarded_draw["groups"]
    active = Entry.objects.filter(competition_id=competition.pk, status=EntryStatus.ACTIVE)
    entries = {entry.pk: entry for entry in active.select_related("player", "team")}
    if entries.keys() != {key for group in groups for key in group}:
        return
    known = ratings_now(competition)
    ratings = {key: known.get(key, START) for key in entries}
    seated = [[entries[key] for key in group] for group in groups]
    drawn = draw_groups(stage=stage, groups=seated, ratings=ratings, draw_seed=seed)
    keep_draw(competition=competition, draw=Draw(seed, drawn), actor=actor, now=now)


def _rules_of(stage: Stage) -> list[object]:
    """Return by what a draw follows from its entrants, as JSON has it."""
    return [stage.format, stage.options, stage.grouping, stage.seeding, stage.competition.boards]


def _order_seeds(
    competition: Competition,
    entries: dict[int, Entry],
    ratings: dict[int, Decimal],
    seed: int,
    order: Sequence[int] | None,
) -> list[int]:
    if order is None and competition.first_stage.seeding == Seeding.DRAW:
        return seed_by_draw(entries, seed)
    if order is None and competition.first_stage.seeding == Seeding.RATING:
        return seed_by_rating(entries, ratings, seed)
    if order is None and competition.first_stage.seeding == Seeding.SEASON:
        return order_season(competition, entries.values(), ratings)
    if order is None:
        order = [seat.entry_id for seat in _merge_seats(competition.first_stage) if seat.entry_id in entries]
    try:
        return seed_by_hand(entries, order, seed)
    except InvalidSeeds as error:
        raise InvalidSeeding(_seeding_fault_sentence(error), fault=error.fault, strangers=error.strangers) from error


def _seeding_fault_sentence(error: InvalidSeeds) -> str:
    """Return why seeds cannot be taken."""
    match error.fault:
        case SeedingFault.CHOSEN_TWICE:
            return _("These seeds cannot be used: an entrant is seeded twice.")
        case SeedingFault.NOT_ENTERED:
            return _("These seeds cannot be used. Not in the competition: %(names)s.") % {
                "names": ", ".join(error.strangers)
            }


def check_number(competition: Competition, entrants: int) -> None:
    """Raise ``TooFewEntrants`` or ``TooManyEntrants`` if so many cannot play a stage, the first or a later one."""
    found = find_impossible_stage(competition.all_stages, entrants)
    if found is None:
        return
    spec = competition.all_stages[found.number - 1].format_spec
    of_teams = competition.boards is not None
    if found.fault is PlanFault.GROUP_TOO_LARGE:
        given = {"stage": found.number, "size": found.sizes[0], "most": spec.max_entrants}
        raise TooManyEntrants(_too_many_sentence(found, of_teams=of_teams) % given)
    given = {"stage": found.number, "entrants": found.entrants, "least": spec.min_entrants}
    raise TooFewEntrants(_too_few_sentence(found, spec, of_teams=of_teams) % given)


def _too_many_sentence(found: ImpossibleStage, *, of_teams: bool) -> str:
    """Return why a group would be too large, without its numbers. Teams have one stage."""
    if of_teams:
        return _("A group would have %(size)d teams. It can have at most %(most)d.")
    if found.number > 1:
        return _("A group of stage %(stage)d would have %(size)d players. It can have at most %(most)d.")
    return _("A group would have %(size)d players. It can have at most %(most)d.")


def _too_few_sentence(found: ImpossibleStage, spec: Format, *, of_teams: bool) -> str:
    """Return why entrants are too few, without their numbers. Teams play in one group."""
    if found.fault is PlanFault.TOO_FEW_FOR_GROUPS:
        return _("There are too few players for so many groups.")
    if found.number > 1:
        return _("Only %(entrants)d would go on to stage %(stage)d, which is too few.")
    if len(found.sizes) > 1:
        return _("Each group needs at least %(least)d players.")
    if spec.min_entrants == 2:
        return _("A cup needs at least two teams.") if of_teams else _("A cup needs at least two players.")
    if of_teams:
        return _("A cup of this format needs at least %(least)d teams.")
    return _("A cup of this format needs at least %(least)d players.")


def _clear(competition: Competition) -> bool:
    """Forget the rounds and groups of a draw, and the seeds but for those by hand; return whether there was one."""
    own = {"group__stage__competition": competition.pk}
    deleted, _of = Round.objects.filter(**own).delete()
    waiting, _of = ProposedRound.objects.filter(**own).delete()
    if not deleted and not waiting:
        return False
    seats = Seat.objects.filter(stage=competition.first_stage)
    if competition.first_stage.seeding != Seeding.HAND:
        seats.update(seed=None)
    first = first_group_id(competition_id=competition.pk)
    others = Group.objects.filter(stage=competition.first_stage).exclude(pk=first)
    if others.exists():
        seeds = {seat.pk: number for number, seat in enumerate(_merge_seats(competition.first_stage), start=1)}
        seats.update(group=first, seed=None)
        by_hand = [Seat(pk=key, seed=number) for key, number in seeds.items()]
        Seat.objects.bulk_update(by_hand, ["seed"], batch_size=250)
        others.delete()
    return True


def _merge_seats(stage: Stage) -> tuple[Seat, ...]:
    """Return the seats of all groups that have a seed, in the order in which they came into the groups."""
    groups: dict[int | None, list[Seat]] = defaultdict(list)
    for seat in Seat.objects.filter(stage=stage, seed__isnull=False).order_by("group__number", "seed"):
        groups[seat.group_id].append(seat)
    return merge_groups(list(groups.values()), in_leagues=stage.has_leagues)
