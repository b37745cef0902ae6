"""The table of all organisers' acts, in the order in which pages offer them."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from matches.services.reopening import DECIDED
from tournaments.acts.act import Act, Answer, Kind
from tournaments.acts.bulk import Bulk, tell_score, tell_turn, values_of_adjudication, values_of_extension
from tournaments.acts.inputs import (
    Announcement,
    Confirm,
    MoreTime,
    Reason,
    RoundDate,
    RoundNumber,
    RoundPolicy,
    Username,
    WhichSide,
    Winner,
)
from tournaments.acts.kinds import (
    ANNOUNCEMENT,
    COMPETITION,
    COMPETITION_ANSWER,
    ENTRY,
    ENTRY_ANSWER,
    FIXTURE,
    INVITATION,
    ROUND,
    was_played,
)
from tournaments.models import (
    NOT_STARTED,
    Annulment,
    Competition,
    CompetitionStatus,
    EntryInvitation,
    EntryStatus,
    Fixture,
    InvitationStatus,
)
from tournaments.rights import Right
from tournaments.schemas.fixture import GivenTimeSchema
from tournaments.selectors.byes import find_bye_request, offers_byes
from tournaments.selectors.entry_conditions import can_take_late_entries
from tournaments.services.announcements import pin_announcement, unpin_announcement
from tournaments.services.cups.organised_round_dates import set_round_date
from tournaments.services.cups.round_expiry import end_round
from tournaments.services.entries.byes import request_bye, take_back_bye
from tournaments.services.entries.invitations import admit_or_invite, replace_or_invite, withdraw_invitation
from tournaments.services.entries.replacement import what_follows_from_replacing
from tournaments.services.entries.withdrawal import withdraw_entry
from tournaments.services.fixture_decisions import adjudicate_fixture, extend_clock
from tournaments.services.lifecycle.pauses import pause_competition, resume_competition
from tournaments.services.lifecycle.start import start_competition
from tournaments.services.lifecycle.status import (
    announce,
    cancel_competition,
    close_competition,
    finish_competition,
    open_competition,
)
from tournaments.services.undo.annulments import (
    annul_fixture,
    replay_fixture,
    what_follows_from_annulling,
    what_follows_from_replaying,
)
from tournaments.services.undo.decisions import (
    take_back_annulment,
    take_back_decision,
    take_back_replay,
    what_follows_from_taking_back_annulment,
    what_follows_from_taking_back_decision,
    what_follows_from_taking_back_replay,
)
from tournaments.services.undo.ends import take_back_end, what_follows_from_taking_back_end
from tournaments.services.undo.round_ends import take_back_round_end, what_follows_from_taking_back_round_end
from tournaments.services.undo.starts import take_back_start, what_follows_from_taking_back_start
from tournaments.services.undo.withdrawals import take_back_withdrawal, what_follows_from_taking_back_withdrawal

TIME_ANSWER = Answer(GivenTimeSchema, lambda _competition, _subject, result: {"seconds": result.total_seconds()})


def _was_ended_by_hand(competition: Competition) -> bool:
    return competition.status == CompetitionStatus.CANCELLED or (
        competition.status == CompetitionStatus.FINISHED and competition.is_endless
    )


def _is_played_again(fixture: Fixture) -> bool:
    if fixture.is_annulled:
        return fixture.replay is not None and not fixture.replay.is_annulled
    return fixture.replayed.filter(leg=fixture.leg).exists()


def _say_entered(result: Any) -> Any:
    if isinstance(result, EntryInvitation):
        return _("The player has been invited, and plays if they accept before the start.")
    return _("The player has been added.")


def _say_replaced(result: Any) -> Any:
    if isinstance(result, EntryInvitation):
        return _("The player has been invited, and takes over the place when they accept.")
    return _("The player is replaced.")


def _can_admit(competition: Competition) -> bool:
    if competition.status == CompetitionStatus.RUNNING:
        return can_take_late_entries(competition)
    return competition.status in NOT_STARTED


ACTS: tuple[Act, ...] = (
    Act(
        "open",
        "open_competition",
        COMPETITION,
        title=_("Open entry"),
        question=_("Players can join from now on. A draw that was made is discarded."),
        done=_("Players can join now."),
        service=open_competition,
        inputs={"reason": Reason(required=False)},
        suits=lambda competition: competition.status in {CompetitionStatus.DRAFT, CompetitionStatus.CLOSED},
        is_next=True,
    ),
    Act(
        "close",
        "close_competition",
        COMPETITION,
        title=_("Close entry"),
        question=_("Nobody can join any more, unless you open entry again."),
        done=_("Entry is closed."),
        service=close_competition,
        inputs={"reason": Reason(required=False)},
        suits=lambda competition: competition.status == CompetitionStatus.OPEN,
    ),
    Act(
        "start",
        "start_competition",
        COMPETITION,
        title=_("Start"),
        question=_("The first matches begin at once. A cup without a draw is drawn now."),
        done=_("The competition has started."),
        service=start_competition,
        inputs={"reason": Reason(required=False)},
        suits=lambda competition: competition.status in {CompetitionStatus.OPEN, CompetitionStatus.CLOSED},
        is_next=True,
    ),
    Act(
        "announce",
        "announce",
        COMPETITION,
        title=_("Announce something"),
        question=_("Everybody can read it in the competition’s log."),
        done=_("Your announcement is in the log."),
        service=announce,
        inputs={"text": Announcement()},
        when=lambda _competition: True,
        api_path="announcements",
    ),
    Act(
        "admit",
        "admit_player",
        COMPETITION,
        title=_("Add a player"),
        question=_(
            "Adds a player even if the competition is full, has rating limits or a password. A player who has to be "
            "asked first is invited instead, and plays if they accept before the start while a place is free. "
            "Before the start, a draw that was made is discarded when a player is added."
        ),
        done=_say_entered,
        service=admit_or_invite,
        inputs={"player": Username(), "reason": Reason(required=False)},
        suits=_can_admit,
        own_answer=ENTRY_ANSWER,
        api_path="admissions",
    ),
    Act(
        "pause",
        "pause_competition",
        COMPETITION,
        title=_("Pause"),
        question=_("All clocks stop and nobody can move until you resume. Deadlines of rounds wait, too."),
        done=_("The competition is paused."),
        service=pause_competition,
        inputs={"reason": Reason()},
        suits=lambda competition: competition.status == CompetitionStatus.RUNNING and competition.paused_at is None,
    ),
    Act(
        "resume",
        "resume_competition",
        COMPETITION,
        title=_("Resume"),
        question=_(
            "All clocks go on from where they stopped. Deadlines of rounds are later by the length of the pause."
        ),
        done=_("The competition goes on."),
        service=resume_competition,
        inputs={"reason": Reason(required=False)},
        suits=lambda competition: competition.paused_at is not None,
        is_next=True,
    ),
    Act(
        "take-back-start",
        "take_back_start",
        COMPETITION,
        title=_("Take back the start"),
        question=_(
            "The competition is closed for entry as if it had not started. Its matches count nowhere, and do not come "
            "back. You start it again by hand."
        ),
        done=_("The start is taken back."),
        service=take_back_start,
        what_follows=what_follows_from_taking_back_start,
        inputs={"confirm": Confirm(), "reason": Reason()},
        suits=lambda competition: competition.status == CompetitionStatus.RUNNING,
    ),
    Act(
        "finish",
        "finish_competition",
        COMPETITION,
        title=_("Finish the ladder"),
        question=_("Its table stays as it is. Unfinished matches end and do not count."),
        done=_("The ladder is finished."),
        service=finish_competition,
        inputs={"reason": Reason()},
        suits=lambda competition: competition.status == CompetitionStatus.RUNNING and competition.is_endless,
        is_grave=True,
    ),
    Act(
        "cancel",
        "cancel_competition",
        COMPETITION,
        title=_("Cancel the competition"),
        question=_("It ends without a winner. Unfinished matches end and do not count."),
        done=_("The competition is cancelled."),
        service=cancel_competition,
        inputs={"reason": Reason()},
        is_grave=True,
    ),
    Act(
        "take-back-end",
        "take_back_end",
        COMPETITION,
        title=_("Take back the end"),
        question=_(
            "The competition goes on, and its unfinished matches go on from where they stood. One that had not started "
            "is closed for entry."
        ),
        done=_("The end is taken back."),
        service=take_back_end,
        what_follows=what_follows_from_taking_back_end,
        inputs={"reason": Reason()},
        when=_was_ended_by_hand,
    ),
    Act(
        "pin",
        "pin_announcement",
        ANNOUNCEMENT,
        title=_("Pin"),
        question=_("The announcement stands on the competition’s page until you unpin it."),
        done=_("The announcement is pinned."),
        service=pin_announcement,
        suits=lambda announcement: announcement.pinned_at is None,
    ),
    Act(
        "unpin",
        "unpin_announcement",
        ANNOUNCEMENT,
        title=_("Unpin"),
        question=_("The announcement stays in the log, and no longer stands on the competition’s page."),
        done=_("The announcement is no longer pinned."),
        service=unpin_announcement,
        suits=lambda announcement: announcement.pinned_at is not None,
    ),
    Act(
        "withdraw",
        "withdraw_entry",
        ENTRY,
        title=_("Withdraw"),
        question=_(
            "Before the start, the player is taken off the list. "
            "After it, the player loses all unfinished matches by forfeit."
        ),
        done=_("The player is withdrawn."),
        service=withdraw_entry,
        inputs={"reason": Reason()},
        suits=lambda entry: entry.is_in,
        own_answer=COMPETITION_ANSWER,
        bulk=Bulk("withdraw_entries", {"reason": Reason()}, tell=lambda entry, _now: entry.get_status_display()),
    ),
    Act(
        "take-back-withdrawal",
        "take_back_withdrawal",
        ENTRY,
        title=_("Take back the withdrawal"),
        question=_(
            "The player plays on. Matches that were forfeited go on from where they stood. In a knock-out the player’s "
            "tie is open again, and what followed from it is taken back."
        ),
        done=_("The player plays on."),
        service=take_back_withdrawal,
        what_follows=what_follows_from_taking_back_withdrawal,
        inputs={"confirm": Confirm(), "reason": Reason()},
        suits=lambda entry: entry.status == EntryStatus.GONE,
        when=lambda competition: competition.status in NOT_STARTED or was_played(competition),
    ),
    Act(
        "replace",
        "replace_entry",
        ENTRY,
        title=_("Replace"),
        question=_(
            "Another player takes over this place with all its results. Unfinished matches start again. A player who "
            "has to be asked first takes over when they accept."
        ),
        done=_say_replaced,
        service=replace_or_invite,
        what_follows=what_follows_from_replacing,
        inputs={"player": Username(), "reason": Reason()},
        suits=lambda entry: entry.status != EntryStatus.REPLACED,
    ),
    Act(
        "request-bye",
        "request_bye_for_entry",
        ENTRY,
        title=_("Give a bye"),
        question=_(
            "The player sits out a round that has not been drawn yet, for the points of a draw. "
            "Nobody can have two such byes."
        ),
        done=_("The player sits out the round."),
        service=request_bye,
        inputs={"round_number": RoundNumber(), "reason": Reason(required=False)},
        suits=offers_byes,
    ),
    Act(
        "take-back-bye",
        "take_back_bye_of_entry",
        ENTRY,
        title=_("Take back the bye"),
        question=_("The player plays in the round after all, if it has not been drawn yet."),
        done=_("The player plays in every round."),
        service=take_back_bye,
        inputs={"reason": Reason(required=False)},
        suits=lambda entry: offers_byes(entry) and find_bye_request(entry.seat) is not None,
    ),
    Act(
        "withdraw",
        "withdraw_invitation",
        INVITATION,
        title=_("Withdraw the invitation"),
        question=_("The player can no longer accept it. You can invite them again."),
        done=_("The invitation is withdrawn."),
        service=withdraw_invitation,
        inputs={"reason": Reason(required=False)},
        suits=lambda invitation: invitation.status == InvitationStatus.WAITING,
    ),
    Act(
        "adjudicate",
        "adjudicate_fixture",
        FIXTURE,
        needs=Right.DECIDE,
        title=_("Adjudicate"),
        question=_("The match ends at once with its present score, and you decide who wins."),
        done=_("The match is decided."),
        service=adjudicate_fixture,
        inputs={"winner": Winner(), "reason": Reason()},
        suits=lambda fixture: fixture.counted_at is None and not fixture.is_annulled,
        bulk=Bulk(
            "adjudicate_fixtures",
            {"policy": RoundPolicy(), "reason": Reason()},
            values_for=values_of_adjudication,
            tell=tell_score,
        ),
    ),
    Act(
        "extend",
        "extend_clock",
        FIXTURE,
        needs=Right.DECIDE,
        title=_("Give more time"),
        question=_("Adds time to a player’s clock, up to the most that the competition allows."),
        done=_("The player has more time."),
        service=extend_clock,
        inputs={"side": WhichSide(_("Who gets more time")), "by": MoreTime(), "reason": Reason()},
        suits=lambda fixture: fixture.match is not None and bool(fixture.match.side),
        own_answer=TIME_ANSWER,
        bulk=Bulk(
            "extend_clocks", {"by": MoreTime(), "reason": Reason()}, values_for=values_of_extension, tell=tell_turn
        ),
    ),
    Act(
        "replay",
        "replay_fixture",
        FIXTURE,
        needs=Right.DECIDE,
        title=_("Replay the match"),
        question=_("This match no longer counts, and a new one between the same players begins."),
        done=_("A new match has begun."),
        service=replay_fixture,
        what_follows=what_follows_from_replaying,
        inputs={"confirm": Confirm(), "reason": Reason()},
        suits=lambda fixture: (
            not fixture.is_annulled and (fixture.match_id is not None or fixture.counted_at is not None)
        ),
        is_grave=True,
    ),
    Act(
        "annul",
        "annul_fixture",
        FIXTURE,
        needs=Right.DECIDE,
        title=_("Annul"),
        question=_("This match no longer counts, here or for ratings, and is not played again."),
        done=_("The match is annulled."),
        service=annul_fixture,
        what_follows=what_follows_from_annulling,
        inputs={"confirm": Confirm(), "reason": Reason()},
        suits=lambda fixture: not fixture.is_annulled and fixture.tie_id is None,
        bulk=Bulk("annul_fixtures", {"confirm": Confirm(), "reason": Reason()}, tell=tell_score),
        is_grave=True,
    ),
    Act(
        "take-back-decision",
        "take_back_decision",
        FIXTURE,
        needs=Right.DECIDE,
        title=_("Take back the decision"),
        question=_(
            "The match goes on from where it stood, with the clocks as they stood. What followed from its result is "
            "taken back."
        ),
        done=_("The decision is taken back."),
        service=take_back_decision,
        what_follows=what_follows_from_taking_back_decision,
        inputs={"confirm": Confirm(), "reason": Reason()},
        suits=lambda fixture: fixture.ending in DECIDED and not fixture.is_annulled,
        when=was_played,
    ),
    Act(
        "take-back-annulment",
        "take_back_annulment",
        FIXTURE,
        needs=Right.DECIDE,
        title=_("Take back the annulment"),
        question=_("The match counts again as it ended. If it had not ended, it goes on from where it stood."),
        done=_("The annulment is taken back."),
        service=take_back_annulment,
        what_follows=what_follows_from_taking_back_annulment,
        inputs={"confirm": Confirm(), "reason": Reason()},
        suits=lambda fixture: fixture.annulment == Annulment.DECIDED,
        when=was_played,
    ),
    Act(
        "take-back-replay",
        "take_back_replay",
        FIXTURE,
        needs=Right.DECIDE,
        title=_("Take back the replay"),
        question=_("The first match counts again, and the new one no longer does."),
        done=_("The replay is taken back."),
        service=take_back_replay,
        what_follows=what_follows_from_taking_back_replay,
        inputs={"confirm": Confirm(), "reason": Reason()},
        suits=_is_played_again,
        when=was_played,
    ),
    Act(
        "date",
        "set_round_date",
        ROUND,
        title=_("Set deadline"),
        question=_("The round must end by then. The cup’s options say what happens to unfinished matches."),
        done=_("The deadline is set."),
        service=set_round_date,
        inputs={"ends_at": RoundDate(), "reason": Reason(required=False)},
        suits=lambda round_: round_.ended_at is None,
        api_method="put",
    ),
    Act(
        "end",
        "end_round",
        ROUND,
        title=_("End round now"),
        question=_("All unfinished matches of the round end, and the cup goes on."),
        done=_("The round has ended."),
        service=end_round,
        inputs={"policy": RoundPolicy(), "reason": Reason()},
        suits=lambda round_: round_.started_at is not None and round_.ended_at is None,
        is_grave=True,
    ),
    Act(
        "take-back-end",
        "take_back_round_end",
        ROUND,
        title=_("Take back the end"),
        question=_(
            "The matches that were decided by the end of the round go on from where they stood, and the round has all "
            "of its days again. What followed is taken back."
        ),
        done=_("The round goes on."),
        service=take_back_round_end,
        what_follows=what_follows_from_taking_back_round_end,
        inputs={"confirm": Confirm(), "reason": Reason()},
        suits=lambda round_: round_.cut_short_at is not None,
        when=was_played,
    ),
)


def get_act(path: str, name: str) -> Act | None:
    """Return the act with this name on the kind with this path in URLs."""
    return next((act for act in ACTS if (act.on.path, act.name) == (path, name)), None)


def acts_on(kind: Kind, competition: Competition, subject: Any, rights: frozenset[Right]) -> list[Act]:
    """Return the acts that are offered on something in a competition to who has these rights to it."""
    return [act for act in ACTS if act.on is kind and act.is_offered(competition, subject, rights)]


def bulk_acts_on(kind: Kind, competition: Competition, rights: frozenset[Right]) -> list[Act]:
    """Return the acts that are offered on several of a kind at once, whatever each of them allows."""
    acts = [act for act in ACTS if act.on is kind and act.bulk is not None and act.needs in rights]
    return [act for act in acts if (act.when or act.on.is_open)(competition)]
