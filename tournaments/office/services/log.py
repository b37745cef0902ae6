"""The log of a competition: what was done, by whom and why, for everybody to read."""

from collections.abc import Iterable
from datetime import datetime
from typing import TypedDict

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from players.models import Player
from players.services.budgets import may_mail, spend_mails, spending_of
from tournaments.models import Competition, Entry, Fixture, Interest, LogEntry, Team, WaitingPlayer
from tournaments.models.audiences import CONDITIONS_CHANGED, Audience, Players, audience_of
from tournaments.models.log import FORGIVEN, UNDONE
from tournaments.office.selectors.interests import stake_of
from tournaments.office.services.after_commit import notify_news, notify_players
from web.limits.table import ACTS, ANNOUNCEMENTS
from web.written_texts import clean_text

ACTIONS: dict[str, str | Promise] = {
    "changed": _("options changed"),
    CONDITIONS_CHANGED: _("conditions changed"),
    "organised": _("organisers changed"),
    "organiser-named": _("organiser named"),
    "organiser-gone": _("no longer organiser"),
    "organiser-invited": _("asked to organise"),
    "helper-invited": _("asked to help"),
    "role-accepted": _("agreed to run it"),
    "role-declined": _("declined to run it"),
    "role-withdrawn": _("no longer asked to run it"),
    "helper-named": _("helper named"),
    "helper-gone": _("no longer helper"),
    "copied": _("copied from another competition"),
    "series-made": _("made a series"),
    "series-changed": _("series changed"),
    "series-ended": _("series ended"),
    "year-final-dropped": _("final of the year cancelled"),
    "season-announced": _("season announced"),
    "entered-again": _("players of the last season entered again"),
    "final-announced": _("final of the year announced"),
    "entered-final": _("winners of the year entered"),
    "opened": _("opened for entry"),
    "closed": _("closed for entry"),
    "drawn": _("drawn"),
    "draw-undone": _("draw taken back"),
    "started": _("started"),
    "start-undone": _("start taken back"),
    "paused": _("paused"),
    "resumed": _("resumed"),
    "time-given-back": _("time given back"),
    "finished": _("finished"),
    "cancelled": _("cancelled"),
    "announced": _("announced"),
    "text-edited": _("text in the log changed"),
    "text-taken-down": _("text in the log taken down"),
    "text-put-up": _("text in the log put up again"),
    "hidden": _("hidden by staff"),
    "shown": _("shown again by staff"),
    "invited": _("invited"),
    "invitation-accepted": _("invitation accepted"),
    "invitation-declined": _("invitation declined"),
    "invitation-withdrawn": _("invitation withdrawn"),
    "invitation-lapsed": _("invitations lapsed with the start"),
    "entered": _("joined"),
    "entry-undone": _("entry taken back"),
    "imported": _("players added from a list"),
    "withdrew": _("withdrawn"),
    "withdrawal-undone": _("withdrawal taken back"),
    "disqualified": _("disqualified"),
    "disqualify-undone": _("disqualification taken back"),
    "came-back": _("in the place of who was disqualified"),
    "replacement-undone": _("replacement taken back"),
    "left": _("left"),
    "replaced": _("replaced"),
    "bye-requested": _("bye asked for"),
    "bye-undone": _("request for a bye taken back"),
    "end-undone": _("end taken back"),
    "adjudicated": _("adjudicated"),
    "decision-undone": _("decision taken back"),
    "corrected": _("result corrected"),
    "correction-undone": _("correction taken back"),
    "annulled": _("annulled"),
    "annulled-before": _("annulled before the log said by what"),
    "annulment-undone": _("annulment taken back"),
    "recounted": _("counted again from the results"),
    FORGIVEN: _("matches lost on time in an outage go on"),
    UNDONE: _("forgiving of an outage taken back"),
    "replayed": _("replayed"),
    "replay-undone": _("replay taken back"),
    "extended": _("clock extended"),
    "extension-undone": _("extra time taken back"),
    "disputed": _("result disputed"),
    "dispute-dismissed": _("dispute dismissed"),
    "dismissal-undone": _("dismissal of a dispute taken back"),
    "match-paused": _("match paused"),
    "match-resumed": _("match resumed"),
    "stage-started": _("stage started"),
    "level-started": _("level started"),
    "round-proposed": _("round drawn, waiting for an organiser"),
    "round-drawn-again": _("round drawn again before it was published"),
    "pairings-changed": _("pairings changed before they were published"),
    "round-published": _("pairings published"),
    "publication-undone": _("publication of a round taken back"),
    "line-up-set": _("line-up of a team set by an organiser"),
    "round-started": _("round started"),
    "round-date": _("deadline of a round set"),
    "round-cut-short": _("round ended early"),
    "round-end-undone": _("end of a round taken back"),
    "round-ended": _("round ended"),
    "tie-decided": _("tie decided without a match"),
    "joined": _("a player joined"),
    "departed": _("a player left"),
    "waiting-joined": _("a player joined the waiting list"),
    "waiting-left": _("a player left the waiting list"),
    "waiting-removed": _("a player removed from the waiting list"),
    "queue-moved": _("moved in the queue"),
    "waiting-restored": _("removal from the waiting list taken back"),
    "moved-up": _("a player moved up from the waiting list"),
    "waiting-ended": _("waiting list ended with the start"),
    "waiting-cancelled": _("waiting list ended without a start"),
    "check-in-opened": _("check-in opened"),
    "check-in-undone": _("check-in cancelled"),
    "checked-in": _("a player checked in"),
    "checked-in-undone": _("check-in of a player taken back"),
    "left-out": _("left out at the start: not checked in"),
    "left-out-undone": _("back in: the start was taken back"),
    "moved-up-undone": _("on the waiting list again: the start was taken back"),
    "full": _("full"),
    "startable": _("enough players to start"),
    "round-ending": _("round ends soon"),
    "round-overdue": _("round is waiting for unfinished matches"),
    "through": _("through"),
    "out": _("out"),
}
"""The actions that can be logged: a stable code, and its name on pages."""

