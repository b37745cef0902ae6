"""The table of who hears what has a row for every change, and says what streams do."""

from pathlib import Path
from urllib.parse import unquote

import pytest
from django.utils import timezone

from matches.models import Seek, SeekStatus
from matches.seek_links import path_to
from matches.services import take_seek
from matches.services.seeks import decline_seek, take_by_link, withdraw_seek
from matches.signals import LOBBY
from players.models import Delivery, MailKind, Player
from players.models.mail import SWITCHES
from push.models import Push, PushSubscription
from push.services.notices import post_news
from streams.audiences import Channel, all_changes, write_table
from streams.changes import KINDS, Change, read_named
from tests.matches.conftest import NOON, anna, begin, carla, piotr
from tests.matches.play import seek_of
from tests.tournaments.settled_competitions import make_ladder
from tournaments.models import MembershipStatus
from tournaments.models.audiences import Players
from tournaments.office.services.log import ACTIONS, log_action
from tournaments.running.services.notifications import send_news

__all__ = ["anna", "begin", "carla", "piotr"]

PAGE = Path(__file__).parents[2] / "docs" / "audiences.md"
NAMES = {"seek": {"game", "link", "invitation", "rematch"}, "pause": {"site"}}
"""What the table calls the kinds of changes that it does not call as streams do."""

MAILS = {
    MailKind.TURN: ("match", "turn"),
    MailKind.DEADLINE: ("match", "deadline near"),
    MailKind.END: ("match", "ended"),
    MailKind.OPPONENT: ("match", "offer"),
    MailKind.TEAM: ("team", "invited"),
    MailKind.COMPETITION: ("competition", "announced"),
    MailKind.ORGANISING: ("competition", "joined"),
}
"""A change of which each kind of mail tells that players can switch off."""


def test_every_change_has_a_row():
    table = all_changes()
    by_what: dict[str, set[str]] = {}
    for what, change in table:
        by_what.setdefault(what, set()).add(change)
    assert set().union(*(NAMES.get(kind, {kind}) for kind in KINDS)) <= set(by_what)
    assert by_what["game"] == by_what["link"] == {*SeekStatus.values} - {SeekStatus.DECLINED}
    assert by_what["invitation"] == by_what["rematch"] == {*SeekStatus.values}
    assert by_what["team"] == {*MembershipStatus.values}
    assert by_what["competition"] == {*ACTIONS}
    assert set(MAILS) == set(SWITCHES)
    for told in MAILS.values():
        assert Channel.MAIL in table[told].concerned | table[told].organisers


def test_the_page_of_the_documentation_is_that_of_the_code():
    assert PAGE.read_text() == write_table(), "Write it again: manage.py describe_audiences --file docs/audiences.md"


def can_be_told(players: list[Player]) -> None:
    """Give players a confirmed address and a device; what has been until now is no news."""
    for player in players:
        PushSubscription.objects.create(
            player=player, endpoint=f"https://push.example.org/{player}", digest=str(player), created_at=NOON
        )
        Player.objects.filter(pk=player.pk).update(email=f"{player}@example.org", email_confirmed_at=NOON)
    tell()


def tell() -> tuple[set[int], set[int]]:
    """Post all mails and pushes that are due; return the players for whom there are new ones."""
    mails, pushes, now = set(Delivery.objects.values_list("pk")), set(Push.objects.values_list("pk")), timezone.now()
    send_news(now=now)
    post_news(now=now)
    return (
        {row.player_id for row in Delivery.objects.all() if (row.pk,) not in mails},
        # The matches that begin are rows of their own.
        {
            row.subscription.player_id
            for row in Push.objects.filter(match=None).select_related("subscription")
            if (row.pk,) not in pushes
        },
    )


def hears(change: Change) -> tuple[bool, bool]:
    """Return whether those concerned, and whether everybody, hear of a change by stream."""
    return bool(change.sides), bool(change.public)


@pytest.mark.django_db
def test_streams_send_a_seek_to_those_whom_the_table_names(anna, piotr, begin):
    table = all_changes()
    finished = begin()
    can_be_told([anna, piotr])
    seen = set()
    invited = {"invited": piotr}
    for what, wishes in (
        ("game", {}),
        ("link", {"by_link": True}),
        ("invitation", invited),
        ("rematch", invited | {"rematch_of": finished}),
    ):
        for status in SeekStatus:
            if (what, status.value) not in table:
                continue
            seek = seek_of(anna, **wishes)
            if status == SeekStatus.TAKEN and what == "link":
                take_by_link(token=unquote(path_to(seek.pk).split("/")[-2]), player=piotr, now=NOON)
            elif status == SeekStatus.TAKEN:
                take_seek(seek_id=seek.pk, player=piotr, now=NOON)
            elif status == SeekStatus.DECLINED:
                decline_seek(seek_id=seek.pk, player=piotr)
            elif status == SeekStatus.WITHDRAWN:
                withdraw_seek(seek_id=seek.pk, player=anna)
            (change,) = read_named(seek=[seek.pk])
            assert change.version == status
            row = table[what, status.value]
            assert hears(change) == (Channel.STREAM in row.concerned, Channel.STREAM in row.public)
            assert bool(tell()[1]) is (Channel.PUSH in row.concerned)
            assert (LOBBY in change.public) is (what == "game")
            seen.add((what, status.value))
            Seek.objects.filter(pk=seek.pk, status=SeekStatus.OPEN).update(status=SeekStatus.WITHDRAWN)
    assert seen == {key for key in table if key[0] in NAMES["seek"]}


@pytest.mark.django_db
@pytest.mark.parametrize("action", ACTIONS)
def test_a_line_is_told_to_those_whom_the_table_names(anna, piotr, carla, action):
    ladder, entries = make_ladder([anna, piotr])
    ladder.organisers.add(carla)
    can_be_told([anna, piotr, carla])
    line = log_action(competition=ladder, action=action, now=timezone.now(), concerns=[entries[0]])
    (change,) = read_named(competition=[line.pk])
    row = all_changes()["competition", action]
    mailed, pushed = tell()
    heard = {Channel.STREAM: set(change.sides), Channel.MAIL: mailed, Channel.PUSH: pushed}
    for channel, players in heard.items():
        which = row.which.get(channel, Players.NONE)
        assert (anna.pk in players) is (which is not Players.NONE), channel
        assert (piotr.pk in players) is (which in {Players.ALL, Players.ALL_AND_NAMED}), channel
        assert (carla.pk in players) is (channel in row.organisers), channel
    # Who only follows it has a stream, and a page that changes with it.
    assert bool(change.public) is (Channel.STREAM in row.public) is (Channel.PAGE in row.public)
    assert not row.followers
