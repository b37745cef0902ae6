"""The protocol of every format of a competition, and the values that go in and come out.

A format is pure: no database, no clock, and no randomness but the seed that it is given. Services read the rows of a
group into a ``Record``, ask its format, and turn what has changed into rows. All results of a format follow from the
record alone, so that they can be derived again after an organiser took something back.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar

from formats.scoring.points import STANDARD, PointTable, TeamScore
from rules_engine.values import BySide, Ending

E = TypeVar("E", bound=Hashable)
"""An entrant: opaque, hashable, and with an order that does not matter."""


class Flow(StrEnum):
    """The way in which the matches of a group follow each other.

    ``CONTINUOUS``: there are no rounds, a match begins whenever two entrants are free for one. ``ROUNDS``: everybody
    who is in plays in each round, and pairings that were published stand. ``TIES``: entrants come from other ties, and
    the loser there goes down or out.
    """

    CONTINUOUS = "continuous"
    ROUNDS = "rounds"
    TIES = "ties"


class Order(StrEnum):
    """The basis of a group's table: sums of results, positions that results move, or the places of a bracket."""

    RESULTS = "results"
    POSITIONS = "positions"
    BRACKET = "bracket"


class Picture(StrEnum):
    """The picture of how a group stands, beside or in place of its table."""

    TABLE = "table"
    CROSS_TABLE = "cross-table"
    BRACKET = "bracket"
    LADDER = "ladder"


class Part(StrEnum):
    """The part of a bracket in which a tie is."""

    MAIN = "main"
    THIRD_PLACE = "third-place"
    LOSERS = "losers"
    FINAL = "final"
    RESET = "reset"


class Outcome(StrEnum):
    """The entrant of an earlier tie who comes into a later one."""

    WINNER = "winner"
    LOSER = "loser"


@dataclass(frozen=True, slots=True, order=True)
class TieKey:
    """The place of a tie in a group: its round from 1, the part of the bracket, its slot from 0, top first."""

    round: int
    part: Part
    slot: int


@dataclass(frozen=True, slots=True)
class FromSeed:
    """The entrant with this seed in the group, counted from 1."""

    seed: int


@dataclass(frozen=True, slots=True)
class FromTie:
    """The winner or the loser of an earlier tie."""

    tie: TieKey
    outcome: Outcome


Source = FromSeed | FromTie
"""The origin of an entrant of a tie: a seed, or another tie."""


@dataclass(frozen=True, slots=True)
class DrawnTie:
    """A tie as it is drawn: where it stands, and where its two entrants come from; ``first`` is the upper one.

    A tie with ``only_if_lost_by`` is played only if the entrant whom this names has lost the tie from which both its
    entrants come: the reset of a grand final. An entrant with a bye stands in the later tie at once; no tie is drawn
    for a bye.
    """

    key: TieKey
    first: Source
    second: Source
    only_if_lost_by: FromTie | None = None


@dataclass(frozen=True, slots=True)
class Pair(Generic[E]):
    """Two entrants who meet, each on one side."""

    sides: BySide[E]


@dataclass(frozen=True, slots=True)
class DrawnRound(Generic[E]):
    """A round: who meets whom, who has a bye, and who asked for one; ``repeats`` are pairs that have met before."""

    number: int
    pairs: tuple[Pair[E], ...]
    byes: tuple[E, ...] = ()
    asked_byes: tuple[E, ...] = ()
    repeats: tuple[Pair[E], ...] = ()


