"""Sentences of mails about the lines of a log: to those who play, and to those who organise."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q
from django.utils.translation import gettext as _

from players.models import Player
from rules_engine.values import Side
from tournaments.models import (
    NOT_STARTED,
    Competition,
    CompetitionStatus,
    Dispute,
    Entry,
    EntryInvitation,
    InvitationStatus,
    LogEntry,
    RoleInvitation,
)
from tournaments.models.audiences import CONDITIONS_CHANGED
from tournaments.office.selectors.invitations import open_invitations
from tournaments.office.selectors.lists import ANNOUNCED
from tournaments.office.sentences import change_sentences, public_text
from tournaments.office.services.invitation_links import invitation_link, role_link
from tournaments.office.services.log import ACTIONS
from tournaments.records.matches import FirstMatch, first_match_of
from tournaments.rounds.sentences import reason_of
from tournaments.running.selectors.notifications import place_at_end
from tournaments.running.services.news import LAST_OF_THE_FINAL
from tournaments.running.services.news_sentences import TO_PLAYERS, Text, find_text


@dataclass(frozen=True, slots=True)
class News:
    """A line of a log in a mail: the ``headline`` of the mail's subject, a sentence, and what was given as reason.

    ``moment`` is the date at the end of the sentence, if it has one. The ``changes`` that it speaks of are sentences,
    and ``way_out`` says how a reader who does not like them leaves. By the ``link`` its reader answers, if there is
    something to answer.
    """

    headline: str
    sentence: str
    reason: str = ""
    moment: datetime | None = None
    link: str = ""
    changes: Sequence[str] = ()
    way_out: str = ""


_DATED = frozenset({"round-ending", "round-overdue"})
"""The actions whose reason is a date."""

_ROLES_OFFERED = frozenset({"organiser-invited", "helper-invited"})


def write_line(line: LogEntry, *, player_id: int, organises: bool) -> News | None:
    """Return what a mail says of a line to a player whom it concerns, or to an organiser.

    Returns ``None`` for a draw that is no news any more: it was undone, or the matches have begun and are told of; for
    one that organisers have not published; for an invitation that was answered or withdrawn, or has lapsed; for a
    check-in that is over; and for an announcement that was taken down.
    """
    if line.action in {"drawn", "round-published"}:
        return _drawn(line, player_id)
    if line.action == ANNOUNCED and line.taken_down_at is not None:
        return None
    if line.action == "check-in-opened":
        return _check_in_opened(line)
    link, subject = "", line.subject
    if line.action == "invited":
        invitation = _waiting_invitation(line, player_id)
        if invitation is None:
            return None
        link, subject = invitation_link(invitation), str(invitation)
    if line.action == CONDITIONS_CHANGED:
        asked = open_invitations(player=Player(pk=player_id)).filter(competition_id=line.competition_id).first()
        link = "" if asked is None else invitation_link(asked)
    if line.action in _ROLES_OFFERED:
        offered = RoleInvitation.objects.filter(
            competition_id=line.competition_id, player=player_id, status=InvitationStatus.WAITING
        ).first()
        if offered is None:
            return None
        link = role_link(offered)
    facts = {
        "actor": _("Kickabout") if line.actor is None else line.actor.username,
        "competition": line.competition.name,
        "subject": subject,
    }
    if not organises and line.action in _OWN:
        headline, sentence = _OWN[line.action](line, player_id)
    else:
        headline, sentence = find_text(line, organises=organises) or _undone(line)
    is_dated = line.action in _DATED
    if line.action == "disputed":
        return News(str(headline) % facts, str(sentence) % facts, reason=_text_of_dispute(line))
    if line.interest:
        sentence = f"{sentence} %(actor)s {line.get_interest_display()}."
    reason = reason_of(line, line.competition)
    return News(
        headline=str(headline) % facts,
        sentence=str(sentence) % facts,
        reason="" if is_dated else reason,
        moment=datetime.fromisoformat(line.reason) if is_dated else None,
        link=link,
        changes=change_sentences(line.changes) if line.action == CONDITIONS_CHANGED else (),
        way_out=_way_out(line.competition, is_invited=bool(link)) if line.action == CONDITIONS_CHANGED else "",
    )


def _text_of_dispute(line: LogEntry) -> str:
    disputes = Dispute.objects.filter(fixture__competition=line.competition_id, player=line.actor_id)
    return disputes.filter(disputed_at=line.logged_at).values_list("text", flat=True).first() or ""


def _way_out(competition: Competition, *, is_invited: bool) -> str:
    """Return how a player leaves a competition whose conditions have changed; empty where they would lose by it."""
    if is_invited:
        return _("You play only if you accept, even if you had joined before. Accept or decline here:")
    if competition.status in NOT_STARTED:
        return _("If you do not want to play like this, leave on its page before it starts. You lose nothing.")
    if competition.is_endless:
        return _("If you do not want to play like this, leave on its page. Your running games are played to the end.")
    return ""


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
        headline=_("check in now"), sentence=" ".join(sentences), reason=public_text(line), moment=competition.starts_at
    )


def _waiting_invitation(line: LogEntry, player_id: int) -> EntryInvitation | None:
    """Return the invitation of a line that waits for the player's answer; of a team it is that which the line names."""
    invited = EntryInvitation.objects.filter(competition_id=line.competition_id, player=player_id)
    if line.competition.boards is not None:
        invited = invited.filter(team=line.team_id)
    waiting = invited.filter(status=InvitationStatus.WAITING, asked_at__isnull=False)
    invitation = waiting.select_related("player", "team", "competition").first()
    return None if invitation is None or invitation.has_lapsed else invitation


