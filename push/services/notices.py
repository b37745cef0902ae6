"""Look at what has changed, and post what the table of audiences says is told by push.

A sweep reads the changes since the last one, and a little before it: what it finds twice is stored once.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from matches.models import Match, Status
from matches.selectors.notifications import turns_near_deadline
from matches.services.notifications import HOUR, came_near
from players.models import REMINDER_HOURS, MailSettings
from players.models.mail import USUAL_REMINDERS
from players.selectors import batched
from push.models import PushKind, PushMark, PushSubscription
from push.services.outbox import Notice, post
from streams.audiences import Channel, all_changes
from streams.changes import CAPTAIN, ORGANISER, OWN, Change, Followed, read_followed

BATCH = 500
MAX_LOOK_BACK = timedelta(days=1)
"""The time for which changes are told that no sweep has seen: what is older is no news."""

INVITATIONS = frozenset({"invited", "organiser-invited", "helper-invited"})
"""The lines of a competition's log that invite somebody."""

KINDS: dict[tuple[str, str], PushKind] = {
    ("match", "begun"): PushKind.MATCH,
    ("match", "turn"): PushKind.TURN,
    ("match", "deadline near"): PushKind.DEADLINE,
    ("match", "ended"): PushKind.MATCH,
    ("invitation", "open"): PushKind.INVITATION,
    ("rematch", "open"): PushKind.INVITATION,
    ("team", "invited"): PushKind.INVITATION,
    **{
        row: PushKind.INVITATION if row[1] in INVITATIONS else PushKind.COMPETITION
        for row, hearers in all_changes().items()
        if row[0] == "competition" and Channel.PUSH in hearers.concerned
    },
}
"""The kind of each change that is told by push."""


def post_news(*, now: datetime) -> int:
    """Post what has changed since the last call, and the deadlines that came near; return how many rows were tried.

    A call that dies is made good by the next one, which begins where it began.
    """
    players = list(PushSubscription.objects.order_by("player_id").values_list("player_id", flat=True).distinct())
    mark, _created = PushMark.objects.get_or_create(pk=PushMark.ONLY, defaults={"until": now})
    since = max(mark.until, now - MAX_LOOK_BACK)
    tried = 0
    for batch in batched(players, BATCH):
        notices = [*_of_changes(set(batch), since), *_of_deadlines(set(batch), since, now)]
        tried += post(notices=notices, now=now)
    PushMark.objects.filter(pk=PushMark.ONLY, until__lt=now).update(until=now)
    return tried


def rows_of(change: Change, player_id: int) -> list[tuple[str, str]]:
    """Return the rows of the table by which a player whom a change concerns is told by push, the first ones first."""
    side, facts = change.sides[player_id], change.facts
    rows: list[tuple[str, str]] = []
    if change.kind == "match" and not (facts["annulled"] or facts["paused"]):
        is_over = facts["status"] == Status.FINISHED
        begun = [("match", "begun")] if facts["ply"] == 0 else []
        rows = [("match", "ended")] if is_over else begun + [("match", "turn")] * (facts["turn"] == side)
    elif change.kind == "seek" and side != OWN:
        rows = [("rematch" if facts["seek"]["rematch_of"] else "invitation", facts["seek"]["status"])]
    elif change.kind == "team" and side != CAPTAIN:
        rows = [("team", facts["status"])]
    elif change.kind == "competition" and side != ORGANISER:
        rows = [("competition", change.version)]
    return [row for row in rows if row in KINDS]


def _of_changes(players: set[int], since: datetime) -> Iterator[Notice]:
    changes = read_followed(since, _followed_by(players))
    matches = [change.subject for change in changes if change.kind == "match"]
    turns = dict(Match.objects.filter(pk__in=matches).values_list("pk", "turn_started_at"))
    for change in changes:
        for player_id in change.sides.keys() & players:
            rows = rows_of(change, player_id)
            if rows and change.kind == "match":
                yield _of_match(change, player_id, rows, turns[change.subject])
            elif rows:
                key = f"{change.kind}:{change.subject}"
                about = {change.kind: change.subject}
                yield Notice(player_id, (KINDS[rows[0]],), key, key, about, change.changed_at)


def _followed_by(players: set[int]) -> Followed:
    return Followed(matches=frozenset(), players=players, competitions=frozenset(), has_lobby=False, has_watched=False)


def _of_match(change: Change, player_id: int, rows: list[tuple[str, str]], turn_started_at: datetime) -> Notice:
    topic = f"match:{change.subject}"
    if rows == [("match", "ended")]:
        topic = f"{topic}:ended"
    return Notice(
        player_id,
        tuple(KINDS[row] for row in rows),
        key=f"{topic}:{turn_started_at.isoformat()}",
        topic=topic,
        about={"match": change.subject},
        dated=change.changed_at,
        match=change.subject,
    )


def _of_deadlines(players: set[int], since: datetime, now: datetime) -> Iterator[Notice]:
    chosen = dict(MailSettings.objects.filter(player__in=players).values_list("player_id", "reminder_hours"))
    for turn in turns_near_deadline(since=since, until=now, hours=REMINDER_HOURS):
        hours = chosen.get(turn.player_id, USUAL_REMINDERS)
        if turn.player_id in players and any(came_near(turn, number * HOUR, since, now) for number in hours):
            topic = f"match:{turn.pk}:deadline"
            yield Notice(
                turn.player_id,
                (PushKind.DEADLINE,),
                key=f"{topic}:{turn.deadline.isoformat()}:{now.isoformat()}",
                topic=topic,
                about={"match": turn.pk},
                dated=now,
                match=turn.pk,
            )
