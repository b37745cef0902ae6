"""Changes that streams send: matches and seeks that have changed, as they are now, and lines of competitions' logs."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import structlog
from django.db.models import Q
from django.utils.text import Truncator
from rest_framework.utils.encoders import JSONEncoder

from matches.models import Seek, SitePause
from matches.models.seek import IN_LOBBY
from matches.schemas.match_state import state_to_json
from matches.schemas.seek import seek_to_json
from matches.schemas.site_pause import site_pause_to_json
from matches.selectors.changes import (
    NEWS,
    WORTH_WATCHING,
    MatchChange,
    changed_matches,
    changed_seeks,
    last_change,
    named_matches,
    topics_of,
)
from matches.selectors.matches import get_match
from matches.selectors.site_pauses import changed_site_pauses, last_site_pause_change
from matches.signals import LOBBY, WATCHED, Topic
from streams.updates import Update, read_row, read_table_rows, read_update, write_value
from tournaments.models import TeamMembership
from tournaments.office.selectors.changes import LoggedChange, last_logged, logged_changes
from tournaments.pages.sentences import line_text
from tournaments.records.competitions import public_among
from tournaments.tables.selectors.changes import TableChange, changed_tables, last_table_change
from tournaments.teams.selectors.changes import changed_memberships, last_membership_change

MAX_LINE_TEXT = 300
"""The most characters of what was done in a competition: of a longer announcement the log has the rest."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
OVERLAP = timedelta(seconds=30)
"""The time that a transaction may last without its changes being missed: changes are dated before the commit."""

OWN = "own"
ORGANISER = "organiser"
CAPTAIN = "captain"

KINDS = ("match", "seek", "competition", "table", "team", "pause")
"""The kinds of changes: of a competition it is a line of its log, of a team a membership, a pause is of the site."""

EVERYBODY: Topic = ("everybody", 0)
"""The topic of what concerns the whole site."""

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Change:
    """A match, a seek, a table or a membership of a team as it is now, or a line of a competition's log, which stays.

    ``version`` changes whenever what others see of it changes. ``sides`` has each player's part in it by id: the side
    in a match, whether a seek is their own, whether they organise the competition or lead the team. ``public`` are the
    topics by which everybody may follow it. ``facts`` is what all clients get, ``update`` what pages that show it get
    besides, and ``state`` what programs need to move, as JSON.
    """

    kind: str
    subject: int
    changed_at: datetime
    version: str
    sides: dict[int, str]
    facts: dict[str, Any]
    public: tuple[Topic, ...] = ()
    update: Update | None = None
    state: str | None = None
    events: dict[tuple[str, bool, bool], bytes] = field(default_factory=dict, init=False, compare=False, repr=False)
    """What those are sent who have no part in it, by the cursor, and whether with update and with state."""

    @property
    def key(self) -> Topic:
        """Return the kind and id of what has changed."""
        return self.kind, self.subject

    @property
    def topics(self) -> list[Topic]:
        """Return what those who get it have subscribed to."""
        return [*self.public, *(("player", player) for player in self.sides)]

    def own_facts(self, player_id: int) -> dict[str, Any]:
        """Return what only this player is sent: their side, whether the seek is theirs, or whether they organise."""
        side = self.sides[player_id]
        if self.kind == "match":
            return {"you": side}
        if self.kind == "team":
            return {"leads": side == CAPTAIN}
        return {"own": side == OWN} if self.kind == "seek" else {"organises": side == ORGANISER}


@dataclass(frozen=True, slots=True)
class Followed:
    """What some streams follow, by the kinds of their topics."""

    matches: AbstractSet[int]
    players: AbstractSet[int]
    competitions: AbstractSet[int]
    has_lobby: bool
    has_watched: bool

    @classmethod
    def of(cls, topics: Iterable[Topic]) -> "Followed":
        """Return what has these topics."""
        by_kind: dict[str, set[int]] = defaultdict(set)
        for kind, subject in topics:
            by_kind[kind].add(subject)
        return cls(
            matches=by_kind["match"],
            players=by_kind["player"],
            competitions=by_kind["competition"],
            has_lobby=LOBBY[0] in by_kind,
            has_watched=WATCHED[0] in by_kind,
        )


def read_named(
    *,
    match: Collection[int] = (),
    seek: Collection[int] = (),
    competition: Collection[int] = (),
    table: Collection[int] = (),
    team: Collection[int] = (),
    pause: Collection[int] = (),
    are_followed: bool = True,
) -> list[Change]:
    """Return all of these as they are now, in the order of their last changes.

    Unless matches ``are_followed`` by more than their own topics, these topics are left out, and with them a query.
    """
    return _in_order(
        are_followed=are_followed,
        matches=named_matches(match) if match else [],
        seeks=changed_seeks(ids=seek) if seek else [],
        lines=logged_changes(ids=competition) if competition else [],
        tables=changed_tables(ids=table) if table else [],
        memberships=changed_memberships(ids=team) if team else [],
        pauses=changed_site_pauses(ids=pause) if pause else [],
    )