def _undone(line: LogEntry) -> Text:
    what = str(ACTIONS.get(line.action, line.action)).replace("%", "%%")
    sentence = _("Something was undone in %(competition)s: {what} (%(subject)s).").format(what=what)
    if not line.subject:
        sentence = _("Something was undone in %(competition)s: {what}.").format(what=what)
    return _("something was undone"), sentence


def _finished(line: LogEntry, player_id: int) -> Text:
    place = place_at_end(competition=line.competition, player_id=player_id)
    headline = _("it is over")
    sentence = _("%(competition)s is over. %(subject)s has won.") if line.subject else _("%(competition)s is over.")
    if LogEntry.objects.filter(competition=line.competition_id, action=line.action, pk__lt=line.pk).exists():
        headline = _("the final result now")
        sentence = _("This is the final result of %(competition)s now, in place of the one before.")
        if line.subject:
            sentence = f"{sentence} {_('%(subject)s has won.')}"
    if place is not None and (place <= LAST_OF_THE_FINAL or not _is_told_when_out(line)):
        own = _("Your place: {place}.") if line.competition.boards is None else _("Your team's place: {place}.")
        sentence = f"{sentence} {own.format(place=place)}"
    return headline, sentence


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
    name = Player.objects.values_list("username", flat=True).get(pk=player_id)
    if line.subject.startswith(f"{name} → "):
        return _("you have been replaced"), _("%(actor)s has given your place in %(competition)s to another player.")
    return _("you have been given a place"), _("%(actor)s has given you a place in %(competition)s: %(subject)s.")


def _disqualified(line: LogEntry, player_id: int) -> Text:
    if _is_about(line, player_id):
        return find_text(line, organises=False) or _undone(line)
    return _("your results have changed"), _(
        "%(actor)s has disqualified %(subject)s from %(competition)s. By that, results against them have changed that "
        "you played."
    )


def _disqualify_undone(line: LogEntry, player_id: int) -> Text:
    if _is_about(line, player_id):
        return _undone(line)
    return _("your results count as before"), _(
        "The disqualification of %(subject)s from %(competition)s has been taken back. Results against them that you "
        "played count as before."
    )


def _is_about(line: LogEntry, player_id: int) -> bool:
    """Return whether the entrant whom a line names is the player, or a team that they lead."""
    own = Entry.objects.filter(Q(player=player_id, team=None) | Q(team__captain=player_id))
    entries = own.filter(competition=line.competition_id).select_related("player", "team")
    return any(str(entry) == line.subject for entry in entries)


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
        return TO_PLAYERS["invited"]
    return _("your team is invited"), _(
        "%(actor)s has invited your team %(subject)s to play in %(competition)s. Your team plays only if you "
        "accept before the competition starts. Accept or decline here:"
    )


_OWN = {
    "disqualified": _disqualified,
    "disqualify-undone": _disqualify_undone,
    "invited": _invited,
    "finished": _finished,
    "out": _out,
    "replaced": _replaced,
    "through": _through,
}
"""The parts of the text that differ from player to player."""
