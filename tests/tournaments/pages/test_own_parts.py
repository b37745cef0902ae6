"""One query says what there is of a reader in a competition: what pages would find, asked one by one."""

from typing import Any

import pytest

from matches.selectors.matches import count_matches_to_move, running_matches
from players.models import Player
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON
from tournaments.entries.selectors.own_entry import find_entry
from tournaments.entries.services.invitations import withdraw_invitation
from tournaments.entries.services.new_invitations import invite_players
from tournaments.making.services.competitions import hide_competition, show_competition
from tournaments.models import Competition
from tournaments.models.rights import Role
from tournaments.office.selectors.invitations import open_invitations
from tournaments.office.selectors.organisers import role_in
from tournaments.office.services.organisers import appoint
from tournaments.pages.selectors.own_part import NOTHING, OwnPart, own_part_in
from tournaments.running.selectors.entry_conditions import find_invitation, reasons_not_to_enter, reasons_without_entry

pytestmark = pytest.mark.django_db


def part_one_by_one(competition: Competition, player: Player) -> OwnPart:
    """Return what the selectors of each say."""
    role = None if player.is_superuser else role_in(competition=competition, player=player)
    return OwnPart(
        has_entry=find_entry(competition, player) is not None,
        may_answer=open_invitations(player=player).filter(competition=competition.pk).exists(),
        stands=find_invitation(competition=competition, player=player) is not None,
        plays=running_matches(player).filter(competition=competition.pk).exists(),
        organises=role is Role.ORGANISER,
        helps=role is Role.HELPER,
        to_move=count_matches_to_move(player),
    )


def test_one_query_says_what_there_is_of_each_reader(carla, mia):
    boss, (guest, organiser) = verbs.boss(), verbs.make_players(2, "more")
    ladder, entries = verbs.open_ladder(4)
    some: dict[str, Any] = {"competition_id": ladder.pk, "actor": boss, "now": NOON}
    other, _entries = verbs.start_cup(4, prefix="other", legs=1)
    invited, _ = invite_players(competition=ladder, players=[carla, mia], actor=boss, now=NOON)
    # Of each match of the cup one of the two is to move, whoever begins.
    entered = [*entries, *other.entries.select_related("player")]
    readers = [carla, mia, guest, organiser, boss, *(each.player for each in entered)]

    def check() -> set[OwnPart]:
        found: set[OwnPart] = set()
        for competition in (ladder, other):
            competition.refresh_from_db()
            parts = {reader: own_part_in(competition, reader) for reader in readers}
            assert parts == {reader: part_one_by_one(competition, reader) for reader in readers}
            found |= set(parts.values())
        return found

    seen = check()
    withdraw_invitation(invitation_id=invited.pk, actor=boss, now=NOON)
    appoint(player=organiser, role=Role.ORGANISER, **some)
    appoint(player=guest, role=Role.HELPER, **some)
    seen |= check()
    verbs.start(ladder, NOON)
    seen |= check()
    verbs.withdraw(entries[0], boss, NOON)
    seen |= check()
    hide_competition(**some)
    seen |= check()
    show_competition(**some)
    assert {name for part in seen for name, value in part._asdict().items() if value} == set(OwnPart._fields)
    assert own_part_in(ladder, None) == NOTHING
    for reader in (carla, mia, guest):
        stands = own_part_in(ladder, reader).stands
        known = reasons_without_entry(competition=ladder, player=reader, was_invited=stands)
        assert [each.code for each in known] == [
            each.code for each in reasons_not_to_enter(competition=ladder, player=reader)
        ]