NAMING = frozenset(
    "organised organiser-named organiser-gone helper-named helper-gone "
    "organiser-invited helper-invited role-accepted role-declined role-withdrawn "
    "invited invitation-accepted invitation-declined invitation-withdrawn "
    "entered entry-undone withdrew withdrawal-undone disqualified disqualify-undone came-back left "
    "replaced replacement-undone bye-requested bye-undone adjudicated "
    "decision-undone corrected correction-undone annulled annulment-undone replayed replay-undone "
    "extended extension-undone disputed dispute-dismissed dismissal-undone "
    "outage-forgiven outage-undone "
    "match-paused match-resumed tie-decided finished joined departed waiting-joined waiting-left waiting-removed "
    "waiting-restored queue-moved moved-up checked-in checked-in-undone left-out left-out-undone moved-up-undone "
    "text-edited text-taken-down text-put-up".split()
)
"""The actions with names of players in their subject."""

JUDGING = frozenset(
    "adjudicated decision-undone corrected correction-undone annulled annulment-undone replayed replay-undone "
    "extended extension-undone dispute-dismissed dismissal-undone "
    "outage-forgiven outage-undone "
    "match-paused match-resumed checked-in checked-in-undone entry-undone withdrew withdrawal-undone "
    "disqualified disqualify-undone "
    "replaced replacement-undone queue-moved line-up-set bye-requested bye-undone round-date round-cut-short "
    "round-end-undone round-published publication-undone pairings-changed round-drawn-again".split()
)
"""The actions that decide for or against players: their lines say so if who did it is one of them."""

NEVER_UNTOLD = frozenset({"announced", "invited", "organiser-invited", "helper-invited", CONDITIONS_CHANGED})
"""The actions that are refused where their mails would be too many: messages to others, and what nobody may miss."""

MAX_SUBJECT_LENGTH = 120
MAX_CHANGE_LENGTH = 200


class Change(TypedDict):
    """From what to what something was changed, in words."""

    what: str
    old: str
    new: str


