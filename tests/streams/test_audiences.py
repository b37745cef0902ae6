"""The table of who hears what has a row for every change, and says what streams do."""

from pathlib import Path
from urllib.parse import unquote

import pytest

from matches.models import Seek, SeekStatus
from matches.seek_links import path_to
from matches.services import take_seek
from matches.services.seeks import decline_seek, take_by_link, withdraw_seek
from matches.signals import LOBBY
from players.models import MailKind
from players.models.mail import SWITCHES
from streams.audiences import Channel, all_changes, write_table
from streams.changes import KINDS, Change, read_named
from tests.matches.conftest import NOON, anna, begin, piotr
from tests.matches.play import seek_of
from tests.tournaments.settled_competitions import make_ladder
from tournaments.models import MembershipStatus
from tournaments.office.services.log import ACTIONS, log_action

__all__ = ["anna", "begin", "piotr"]

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


def hears(change: Change) -> tuple[bool, bool]:
    """Return whether those concerned, and whether everybody, hear of a change by stream."""
    return bool(change.sides), bool(change.public)


@pytest.mark.django_db
def test_streams_send_a_seek_to_those_whom_the_table_names(anna, piotr, begin):
    table = all_changes()
    finished = begin()
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
            assert (LOBBY in change.public) is (what == "game")
            seen.add((what, status.value))
            Seek.objects.filter(pk=seek.pk, status=SeekStatus.OPEN).update(status=SeekStatus.WITHDRAWN)
    assert seen == {key for key in table if key[0] in NAMES["seek"]}


@pytest.mark.django_db
def test_streams_send_a_line_to_those_whom_the_table_names(anna, piotr):
    ladder, entries = make_ladder([anna, piotr])
    ladder.organisers.add(piotr)
    for (what, action), row in all_changes().items():
        if what != "competition":
            continue
        line = log_action(competition=ladder, action=action, now=NOON, concerns=[entries[0]])
        (change,) = read_named(competition=[line.pk])
        assert (anna.pk in change.sides, piotr.pk in change.sides, bool(change.public)) == (
            Channel.STREAM in row.concerned,
            Channel.STREAM in row.organisers,
            Channel.STREAM in row.public,
        )