def read_followed(moment: datetime, followed: Followed, *, limit: int | None = None) -> list[Change]:
    """Return the changes since ``OVERLAP`` before a moment of what is followed.

    At most ``limit`` rows are read for each kind of topic, those that changed first.
    """
    after, players, competitions = moment - OVERLAP, followed.players, followed.competitions
    matches: list[list[MatchChange]] = []
    if followed.matches:
        matches.append(changed_matches(after=after, ids=followed.matches, limit=limit))
    if players:
        matches.append(changed_matches(after=after, player_ids=players, limit=limit))
    if competitions:
        matches.append(changed_matches(after=after, condition=NEWS & Q(competition__in=competitions), limit=limit))
    if followed.has_watched:
        matches.append(changed_matches(after=after, condition=WORTH_WATCHING, limit=limit))
    seeks = changed_seeks(after=after, player_ids=players, limit=limit) if players else []
    if followed.has_lobby:
        seeks += changed_seeks(after=after, condition=IN_LOBBY, limit=limit)
    lines: list[LoggedChange] = []
    if players:
        # Of one player the lines are found by what they organise and play in.
        lines += logged_changes(after=after, player_id=next(iter(players)) if len(players) == 1 else None, limit=limit)
    if competitions:
        lines += logged_changes(after=after, competitions=competitions, limit=limit)
    return _in_order(
        matches=[change for found in matches for change in found],
        seeks=seeks,
        lines=lines,
        tables=changed_tables(after=after, competitions=competitions, limit=limit) if competitions else [],
        memberships=changed_memberships(after=after, player_ids=players, limit=limit) if players else [],
        pauses=changed_site_pauses(after=after, limit=limit),
    )


def read_latest_moment() -> datetime:
    """Return the moment of the last change, or the epoch."""
    moments = last_change(), last_logged(), last_table_change(), last_membership_change(), last_site_pause_change()
    return max(filter(None, moments), default=EPOCH)


