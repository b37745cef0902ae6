"""The sentences on the desk of organisers: what they have to decide, what is wrong in a list or with a pairing."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from formats.pairing.proposed import PairingWarning
from tournaments.desk.selectors import Decision
from tournaments.models import Interest


def pairing_warning_text(warning: PairingWarning, player: Any) -> str:
    """Return what speaks against a pairing or a bye of a player."""
    match warning:
        case PairingWarning.MET_BEFORE:
            return _("They have met before.")
        case PairingWarning.SECOND_BYE:
            sentence = _("%(player)s has had a bye before, or won without playing.")
        case PairingWarning.SIDE_AGAIN:
            sentence = _("%(player)s would play this side for the third time in a row.")
        case PairingWarning.GONE:
            sentence = _("%(player)s has left.")
    return sentence % {"player": player}


def interest_sentence(interest: Interest) -> str:
    """Return what somebody reads before an act in which they have an interest, empty without one."""
    match interest:
        case Interest.MATCH:
            return _("You play in this match. The log will tell everybody so.")
        case Interest.COMPETITION:
            return _("You play in this competition yourself. The log will tell everybody so.")
        case Interest.NONE:
            return ""


def decision_sentence(decision: Decision, number: int, *, of_teams: bool = False) -> str:
    """Return what an organiser has to decide; ``number`` is that of the matches, players or teams concerned."""
    if of_teams and (sentence := _decision_on_teams(decision, number)):
        return sentence % number
    match decision:
        case Decision.DISPUTES:
            sentence = ngettext(
                "%d dispute of a result is waiting for your decision.",
                "%d disputes of results are waiting for your decision.",
                number,
            )
        case Decision.LATE_MATCHES:
            sentence = ngettext(
                "%d match is still running although its round should have ended.",
                "%d matches are still running although their rounds should have ended.",
                number,
            )
        case Decision.PROPOSED_ROUNDS:
            sentence = ngettext(
                "%d round is waiting for you to publish it.", "%d rounds are waiting for you to publish them.", number
            )
        case Decision.CLOSED_ACCOUNTS:
            sentence = ngettext(
                "The account of %d player was closed: you can name a replacement.",
                "The accounts of %d players were closed: you can name replacements.",
                number,
            )
        case Decision.PAUSED:
            return _("It is paused: resume it when play can continue.")
        case Decision.CAN_START:
            sentence = ngettext(
                "%d player has joined, which is enough: you can start it.",
                "%d players have joined, which is enough: you can start it.",
                number,
            )
        case Decision.CHECKED_IN:
            sentence = ngettext(
                "%d player has checked in, which is enough: you can start it.",
                "%d players have checked in, which is enough: you can start it.",
                number,
            )
        case Decision.FULL:
            sentence = _("All %d places are taken: you can start it.")
        case Decision.UNANSWERED:
            sentence = ngettext(
                "%d player has not answered your invitation: without an answer they do not play.",
                "%d players have not answered your invitation: without an answer they do not play.",
                number,
            )
        case Decision.CANNOT_START:
            sentence = ngettext(
                "Its start time has passed, but %d more player is needed.",
                "Its start time has passed, but %d more players are needed.",
                number,
            )
    return sentence % number


def _decision_on_teams(decision: Decision, number: int) -> str:
    """Return the sentence where teams are counted, empty for decisions that say the same of players and teams."""
    match decision:
        case Decision.CAN_START:
            return ngettext(
                "%d team has joined, which is enough: you can start it.",
                "%d teams have joined, which is enough: you can start it.",
                number,
            )
        case Decision.UNANSWERED:
            return ngettext(
                "%d team has not answered your invitation: without an answer it does not play.",
                "%d teams have not answered your invitation: without an answer they do not play.",
                number,
            )
        case Decision.CANNOT_START:
            return ngettext(
                "Its start time has passed, but %d more team is needed.",
                "Its start time has passed, but %d more teams are needed.",
                number,
            )
        case _:
            return ""
