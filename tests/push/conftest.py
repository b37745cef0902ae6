"""Fixtures of the tests of pushes: a push service of our own, and players with devices."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from matches.models import Match
from players.models import Player
from players.presence import forget_presence
from push.models import PushSubscription
from push.services.delivery import send_due
from push.services.notices import post_news
from push.services.subscriptions import subscribe
from tests.matches.conftest import anna, begin, calls, carla, client_of, piotr
from tests.push.push_service import Device, PushService, serve_pushes

__all__ = ["anna", "begin", "calls", "carla", "client_of", "piotr"]


@pytest.fixture(scope="session")
def any_service() -> Iterator[PushService]:
    with serve_pushes() as service:
        yield service


@pytest.fixture
def service(any_service: PushService, settings) -> PushService:
    settings.ALLOW_PRIVATE_ADDRESSES = True
    any_service.devices.clear()
    return any_service


@pytest.fixture
def device_of(db, service: PushService) -> Callable[..., Device]:
    """Subscribe a device of a player a minute ago."""

    def make(player: Player, **options) -> Device:
        device = service.add(f"{player.username}-{len(service.devices)}", **options)
        sent = device.subscription
        subscribe(
            player=player,
            endpoint=sent["endpoint"],
            **sent["keys"],
            name=sent["name"],
            now=timezone.now() - timedelta(minutes=1),
        )
        return device

    return make


@pytest.fixture
def tell(calls) -> Callable[..., int]:
    """Look for news and send what is due, when nobody is on the site; return how many pushes were sent."""

    def run(now: datetime | None = None) -> int:
        for player_id in PushSubscription.objects.values_list("player_id", flat=True):
            forget_presence(player_id=player_id)
        moment = now or timezone.now()
        post_news(now=moment)
        return send_due(clock=lambda: moment)

    return run


@pytest.fixture
def match(begin) -> Match:
    """Return a match of anna, who is to move, and piotr that has just begun."""
    return begin(now=timezone.now())