def log_action(
    *,
    competition: Competition,
    action: str,
    now: datetime,
    actor: Player | None = None,
    about: Entry | Fixture | WaitingPlayer | None = None,
    subject: str = "",
    reason: str = "",
    concerns: Iterable[Entry] = (),
    players: Iterable[Player] | None = None,
    team: Team | None = None,
    changes: Iterable[Change] = (),
) -> LogEntry:
    """Return the new log entry; without an ``actor`` it was the rules that did it. Raises ``KeyError``.

    What it is ``about`` gives the subject, and those who hear of it, unless ``players`` or a subject are given: the
    entrant, the players of a match, who waits.
    A subject that is too long is cut, and so is what a change says. It is published to organisers' streams, and to
    those of the players who hear of it: all, or those whose entries it ``concerns``, and the ``players`` whom it names
    otherwise; of teams the captains. ``tournaments.models.audiences`` says who, and who gets a mail.

    Raises ``BudgetSpent`` where a client asks for more than the actor may do, or send to others. What is not
    ``NEVER_UNTOLD`` is done, but all players get no mail of it once the actor has caused too many. Raises
    ``InvalidDetails`` for a ``reason`` that cannot be shown: whatever people write of an act passes here.
    """
    if action not in ACTIONS:
        raise KeyError(action)
    audience, reason, concerns = audience_of(action), clean_text(reason, field="reason"), [*concerns]
    if players is None:
        players = _players_of(about)
    named = _who_hears_for([*concerns, about] if isinstance(about, Entry) else concerns) | {each.pk for each in players}
    is_mailed = audience.is_mailed
    if actor is not None:
        is_mailed = _spend(actor, action, competition=competition, named=named, now=now) and is_mailed
    entry = LogEntry.objects.create(
        competition_id=competition.pk,
        actor=actor,
        action=action,
        subject=(subject or str(about or ""))[:MAX_SUBJECT_LENGTH],
        reason=reason,
        interest=_find_interest(competition, actor, about or (concerns[0] if len(concerns) == 1 else None))
        if action in JUDGING
        else "",
        team=team,
        match_id=about.match_id if isinstance(about, Fixture) else None,
        changes=[{name: _cut(str(text)) for name, text in each.items()} for each in changes],
        logged_at=now,
        is_notified=not is_mailed,
    )
    if named:
        entry.concerns.add(*named)
    if audience.is_urgent:
        notify_news()
    notify_players(log_id=entry.pk)
    return entry


def log_for_all(
    *, action: str, lines: Iterable[tuple[Competition, str, list[Change]]], reason: str, now: datetime
) -> None:
    """Log what the rules did in many competitions at once: in each a subject and changes. Streams find the lines.

    Raises ``KeyError``.
    """
    if action not in ACTIONS:
        raise KeyError(action)
    LogEntry.objects.bulk_create(
        (
            LogEntry(
                competition=competition,
                action=action,
                subject=subject,
                reason=reason,
                changes=changes,
                logged_at=now,
                is_notified=not audience_of(action).is_mailed,
            )
            for competition, subject, changes in lines
        ),
        batch_size=500,
    )


def _players_of(about: Entry | Fixture | WaitingPlayer | None) -> list[Player]:
    """Return who hears of what it is about, besides those who hear for an entry."""
    if isinstance(about, Fixture):
        return about.seated
    return [about.player] if isinstance(about, WaitingPlayer) else []


def _find_interest(competition: Competition, actor: Player | None, subject: object) -> Interest:
    return stake_of(competition=competition, player=actor).interest_in(subject)


def _spend(actor: Player, action: str, *, competition: Competition, named: set[int], now: datetime) -> bool:
    """Count the line, and the mails that it causes; return whether they may be sent."""
    of_competition = (ANNOUNCEMENTS.of(str(competition.pk)),) if action == "announced" else ()
    with spending_of(actor, ACTS, now=now, others=of_competition):
        number = _count_mails(competition, named - {actor.pk}, audience_of(action))
        if action in NEVER_UNTOLD:
            spend_mails(actor, number, now=now)
            return True
        may_be_sent = may_mail(actor, number, now=now)
    # Those whom a decision names hear of it in any case.
    return may_be_sent or bool(named)


def _count_mails(competition: Competition, named: set[int], audience: Audience) -> int:
    """Return how many players may get a mail."""
    if audience.mail is Players.ALL or (audience.mail is Players.NAMED_OR_ALL and not named):
        return competition.entrants
    everybody = competition.entrants if audience.mail is Players.ALL_AND_NAMED else 0
    return everybody + (len(named) if audience.mail.may_be_named else 0)


def _who_hears_for(entries: Iterable[Entry]) -> set[int]:
    """Return the ids of those who hear what concerns these entries, for a team its captain. One query for all teams."""
    listed = list(entries)
    teams = {each.team_id for each in listed if each.team_id is not None}
    captains = set(Team.objects.filter(pk__in=teams).values_list("captain_id", flat=True)) if teams else set()
    return captains | {each.player_id for each in listed if each.team_id is None}


def _cut(text: str) -> str:
    return text if len(text) <= MAX_CHANGE_LENGTH else f"{text[: MAX_CHANGE_LENGTH - 1].rstrip()}…"
