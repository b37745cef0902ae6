"""The shape of matches and seeks in JSON: what the API answers and the pages embed.

Moments are in UTC, lengths of time in seconds, but ``thinking`` in milliseconds.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypedDict

SideName = Literal["yellow", "red"]
ActorName = Literal["yellow", "red", "chance"]
StatusName = Literal["playing", "finished"]
SeekStatusName = Literal["open", "taken", "withdrawn", "declined"]
ColourName = Literal["yellow", "red", "random"]
EndingName = Literal[
    "normal-time", "sudden-death", "last-goal", "goalless", "resignation", "timeout", "forfeit", "adjudication"
]


class PlayerShape(TypedDict):
    """A player in a match or a seek."""

    username: str
    is_computer: bool
    is_guest: bool


class PlayersShape(TypedDict):
    """Who plays which side."""

    yellow: PlayerShape
    red: PlayerShape


class NumbersShape(TypedDict):
    """A number for each side: goals, or match points."""

    yellow: int
    red: int


class ClockShape(TypedDict):
    """The seconds that a side held when the turn started, and what it was given since."""

    bank: float


class VacationShape(TypedDict):
    """Whether a day of vacation may save a clock, and how many each player may use here, null for all that he has."""

    allowed: bool
    limit: int | None


class ClocksShape(TypedDict):
    """Both clocks. The one of the side to act has been running since ``turn_started_at``, unless it stands still."""

    yellow: ClockShape
    red: ClockShape


class TimeControlShape(TypedDict):
    """The seconds at the start, those that a turn adds, and the most that a bank holds."""

    bank: int
    increment: int
    cap: int


class OutcomeShape(TypedDict):
    """How a match ended."""

    winner: SideName | None
    ending: EndingName
    score: NumbersShape


class SpaceShape(TypedDict):
    """A space: ``x`` counts columns from the left, ``y`` rows from the top, from 0."""

    name: str
    x: int
    y: int
    kind: str


class FigureShape(TypedDict):
    """A figure; ``space`` is null while it is not on the board."""

    side: SideName
    number: int
    kind: str
    space: str | None


class LineShape(TypedDict):
    """A painted line through points in units of spaces from the board's top left corner."""

    points: list[list[float]]
    kind: str


class SegmentShape(TypedDict):
    """A line that a side has drawn in play, from the middle of one space to that of another."""

    start: str
    end: str
    side: SideName


class PictureShape(TypedDict):
    """What a position looks like; ``segments`` are in the order in which they were drawn."""

    columns: int
    rows: int
    spaces: list[SpaceShape]
    lines: list[LineShape]
    figures: list[FigureShape]
    ball: str | None
    marks: list[str]
    segments: list[SegmentShape]


class MoveShape(TypedDict):
    """One event of a match. ``ply`` counts from 0; ``thinking`` is in milliseconds, null for a roll."""

    ply: int
    actor: ActorName
    text: str
    played_at: datetime
    thinking: int | None


class DiceShape(TypedDict):
    """The commitment to the dice's seed, and the seed (hexadecimal) once the match is over."""

    commitment: str
    seed: str | None


class MatchSummaryShape(TypedDict):
    """A match in a list. Since ``annulled_at`` it counts nowhere, whatever its outcome.

    ``competition`` is the number of the ladder or cup to which it belongs, null for none.
    """

    id: int
    url: str
    game: str
    title: str
    status: StatusName
    players: PlayersShape
    turn: SideName | None
    you: SideName | None
    ply: int
    stage: str
    score: NumbersShape
    position: str
    deadline: datetime | None
    clocks: ClocksShape
    turn_started_at: datetime
    paused_at: datetime | None
    time_control: TimeControlShape
    vacation: VacationShape
    outcome: OutcomeShape | None
    match_points: NumbersShape | None
    is_rated: bool
    competition: int | None
    rematch_of: int | None
    created_at: datetime
    finished_at: datetime | None
    annulled_at: datetime | None


class MatchShape(MatchSummaryShape):
    """A whole match, its position also in sentences. ``legal_moves`` are there for the player to act only."""

    task: str
    in_words: list[str]
    roll: str | None
    picture: PictureShape
    legal_moves: list[str]
    moves: list[MoveShape]
    dice: DiceShape


class PlayedMoveShape(TypedDict):
    """A stored move, and the match after it."""

    move: MoveShape
    match: MatchShape


class MoveReceiptShape(TypedDict):
    """A stored move, and what a list shows of the match after it."""

    move: MoveShape
    summary: MatchSummaryShape


class PlayedTurnShape(TypedDict):
    """The stored moves of a turn, one for each action, and the match after them."""

    moves: list[MoveShape]
    match: MatchShape


class TurnReceiptShape(TypedDict):
    """The stored moves of a turn, and what a list shows of the match after them."""

    moves: list[MoveShape]
    summary: MatchSummaryShape


class PositionShape(TypedDict):
    """A match's position after its first ``ply`` events, also in sentences."""

    ply: int
    position: str
    in_words: list[str]
    picture: PictureShape
    stage: str
    score: NumbersShape


class StepShape(TypedDict):
    """What may be clicked next; ``final`` if ``text`` is a legal move as it stands."""

    text: str
    space: str
    final: bool


class StepsShape(TypedDict):
    """The clicks that may follow a prefix."""

    ply: int
    prefix: str
    steps: list[StepShape]


class PlacingStageShape(TypedDict):
    """What to do next of a turn, and by the number of a group of spaces the stage after choosing one, or null."""

    task: str
    then: dict[str, int | None]


class PlacingShape(TypedDict):
    """Every way to put figures on the board in one turn, an action each, from the first of the stages on.

    Spaces of a group are alike, but none can be chosen twice. A stage that is null completes the turn.
    """

    groups: list[list[StepShape]]
    stages: list[PlacingStageShape]


class StepTreeShape(TypedDict):
    """The clicks that may follow each prefix; those missing have to be asked for.

    ``placing`` is there where the turn puts several figures on the board.
    """

    ply: int
    steps: dict[str, list[StepShape]]
    placing: PlacingShape | None


class RouteShape(TypedDict):
    """One way to play a move: spaces walked, spaces that the ball enters, touches, the shift after it."""

    walk: list[str]
    kick: list[str]
    touches: list[str]
    shift: str | None


class RollShape(TypedDict):
    """A roll and its proof; ``digest`` (hexadecimal) and ``holds`` are null until the match is over."""

    number: int
    ply: int
    text: str
    message: str
    digest: str | None
    holds: bool | None


class DiceProofShape(TypedDict):
    """Every roll of a match with its proof."""

    match: int
    commitment: str
    seed: str | None
    rolls: list[RollShape]


class SeekShape(TypedDict):
    """A seek, or an invitation. ``match`` is the one that it led to, ``colour`` its creator's side."""

    id: int
    creator: PlayerShape
    invited: PlayerShape | None
    game: str
    title: str
    colour: ColourName
    time_control: TimeControlShape
    is_rated: bool
    min_rating: int | None
    max_rating: int | None
    admits_computers: bool
    status: SeekStatusName
    match: int | None
    rematch_of: int | None
    created_at: datetime
