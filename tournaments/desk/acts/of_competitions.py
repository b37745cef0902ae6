"""The acts of organisers on a competition and its announcements, in the order in which pages offer them."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from database.clock import current_moment
from tournaments.decisions.services.pauses import pause_competition, resume_competition
from tournaments.decisions.services.status import (
    announce,
    cancel_competition,
    close_competition,
    finish_competition,
    open_competition,
)
from tournaments.decisions.services.undo.ends import take_back_end, what_follows_from_taking_back_end
from tournaments.decisions.services.undo.outages import (
    forgive_outage,
    has_lost,
    take_back_outage,
    what_follows_from_forgiving,
    what_follows_from_taking_back_outage,
)
from tournaments.decisions.services.undo.starts import take_back_start, what_follows_from_taking_back_start
from tournaments.desk.acts.act import Act
from tournaments.desk.acts.inputs import KeptResults, OutageMoment, PublicText
from tournaments.desk.acts.kinds import ANNOUNCEMENT, COMPETITION, ENTRY_ANSWER, LOG_LINE, was_played
from tournaments.entries.services.check_ins import call_off_check_in, open_check_in
from tournaments.entries.services.invitations import admit_or_invite
from tournaments.entries.services.new_invitations import ask_again, what_follows_from_asking_again
from tournaments.entries.services.team_entries import admit_team
from tournaments.models import NOT_STARTED, Competition, CompetitionStatus, EntryInvitation
from tournaments.office.inputs import Announcement, Confirm, Reason, Username
from tournaments.office.selectors.invitations import unanswered_in
from tournaments.office.selectors.lists import has_public_text
from tournaments.office.services.announcements import pin_announcement, unpin_announcement
from tournaments.office.services.log_texts import edit_text, put_up_again, take_down
from tournaments.records.outages import standing_outages
from tournaments.running.selectors.entry_conditions import can_take_late_entries
from tournaments.running.services.before_start import what_follows_from_starting
from tournaments.running.services.start import start_competition
from tournaments.teams.inputs import BoardPlayers, TeamName


def _was_ended_by_hand(competition: Competition) -> bool:
    return competition.status == CompetitionStatus.CANCELLED or (
        competition.status == CompetitionStatus.FINISHED and competition.is_endless
    )


def _gathers(competition: Competition) -> bool:
    """Return whether groups form in it as long as players come: entry stays open after the start."""
    return competition.status == CompetitionStatus.RUNNING and competition.first_stage.gathers


def _waits_for_answers(competition: Competition) -> bool:
    can_enter = competition.status in NOT_STARTED or competition.first_stage.allows_late_entry
    return can_enter and unanswered_in(competition).exists()


def _may_have_lost(competition: Competition) -> bool:
    # While it is running, whoever asks is told whether there is something to forgive.
    return competition.status == CompetitionStatus.RUNNING or has_lost(competition_id=competition.pk)


def _has_forgiven(competition: Competition) -> bool:
    # Where it was read for its organisers, it is known of most that they never have.
    known = vars(competition).get("was_forgiving", True)
    return known and bool(standing_outages(competition_id=competition.pk))


def _is_checking_in(competition: Competition) -> bool:
    return competition.is_checking_in(current_moment())


def _can_open_check_in(competition: Competition) -> bool:
    is_coming = competition.status in {CompetitionStatus.OPEN, CompetitionStatus.CLOSED}
    is_for_it = not competition.is_endless and competition.boards is None
    return is_coming and is_for_it and not _is_checking_in(competition)


def _say_entered(result: Any) -> Any:
    if isinstance(result, EntryInvitation):
        return _("The player has been invited, and will play if they accept before the start.")
    return _("The player has been added.")


def _say_opened(result: Competition) -> Any:
    return _("Players can join now.") if result.boards is None else _("Teams can join now.")


def _say_team_entered(result: Any) -> Any:
    if isinstance(result, EntryInvitation):
        return _("The team has been invited, and plays if its captain accepts before the start.")
    return _("The team has been added.")


def _can_admit(competition: Competition) -> bool:
    if competition.boards is not None:
        return False
    if competition.status == CompetitionStatus.RUNNING:
        return can_take_late_entries(competition)
    return competition.status in NOT_STARTED


COMPETITION_ACTS: tuple[Act, ...] = (
    Act(
        "open",
        "open_competition",
        COMPETITION,
        inverse="close_competition",
        title=_("Open entry"),
        question=_("Entry is open from now on."),
        in_cups=_("Any existing draw is discarded."),
        done=_say_opened,
        service=open_competition,
        inputs={"reason": Reason(required=False)},
        suits=lambda competition: (
            competition.status in {CompetitionStatus.DRAFT, CompetitionStatus.CLOSED}
            or (_gathers(competition) and not competition.first_stage.late_entry)
        ),
        is_next=True,
    ),
    Act(
        "close",
        "close_competition",
        COMPETITION,
        inverse="open_competition",
        title=_("Close entry"),
        question=_("Nobody can join unless you open entry again."),
        in_cups=_("A cup whose groups form as players join ends when its groups are over."),
        done=_("Entry is closed."),
        service=close_competition,
        inputs={"reason": Reason(required=False)},
        suits=lambda competition: (
            competition.status == CompetitionStatus.OPEN
            or (_gathers(competition) and competition.first_stage.late_entry)
        ),
    ),
    Act(
        "start",
        "start_competition",
        COMPETITION,
        inverse="take_back_start",
        title=_("Start"),
        question=_("Play begins at once."),
        in_cups=_("A cup without a draw is drawn now."),
        done=_("The competition has started."),
        service=start_competition,
        what_follows=what_follows_from_starting,
        inputs={"reason": Reason(required=False)},
        suits=lambda competition: competition.status in {CompetitionStatus.OPEN, CompetitionStatus.CLOSED},
        is_next=True,
    ),
    Act(
        "open-check-in",
        "open_check_in",
        COMPETITION,
        inverse="call_off_check_in",
        title=_("Open the check-in"),
        question=_(
            "Everybody who has joined is asked to check in. Players who have not checked in when the competition "
            "starts do not play, and players on the waiting list who have checked in move up."
        ),
        done=_("Players can check in now."),
        service=open_check_in,
        inputs={"reason": Reason(required=False)},
        suits=_can_open_check_in,
    ),
    Act(
        "call-off-check-in",
        "call_off_check_in",
        COMPETITION,
        inverse="open_check_in",
        title=_("Cancel the check-in"),
        question=_("Nobody has to check in any more: everybody who has joined plays."),
        done=_("The check-in has been cancelled."),
        service=call_off_check_in,
        inputs={"reason": Reason()},
        suits=_is_checking_in,
    ),
    Act(
        "announce",
        "announce",
        COMPETITION,
        inverse="take_down_log_text",
        title=_("Post an announcement"),
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
        inverse="take_back_entry",
        title=_("Add a player"),
        question=_(
            "Adds a player even if the competition is full or has rating limits or a password. A player who has "
            "to be asked first is invited, and plays if they accept in time."
        ),
        in_cups=_("Before the start, any existing draw is discarded."),
        done=_say_entered,
        service=admit_or_invite,
        inputs={"player": Username(), "reason": Reason(required=False)},
        suits=_can_admit,
        own_answer=ENTRY_ANSWER,
        api_path="admissions",
    ),
    Act(
        "admit-team",
        "admit_team",
        COMPETITION,
        inverse="withdraw_entry",
        title=_("Add a team"),
        question=_(
            "Adds a team even if the competition is full or has a password. Its captain is notified, and can "
            "change the line-up until the first round begins. Any existing draw is discarded. A captain who has "
            "to be asked first is invited, and chooses the players."
        ),
        done=_say_team_entered,
        service=admit_team,
        inputs={"team_id": TeamName(), "players": BoardPlayers(required=False), "reason": Reason(required=False)},
        suits=lambda competition: competition.boards is not None and competition.status in NOT_STARTED,
        own_answer=ENTRY_ANSWER,
        api_path="team-admissions",
    ),
    Act(
        "ask-again",
        "ask_invited_again",
        COMPETITION,
        title=_("Ask again"),
        question=_("Everybody who is invited and has not answered gets the invitation once more."),
        final=_("Mails that were sent cannot be taken back."),
        done=_("They have been asked again."),
        service=ask_again,
        what_follows=what_follows_from_asking_again,
        inputs={"reason": Reason(required=False)},
        suits=_waits_for_answers,
    ),
    Act(
        "pause",
        "pause_competition",
        COMPETITION,
        inverse="resume_competition",
        title=_("Pause"),
        question=_("All clocks stop, and nobody can move until you resume."),
        in_cups=_("Round deadlines are paused, too."),
        done=_("The competition is paused."),
        service=pause_competition,
        inputs={"reason": Reason()},
        suits=lambda competition: competition.status == CompetitionStatus.RUNNING and competition.paused_at is None,
    ),
    Act(
        "resume",
        "resume_competition",
        COMPETITION,
        inverse="pause_competition",
        title=_("Resume"),
        question=_("All clocks continue from where they stopped."),
        in_cups=_("Round deadlines are extended by the length of the pause."),
        done=_("The competition has been resumed."),
        service=resume_competition,
        inputs={"reason": Reason(required=False)},
        suits=lambda competition: competition.paused_at is not None,
        is_next=True,
    ),
    Act(
        "forgive-outage",
        "forgive_outage",
        COMPETITION,
        inverse="take_back_outage",
        title=_("Forgive an outage"),
        question=_(
            "Matches that were lost on time in an outage go on. Players who had lost have the time that was left when "
            "the outage began, or when their turn began if that was later. What followed from the results is taken "
            "back. Matches of players who have left since are not among them."
        ),
        done=_("The matches go on."),
        service=forgive_outage,
        what_follows=what_follows_from_forgiving,
        foreseen_by=("begins_at", "ends_at", "kept"),
        inputs={
            "begins_at": OutageMoment(_("From (UTC)"), "from"),
            "ends_at": OutageMoment(_("Until (UTC)"), "until"),
            "kept": KeptResults(),
            "confirm": Confirm(),
            "reason": Reason(),
        },
        suits=_may_have_lost,
        when=was_played,
        is_grave=True,
    ),
    Act(
        "take-back-outage",
        "take_back_outage",
        COMPETITION,
        inverse="forgive_outage",
        title=_("Take back the forgiving"),
        question=_("The matches that went on after the last outage you forgave are lost on time again, as they were."),
        done=_("The matches are lost on time."),
        service=take_back_outage,
        what_follows=what_follows_from_taking_back_outage,
        inputs={"confirm": Confirm(_("Also decide or annul matches in which somebody has moved")), "reason": Reason()},
        suits=_has_forgiven,
        when=was_played,
        is_grave=True,
    ),
    Act(
        "take-back-start",
        "take_back_start",
        COMPETITION,
        inverse="start_competition",
        title=_("Take back the start"),
        question=_("The competition goes back to “entry closed”, as before the start. Its matches no longer count."),
        in_cups=_(
            "Where you start it again with the same draw, game and clocks, matches of rounds count again, or go on."
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
        inverse="take_back_end",
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
        inverse="take_back_end",
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
        inverse="cancel_competition",
        title=_("Take back the end"),
        question=_(
            "The competition goes on, and its unfinished matches go on from where they stood. One that had not started "
            "is closed for entry."
        ),
        foreseen="",
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
        inverse="unpin_announcement",
        title=_("Pin"),
        question=_("The announcement is shown on the competition’s page until you unpin it."),
        done=_("The announcement is pinned."),
        service=pin_announcement,
        suits=lambda announcement: announcement.pinned_at is None and announcement.taken_down_at is None,
    ),
    Act(
        "unpin",
        "unpin_announcement",
        ANNOUNCEMENT,
        inverse="pin_announcement",
        title=_("Unpin"),
        question=_("The announcement stays in the log, but is no longer shown on the competition’s page."),
        done=_("The announcement is no longer pinned."),
        service=unpin_announcement,
        suits=lambda announcement: announcement.pinned_at is not None and announcement.taken_down_at is None,
    ),
    Act(
        "edit-text",
        "edit_log_text",
        LOG_LINE,
        inverse="edit_log_text",
        title=_("Edit the text"),
        question=_("Everybody reads the new text. Organisers can still read the old one, and who changed it."),
        done=_("The text is changed."),
        service=edit_text,
        inputs={"text": PublicText()},
        suits=lambda line: has_public_text(line) and line.taken_down_at is None,
    ),
    Act(
        "take-down",
        "take_down_log_text",
        LOG_LINE,
        inverse="put_up_log_text",
        title=_("Take down the text"),
        question=_(
            "Only organisers can still read the text. Everybody else reads that it was taken down. Mails that were "
            "sent already cannot be taken back."
        ),
        done=_("The text is taken down."),
        service=take_down,
        suits=lambda line: has_public_text(line) and line.taken_down_at is None,
    ),
    Act(
        "put-up",
        "put_up_log_text",
        LOG_LINE,
        inverse="take_down_log_text",
        title=_("Put up the text again"),
        question=_("Everybody can read the text again."),
        done=_("The text is up again."),
        service=put_up_again,
        suits=lambda line: line.taken_down_at is not None,
    ),
)
