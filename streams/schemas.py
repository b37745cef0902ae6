"""The data of stream events, as TypedDicts."""

from datetime import datetime
from typing import Any, Literal, NotRequired, TypedDict

from matches.schemas.match import OfferSchema, StatusName
from matches.schemas.match_state import MatchStateSchema
from matches.schemas.seek import SeekSchema
from matches.schemas.site_pause import SitePauseSchema
from matches.schemas.steps import PlacingSchema, StepSchema
from matches.schemas.values import SideName
from tournaments.pages.schemas.competition import KindName


class MatchUpdateSchema(TypedDict):
    """The changes of a match as its page shows them. Their form may change with the page."""

    since: int
    """The ply since which it has happened."""
    match: dict[str, Any]
    """The match as it stands now."""
    positions: list[dict[str, Any]]
    """The last positions, each as what differs from the one before."""
    rows_since: int
    """The ply since which the rows of the moves have changed."""
    rows: str
    """These rows as HTML, with what has come into them."""
    rolls: str | None
    """The rolls that wait for their move, as HTML."""


class MatchEventSchema(TypedDict):
    """A match as it stands now: the data of the event `match`."""

    match: int
    ply: int
    """The number of moves and rolls that have been played."""
    status: StatusName
    turn: SideName | None
    """The side to act, null once the match is over."""
    paused: bool
    annulled: bool
    offer: OfferSchema | None
    """What one side offers the other, null once somebody has moved since."""
    competition: int | None
    """The competition in which it is played, null for none."""
    you: NotRequired[SideName]
    """Your side, on your own stream if you play in the match."""
    state: NotRequired[MatchStateSchema]
    """On a stream with `state`, of a match that it names."""
    update: NotRequired[MatchUpdateSchema]
    """On a stream with `updates`, of a match that it names."""
    steps: NotRequired[dict[str, list[StepSchema]]]
    """Beside `update`, if it is your turn: what may be clicked by its prefix, or only the first clicks."""
    placing: NotRequired[PlacingSchema | None]
    """Beside `steps`: every way to put figures on the board in this turn, null unless there are several."""


class SeekEventSchema(TypedDict):
    """A seek or an invitation as it stands now: the data of the event `seek`."""

    seek: SeekSchema
    own: NotRequired[bool]
    """True if it is yours; else you are invited. Absent if it is only in the lobby that you follow."""
    row: NotRequired[str]
    """On a stream of the `lobby` with `updates`: its row on the page as HTML, empty unless it is open."""
    says: NotRequired[str]
    """Beside `row`, what has happened, as a sentence."""


class CompetitionEventSchema(TypedDict):
    """An announcement or an act in a competition that concerns you, or that you follow: the data of `competition`."""

    competition: int
    slug: str
    kind: KindName
    action: str
    """The name of what was done, as in the log."""
    at: datetime
    line: int
    """The `id` of the line in the log; some lines are sent to those whom they concern alone."""
    match: int | None
    """The match to which it was done, null for everything else."""
    text: str
    """What was done, as in the log, or the beginning of it."""
    spread: NotRequired[float]
    """The seconds over which clients should spread that read what has changed, by how many follow it; else 1."""
    organises: NotRequired[bool]
    """True if you organise it; else you play in it. Absent if you only follow it."""


class TableEventSchema(TypedDict):
    """A group of a competition whose results, or whose table, have changed: the data of the event `table`."""

    competition: int
    slug: str
    stage: int
    """The number of the stage."""
    group: int
    """The number of the group in its stage."""
    results: int
    """The version of the results: another one after every result, and whatever else changes the table."""
    stale: bool
    """True while the table has not been made of these results."""
    spread: NotRequired[float]
    """As in the event `competition`."""
    rows: NotRequired[str]
    """On a stream with `updates`, of a bracket: the ties that have changed as its page shows them, as HTML."""
    rows_since: NotRequired[int]
    """Beside `rows`: the version of the results since which they are all that has changed."""


class PauseEventSchema(TypedDict):
    """A pause of the site that has begun or is over, or an outage whose time was given back: the data of `pause`."""

    pause: SitePauseSchema


class EchoEventSchema(TypedDict):
    """A token to be answered at once, by `POST /api/v1/echoes/`: the data of the event `echo`."""

    token: str


class ConnectionEventSchema(TypedDict):
    """The connection of your opponent in a live match: the data of the event `connection`."""

    match: int
    side: SideName
    """The side of the opponent."""
    gone_since: datetime | None
    """The moment of their last answer to an echo, if they have not answered since; null if nothing is amiss."""


class TeamEventSchema(TypedDict):
    """A membership of a team that is yours, or of one that you lead, as it stands now: the data of the event `team`."""

    team: str
    """The slug of the team."""
    name: str
    captain: str
    player: str
    """The username of the invited player, or of the member."""
    status: Literal["invited", "member", "declined", "withdrawn", "left"]
    leads: NotRequired[bool]
    """True if you are the captain of the team."""


MATCH_STREAM: dict[str, type | None] = {"match": MatchEventSchema}
PLAYER_STREAM: dict[str, type | None] = {
    "ready": None,
    "reset": None,
    "match": MatchEventSchema,
    "seek": SeekEventSchema,
    "competition": CompetitionEventSchema,
    "table": TableEventSchema,
    "team": TeamEventSchema,
    "pause": PauseEventSchema,
    "echo": EchoEventSchema,
    "connection": ConnectionEventSchema,
}
COMPETITION_STREAM: dict[str, type | None] = {
    "ready": None,
    "reset": None,
    "match": MatchEventSchema,
    "competition": CompetitionEventSchema,
    "table": TableEventSchema,
    "pause": PauseEventSchema,
}