def write_cursor(moment: datetime) -> str:
    """Return a moment as the id of an event: microseconds since the epoch."""
    return str((moment - EPOCH) // MICROSECOND)


def read_cursor(text: str) -> datetime | None:
    """Return the moment of an event's id, or ``None`` if ``write_cursor`` has not made it."""
    if not (text.isascii() and text.isdigit() and len(text) <= 17):
        return None
    return EPOCH + int(text) * MICROSECOND


def write_event(event: str, cursor: str, facts: dict[str, Any], written: Mapping[str, str] | None = None) -> bytes:
    """Return a server-sent event as bytes; ``written`` are more members of its data, as JSON already."""
    data = json.dumps(facts, cls=JSONEncoder)
    for name, value in (written or {}).items():
        data = f'{data[:-1]}, "{name}": {value}}}'
    return f"id: {cursor}\nevent: {event}\ndata: {data}\n\n".encode()


def write_passing(event: str, facts: Mapping[str, Any]) -> bytes:
    """Return a server-sent event without an id: who misses it is not sent it again."""
    return f"event: {event}\ndata: {json.dumps(facts, cls=JSONEncoder)}\n\n".encode()


def add_updates(changes: Iterable[Change], shown: Mapping[Topic, set[int]]) -> list[Change]:
    """Return changes, each match, seek and table that pages show with its update.

    ``shown`` has these by kind and id, each with the players who have it on a page.
    """
    return [
        replace(change, update=_read_update(change, shown[change.key])) if change.key in shown else change
        for change in changes
    ]


def add_states(changes: Iterable[Change], stated: AbstractSet[Topic]) -> list[Change]:
    """Return changes, each of the ``stated`` matches with its state."""
    return [
        replace(change, state=_read_state(change.subject)) if change.key in stated else change for change in changes
    ]


def _read_state(match_id: int) -> str | None:
    """Return the state of a match as JSON, or ``None`` if it cannot be made: programs then read the match."""
    try:
        return write_value(state_to_json(get_match(match_id)))
    except Exception as error:  # noqa: BLE001 - as for updates
        logger.warning("state_not_made", match=match_id, error=repr(error))
        return None


def _read_update(change: Change, players: set[int]) -> Update | None:
    """Return the update of a change, or ``None`` if it cannot be made: its pages then ask for it."""
    try:
        match change.kind:
            case "seek":
                return read_row(change.subject)
            case "table":
                return read_table_rows(change.subject, change.facts["results"])
            case _:
                return read_update(change.subject, players)
    except Exception as error:  # noqa: BLE001 - what is wrong with one match concerns no other
        logger.warning("update_not_made", change=change.key, error=repr(error))
        return None


def _in_order(
    *,
    matches: Iterable[MatchChange],
    seeks: Iterable[Seek],
    lines: Iterable[LoggedChange],
    tables: Iterable[TableChange],
    memberships: Iterable[TeamMembership],
    pauses: Iterable[SitePause],
    are_followed: bool = True,
) -> list[Change]:
    """Return rows as changes, each once, in the order of their moments."""
    matches = list(matches)
    competitions = {row.competition for row in matches if row.competition is not None} if are_followed else set()
    public = public_among(competitions) if competitions else set()
    changes = [_match(row, public) for row in matches]
    changes += [*map(_seek, seeks), *map(_competition, lines), *map(_table, tables)]
    changes += [*map(_team, memberships), *map(_pause, pauses)]
    once: dict[Topic, Change] = {}
    for change in changes:
        once.setdefault(change.key, change)
    return sorted(once.values(), key=lambda change: change.changed_at)


def _match(row: MatchChange, public: AbstractSet[int]) -> Change:
    """Return a match as a change, a topic of those ``public`` competitions that it is played in."""
    is_annulled, offer = row.annulled_at is not None, row.standing_offer
    version = [row.ply, row.extensions, "annulled" if is_annulled else row.status, *(offer or ())]
    is_seen = row.competition is None or row.competition in public
    return Change(
        kind="match",
        subject=row.pk,
        changed_at=row.changed_at,
        version=".".join(map(str, version)),
        sides={row.yellow_id: "yellow", row.red_id: "red"},
        public=(("match", row.pk), *(topics_of(row) if is_seen else ())),
        facts={
            "match": row.pk,
            "ply": row.ply,
            "status": row.status,
            "turn": row.side or None,
            "paused": row.paused_at is not None,
            "annulled": is_annulled,
            "offer": offer and dict(zip(("kind", "by"), offer, strict=True)),
            "competition": row.competition,
        },
    )


def _seek(row: Seek) -> Change:
    return Change(
        kind="seek",
        subject=row.pk,
        changed_at=row.changed_at,
        version=row.status,
        sides={row.creator_id: OWN} | ({row.invited_id: ""} if row.invited_id is not None else {}),
        public=(LOBBY,) if row.is_in_lobby else (),
        facts={"seek": seek_to_json(row)},
    )


def _competition(row: LoggedChange) -> Change:
    return Change(
        kind="competition",
        subject=row.pk,
        changed_at=row.stored_at,
        version=row.action,
        sides=dict.fromkeys(row.players, "") | dict.fromkeys(row.organisers, ORGANISER),
        public=(("competition", row.competition_id),) if row.is_public else (),
        facts={
            "competition": row.competition_id,
            "slug": row.slug,
            "kind": row.kind.value,
            "action": row.action,
            "at": row.logged_at.astimezone(UTC).isoformat().replace("+00:00", "Z"),
            "line": row.pk,
            "match": row.match,
            "text": Truncator(line_text(row, of_teams=row.of_teams)).chars(MAX_LINE_TEXT),
        },
    )


def _table(row: TableChange) -> Change:
    return Change(
        kind="table",
        subject=row.pk,
        changed_at=row.changed_at,
        version=f"{row.results_version}.{row.is_stale}",
        sides={},
        public=(("competition", row.competition_id),),
        facts={
            "competition": row.competition_id,
            "slug": row.slug,
            "stage": row.stage,
            "group": row.number,
            "results": row.results_version,
            "stale": row.is_stale,
        },
    )


def _team(row: TeamMembership) -> Change:
    return Change(
        kind="team",
        subject=row.pk,
        changed_at=row.changed_at,
        version=f"{row.status} {row.team.captain_id} {row.team.name}",
        sides={row.player_id: "", row.team.captain_id: CAPTAIN},
        facts={
            "team": row.team.slug,
            "name": row.team.name,
            "captain": row.team.captain.username,
            "player": row.player.username,
            "status": row.status,
        },
    )


def _pause(row: SitePause) -> Change:
    return Change(
        kind="pause",
        subject=row.pk,
        changed_at=row.changed_at,  # type: ignore[attr-defined]
        version="open" if row.ends_at is None else "over",
        sides={},
        public=(EVERYBODY,),
        facts={"pause": site_pause_to_json(row)},
    )
