"""What an organiser can do, in tables: how it is asked for, and the service that does it.

``suits`` says whether a page offers an action; the service alone decides whether it may be done.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from players.forms import RefusableForm
from players.models import Player
from tournaments import forms
from tournaments.models import (
    ENDED,
    NOT_STARTED,
    EntryStatus,
    Event,
    EventStatus,
    Ladder,
)
from tournaments.selectors.entering import can_take_late_entries
from tournaments.selectors.organising import get_entry, get_fixture, get_round
from tournaments.services import organising
from tournaments.services.cups.dates import set_round_date
from tournaments.services.cups.deadlines import end_round
from tournaments.services.entries.entering import admit_player
from tournaments.services.entries.leaving import withdraw_entry
from tournaments.services.entries.replacing import replace_entry
from tournaments.services.lifecycle.pausing import pause_event, resume_event
from tournaments.services.lifecycle.stages import announce, cancel_event, close_event, finish_event, open_event
from tournaments.services.lifecycle.starting import start_event

Said = dict[str, Any]
Text = str | Promise


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that an organiser does to a subject: his event, or an entry, a fixture or a round of it."""

    key: str
    title: Text
    question: Text
    perform: Callable[[Any, Said, Player, datetime], object]
    form: type[RefusableForm] = forms.ReasonForm
    suits: Callable[[Any], bool] = lambda subject: True
    find: Callable[[Event, int], Any] = lambda event, subject_id: event
    options: Callable[[Any], dict[str, Any]] = lambda subject: {}
    is_final: bool = False
    is_next: bool = False
    done: Text = field(default_factory=lambda: _("Done."))


def _table(*actions: Action) -> dict[str, Action]:
    return {action.key: action for action in actions}


EVENT_ACTIONS = _table(
    Action(
        "open",
        _("Open entry"),
        _("Players can enter from then on. A draw that was made is forgotten."),
        lambda event, said, actor, now: open_event(event_id=event.pk, actor=actor, now=now),
        form=forms.ConfirmForm,
        suits=lambda event: event.status in {EventStatus.DRAFT, EventStatus.CLOSED},
        is_next=True,
        done=_("Players can enter now."),
    ),
    Action(
        "close",
        _("Close entry"),
        _("Nobody can enter any more, unless you open it again."),
        lambda event, said, actor, now: close_event(event_id=event.pk, actor=actor, now=now),
        form=forms.ConfirmForm,
        suits=lambda event: event.status == EventStatus.OPEN,
        done=_("Entry is closed."),
    ),
    Action(
        "start",
        _("Start"),
        _("The first matches begin at once. A cup that has not been drawn is drawn now."),
        lambda event, said, actor, now: start_event(event_id=event.pk, actor=actor, now=now),
        form=forms.ConfirmForm,
        suits=lambda event: event.status in {EventStatus.OPEN, EventStatus.CLOSED},
        is_next=True,
        done=_("It has started."),
    ),
    Action(
        "announce",
        _("Announce something"),
        _("Everybody can read it in the log of the event."),
        lambda event, said, actor, now: announce(event_id=event.pk, actor=actor, text=said["text"], now=now),
        form=forms.AnnouncementForm,
        done=_("It is announced."),
    ),
    Action(
        "admit",
        _("Enter a player"),
        _(
            "He is in whatever the limits on number, rating and password say. "
            "Before the start, a draw that was made is forgotten."
        ),
        lambda event, said, actor, now: admit_player(
            event_id=event.pk, player=said["player"], actor=actor, reason=said["reason"], now=now
        ),
        form=forms.AdmissionForm,
        suits=lambda event: (
            event.status in NOT_STARTED or (event.status == EventStatus.RUNNING and can_take_late_entries(event))
        ),
        done=_("He is in."),
    ),
    Action(
        "pause",
        _("Pause"),
        _("All clocks stand still and nobody moves until you resume it. The dates of rounds wait too."),
        lambda event, said, actor, now: pause_event(event=event, actor=actor, reason=said["reason"], now=now),
        suits=lambda event: event.status == EventStatus.RUNNING and event.paused_at is None,
        done=_("It is paused."),
    ),
    Action(
        "resume",
        _("Resume"),
        _("The clocks run on with what they held; the dates of rounds are later by as long as the pause was."),
        lambda event, said, actor, now: resume_event(event=event, actor=actor, reason=said["reason"], now=now),
        form=forms.NoteForm,
        suits=lambda event: event.paused_at is not None,
        is_next=True,
        done=_("It goes on."),
    ),
    Action(
        "finish",
        _("Finish the ladder"),
        _("Its table stays as it is then. Matches that still go on end and count nowhere."),
        lambda event, said, actor, now: finish_event(event_id=event.pk, actor=actor, reason=said["reason"], now=now),
        suits=lambda event: event.status == EventStatus.RUNNING and isinstance(event, Ladder),
        is_final=True,
        done=_("It is finished."),
    ),
    Action(
        "cancel",
        _("Cancel the event"),
        _("It ends for good, without a winner. Matches that still go on end and count nowhere."),
        lambda event, said, actor, now: cancel_event(event_id=event.pk, actor=actor, reason=said["reason"], now=now),
        suits=lambda event: event.status not in ENDED,
        is_final=True,
        done=_("It is cancelled."),
    ),
)

