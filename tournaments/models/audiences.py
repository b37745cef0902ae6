"""Audiences of the lines of a competition's log: one table for streams, for mails and for pushes.

Organisers get every line on their streams. The players that a line names are stored with it (``LogEntry.concerns``).
Helpers hear, as organisers do, of what they may decide and of what needs a decision of theirs.
"""

from dataclasses import dataclass
from enum import StrEnum


class Players(StrEnum):
    """The players of a competition who hear of something."""

    NONE = "none"
    NAMED = "named"
    NAMED_OR_ALL = "named-or-all"
    ALL = "all"
    ALL_AND_NAMED = "all-and-named"

    @property
    def may_be_named(self) -> bool:
        """Return whether those hear whom a line names."""
        return self in {Players.NAMED, Players.NAMED_OR_ALL, Players.ALL_AND_NAMED}

    @property
    def may_be_all(self) -> bool:
        """Return whether all who are in the competition hear of it, or do if nobody is named."""
        return self in {Players.ALL, Players.NAMED_OR_ALL, Players.ALL_AND_NAMED}


@dataclass(frozen=True, slots=True)
class Audience:
    """The audience of an action: players on their ``stream`` and by ``mail``, and whether organisers get a mail.

    What ``helpers`` hear of comes to them as to organisers: on their streams, and by mail where those get one.
    What is heard ``in_drafts`` is told of a competition that nobody else knows yet.

    What is not ``is_listed`` is no line of the log that everybody reads: it only tells those who hear of it, and where
    it ``is_followed`` also who follows the competition.
    What ``is_urgent`` is mailed at once; the rest waits for the next run of the sweep, to share a mail.
    """

    stream: Players = Players.NONE
    mail: Players = Players.NONE
    mails_organisers: bool = False
    is_listed: bool = True
    is_urgent: bool = False
    helpers: bool = False
    in_drafts: bool = False
    is_followed: bool = False

    @property
    def is_public(self) -> bool:
        """Return whether everybody who follows the competition hears of it."""
        return self.is_listed or self.is_followed

    @property
    def push(self) -> Players:
        """Return the players who are told of it on their devices: of what is urgent those who get the mail."""
        return self.mail if self.is_urgent else Players.NONE

    @property
    def is_mailed(self) -> bool:
        """Return whether anybody may get a mail."""
        return self.mails_organisers or self.mail is not Players.NONE


_ORGANISERS = Audience()
_SHOWN = Audience(stream=Players.ALL)
_NEWS = Audience(Players.ALL, Players.ALL, is_urgent=True)
_FOR_ALL = Audience(Players.ALL, Players.ALL)
_FOR_NAMED = Audience(Players.NAMED, Players.NAMED)
_ENTRIES = Audience(Players.NAMED, Players.NAMED, mails_organisers=True)
_NOTICE = Audience(Players.NAMED, Players.NAMED, is_listed=False)
_NOTICE_OF_ORGANISERS = Audience(mails_organisers=True, is_listed=False)
_ENTRANTS = Audience(mails_organisers=True, is_listed=False, is_followed=True)
_BY_THE_RULES = Audience(mails_organisers=True)
_DECIDED = Audience(Players.NAMED, Players.NAMED, helpers=True)
_ROLE = Audience(Players.NAMED, Players.NAMED, in_drafts=True)
_ASKED = Audience(Players.NAMED, Players.NAMED, is_listed=False, is_urgent=True, in_drafts=True)
_UNDONE = Audience(Players.NAMED_OR_ALL, Players.NAMED_OR_ALL)
_DECISION_UNDONE = Audience(Players.NAMED_OR_ALL, Players.NAMED_OR_ALL, helpers=True)

CONDITIONS_CHANGED = "conditions-changed"
"""The action of a change of what entrants have agreed to play under."""

