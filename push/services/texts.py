"""Write what a push says, from the facts as they are when it is sent."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils.translation import gettext as _

from matches.models import Match, Seek, SeekStatus
from matches.selectors.conditional_answers import count_dropped
from matches.sentences import format_time_left, result_text
from players.models import Player
from push.models import Push, PushKind
from rules_engine.registry import get_game
from rules_engine.values import Ending
from tournaments.models import LogEntry, MembershipStatus, TeamMembership
from tournaments.running.services.news_texts import write_line

NEWS_LIFETIME = timedelta(days=1)
"""The time after its end for which a match is worth a push."""

MAX_LINE = 200


@dataclass(frozen=True, slots=True)
class Text:
    """What a push says: a title, a line below it, and the path to which it leads. A newer one replaces its ``tag``."""

    title: str
    body: str
    path: str
    tag: str


def write_text(push: Push, *, player: Player, shows_names: bool, now: datetime) -> Text | None:
    """Return what a push says; ``None`` if it is no longer true. Without names it names nobody and nothing."""
    (kind, number), *_rest = push.about.items()
    return _WRITERS[kind](push, number, player, shows_names, now)


def _of_match(push: Push, number: int, player: Player, shows_names: bool, now: datetime) -> Text | None:
    match = Match.objects.select_related("yellow", "red").filter(pk=number, annulled_at=None).first()
    side = match and match.side_of(player.pk)
    if match is None or side is None:
        return None
    told = _ended(match, player, now) if push.topic.endswith(":ended") else _going_on(push, match, player, now)
    if told is None:
        return None
    title, words = told
    opponent = match.players[side.opponent].username
    about = _("%(game)s against %(opponent)s") if shows_names else "%(game)s"
    lines = [about % {"game": match.rules.title, "opponent": opponent}, words]
    return Text(title, ". ".join(filter(None, lines)), match.get_absolute_url(), f"match-{match.pk}")


def _going_on(push: Push, match: Match, player: Player, now: datetime) -> tuple[str, str] | None:
    if not match.is_running or match.deadline is None:
        return None
    is_own = match.player_to_act == player
    left = _("%(left)s left") % {"left": format_time_left(match.deadline - now)}
    if push.kind == PushKind.MATCH and match.ply == 0:
        return _("A match has begun"), _("You move first") if is_own else ""
    if not is_own or match.is_late(now):
        return None
    if count_dropped(player, [match]):
        left = _("%(left)s. Something else came than you had answered beforehand") % {"left": left}
    return (_("Your time is running out") if push.kind == PushKind.DEADLINE else _("Your turn")), left


def _ended(match: Match, player: Player, now: datetime) -> tuple[str, str] | None:
    side, outcome = match.side_of(player.pk), match.outcome
    if side is None or outcome is None or match.finished_at is None or match.finished_at < now - NEWS_LIFETIME:
        return None
    if match.ending == Ending.RESIGNATION and match.winner != side:
        return None
    words = _("You lose") if outcome.winner is side.opponent else result_text(match, outcome, side)
    return _("A match is over"), words


def _of_seek(push: Push, number: int, player: Player, shows_names: bool, now: datetime) -> Text | None:
    seek = Seek.objects.select_related("creator").filter(pk=number, invited=player, status=SeekStatus.OPEN).first()
    if seek is None:
        return None
    title = _("A rematch is offered to you") if seek.rematch_of_id else _("You are invited to a game")
    about = _("%(game)s against %(opponent)s") if shows_names else "%(game)s"
    body = about % {"game": get_game(seek.game).title, "opponent": seek.creator.username}
    return Text(title, body, reverse("home"), f"seek-{seek.pk}")


def _of_team(push: Push, number: int, player: Player, shows_names: bool, now: datetime) -> Text | None:
    invited = TeamMembership.objects.select_related("team").filter(
        pk=number, player=player, status=MembershipStatus.INVITED
    )
    membership = invited.first()
    if membership is None:
        return None
    return Text(_("A team invites you"), membership.team.name if shows_names else "", reverse("home"), f"team-{number}")


def _of_line(push: Push, number: int, player: Player, shows_names: bool, now: datetime) -> Text | None:
    line = LogEntry.objects.select_related("competition", "actor").filter(pk=number).exclude(actor=player).first()
    news = None if line is None else write_line(line, player_id=player.pk, organises=False)
    if line is None or news is None:
        return None
    is_invitation = push.kind == PushKind.INVITATION
    anonymous = _("You are invited to a competition") if is_invitation else _("News of a competition of yours")
    title, body = (line.competition.name, news.headline) if shows_names else (anonymous, "")
    return Text(title, body[:MAX_LINE], line.competition.get_absolute_url(), f"competition-{line.competition_id}")


_WRITERS: dict[str, Callable[[Push, int, Player, bool, datetime], Text | None]] = {
    "match": _of_match,
    "seek": _of_seek,
    "team": _of_team,
    "competition": _of_line,
}
