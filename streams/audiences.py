"""Who hears what: one table of every change, of the audiences that hear of it, and by which channels.

Lines of the log of a competition have theirs in ``tournaments.models.audiences``; this table has them too. What is in
none of its rows is seen when a page is opened, and nobody is told of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from tournaments.models.audiences import AUDIENCES, Audience, Players


class Channel(StrEnum):
    """A way in which people hear of something."""

    STREAM = "stream"
    PAGE = "page"
    MAIL = "mail"
    PUSH = "push"


Channels = frozenset[Channel]

NONE: Channels = frozenset()
LIVE = frozenset({Channel.STREAM, Channel.PAGE})
"""What comes by stream to programs, and changes the pages that show it in place."""

MAILED = LIVE | {Channel.MAIL}
PUSHED = MAILED | {Channel.PUSH}


@dataclass(frozen=True, slots=True)
class Hearers:
    """The channels by which each audience hears of a change.

    ``concerned`` are the players of a match, a seek, a competition or a team, in competitions also by which of them.
    Nobody follows anybody yet.
    """

    concerned: Channels = NONE
    organisers: Channels = NONE
    followers: Channels = NONE
    public: Channels = NONE
    which: dict[Channel, Players] = field(default_factory=dict)


_BOTH = Hearers(concerned=LIVE, public=LIVE)
_ALONE = Hearers(concerned=LIVE)

CHANGES: dict[tuple[str, str], Hearers] = {
    ("game", "open"): _BOTH,
    ("game", "taken"): _BOTH,
    ("game", "withdrawn"): _BOTH,
    ("link", "open"): _ALONE,
    ("link", "taken"): Hearers(concerned=MAILED),
    ("link", "withdrawn"): _ALONE,
    ("invitation", "open"): Hearers(concerned=LIVE | {Channel.PUSH}),
    ("invitation", "taken"): _ALONE,
    ("invitation", "declined"): _ALONE,
    ("invitation", "withdrawn"): _ALONE,
    ("rematch", "open"): Hearers(concerned=LIVE | {Channel.PUSH}),
    ("rematch", "taken"): _ALONE,
    ("rematch", "declined"): _ALONE,
    ("rematch", "withdrawn"): _ALONE,
    ("match", "begun"): Hearers(concerned=PUSHED, public=LIVE),
    ("match", "turn"): Hearers(concerned=PUSHED, public=LIVE),
    ("match", "offer"): Hearers(concerned=MAILED, public=LIVE),
    ("match", "deadline near"): Hearers(concerned=frozenset({Channel.MAIL, Channel.PUSH})),
    ("match", "ended"): Hearers(concerned=PUSHED, public=LIVE),
    ("match", "annulled"): _BOTH,
    ("match", "analysed"): Hearers(concerned=frozenset({Channel.PAGE}), public=frozenset({Channel.PAGE})),
    ("team", "invited"): Hearers(concerned=PUSHED),
    ("team", "member"): _ALONE,
    ("team", "declined"): _ALONE,
    ("team", "withdrawn"): _ALONE,
    ("team", "left"): _ALONE,
    ("table", "results"): Hearers(public=LIVE),
    ("site", "paused"): _BOTH,
    ("player", "rating"): Hearers(),
    ("player", "title"): Hearers(),
}
"""The hearers of each change that is no line of a log, by what changes and what it has come to."""


def hearers_of_action(audience: Audience) -> Hearers:
    """Return who hears of a line of a competition's log: organisers always by stream."""
    which = {Channel.STREAM: audience.stream, Channel.MAIL: audience.mail, Channel.PUSH: audience.push}
    which = {channel: players for channel, players in which.items() if players is not Players.NONE}
    return Hearers(
        concerned=frozenset(which),
        organisers=MAILED - {Channel.PAGE} if audience.mails_organisers else frozenset({Channel.STREAM}),
        public=LIVE if audience.is_public else NONE,
        which=which,
    )


def all_changes() -> dict[tuple[str, str], Hearers]:
    """Return the whole table."""
    lines = {("competition", action): hearers_of_action(audience) for action, audience in AUDIENCES.items()}
    return CHANGES | lines


def write_table() -> str:
    """Return the table as a page of the documentation."""
    return "\n".join([_HEAD, *_rows(), ""])


_HEAD = """# Who hears what

Every change, who hears of it, and how: by an [event stream](api.md#event-streams), by a page that changes in
place, by mail, or by push on a device. Nobody can follow anybody. What has no entry is seen when a
page is opened. This page is written by `manage.py describe_audiences --file docs/audiences.md`.

| change | those concerned | organisers | followers | everybody |
|---|---|---|---|---|"""


def _rows() -> Iterator[str]:
    for (what, change), hearers in all_changes().items():
        cells = (hearers.organisers, hearers.followers, hearers.public)
        yield " | ".join([f"| {what}: `{change}`", _concerned(hearers), *map(_list, cells)]) + " |"


def _concerned(hearers: Hearers) -> str:
    named = [f"{channel} ({hearers.which[channel].value})" for channel in Channel if channel in hearers.which]
    return ", ".join(named) or _list(hearers.concerned)


def _list(channels: Channels) -> str:
    return ", ".join(channel for channel in Channel if channel in channels)