@dataclass(frozen=True, slots=True)
class Absence:
    """A seat was empty since a moment; ``until`` is when somebody else took it over."""

    since: datetime
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Seat(Generic[E]):
    """An entrant's seat in a group.

    ``seed`` counts from 1; ``lot`` is the stored random number that comes last of all. An entrant who came late plays
    from ``first_round`` on. ``asked_byes`` are the rounds that the entrant asked to sit out. Where there are no rounds,
    ``entered_at`` is when the entrant came, ``None`` for the beginning, and a return ends an absence. Nobody who
    ``is_disqualified`` has a place, or goes on once ``is_annulled`` says that no result of theirs counts.
    """

    entrant: E
    seed: int
    lot: int = 0
    rating: Decimal = Decimal(1500)
    first_round: int = 1
    asked_byes: frozenset[int] = frozenset()
    absences: tuple[Absence, ...] = ()
    entered_at: datetime | None = None
    is_disqualified: bool = False
    is_annulled: bool = False

    @property
    def is_empty(self) -> bool:
        """Return whether the entrant has withdrawn, and nobody has taken the seat over."""
        return any(absence.until is None for absence in self.absences)

    def was_empty_at(self, moment: datetime | None) -> bool:
        """Return whether nobody was in the seat at a moment; of one that is not known, whether it is empty now."""
        if moment is None:
            return self.is_empty
        return any(
            absence.since <= moment and (absence.until is None or absence.until > moment) for absence in self.absences
        )


@dataclass(frozen=True, slots=True)
class Game(Generic[E]):
    """A match of a group that is not annulled: of a round, and where there are ties the leg of one, from 1.

    ``round`` is 0 where there are no rounds. ``points`` and ``goals`` are empty until the result counts.
    ``forfeited_by`` is who lost it without play; a forfeit by nobody is one by both. ``again_at`` is when it was set
    up in place of a match that was annulled. ``challenger`` is who made the challenge, where there are any. ``number``
    orders the matches that ended at the same moment. A meeting of two teams is one game, whose ``team_score`` adds up
    its ``boards``, as far as they have results.
    """

    round: int
    sides: BySide[E]
    tie: TieKey | None = None
    leg: int = 1
    points: BySide[int] | None = None
    goals: BySide[int] | None = None
    ending: Ending | None = None
    ended_at: datetime | None = None
    forfeited_by: E | None = None
    again_at: datetime | None = None
    challenger: E | None = None
    number: int = 0
    team_score: TeamScore | None = None
    boards: tuple[Game[E], ...] = ()

    @property
    def is_counted(self) -> bool:
        """Return whether the result counts."""
        return self.points is not None


@dataclass(frozen=True, slots=True)
class HeldRound(Generic[E]):
    """A round that was published: when it began, was cut short and ended, as far as it has, and who had byes in it."""

    number: int
    started_at: datetime | None = None
    cut_short_at: datetime | None = None
    ended_at: datetime | None = None
    byes: tuple[E, ...] = ()
    asked_byes: tuple[E, ...] = ()


@dataclass(frozen=True, slots=True)
class Record(Generic[E]):
    """Everything that a group's ties, pairings and table follow from.

    ``seats`` are in the order of the seeds, ``games`` and ``rounds`` in any. ``began_at`` is when the group began.
    ``in_rounds`` says that each round begins as a whole, when the one before it has ended; otherwise nobody waits for
    anybody. ``as_of`` is the moment for which the table is asked, which matters where results go out of date: now, or
    the end of a group that is over; ``None`` counts every result.
    """

    seats: tuple[Seat[E], ...]
    games: tuple[Game[E], ...] = ()
    rounds: tuple[HeldRound[E], ...] = ()
    point_table: PointTable = STANDARD
    began_at: datetime | None = None
    in_rounds: bool = False
    as_of: datetime | None = None


@dataclass(frozen=True, slots=True)
class Outline:
    """The extent of a group of some size: its rounds, all its matches at most, matches of an entrant at most, byes.

    ``rounds`` and the rest are ``None`` where it has no end.
    """

    rounds: int | None
    matches: int | None
    matches_each: int | None
    byes: int = 0


@dataclass(frozen=True, slots=True)
class Place(Generic[E]):
    """An entrant's place in a group, from 1, ``None`` while it is not known; who share one have the same number."""

    entrant: E
    place: int | None


