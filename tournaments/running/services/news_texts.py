"""Sentences of mails about the lines of a log: to those who play, and to those who organise."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules_engine.values import Side
from tournaments.models import (
    NOT_STARTED,
    CompetitionStatus,
    Entry,
    EntryInvitation,
    EntryStatus,
    InvitationStatus,
    LogEntry,
)
from tournaments.office.services.invitation_links import invitation_link
from tournaments.office.services.log import ACTIONS
from tournaments.records.matches import FirstMatch, first_match_of
from tournaments.running.selectors.notifications import place_at_end
from tournaments.running.services.news import LAST_OF_THE_FINAL


@dataclass(frozen=True, slots=True)
class News:
    """A line of a log in a mail: the ``headline`` of the mail's subject, a sentence, and what was given as reason.

    ``moment`` is the date at the end of the sentence, if it has one. By the ``link`` its reader answers, if there is
    something to answer.
    """

    headline: str
    sentence: str
    reason: str = ""
    moment: datetime | None = None
    link: str = ""


Text = tuple[str | Promise, str | Promise]

_DATED = frozenset({"round-ending", "round-overdue"})
"""The actions whose reason is a date."""

_TO_PLAYERS: Mapping[str, Text] = {
    "organiser-named": (
        gettext_lazy("you are now an organiser"),
        gettext_lazy("%(actor)s has made you an organiser of %(competition)s."),
    ),
    "organiser-gone": (
        gettext_lazy("you no longer organise it"),
        gettext_lazy("%(actor)s has removed you as an organiser of %(competition)s."),
    ),
    "helper-named": (
        gettext_lazy("you are a helper now"),
        gettext_lazy("%(actor)s has made you a helper of %(competition)s: you may decide its matches."),
    ),
    "helper-gone": (
        gettext_lazy("you are no longer a helper"),
        gettext_lazy("%(actor)s has removed you as a helper of %(competition)s."),
    ),
    "invited": (
        gettext_lazy("you are invited"),
        gettext_lazy(
            "%(actor)s invites you to play in %(competition)s. You play only if you accept before it starts. "
            "Accept or decline here:"
        ),
    ),
    "announced": (
        gettext_lazy("an announcement"),
        gettext_lazy("%(actor)s has posted an announcement in %(competition)s:"),
    ),
    "cancelled": (gettext_lazy("cancelled"), gettext_lazy("%(competition)s is cancelled.")),
    "paused": (
        gettext_lazy("paused"),
        gettext_lazy("%(competition)s is paused. The clocks of your matches are stopped."),
    ),
    "resumed": (
        gettext_lazy("resumed"),
        gettext_lazy("%(competition)s has been resumed. The clocks of your matches are running again."),
    ),
    "entered": (gettext_lazy("you have been entered"), gettext_lazy("%(actor)s has entered you in %(competition)s.")),
    "imported": (gettext_lazy("you have been entered"), gettext_lazy("%(actor)s has entered you in %(competition)s.")),
    "entered-again": (
        gettext_lazy("you are in the next season"),
        gettext_lazy(
            "The next season, %(competition)s, is coming up. You played in the last one, so you are entered "
            "again. Leave it if you do not want to play."
        ),
    ),
    "entered-final": (
        gettext_lazy("you are in the final of the year"),
        gettext_lazy(
            "You won one of this year's seasons, so you are entered in %(competition)s. Leave it if you do not "
            "want to play."
        ),
    ),
    "moved-up": (
        gettext_lazy("a place became free: you play"),
        gettext_lazy("You have moved up from the waiting list of %(competition)s: you are now in it."),
    ),
    "waiting-removed": (
        gettext_lazy("you are off the waiting list"),
        gettext_lazy("%(actor)s has removed you from the waiting list of %(competition)s."),
    ),
    "waiting-ended": (
        gettext_lazy("it has started without you"),
        gettext_lazy("%(competition)s has started, and no place became free for you. Its waiting list has ended."),
    ),
    "waiting-cancelled": (
        gettext_lazy("cancelled"),
        gettext_lazy("%(competition)s is cancelled, and you were on its waiting list."),
    ),
    "check-in-undone": (
        gettext_lazy("the check-in has been cancelled"),
        gettext_lazy("The check-in for %(competition)s has been cancelled: nobody has to check in now."),
    ),
    "checked-in-undone": (
        gettext_lazy("you are no longer checked in"),
        gettext_lazy("%(actor)s has taken back your check-in to %(competition)s."),
    ),
    "left-out": (
        gettext_lazy("it has started without you"),
        gettext_lazy("%(competition)s has started without you, because you had not checked in."),
    ),
    "left-out-undone": (
        gettext_lazy("you are in it again"),
        gettext_lazy("The start of %(competition)s has been taken back, and you are in it again."),
    ),
    "moved-up-undone": (
        gettext_lazy("you are on the waiting list again"),
        gettext_lazy("The start of %(competition)s has been taken back, and you are on its waiting list again."),
    ),
    "withdrew": (
        gettext_lazy("you have been withdrawn"),
        gettext_lazy("You have been withdrawn from %(competition)s."),
    ),
    "left": (gettext_lazy("you are no longer in it"), gettext_lazy("You are no longer in %(competition)s.")),
    "bye-requested": (
        gettext_lazy("a bye for you"),
        gettext_lazy("%(actor)s has asked for a bye for you in %(competition)s: %(subject)s."),
    ),
    "adjudicated": (
        gettext_lazy("your match has been decided"),
        gettext_lazy("%(actor)s has decided your match in %(competition)s. Match and winner: %(subject)s."),
    ),
    "annulled": (
        gettext_lazy("your match no longer counts"),
        gettext_lazy("%(actor)s has annulled your match in %(competition)s: %(subject)s."),
    ),
    "replayed": (
        gettext_lazy("your match will be replayed"),
        gettext_lazy("%(actor)s has ordered a replay of your match in %(competition)s: %(subject)s."),
    ),
    "extended": (
        gettext_lazy("more time for you"),
        gettext_lazy("%(actor)s has given you more time in %(competition)s. %(subject)s."),
    ),
    "match-paused": (
        gettext_lazy("your match is paused"),
        gettext_lazy("%(actor)s has paused your match in %(competition)s: %(subject)s. The clocks are stopped."),
    ),
    "match-resumed": (
        gettext_lazy("your match has been resumed"),
        gettext_lazy("%(actor)s has resumed your match in %(competition)s: %(subject)s. The clocks are running again."),
    ),
    "round-cut-short": (
        gettext_lazy("a round was ended early"),
        gettext_lazy("Round %(subject)s of %(competition)s was ended before your matches were over."),
    ),
    "round-ending": (
        gettext_lazy("a round ends soon"),
        gettext_lazy(
            "Round %(subject)s of %(competition)s ends soon, and you still have unfinished matches in it. It ends on"
        ),
    ),
}

_TO_ORGANISERS: Mapping[str, Text] = {
    "invitation-accepted": (
        gettext_lazy("an invitation was accepted"),
        gettext_lazy("%(subject)s has accepted the invitation, and plays in %(competition)s."),
    ),
    "invitation-declined": (
        gettext_lazy("an invitation was declined"),
        gettext_lazy("%(subject)s has declined the invitation to %(competition)s."),
    ),
    "entered": (
        gettext_lazy("a player has been entered"),
        gettext_lazy("%(actor)s has entered %(subject)s in %(competition)s."),
    ),
    "imported": (
        gettext_lazy("players have been entered"),
        gettext_lazy("%(actor)s has entered players from a list in %(competition)s: %(subject)s."),
    ),
    "joined": (gettext_lazy("a player has joined"), gettext_lazy("%(subject)s has joined %(competition)s.")),
    "departed": (gettext_lazy("a player has left"), gettext_lazy("%(subject)s has left %(competition)s.")),
    "withdrew": (
        gettext_lazy("a player has been withdrawn"),
        gettext_lazy("%(subject)s no longer plays in %(competition)s."),
    ),
    "left": (gettext_lazy("a player has left"), gettext_lazy("%(subject)s is no longer in %(competition)s.")),
    "waiting-joined": (
        gettext_lazy("a player is on the waiting list"),
        gettext_lazy("%(subject)s is on the waiting list of %(competition)s now."),
    ),
    "waiting-left": (
        gettext_lazy("a player has left the waiting list"),
        gettext_lazy("%(subject)s is no longer on the waiting list of %(competition)s."),
    ),
    "moved-up": (
        gettext_lazy("a player has moved up"),
        gettext_lazy("%(subject)s has moved up from the waiting list, and plays in %(competition)s."),
    ),
    "left-out": (
        gettext_lazy("players were left out"),
        gettext_lazy("%(competition)s has started without players who had not checked in: %(subject)s."),
    ),
    "replaced": (
        gettext_lazy("a place has been taken over"),
        gettext_lazy("Another player has taken over a place in %(competition)s: %(subject)s."),
    ),
    "full": (
        gettext_lazy("it is full"),
        gettext_lazy("%(competition)s is full. Players who have joined: %(subject)s."),
    ),
    "startable": (
        gettext_lazy("enough players to start"),
        gettext_lazy("%(competition)s has enough players to start. Players who have joined: %(subject)s."),
    ),
    "round-proposed": (
        gettext_lazy("a round is waiting for you"),
        gettext_lazy(
            "Round %(subject)s of %(competition)s has been drawn. It cannot begin until an organiser publishes it."
        ),
    ),
    "round-ending": (
        gettext_lazy("a round ends soon"),
        gettext_lazy("Round %(subject)s of %(competition)s has unfinished matches. It ends on"),
    ),
    "round-overdue": (
        gettext_lazy("matches need a decision"),
        gettext_lazy(
            "Round %(subject)s of %(competition)s is waiting for unfinished matches. Decide them, or set a later "
            "deadline. It should have ended on"
        ),
    ),
}


_TO_CAPTAINS: Mapping[str, Text] = {
    "entered": (
        gettext_lazy("your team has been entered"),
        gettext_lazy("%(actor)s has entered your team %(subject)s in %(competition)s."),
    ),
    "withdrew": (
        gettext_lazy("your team has been withdrawn"),
        gettext_lazy("Your team %(subject)s has been withdrawn from %(competition)s."),
    ),
}
"""The sentences for the captain of a team that differ from those for a single player."""

_OF_TEAMS_TO_ORGANISERS: Mapping[str, Text] = {
    "entered": (
        gettext_lazy("a team has been entered"),
        gettext_lazy("%(actor)s has entered %(subject)s in %(competition)s."),
    ),
    "joined": (gettext_lazy("a team has joined"), gettext_lazy("%(subject)s has joined %(competition)s.")),
    "departed": (gettext_lazy("a team has left"), gettext_lazy("%(subject)s has left %(competition)s.")),
    "withdrew": (
        gettext_lazy("a team has been withdrawn"),
        gettext_lazy("%(subject)s no longer plays in %(competition)s."),
    ),
    "full": (gettext_lazy("it is full"), gettext_lazy("%(competition)s is full. Teams that have joined: %(subject)s.")),
    "startable": (
        gettext_lazy("enough players to start"),
        gettext_lazy("%(competition)s has enough teams to start. Teams that have joined: %(subject)s."),
    ),
}


def _texts_of(line: LogEntry, *, organises: bool) -> Text | None:
    of_teams = _OF_TEAMS_TO_ORGANISERS if organises else _TO_CAPTAINS
    if line.competition.boards is not None and line.action in of_teams:
        return of_teams[line.action]
    return (_TO_ORGANISERS if organises else _TO_PLAYERS).get(line.action)


def write_line(line: LogEntry, *, player_id: int, organises: bool) -> News | None:
    """Return what a mail says of a line to a player whom it concerns, or to an organiser.

    Returns ``None`` for a draw that is no news any more: it was undone, or the matches have begun and are told of; for
    one that organisers have not published; for an invitation that was answered or withdrawn; and for a check-in that is
    over.
    """
    if line.action in {"drawn", "round-published"}:
        return _drawn(line, player_id)
    if line.action == "check-in-opened":
        return _check_in_opened(line)
    link, subject = "", line.subject
    if line.action == "invited":
        invitation = _waiting_invitation(line, player_id)
        if invitation is None:
            return None
        link, subject = invitation_link(invitation), str(invitation)
    facts = {
        "actor": _("Kickabout") if line.actor is None else line.actor.username,
        "competition": line.competition.name,
        "subject": subject,
    }
    if not organises and line.action in _OWN:
        headline, sentence = _OWN[line.action](line, player_id)
    else:
        headline, sentence = _texts_of(line, organises=organises) or _undone(line)
    is_dated = line.action in _DATED
    return News(
        headline=str(headline),
        sentence=str(sentence) % facts,
        reason="" if is_dated else line.reason,
        moment=datetime.fromisoformat(line.reason) if is_dated else None,
        link=link,
    )


def _check_in_opened(line: LogEntry) -> News | None:
    """Return that the player has to check in, and until when; ``None`` if they can do so no more."""
    competition = line.competition
    if competition.check_in_opened_at is None or competition.status not in NOT_STARTED:
        return None
    text = _(
        "If you want to play in {competition}, check in on its page. If you have not checked in by the start, you "
        "cannot play."
    )
    sentences = [text.format(competition=competition.name)]
    if competition.starts_at is None:
        sentences.append(_("It starts when an organiser starts it."))
    else:
        sentences.append(_("It starts on"))
    return News(
        headline=_("check in now"), sentence=" ".join(sentences), reason=line.reason, moment=competition.starts_at
    )


def _waiting_invitation(line: LogEntry, player_id: int) -> EntryInvitation | None:
    """Return the invitation of a line that waits for the player's answer; of a team it is that which the line names."""
    invited = EntryInvitation.objects.filter(competition_id=line.competition_id, player=player_id)
    if line.competition.boards is not None:
        invited = invited.filter(team=line.team_id)
    waiting = invited.filter(status=InvitationStatus.WAITING, asked_at__isnull=False)
    return waiting.select_related("player", "team").first()


