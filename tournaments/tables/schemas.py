"""Ratings, titles, tables of competitions and how they came about, in JSON."""

from datetime import datetime
from typing import Literal, TypedDict, cast

from formats.scoring.reasons import Reason
from matches.schemas.values import SideName
from players.models import Rating
from players.schemas import PlayerSummarySchema, player_summary_to_json
from tournaments.models import PlaceChange, RatingChange, Title
from tournaments.models.elo import name_rank
from tournaments.office.schemas import EntryStatusName, TeamNameSchema, team_name_to_json
from tournaments.tables.selectors.tables import TableRow
from tournaments.tables.sentences import reasons_text


class RatingSchema(TypedDict):
    """A player's rating in a family of games."""

    player: PlayerSummarySchema
    game: str
    """The key of the family of games."""
    rating: str
    """With four decimals."""
    rank: str
    """The player's permanent rank."""
    games: int
    wins: int


class RatingChangeSchema(TypedDict):
    """The change of a player's rating by a rated match."""

    match: int
    opponent: str
    side: SideName
    """The player's side."""
    finished_at: datetime
    before: str
    after: str
    rank: str


def rating_to_json(rating: Rating) -> RatingSchema:
    """Return a player's rating."""
    return {
        "player": player_summary_to_json(rating.player),
        "game": rating.family,
        "rating": f"{rating.rating:.4f}",
        "rank": name_rank(rating.rank),
        "games": rating.games,
        "wins": rating.wins,
    }


def rating_change_to_json(change: RatingChange) -> RatingChangeSchema:
    """Return what a match did to a rating."""
    match = change.match
    side = match.side_of(change.player_id)
    opponent = match.red if match.yellow_id == change.player_id else match.yellow
    return {
        "match": change.match_id,
        "opponent": opponent.username,
        "side": cast("SideName", str(side)),
        "finished_at": change.finished_at,
        "before": f"{change.before:.4f}",
        "after": f"{change.after:.4f}",
        "rank": name_rank(change.rank),
    }


TitleKindName = Literal["champion", "year", "month", "cup", "mini-cup"]


class TitleSchema(TypedDict):
    """A title that a player or a team has won."""

    player: str
    """Of a team, who entered it as its captain."""
    team: TeamNameSchema | None
    """Null for single players."""
    kind: TitleKindName
    game: str
    """The family of games, whose presets share titles."""
    competition: str
    """The slug of the competition that was won."""
    name: str
    """The name of that competition."""
    url: str
    """The page of that competition."""
    series: str | None
    """The slug of its series, null where it does not come again."""
    season: int | None
    won_at: datetime
    """The end of the competition."""
    is_held: bool
    """True if it is a title of a series of which nobody has won a later season."""


def title_to_json(title: Title) -> TitleSchema:
    """Return a title as ``selectors.titles.list_titles`` reads it."""
    competition = title.competition
    return {
        "player": title.player.username,
        "team": team_name_to_json(title.team),
        "kind": cast("TitleKindName", str(title.kind)),
        "game": title.family,
        "competition": competition.slug,
        "name": competition.name,
        "url": competition.get_absolute_url(),
        "series": None if competition.series is None else competition.series.slug,
        "season": competition.season,
        "won_at": title.won_at,
        "is_held": vars(title)["is_held"],
    }


class ReasonSchema(TypedDict):
    """The reason why a row of a table is above, below or level with a neighbour."""

    code: Literal["ahead", "behind", "shared"]
    """Ahead of the next row, behind the row above, or in the same place as one of them."""
    tiebreak: str | None
    """The tie-break that decides between the two."""
    level_on: list[str]
    """The tie-breaks before it, on which both are level."""
    own: str | None
    """The row's own number as a table shows it, null where it says nothing."""
    other: str | None
    """The neighbour's number."""


class StandingSchema(TypedDict):
    """A row of a table."""

    place: int | None
    """Null for those who have not played enough."""
    previous_place: int | None
    entry: int
    """The number of the entry."""
    player: PlayerSummarySchema
    """Of a team, who entered it as its captain."""
    team: TeamNameSchema | None
    """Null for single players."""
    status: EntryStatusName
    is_disqualified: bool
    seed: int | None
    played: int
    won: int
    drawn: int
    lost: int
    as_red: int
    goals_for: int
    goals_against: int
    points: int
    values: dict[str, str]
    """The numbers that were needed to order the table and are more than sums of results, as texts."""
    decided_by: str | None
    """The number that set the row apart from the one above."""
    reason: str
    """The reason why the row stands here, in sentences."""
    reasons: list[ReasonSchema]
    """The same as codes and parameters."""


class PlaceChangeSchema(TypedDict):
    """An entrant's place after a match."""

    player: str
    place: int | None
    """Null for those who are not ranked, or left."""
    stage: int
    """The number of the stage in whose table it is a place."""
    group: int | None
    """The number of the group in that stage."""
    match: int | None
    changed_at: datetime
    """The moment when the match ended."""


def reason_to_json(reason: Reason) -> ReasonSchema:
    """Return a reason why a row stands where it stands."""
    return {
        "code": reason.code.value,
        "tiebreak": reason.tiebreak or None,
        "level_on": list(reason.level_on),
        "own": reason.own or None,
        "other": reason.other or None,
    }


def standing_to_json(shown: TableRow) -> StandingSchema:
    """Return an entrant's row of the table."""
    entry, row = shown.entry, shown.standing
    return {
        "place": shown.place,
        "previous_place": row.previous_place if row else None,
        "entry": entry.pk,
        "player": player_summary_to_json(entry.player),
        "team": team_name_to_json(entry.team),
        "status": cast("EntryStatusName", str(entry.status)),
        "is_disqualified": entry.disqualified_at is not None,
        "seed": shown.seat.seed,
        "played": row.played if row else 0,
        "won": row.won if row else 0,
        "drawn": row.drawn if row else 0,
        "lost": row.lost if row else 0,
        "as_red": row.as_red if row else 0,
        "goals_for": row.goals_for if row else 0,
        "goals_against": row.goals_against if row else 0,
        "points": row.points if row else 0,
        "values": row.values if row else {},
        "decided_by": (row.decided_by or None) if row else None,
        "reason": reasons_text(shown.reasons, entry.team_id),
        "reasons": [reason_to_json(reason) for reason in shown.reasons],
    }


def place_change_to_json(change: PlaceChange) -> PlaceChangeSchema:
    """Return how somebody's place changed."""
    return {
        "player": change.seat.entry.name,
        "place": change.place,
        "stage": change.seat.stage.number,
        "group": change.seat.group.number if change.seat.group else None,
        "match": change.match_id,
        "changed_at": change.changed_at,
    }
