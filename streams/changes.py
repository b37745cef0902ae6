"""Changes that streams send: matches and seeks that have changed, as they are now, and lines of competitions' logs."""

import json
from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import structlog
from django.utils.text import Truncator
from rest_framework.utils.encoders import JSONEncoder

from matches.models import Match, Seek, SitePause
from matches.schemas.seek import seek_to_json
from matches.schemas.site_pause import site_pause_to_json
from matches.selectors.changes import MatchChange, changed_matches, changed_seeks, last_change, named_matches
from matches.selectors.matches import find_last_turn, get_match
from matches.selectors.site_pauses import changed_site_pauses, last_site_pause_change
from matches.views.updates import choices_to_json, update_to_json
from rules_engine.values import Side
from tournaments.models import TeamMembership
from tournaments.office.selectors.changes import LoggedChange, last_logged, logged_changes
from tournaments.pages.sentences import line_text
from tournaments.teams.selectors.changes import changed_memberships, last_membership_change

MAX_BYTES = 2_800
"""The most bytes of an update with its steps, so that no event takes more than 3 kB. A page asks for what is longer."""

MIN_STEP_BYTES = 48
"""The fewest bytes that a step has as JSON: of more than there is room for, not all are made."""

MAX_LINE_TEXT = 300
"""The most characters of what was done in a competition: of a longer announcement the log has the rest."""

MAX_PLIES = 20
"""The number of the latest plies among which the beginning of the last turn is looked for."""


@dataclass(frozen=True, slots=True)
class Update:
    """The changes of a match since its last turn began, as JSON; ``steps`` are for the player to act alone."""

    shared: str
    actor: int | None = None
    steps: Mapping[str, str] | None = None

    def members_for(self, player_id: int | None) -> Mapping[str, str]:
        """Return the members that an event has for a player, or for a visitor."""
        own = self.steps if self.steps is not None and player_id is not None and player_id == self.actor else {}
        return {"update": self.shared, **own}


def read_update(match_id: int, players: set[int]) -> Update | None:
    """Return what those who watch a match are sent, with the steps of the player to act if they are among ``players``.

    ``None`` if it is too long.
    """
    match = get_match(match_id)
    shared = _write(update_to_json(match, find_last_turn(match, since=match.ply - MAX_PLIES)))
    actor = match.player_to_act
    if len(shared) > MAX_BYTES:
        return None
    if actor is None or actor.pk not in players:
        return Update(shared)
    return Update(shared, actor.pk, _steps(match, MAX_BYTES - len(shared)))