def _undone(line: LogEntry) -> Text:
    what = str(ACTIONS.get(line.action, line.action)).replace("%", "%%")
    sentence = _("Something was undone in %(competition)s: {what} (%(subject)s).").format(what=what)
    if not line.subject:
        sentence = _("Something was undone in %(competition)s: {what}.").format(what=what)
    return _("something was undone"), sentence


def _finished(line: LogEntry, player_id: int) -> Text:
    place = place_at_end(competition=line.competition, player_id=player_id)
    sentence = _("%(competition)s is over. %(subject)s has won.") if line.subject else _("%(competition)s is over.")
    if place is not None and (place <= LAST_OF_THE_FINAL or not _is_told_when_out(line)):
        own = _("Your place: {place}.") if line.competition.boards is None else _("Your team's place: {place}.")
        sentence = f"{sentence} {own.format(place=place)}"
    return _("it is over"), sentence


def _is_told_when_out(line: LogEntry) -> bool:
    last = line.competition.stages.order_by("number").last()
    return last is not None and last.is_bracket


def _through(line: LogEntry, _player_id: int) -> Text:
    if line.competition.boards is not None:
        return _("your team is through"), _("Your team is through in %(competition)s: %(subject)s.")
    return _("you are through"), _("You are through in %(competition)s: %(subject)s.")


