"""The acts of organisers on entrants, invited players and those who wait, in the order in which pages offer them."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from database.clock import current_moment
from tournaments.decisions.services.undo.disqualifications import (
    disqualify_entry,
    take_back_disqualification,
    what_follows_from_disqualifying,
    what_follows_from_taking_back_disqualification,
)
from tournaments.decisions.services.undo.entries import (
    has_come_late,
    take_back_entry,
    what_follows_from_taking_back_entry,
)
from tournaments.decisions.services.undo.replacements import (
    take_back_replacement,
    what_follows_from_taking_back_replacement,
)
from tournaments.decisions.services.undo.withdrawals import (
    is_closed,
    take_back_withdrawal,
    what_follows_from_taking_back_withdrawal,
)
from tournaments.desk.acts.act import Act, Bulk
from tournaments.desk.acts.bulk import tell_check_in
from tournaments.desk.acts.inputs import QueueLevel, QueuePlace, ResultsRule, RoundNumber
from tournaments.desk.acts.kinds import (
    COMPETITION_ANSWER,
    ENTRY,
    ENTRY_ANSWER,
    INVITATION,
    LINE_UP_ANSWER,
    WAITING,
    can_judge,
    was_played,
)
from tournaments.entries.selectors.byes import find_bye_request, offers_byes
from tournaments.entries.services.byes import request_bye, take_back_bye
from tournaments.entries.services.check_ins import (
    check_in_entry,
    check_in_waiting,
    take_back_check_in,
    take_back_check_in_of_waiting,
)
from tournaments.entries.services.invitations import replace_or_invite, withdraw_invitation
from tournaments.entries.services.line_ups import set_line_up
from tournaments.entries.services.queues import move_in_queue, what_follows_from_moving
from tournaments.entries.services.replacement import what_follows_from_replacing
from tournaments.entries.services.waiting_list import (
    enter_from_waiting_list,
    remove_from_waiting_list,
    take_back_removal,
)
from tournaments.entries.services.withdrawal import what_follows_from_withdrawing, withdraw_entry
from tournaments.models import (
    NOT_STARTED,
    Competition,
    CompetitionStatus,
    Entry,
    EntryInvitation,
    EntryStatus,
    InvitationStatus,
)
from tournaments.office.inputs import Confirm, Reason, Username
from tournaments.teams.inputs import BoardPlayers, LineUpRound
from tournaments.teams.selectors.line_ups import coming_line_up_rounds


def _say_replaced(result: Any) -> Any:
    if isinstance(result, EntryInvitation):
        return _("The player has been invited, and takes over the place when they accept.")
    return _("The player is replaced.")


def _waits_for_group(entry: Entry) -> bool:
    return entry.status == EntryStatus.ACTIVE and any(seat.group_id is None for seat in entry.seats.all())


def _has_queues(competition: Competition) -> bool:
    return competition.status == CompetitionStatus.RUNNING and competition.first_stage.gathers


def _adds_rounds(competition: Competition) -> bool:
    """Return whether who comes late plays in rounds: what is left of them by a withdrawal is more than nothing."""
    stage = competition.first_stage
    is_running = competition.status == CompetitionStatus.RUNNING
    return is_running and stage.allows_late_entry and not (stage.is_endless or stage.gathers)


def _is_checking_in(competition: Competition) -> bool:
    return competition.is_checking_in(current_moment())


ENTRY_ACTS: tuple[Act, ...] = (
    Act(
        "check-in",
        "check_in_entry",
        ENTRY,
        inverse="take_back_check_in",
        title=_("Check in"),
        question=_("Marks the player as present. They will play when the competition starts."),
        done=_("The player is checked in."),
        service=check_in_entry,
        inputs={"reason": Reason(required=False)},
        suits=lambda entry: entry.is_in and entry.checked_in_at is None,
        when=_is_checking_in,
        bulk=Bulk(
            "check_in_entries", {"reason": Reason(required=False)}, tell=lambda entry, _now: tell_check_in(entry)
        ),
    ),
    Act(
        "take-back-check-in",
        "take_back_check_in",
        ENTRY,
        inverse="check_in_entry",
        title=_("Take back the check-in"),
        question=_("The player does not play unless they check in again before the start."),
        done=_("The player is no longer checked in."),
        service=take_back_check_in,
        inputs={"reason": Reason(required=False)},
        suits=lambda entry: entry.is_in and entry.checked_in_at is not None,
        when=_is_checking_in,
    ),
    Act(
        "withdraw",
        "withdraw_entry",
        ENTRY,
        inverse="take_back_withdrawal",
        title=_("Withdraw"),
        question=_("Before the start, they are removed from the list. After it, they forfeit all unfinished matches."),
        foreseen="",
        done=_("They are withdrawn."),
        service=withdraw_entry,
        what_follows=what_follows_from_withdrawing,
        inputs={"reason": Reason()},
        suits=lambda entry: entry.is_in,
        own_answer=COMPETITION_ANSWER,
        bulk=Bulk("withdraw_entries", {"reason": Reason()}, tell=lambda entry, _now: entry.get_status_display()),
    ),
    Act(
        "take-back-withdrawal",
        "take_back_withdrawal",
        ENTRY,
        inverse="withdraw_entry",
        title=_("Take back the withdrawal"),
        question=_(
            "They play on. Matches that were forfeited go on from where they stood. In a knock-out their "
            "tie is open again, and what followed from it is taken back."
        ),
        done=_("They are back in the competition."),
        service=take_back_withdrawal,
        what_follows=what_follows_from_taking_back_withdrawal,
        inputs={"confirm": Confirm(), "reason": Reason()},
        suits=lambda entry: entry.status == EntryStatus.GONE and entry.disqualified_at is None and not is_closed(entry),
        when=lambda competition: competition.status in NOT_STARTED or was_played(competition),
    ),
    Act(
        "take-back-entry",
        "take_back_entry",
        ENTRY,
        inverse="admit_player",
        title=_("Take back the entry"),
        question=_(
            "They are removed, as if they had never joined. Somebody who has played, or been drawn, can only be "
            "withdrawn."
        ),
        foreseen="",
        done=_("The entry is taken back."),
        service=take_back_entry,
        what_follows=what_follows_from_taking_back_entry,
        inputs={"confirm": Confirm(), "reason": Reason()},
        suits=has_come_late,
        when=_adds_rounds,
        own_answer=COMPETITION_ANSWER,
    ),
    Act(
        "disqualify",
        "disqualify_entry",
        ENTRY,
        inverse="take_back_disqualification",
        title=_("Disqualify"),
        question=_(
            "They leave, have no place and no title, and cannot join again unless an organiser lets them in. By the "
            "rule that is chosen below, this follows:"
        ),
        done=_("They are disqualified."),
        service=disqualify_entry,
        what_follows=what_follows_from_disqualifying,
        foreseen_by=("rule",),
        is_foreseen_at_once=True,
        inputs={"rule": ResultsRule(), "confirm": Confirm(), "reason": Reason()},
        suits=lambda entry: entry.status != EntryStatus.REPLACED and entry.disqualified_at is None,
        when=can_judge,
        is_grave=True,
    ),
    Act(
        "take-back-disqualification",
        "take_back_disqualification",
        ENTRY,
        inverse="disqualify_entry",
        title=_("Take back the disqualification"),
        question=_("Everything is as it was before: their place, their matches, and what followed from these."),
        foreseen="",
        done=_("The disqualification is taken back."),
        service=take_back_disqualification,
        what_follows=what_follows_from_taking_back_disqualification,
        inputs={"confirm": Confirm(), "reason": Reason()},
        suits=lambda entry: entry.disqualified_at is not None,
        when=can_judge,
    ),
    Act(
        "replace",
        "replace_entry",
        ENTRY,
        inverse="take_back_replacement",
        title=_("Replace"),
        question=_(
            "Another player takes over this place with all its results. Unfinished matches start again. A player who "
            "has to be asked first takes over when they accept."
        ),
        foreseen=_("A player who has to be asked first takes over when they accept."),
        done=_say_replaced,
        service=replace_or_invite,
        what_follows=what_follows_from_replacing,
        inputs={"player": Username(), "reason": Reason()},
        suits=lambda entry: (
            entry.status != EntryStatus.REPLACED and entry.disqualified_at is None and entry.team_id is None
        ),
    ),
    Act(
        "take-back-replacement",
        "take_back_replacement",
        ENTRY,
        inverse="replace_entry",
        title=_("Take back the replacement"),
        question=_(
            "The player has the place again. Matches go on from where they stood when it was taken over. What the "
            "other player has played no longer counts."
        ),
        foreseen="",
        done=_("The player has the place again."),
        service=take_back_replacement,
        what_follows=what_follows_from_taking_back_replacement,
        inputs={"confirm": Confirm(), "reason": Reason()},
        suits=lambda entry: entry.status == EntryStatus.REPLACED and not is_closed(entry),
        when=lambda competition: competition.status in NOT_STARTED or was_played(competition),
    ),
    Act(
        "line-up",
        "set_line_up_of_team",
        ENTRY,
        inverse="set_line_up_of_team",
        title=_("Set the line-up"),
        question=_("Sets which member plays on which board from a given round, in place of the captain."),
        done=_("The line-up is set."),
        service=set_line_up,
        inputs={"round_number": LineUpRound(), "players": BoardPlayers(), "reason": Reason(required=False)},
        suits=lambda entry: entry.is_in and entry.team_id is not None and bool(coming_line_up_rounds(entry)),
        own_answer=LINE_UP_ANSWER,
        api_method="put",
    ),
    Act(
        "request-bye",
        "request_bye_for_entry",
        ENTRY,
        inverse="take_back_bye_of_entry",
        title=_("Give a bye"),
        question=_(
            "The player sits out a round that has not been drawn yet. This counts as a draw. Nobody can have two "
            "such byes."
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
        inverse="request_bye_for_entry",
        title=_("Take back the bye"),
        question=_("The player plays in the round after all, if it has not been drawn yet."),
        done=_("The player will play in every round."),
        service=take_back_bye,
        inputs={"reason": Reason(required=False)},
        suits=lambda entry: offers_byes(entry) and find_bye_request(entry.seat) is not None,
    ),
    Act(
        "move-in-queue",
        "move_in_queue",
        ENTRY,
        inverse="move_in_queue",
        title=_("Move in the queue"),
        question=_(
            "Gives a player who waits for a group another place in the queue. Those whose places change are notified. "
            "The log says where the player was, and by the same act they are there again."
        ),
        done=_("The player has the place in the queue."),
        service=move_in_queue,
        what_follows=what_follows_from_moving,
        foreseen_by=("level", "place"),
        inputs={"level": QueueLevel(), "place": QueuePlace(), "reason": Reason()},
        suits=_waits_for_group,
        when=_has_queues,
    ),
    Act(
        "check-in",
        "check_in_waiting_player",
        WAITING,
        inverse="take_back_check_in_of_waiting_player",
        title=_("Check in"),
        question=_("Marks the player as present. They move up at the start if somebody is left out."),
        done=_("The player is checked in."),
        service=check_in_waiting,
        inputs={"reason": Reason(required=False)},
        suits=lambda waiting: waiting.removed_at is None and waiting.checked_in_at is None,
        when=_is_checking_in,
    ),
    Act(
        "take-back-check-in",
        "take_back_check_in_of_waiting_player",
        WAITING,
        inverse="check_in_waiting_player",
        title=_("Take back the check-in"),
        question=_("The player does not move up at the start unless they check in again."),
        done=_("The player is no longer checked in."),
        service=take_back_check_in_of_waiting,
        inputs={"reason": Reason(required=False)},
        suits=lambda waiting: waiting.removed_at is None and waiting.checked_in_at is not None,
        when=_is_checking_in,
    ),
    Act(
        "enter",
        "enter_from_waiting_list",
        WAITING,
        inverse="withdraw_entry",
        title=_("Add"),
        question=_("The player joins the competition out of turn, even if all places are taken."),
        in_cups=_("Any existing draw is discarded."),
        done=_("The player has been added."),
        service=enter_from_waiting_list,
        inputs={"reason": Reason(required=False)},
        suits=lambda waiting: waiting.removed_at is None,
        own_answer=ENTRY_ANSWER,
    ),
    Act(
        "remove",
        "remove_from_waiting_list",
        WAITING,
        inverse="take_back_removal",
        title=_("Remove"),
        question=_("The player is removed from the waiting list and notified, with your reason."),
        done=_("The player is no longer on the waiting list."),
        service=remove_from_waiting_list,
        inputs={"reason": Reason()},
        suits=lambda waiting: waiting.removed_at is None,
    ),
    Act(
        "take-back-removal",
        "take_back_removal",
        WAITING,
        inverse="remove_from_waiting_list",
        title=_("Take back the removal"),
        question=_("The player is on the waiting list again, in the old place, and notified."),
        done=_("The player is on the waiting list again."),
        service=take_back_removal,
        inputs={"reason": Reason(required=False)},
        suits=lambda waiting: waiting.removed_at is not None and waiting.player.is_active,
    ),
    Act(
        "withdraw",
        "withdraw_invitation",
        INVITATION,
        inverse="admit_player",
        title=_("Withdraw the invitation"),
        question=_("It can no longer be accepted. You can invite them again."),
        done=_("The invitation is withdrawn."),
        service=withdraw_invitation,
        inputs={"reason": Reason(required=False)},
        suits=lambda invitation: invitation.status == InvitationStatus.WAITING,
    ),
)