def _steps(match: Match, room: int) -> Mapping[str, str] | None:
    """Return what the side to act may click: everything, else the first clicks, or ``None`` if neither has room."""
    found = choices_to_json(match, Side(match.side), max_steps=room // MIN_STEP_BYTES)
    first = {"steps": {prefix: steps for prefix, steps in found["steps"].items() if not prefix}, "placing": None}
    for each in (found, first) if found["placing"] is None else (found,):
        written = {name: _write(value) for name, value in each.items()}
        if sum(map(len, written.values())) <= room:
            return written
    return None


def _write(value: Any) -> str:
    return json.dumps(value, cls=JSONEncoder, separators=(",", ":"))


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
OVERLAP = timedelta(seconds=30)
"""The time that a transaction may last without its changes being missed: changes are dated before the commit."""

Key = tuple[str, int]

OWN = "own"
ORGANISER = "organiser"
CAPTAIN = "captain"

KINDS = ("match", "seek", "competition", "team", "pause")
"""The kinds of changes: of a competition it is a line of its log, of a team a membership, a pause is of the site."""

EVERYBODY: Key = ("everybody", 0)
"""The topic of what concerns the whole site."""

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Change:
    """A match, a seek or a membership of a team as it is now, or a line of a competition's log, which stays as it is.

    ``version`` changes whenever what others see of it changes. ``sides`` has each player's part in it by id: the side
    in a match, whether a seek is their own, whether they organise the competition or lead the team. ``facts`` is what
    all clients get, ``update`` what pages that show the match get besides.
    """

    kind: str
    subject: int
    changed_at: datetime
    version: str
    sides: dict[int, str]
    facts: dict[str, Any]
    update: Update | None = None

    @property
    def key(self) -> Key:
        """Return the kind and id of what has changed."""
        return self.kind, self.subject

    @property
    def topics(self) -> list[Key]:
        """Return what those who get it have subscribed to."""
        if self.kind == "pause":
            return [EVERYBODY]
        return [self.key, *(("player", player) for player in self.sides)]

    def own_facts(self, player_id: int) -> dict[str, Any]:
        """Return what only this player is sent: their side, whether the seek is theirs, or whether they organise."""
        side = self.sides[player_id]
        if self.kind == "match":
            return {"you": side}
        if self.kind == "team":
            return {"leads": side == CAPTAIN}
        return {"own": side == OWN} if self.kind == "seek" else {"organises": side == ORGANISER}


def read_named(
    *,
    match: Collection[int] = (),
    seek: Collection[int] = (),
    competition: Collection[int] = (),
    team: Collection[int] = (),
    pause: Collection[int] = (),
) -> list[Change]:
    """Return all of these as they are now, in the order of their last changes."""
    return _in_order(
        named_matches(match) if match else [],
        changed_seeks(ids=seek) if seek else [],
        logged_changes(ids=competition) if competition else [],
        changed_memberships(ids=team) if team else [],
        changed_site_pauses(ids=pause) if pause else [],
    )


def read_since(moment: datetime, *, player_id: int | None = None, limit: int | None = None) -> list[Change]:
    """Return the changes since ``OVERLAP`` before a moment, of one player or of all.

    At most ``limit`` matches, seeks, lines and memberships each are read, those that changed first.
    """
    after = moment - OVERLAP
    players = None if player_id is None else (player_id,)
    return _in_order(
        changed_matches(after=after, player_ids=players, limit=limit),
        changed_seeks(after=after, player_ids=players, limit=limit),
        logged_changes(after=after, player_id=player_id, limit=limit),
        changed_memberships(after=after, player_ids=players, limit=limit),
        changed_site_pauses(after=after, limit=limit),
    )


def read_followed(
    moment: datetime, *, matches: Collection[int], players: AbstractSet[int], limit: int | None = None
) -> list[Change]:
    """Return the changes since ``OVERLAP`` before a moment of these matches, and of all that concerns these players.

    At most ``limit`` matches, matches of the players, seeks, memberships, and lines of any competitions are read.
    """
    after = moment - OVERLAP
    changed = changed_matches(after=after, ids=matches, limit=limit) if matches else []
    pauses = changed_site_pauses(after=after, limit=limit)
    if not players:
        return _in_order(changed, [], [], [], pauses)
    known = {change.pk for change in changed}
    own = changed_matches(after=after, player_ids=players, limit=limit)
    changed += [change for change in own if change.pk not in known]
    seeks = changed_seeks(after=after, player_ids=players, limit=limit)
    lines = logged_changes(after=after, limit=limit)
    memberships = changed_memberships(after=after, player_ids=players, limit=limit)
    return _in_order(changed, seeks, lines, memberships, pauses)


def read_latest_moment() -> datetime:
    """Return the moment of the last change, or the epoch."""
    moments = last_change(), last_logged(), last_membership_change(), last_site_pause_change()
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


def add_updates(changes: Iterable[Change], shown: Mapping[int, set[int]]) -> list[Change]:
    """Return changes, each of a match that pages show with its update.

    ``shown`` has these matches, each with the players who have it on a page.
    """
    return [
        replace(change, update=_read_update(change.subject, shown[change.subject]))
        if change.kind == "match" and change.subject in shown
        else change
        for change in changes
    ]


def _read_update(match_id: int, players: set[int]) -> Update | None:
    """Return the update of a match, or ``None`` if it cannot be made: its pages then ask for it."""
    try:
        return read_update(match_id, players)
    except Exception as error:  # noqa: BLE001 - what is wrong with one match concerns no other
        logger.warning("update_not_made", match=match_id, error=repr(error))
        return None


def _in_order(
    matches: Iterable[MatchChange],
    seeks: Iterable[Seek],
    lines: Iterable[LoggedChange],
    memberships: Iterable[TeamMembership],
    pauses: Iterable[SitePause],
) -> list[Change]:
    changes = [*map(_match, matches), *map(_seek, seeks), *map(_competition, lines), *map(_team, memberships)]
    changes += map(_pause, pauses)
    return sorted(changes, key=lambda change: change.changed_at)


def _match(row: MatchChange) -> Change:
    is_annulled, offer = row.annulled_at is not None, row.standing_offer
    version = [row.ply, row.extensions, "annulled" if is_annulled else row.status, *(offer or ())]
    return Change(
        kind="match",
        subject=row.pk,
        changed_at=row.changed_at,
        version=".".join(map(str, version)),
        sides={row.yellow_id: "yellow", row.red_id: "red"},
        facts={
            "match": row.pk,
            "ply": row.ply,
            "status": row.status,
            "turn": row.side or None,
            "paused": row.paused_at is not None,
            "annulled": is_annulled,
            "offer": offer and dict(zip(("kind", "by"), offer, strict=True)),
        },
    )


def _seek(row: Seek) -> Change:
    return Change(
        kind="seek",
        subject=row.pk,
        changed_at=row.changed_at,
        version=row.status,
        sides={row.creator_id: OWN} | ({row.invited_id: ""} if row.invited_id is not None else {}),
        facts={"seek": seek_to_json(row)},
    )


def _competition(row: LoggedChange) -> Change:
    return Change(
        kind="competition",
        subject=row.pk,
        changed_at=row.stored_at,
        version=row.action,
        sides=dict.fromkeys(row.players, "") | dict.fromkeys(row.organisers, ORGANISER),
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
        facts={"pause": site_pause_to_json(row)},
    )