def _out(line: LogEntry, _player_id: int) -> Text:
    if line.competition.boards is not None:
        return _team_out(line)
    if line.subject == "3":
        return _("you came third"), _("You came third in %(competition)s.")
    sentence = _("You are out of %(competition)s.")
    if line.subject:
        sentence = f"{sentence} {_('Your place: %(subject)s.')}"
    return _("you are out"), sentence


def _team_out(line: LogEntry) -> Text:
    if line.subject == "3":
        return _("your team came third"), _("Your team came third in %(competition)s.")
    sentence = _("Your team is out of %(competition)s.")
    if line.subject:
        sentence += " " + _("Your team's place: %(subject)s.")
    return _("your team is out"), sentence


def _replaced(line: LogEntry, player_id: int) -> Text:
    entry = Entry.objects.filter(competition_id=line.competition_id, player_id=player_id).first()
    if entry is not None and entry.status == EntryStatus.REPLACED:
        return _("you have been replaced"), _("%(actor)s has given your place in %(competition)s to another player.")
    return _("you have been given a place"), _("%(actor)s has given you a place in %(competition)s: %(subject)s.")


def _drawn(line: LogEntry, player_id: int) -> News | None:
    competition = line.competition
    if competition.status != CompetitionStatus.CLOSED:
        return None
    if line.action == "drawn" and competition.first_stage.abilities.organisers_publish:
        # They hear of it when round 1 is published.
        return None
    first = first_match_of(competition_id=competition.pk, player_id=player_id)
    if first is None:
        return None
    sentences = [_("{competition} has been drawn.").format(competition=competition.name), _say_first(first)]
    if competition.starts_at is not None:
        sentences.append(_("It starts on"))
    return News(headline=_("it has been drawn"), sentence=" ".join(sentences), moment=competition.starts_at)


def _say_first(first: FirstMatch) -> str:
    if not first.opponent:
        return _("You have a bye in round 1.")
    if first.side is None:
        return _("In round 1 you meet {opponent}.").format(opponent=first.opponent)
    if first.side == Side.YELLOW:
        return _("In round 1 you play Yellow against {opponent}.").format(opponent=first.opponent)
    return _("In round 1 you play Red against {opponent}.").format(opponent=first.opponent)


def _invited(line: LogEntry, _player_id: int) -> Text:
    if line.competition.boards is None:
        return _TO_PLAYERS["invited"]
    return _("your team is invited"), _(
        "%(actor)s has invited your team %(subject)s to play in %(competition)s. Your team plays only if you "
        "accept before the competition starts. Accept or decline here:"
    )


_OWN = {"invited": _invited, "finished": _finished, "out": _out, "replaced": _replaced, "through": _through}
"""The parts of the text that differ from player to player."""
