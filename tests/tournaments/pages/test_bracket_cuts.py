"""Large brackets are cut into parts of a few rounds each."""

import pytest

from formats.knock_out import KnockOut, KnockOutOptions
from formats.protocol import Part
from tests.tournaments.pages.test_bracket_layout import DRAWS
from tournaments.pages.pictures.bracket_layout import lay_out_ties
from tournaments.pages.pictures.bracket_parts import MAX_ROUNDS, cut_bracket, winners_from


def depth_in(part, key, sources):
    return 1 + max((depth_in(part, before, sources) for before in sources[key] if before in part), default=0)


@pytest.mark.parametrize("size", [2, 3, 17, 64, 100, 300, 1024])
@pytest.mark.parametrize(("format_", "options"), DRAWS)
def test_every_tie_is_in_one_part_of_few_rounds(format_, options, size):
    if size < format_.min_entrants:
        return
    ties = format_.draw_ties(size, options)
    sources = {tie.key: winners_from(tie) for tie in ties}
    followed = {key for before in sources.values() for key in before}
    parts = cut_bracket(ties)
    assert sorted(map(repr, (key for part in parts for key in part))) == sorted(repr(tie.key) for tie in ties)
    assert {tie.key for tie in ties if tie.key not in followed} <= parts[0]
    for number, part in enumerate(parts):
        roots = part - {before for key in part for before in sources[key]}
        assert len(roots) == 1 or number == 0
        assert max(depth_in(part, root, sources) for root in roots) <= MAX_ROUNDS


def test_a_thousand_players_are_in_thirty_two_parts_from_the_top():
    ties = KnockOut().draw_ties(1024, KnockOutOptions(third_place=True))
    last, *others = cut_bracket(ties)
    assert ({key.round for key in last}, len(last)) == ({6, 7, 8, 9, 10}, 32)
    assert {key.part for key in last} == {Part.MAIN, Part.THIRD_PLACE}
    assert [{key.slot for key in part if key.round == 5} for part in others] == [{slot} for slot in range(32)]
    assert {len(part) for part in others} == {31}


def test_a_part_is_drawn_from_its_own_first_round_on():
    ties = KnockOut().draw_ties(1024, KnockOutOptions())
    last = cut_bracket(ties)[0]
    picture = lay_out_ties([tie for tie in ties if tie.key in last], {key: key for key in last})
    small = KnockOut().draw_ties(32, KnockOutOptions())
    whole = lay_out_ties(small, {tie.key: tie.key for tie in small})
    assert (picture.width, picture.height, picture.links) == (whole.width, whole.height, whole.links)
    assert [heading.number for heading in picture.headings] == [6, 7, 8, 9, 10]
    assert [heading.x for heading in picture.headings] == [heading.x for heading in whole.headings]
