"""Send what is in the outbox of pushes: each device one message at a time, about all that is due for it.

A sender claims rows by conditional UPDATEs as that of mails does: if it dies meanwhile, another one sends them after
that, and the newer message replaces the one that had arrived. All devices of a batch are called side by side, and a
batch lasts as long as the slowest of them may take.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime, timedelta
from http import HTTPStatus

import structlog
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from matches.selectors.matches import count_matches_to_move
from players.models import DeliveryState, Player
from players.presence import present_among
from players.services.outbox_rows import claim, error_text, finish, note_error
from push.encryption import encrypted_call
from push.models import Push, PushSettings, PushSubscription
from push.quiet_hours import end_of_quiet
from push.selectors import due_pushes, settings_among
from push.services.keys import site_key
from push.services.outbox import notify_outbox
from push.services.texts import Text, write_text
from web.outgoing import Call, ForbiddenUrl, post_all

BATCH = 200
LIFETIME = timedelta(days=1)
"""The time after which a push that could not be sent is given up, also by the push service."""

KEPT_FOR = timedelta(days=30)
PRESENT_DELAY = timedelta(minutes=1)
"""The time after which a push to a player who is on the site is tried again."""

MAX_LINES = 5
GONE = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})
PASSING = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS})
"""Refusals that are not for good."""

logger = structlog.get_logger(__name__)


class RefusedPush(Exception):
    """A push service has answered with this status."""


def send_due(*, clock: Callable[[], datetime], limit: int = BATCH) -> int:
    """Send up to ``limit`` pushes that are due, and return how many were sent.

    Pushes to players who are on the site, or whose quiet hours have begun, wait. If more may be due, another batch is
    queued.
    """
    now = clock()
    due = list(due_pushes(now=now)[:limit])
    players = {push.subscription.player_id: push.subscription.player for push in due}
    wishes = settings_among(players)
    present = present_among(players)
    waits = {
        player.pk: now + PRESENT_DELAY
        if player.pk in present
        else end_of_quiet(wishes[player.pk], zone=player.zone, now=now)
        for player in players.values()
    }
    messages: list[tuple[list[Push], Call]] = []
    key = site_key() if due else ""
    for pushes in _by_device(due):
        device = pushes[0].subscription
        if (later := waits[device.player_id]) > now:
            Push.objects.filter(pk__in=[push.pk for push in pushes]).update(next_attempt_at=later)
            continue
        claimed = [push for push in pushes if claim(push, now=now)]
        told = _write(claimed, wishes[device.player_id], now)
        if not told:
            continue
        try:
            call = _call(device, [text for _push, text in told], key, now)
        except Exception as error:
            logger.exception("push_not_written", device=device.pk)
            note_error([push for push, _text in told], error)
        else:
            messages.append(([push for push, _text in told], call))
    answers = post_all([call for _pushes, call in messages])
    sent = sum(_store(pushes, answer, clock()) for (pushes, _), answer in zip(messages, answers, strict=True))
    if len(due) == limit:
        notify_outbox()
    return sent


def give_up_old(*, now: datetime) -> None:
    """Give up the pushes that could not be sent for a day, and delete those that were sent or given up long ago."""
    old = Push.objects.filter(state=DeliveryState.PENDING, next_attempt_at__lte=now, created_at__lte=now - LIFETIME)
    old.update(state=DeliveryState.FAILED, done_at=now)
    Push.objects.filter(done_at__lte=now - KEPT_FOR).delete()


def _by_device(pushes: Iterable[Push]) -> Collection[list[Push]]:
    devices: dict[int, list[Push]] = defaultdict(list)
    for push in pushes:
        devices[push.subscription_id].append(push)
    return devices.values()


def _write(pushes: Sequence[Push], wishes: PushSettings, now: datetime) -> list[tuple[Push, Text]]:
    """Return pushes to one device with their texts; those that are no longer true are dropped."""
    told: list[tuple[Push, Text]] = []
    for push in pushes:
        player = push.subscription.player
        try:
            with timezone.override(player.zone):
                text = write_text(push, player=player, shows_names=wishes.shows_names, now=now)
        except Exception as error:
            logger.exception("push_not_written", push=push.pk)
            note_error([push], error)
            continue
        if text is None:
            finish([push], DeliveryState.DROPPED, now=now)
        else:
            told.append((push, text))
    return told


def _call(device: PushSubscription, texts: Sequence[Text], key: str, now: datetime) -> Call:
    """Return the call that tells a device all of these at once."""
    text = _collapse(list(dict.fromkeys(texts)))
    message = {
        "title": text.title,
        "body": text.body,
        "path": text.path,
        "tag": text.tag,
        "due": count_matches_to_move(device.player),
    }
    headers = {"TTL": str(int(LIFETIME.total_seconds())), "Urgency": "normal", "Topic": text.tag}
    return encrypted_call(device, message, headers=headers, private_key=key, now=now)


def _collapse(texts: Sequence[Text]) -> Text:
    """Return several texts as one, which leads home."""
    if len(texts) == 1:
        return texts[0]
    titles = list(dict.fromkeys(text.title for text in texts))
    title = titles[0] if len(titles) == 1 else "Kickabout"
    lines = [text.body or text.title if len(titles) == 1 else f"{text.title}: {text.body}" for text in texts]
    more = ["…"] if len(lines) > MAX_LINES else []
    return Text(f"{title} ({len(texts)})", "\n".join([*lines[:MAX_LINES], *more]), reverse("home"), "several")


def _store(pushes: list[Push], answer: int | Exception, now: datetime) -> int:
    """Store what became of a message about some pushes, and return how many of them were sent."""
    device = pushes[0].subscription
    if isinstance(answer, int) and 200 <= answer < 300:
        with transaction.atomic():
            finish(pushes, DeliveryState.SENT, now=now)
            PushSubscription.objects.filter(pk=device.pk).update(last_sent_at=now)
            if any(push.match for push in pushes):
                Player.objects.filter(pk=device.player_id).update(pushed_at=now)
        return len(pushes)
    if answer in GONE:
        logger.info("device_gone", device=device.pk)
        device.delete()
        return 0
    error = answer if isinstance(answer, Exception) else RefusedPush(answer)
    logger.warning("push_not_sent", device=device.pk, error=error_text(error))
    note_error(pushes, error)
    is_for_good = isinstance(answer, int) and 300 <= answer < 500 and answer not in PASSING
    if is_for_good or isinstance(answer, ForbiddenUrl):
        finish(pushes, DeliveryState.FAILED, now=now)
    return 0
