"""The interface that every game implements. Code outside a game's package uses nothing else of it.

Text is the interface. A position is the one line ``str(state)``; a move is its text, a plain
``str``. A move *names its result*: two ways to the same result are one move. A roll of chance is
played like a move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from rules_engine.messages import Message
from rules_engine.picture import Picture, Route
from rules_engine.record import ReadText, Record
from rules_engine.values import BySide, ChanceDevice, Outcome, Score, Side, Turn

MAX_SUMMARY_LENGTH = 120
"""The most characters that a ``State.summary`` has, however long the match."""


@dataclass(frozen=True, slots=True)
class Roll:
    """One outcome of chance: the text to play, and its probability.

    ``kind`` is the game's own word for what is rolled, ``"die"`` and ``"coin"`` being everybody's. ``sides`` are those
    whose roll it is, whatever it leads to: of two that roll against each other, in the order of the text; of a coin
    nobody. All that can come at once are the same sides'. ``stands_alone``: it decides something by itself, and is not
    used by a move or by the next roll.
    """

    text: str
    probability: Fraction
    kind: str = "die"
    sides: tuple[Side, ...] = ()
    stands_alone: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that may be clicked next.

    ``text`` is the move's text so far, this step included, or that of several joined actions where a
    game lets a whole turn be clicked; ``space`` what to click; ``final`` whether ``text`` is complete:
    it can be played, and no click can be added to it. A step without a space is final and has a ``label``: what its
    button says.
    """

    text: str
    space: str
    final: bool
    label: Message | None = None


@dataclass(frozen=True, slots=True)
class PlacementStage:
    """A stage of a turn that puts figures on the board, and what can follow.

    ``task`` is that of the state, ``then`` the number of the stage that follows by the number of the group whose
    space is chosen, ``None`` where the turn is complete.
    """

    task: Message
    then: Mapping[int, int | None]


@dataclass(frozen=True, slots=True)
class PlacementPlan:
    """Every way to put figures on the board in one turn, one after the other, each by an action of its own.

    ``groups`` are the steps to spaces that are alike: what can follow is the same for all of a group, but that no
    space can be chosen twice. The first of the ``stages`` is the present state.
    """

    groups: tuple[tuple[Step, ...], ...]
    stages: tuple[PlacementStage, ...]


class State(Protocol):
    """A position: an immutable, hashable value. ``str(state)`` is lossless."""

    @property
    def summary(self) -> str:
        """Return the text that ``Game.resume`` reads beside ``str(state)``; empty if no text takes long to read.

        It is kept with the text, and shown to nobody: its form may change.
        """

    @property
    def turn(self) -> Turn:
        """Return the actor of the next ply: a side (the same one may act several times running), chance, or nobody."""

    @property
    def score(self) -> Score:
        """Return the score so far."""

    @property
    def outcome(self) -> Outcome | None:
        """Return the outcome by the game's own rules, ``None`` while the match goes on."""

    @property
    def stage(self) -> Message:
        """Return the stage that the match has come to, in English, such as ``"minute 17"``."""

    @property
    def task(self) -> Message:
        """Return the task of the side to act now, in one English sentence."""

    def chance(self) -> tuple[Roll, ...]:
        """Return every roll that can come now; empty unless ``turn`` is chance's.

        However often chance has rolled, some rolls lead to the turn of a side or to the end.
        """

    def legal_moves(self) -> Sequence[str]:
        """Return one text per distinct result, complete and in a stable order.

        Single actions only: a text that joins several actions is playable, but not listed. Empty
        unless a side is to act, and never empty when one is.
        """

    def iter_legal_moves(self) -> Iterator[str]:
        """Yield what ``legal_moves`` returns, one after the other: the first two come as fast as a move is checked."""

    def play(self, text: str) -> State:
        """Return the state after a move, several joined actions, or a roll.

        Raises ``InvalidNotation`` when the text is no move of this game at all, ``IllegalMove`` when
        the rules refuse it here.
        """

    def replay(self, text: str) -> State:
        """Return what ``play`` returns for what was played here, without asking again whether it is legal.

        For any other text it may raise anything, or return a state that no match can come to.
        """

    def steps(self, prefix: str = "") -> tuple[Step, ...]:
        """Return what may be clicked after ``prefix`` (a ``Step.text``, or nothing yet).

        Every legal move is among the texts. One that is not final is followed by another action of
        the same side. The whole tree may be far too large to be listed.

        Raises ``InvalidNotation`` when no legal move begins so.
        """

    def placement_plan(self) -> PlacementPlan | None:
        """Return how the side to act can go on if its turn puts several figures on the board, else ``None``."""

    @property
    def decision(self) -> str:
        """Return the kind of the decision to make now if one answer may suit all of its kind, else an empty text.

        Such an answer is a choice that hardly depends on what was played or rolled before.
        """

    def rehearsals(self, side: Side) -> Mapping[str, State]:
        """Return the decisions of such kinds that a side may have to make later, each in a position to try it in.

        No match need ever come to these positions; the side is to act in them.
        """

    def route(self, move: str) -> Route:
        """Return one way to play a legal move: fewest touches, then fewest steps, in a fixed order.

        Raises what ``play`` raises.
        """

    def picture(self) -> Picture:
        """Return what the position looks like."""

    def picture_after(self, text: str) -> Picture:
        """Return what the position looks like after a move or roll, before a new point clears the board.

        Raises what ``play`` raises.
        """

    def in_words(self) -> tuple[Message, ...]:
        """Return what the picture shows, in English sentences."""

    def describe(self, text: str) -> Message:
        """Return what a move, joined actions or a roll does here, in English: names and spaces, no notation.

        Raises what ``play`` raises.
        """