@dataclass(frozen=True, slots=True)
class PositionChange(Generic[E]):
    """A position that an entrant came to, ``None`` for none, and when.

    ``game`` is the number of the match that moved the entrant, ``None`` where somebody came or left.
    """

    entrant: E
    position: int | None
    at: datetime
    game: int | None = None


@dataclass(frozen=True, slots=True)
class Abilities:
    """The abilities of a format while a group is played.

    One that ``pairs_by_results`` draws each round when the one before it has ended, and counts rounds without a match
    in its table. An entrant who comes late plays from the next round on. Where ``organisers_publish``, a round that was
    drawn waits for an organiser, who may change it before anybody else sees it. With ``teams``, entrants may be teams
    that meet at several boards.
    """

    late_entry: bool = False
    replacement: bool = False
    replays: bool = False
    byes_on_request: bool = False
    pairs_by_results: bool = False
    organisers_publish: bool = False
    teams: bool = False


class Format(Protocol):
    """A format: what it is called, what can be chosen, and what follows from a record.

    ``key`` names it in rows, URLs and the API; ``label`` and ``summary`` are English, for readers, and so is
    ``noun``, which follows "a" inside a sentence. ``options`` is
    a frozen dataclass whose fields ``formats.options`` describes. ``tiebreaks`` order the table unless an
    organiser chooses another order. ``max_entrants`` is ``None`` where any number can enter.
    """

    key: str
    label: str
    noun: str
    summary: str
    flow: Flow
    order: Order
    picture: Picture
    options: type[Any]
    tiebreaks: tuple[str, ...]
    min_entrants: int
    max_entrants: int | None

    def name(self, options: Any) -> str:
        """Return what it is called with these options, in English: the label unless they make more of it."""

    def abilities(self, options: Any) -> Abilities:
        """Return what the format allows with these options."""

    def outline(self, entrants: int, options: Any) -> Outline:
        """Return what a group of so many entrants comes to. Raises ``ValueError`` for fewer than it needs."""

    def draw_ties(self, entrants: int, options: Any) -> tuple[DrawnTie, ...]:
        """Return all ties of a group, each after those that it takes entrants from; none where the flow has none."""

    def next_rounds(self, record: Record[E], options: Any, seed: int) -> tuple[DrawnRound[E], ...]:
        """Return the rounds to be published now, in order; none while one is played, when all have been, or for ties.

        The same record and seed give the same rounds.
        """

    def is_over(self, record: Record[E], options: Any) -> bool:
        """Return whether nothing more is to be played; never for one without an end."""

    def places(self, record: Record[E], options: Any, tiebreaks: Sequence[str]) -> Sequence[Place[E]]:
        """Return everybody's place, the first first; entrants without a place come last."""

    def position_changes(self, record: Record[E], options: Any) -> Iterable[PositionChange[E]]:
        """Return how positions came about, in the order of time; nothing where the order is not one of positions."""

    def describe(
        self, options: Any, *, of_teams: bool = False, in_groups: bool = False
    ) -> Sequence[tuple[str, Mapping[str, Any]]]:
        """Return how it is played with these options: sentences in English, each with its parameters.

        Those of teams are asked for only where teams can play it; ``in_groups`` says that there may be several groups.
        """


class PlainFormat:
    """What most formats answer: one name for all options, no ties, no rounds, and no positions."""

    label: str
    noun: str
    max_entrants: int | None = None

    def name(self, options: Any) -> str:
        """Return what it is called, whatever the options."""
        return self.label

    def draw_ties(self, entrants: int, options: Any) -> tuple[DrawnTie, ...]:
        """Return no ties."""
        return ()

    def next_rounds(self, record: Record[E], options: Any, seed: int) -> tuple[DrawnRound[E], ...]:
        """Return no rounds: all is drawn at the start, or games begin by themselves."""
        return ()

    def position_changes(self, record: Record[E], options: Any) -> Iterable[PositionChange[E]]:
        """Return nothing: the order is one of results or of ties."""
        return ()