AUDIENCES: dict[str, Audience] = {
    "organiser-named": _ROLE,
    "organiser-gone": _ROLE,
    "helper-named": _ROLE,
    "helper-gone": _ROLE,
    "organiser-invited": _ASKED,
    "helper-invited": _ASKED,
    "role-accepted": Audience(Players.NAMED, Players.NAMED, is_listed=False, in_drafts=True),
    "role-declined": Audience(Players.NAMED, Players.NAMED, is_listed=False, in_drafts=True),
    "role-withdrawn": Audience(is_listed=False),
    "announced": _NEWS,
    "text-edited": Audience(is_listed=False),
    "text-taken-down": Audience(is_listed=False),
    "text-put-up": Audience(is_listed=False),
    "finished": _NEWS,
    "cancelled": _NEWS,
    "drawn": _FOR_ALL,
    "draw-undone": _SHOWN,
    "started": _SHOWN,
    "paused": _FOR_ALL,
    "resumed": _FOR_ALL,
    "time-given-back": _FOR_ALL,
    "invited": Audience(Players.NAMED, Players.NAMED, is_listed=False, is_urgent=True),
    "invitation-accepted": _NOTICE_OF_ORGANISERS,
    "invitation-declined": _NOTICE_OF_ORGANISERS,
    "invitation-withdrawn": Audience(is_listed=False),
    "invitation-lapsed": _NOTICE,
    "entered": _ENTRIES,
    "imported": _ENTRIES,
    "entered-again": Audience(Players.NAMED, Players.NAMED),
    "entered-final": Audience(Players.NAMED, Players.NAMED),
    "withdrew": _ENTRIES,
    "disqualified": _ENTRIES,
    "came-back": _FOR_NAMED,
    "left": _ENTRIES,
    "replaced": _ENTRIES,
    "bye-requested": _FOR_NAMED,
    "queue-moved": _FOR_NAMED,
    "adjudicated": _DECIDED,
    "corrected": _DECIDED,
    "annulled": _DECIDED,
    "annulled-before": Audience(is_listed=False),
    "recounted": _SHOWN,
    "replayed": _DECIDED,
    "extended": _DECIDED,
    "extension-undone": _DECIDED,
    "disputed": Audience(mails_organisers=True, is_listed=False, helpers=True),
    "dispute-dismissed": _DECIDED,
    "dismissal-undone": _DECIDED,
    "outage-forgiven": _DECIDED,
    "match-paused": _DECIDED,
    "match-resumed": _DECIDED,
    "stage-started": _SHOWN,
    "level-started": _SHOWN,
    "round-proposed": Audience(mails_organisers=True, is_urgent=True),
    "round-published": _FOR_ALL,
    "line-up-set": Audience(Players.NAMED),
    "round-started": _SHOWN,
    "round-date": _SHOWN,
    "round-cut-short": Audience(Players.ALL, Players.NAMED),
    "round-ended": _SHOWN,
    "joined": _ENTRANTS,
    "departed": _ENTRANTS,
    "waiting-joined": _NOTICE_OF_ORGANISERS,
    "waiting-left": _NOTICE_OF_ORGANISERS,
    "waiting-removed": _NOTICE,
    "waiting-restored": _NOTICE,
    "moved-up": Audience(Players.NAMED, Players.NAMED, mails_organisers=True, is_urgent=True),
    "waiting-ended": _NOTICE,
    "waiting-cancelled": Audience(Players.NAMED, Players.NAMED, is_listed=False, is_urgent=True),
    "check-in-opened": Audience(Players.NAMED, Players.NAMED, is_urgent=True),
    "check-in-undone": Audience(Players.NAMED, Players.NAMED, is_urgent=True),
    "checked-in": Audience(Players.NAMED, is_listed=False),
    "checked-in-undone": Audience(Players.NAMED, Players.NAMED, is_listed=False, is_urgent=True),
    "left-out": Audience(Players.NAMED, Players.NAMED, mails_organisers=True, is_urgent=True),
    "full": _NOTICE_OF_ORGANISERS,
    "startable": _NOTICE_OF_ORGANISERS,
    "round-ending": Audience(Players.NAMED, Players.NAMED, mails_organisers=True, is_listed=False, helpers=True),
    "round-overdue": Audience(mails_organisers=True, is_listed=False, helpers=True),
    "through": _NOTICE,
    "out": _NOTICE,
    "changed": _ORGANISERS,
    # Those who wait for a place, or are invited, are named.
    CONDITIONS_CHANGED: Audience(Players.ALL_AND_NAMED, Players.ALL_AND_NAMED, is_urgent=True),
    "organised": _ORGANISERS,
    "copied": _ORGANISERS,
    "series-made": _ORGANISERS,
    "series-changed": _ORGANISERS,
    "series-ended": _ORGANISERS,
    "year-final-dropped": _ORGANISERS,
    "season-announced": _BY_THE_RULES,
    "final-announced": _BY_THE_RULES,
    "opened": Audience(Players.ALL, Players.NAMED),
    "closed": _SHOWN,
    "hidden": _ORGANISERS,
    "shown": _ORGANISERS,
    # Players learn how a round pairs them, and whom it paired before, when it is published.
    "round-drawn-again": _ORGANISERS,
    "pairings-changed": _ORGANISERS,
    "tie-decided": _FOR_NAMED,
    "start-undone": _UNDONE,
    "entry-undone": _UNDONE,
    "withdrawal-undone": _UNDONE,
    "disqualify-undone": _UNDONE,
    "replacement-undone": _UNDONE,
    "bye-undone": _UNDONE,
    "end-undone": _UNDONE,
    "publication-undone": _UNDONE,
    "round-end-undone": _UNDONE,
    "left-out-undone": _UNDONE,
    "moved-up-undone": _UNDONE,
    "decision-undone": _DECISION_UNDONE,
    "correction-undone": _DECISION_UNDONE,
    "annulment-undone": _DECISION_UNDONE,
    "replay-undone": _DECISION_UNDONE,
    "outage-undone": _DECISION_UNDONE,
}
"""The audience of each action that can be logged."""

UNLISTED = frozenset(action for action, audience in AUDIENCES.items() if not audience.is_listed)


HEARD_BY_HELPERS = frozenset(action for action, audience in AUDIENCES.items() if audience.helpers)
HEARD_IN_DRAFTS = frozenset(action for action, audience in AUDIENCES.items() if audience.in_drafts)


def audience_of(action: str) -> Audience:
    """Return who hears of an action: of one that is no longer logged, organisers alone."""
    return AUDIENCES.get(action, _ORGANISERS)


def heard_on_streams(*by: Players) -> frozenset[str]:
    """Return the actions of the table that these players hear of on their streams."""
    return frozenset(action for action, audience in AUDIENCES.items() if audience.stream in by)