ENTRY_ACTIONS = _table(
    Action(
        "withdraw",
        _("Withdraw"),
        _("Before the start he is taken off the list. After it his open matches are lost by forfeit, for good."),
        lambda entry, said, actor, now: withdraw_entry(entry_id=entry.pk, actor=actor, reason=said["reason"], now=now),
        find=get_entry,
        suits=lambda entry: entry.is_in,
        is_final=True,
        done=_("He is withdrawn."),
    ),
    Action(
        "replace",
        _("Replace"),
        _("Somebody else takes over his place with all its results. Matches that go on begin again."),
        lambda entry, said, actor, now: replace_entry(
            entry_id=entry.pk, player=said["player"], actor=actor, reason=said["reason"], now=now
        ),
        form=forms.ReplacementForm,
        find=get_entry,
        suits=lambda entry: entry.status != EntryStatus.REPLACED,
        done=_("He is replaced."),
    ),
)

FIXTURE_ACTIONS = _table(
    Action(
        "adjudicate",
        _("Adjudicate"),
        _("The match ends at once, with the score as it is, and you say who wins."),
        lambda fixture, said, actor, now: organising.adjudicate_fixture(
            fixture_id=fixture.pk, winner=said["winner"], actor=actor, reason=said["reason"], now=now
        ),
        form=forms.AdjudicationForm,
        find=get_fixture,
        options=lambda fixture: {"fixture": fixture},
        suits=lambda fixture: fixture.counted_at is None and not fixture.is_annulled,
        done=_("The match is decided."),
    ),
    Action(
        "extend",
        _("Give more time"),
        _("The clock holds at most as much as the event allows."),
        lambda fixture, said, actor, now: organising.extend_clock(
            fixture_id=fixture.pk,
            side=said["side"],
            by=said["hours"],
            actor=actor,
            reason=said["reason"],
            now=now,
        ),
        form=forms.ExtensionForm,
        find=get_fixture,
        options=lambda fixture: {"fixture": fixture},
        suits=lambda fixture: fixture.match is not None and bool(fixture.match.side),
        done=_("The clock is extended."),
    ),
    Action(
        "replay",
        _("Let it be played again"),
        _("The match counts for nothing any more, and a new one between the same two begins."),
        lambda fixture, said, actor, now: organising.replay_fixture(
            fixture_id=fixture.pk, actor=actor, reason=said["reason"], now=now
        ),
        find=get_fixture,
        suits=lambda fixture: (
            not fixture.is_annulled and (fixture.match_id is not None or fixture.counted_at is not None)
        ),
        is_final=True,
        done=_("The match is played again."),
    ),
    Action(
        "annul",
        _("Annul"),
        _("The match counts for nothing any more, neither here nor for the ratings, and is not played again."),
        lambda fixture, said, actor, now: organising.annul_fixture(
            fixture_id=fixture.pk, actor=actor, reason=said["reason"], now=now
        ),
        find=get_fixture,
        suits=lambda fixture: not fixture.is_annulled and fixture.tie_id is None,
        is_final=True,
        done=_("The match is annulled."),
    ),
)

ROUND_ACTIONS = _table(
    Action(
        "end",
        _("End it now"),
        _("All matches of the round that still go on are ended, and the cup goes on."),
        lambda round_, said, actor, now: end_round(
            round=round_, policy=said["policy"], actor=actor, reason=said["reason"], now=now
        ),
        form=forms.RoundEndForm,
        find=get_round,
        suits=lambda round_: round_.started_at is not None and round_.ended_at is None,
        is_final=True,
        done=_("The round is ended."),
    ),
    Action(
        "date",
        _("Set its date"),
        _("By then it must end; what happens to matches that still go on is an option of the cup."),
        lambda round_, said, actor, now: set_round_date(round=round_, ends_at=said["ends_at"], actor=actor, now=now),
        form=forms.RoundDateForm,
        find=get_round,
        options=lambda round_: {"initial": {"ends_at": round_.ends_at}},
        suits=lambda round_: round_.ended_at is None,
        done=_("The date is set."),
    ),
)