class Interchange(Protocol):
    """A text in which the players of a game exchange matches elsewhere, beside the project's own record."""

    @property
    def key(self) -> str:
        """Return its key in URLs, and the ending of a file's name, such as ``"pgn"``."""

    @property
    def title(self) -> str:
        """Return its title."""

    def write(self, game: Game, record: Record) -> str:
        """Return the text of a match of this game, or of its beginning.

        Raises ``InvalidNotation`` or ``IllegalMove`` when the moves are none.
        """

    def read(self, game: Game, text: str) -> ReadText:
        """Return the match of this game that the text holds, with remarks on a result that contradicts its moves.

        The record leads to the same position as the one that was written, and has the same tags, ``Game`` added if
        there was none. Only tags whose names the text uses for its own, such as ``Result``, are lost. Raises
        ``InvalidNotation`` when the text cannot be read, ``IllegalMove`` when the rules refuse a move in it.
        """


class Game(Protocol):
    """A game with its options fixed: one preset."""

    @property
    def key(self) -> str:
        """Return the key in the registry, such as ``"streetsoccer-board"``."""

    @property
    def family(self) -> str:
        """Return the game's name without the preset, such as ``"streetsoccer"``."""

    @property
    def title(self) -> str:
        """Return its title."""

    @property
    def interchange(self) -> tuple[Interchange, ...]:
        """Return the texts in which its matches are exchanged elsewhere, if there are any."""

    @property
    def chance_device(self) -> ChanceDevice:
        """Return the device of chance, such as dice, ``NONE`` in a game without any."""

    @property
    def has_draws(self) -> bool:
        """Return whether a match can end without a winner by the rules."""

    @property
    def decision_seconds(self) -> int | None:
        """Return the seconds for each decision in live play, where a late one is drawn; ``None`` if it has none."""

    @property
    def max_turn_actions(self) -> int:
        """Return the most actions that a side can play running before dice are rolled or the score changes."""

    def start(self) -> State:
        """Return the first position of a match."""

    def read(self, text: str) -> State:
        """Return the state whose ``str`` is ``text``; raises ``InvalidNotation``."""

    def resume(self, text: str, summary: str) -> State:
        """Return what ``read`` returns, as fast for a long text as for a short one if the ``summary`` is that state's.

        The history in the text is not checked then: both have been stored together. For any other summary it
        is ``read``, and raises what that raises.
        """

    def read_move(self, text: str) -> str:
        """Return ``text`` if it is written like a move, joined actions or a roll of this game.

        Raises ``InvalidNotation``. It does not check whether the text is legal anywhere.
        """

    def match_points(self, outcome: Outcome) -> BySide[int]:
        """Return which of 5-0, 4-1 and 3-2, the winner's first, or of 2-2 an outcome is.

        That is what it is worth in a competition whose points table says nothing else.
        """
