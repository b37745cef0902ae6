"""Which title a winner has."""

from __future__ import annotations

import pytest

from tournaments.carry_overs import CARRY_OVERS
from tournaments.models import TitleName
from tournaments.recipes import RECIPES, make_stages
from tournaments.titles import TitleKind, kind_of_title


@pytest.mark.parametrize(
    ("recipe", "kind"),
    [
        ("championship", TitleKind.CHAMPION),
        ("mini-cup", TitleKind.MINI_CUP),
        ("knock-out", TitleKind.CUP),
        ("groups-then-knock-out", TitleKind.CUP),
        ("swiss", TitleKind.CUP),
    ],
)
def test_the_kind_follows_from_the_recipe(recipe, kind):
    first = make_stages(RECIPES[recipe])[0]
    assert kind_of_title(of_series=None, has_leagues=first.has_leagues, gathers=first.gathers) is kind


def test_a_series_may_say_what_its_winners_are():
    assert kind_of_title(of_series=TitleKind.MONTH, has_leagues=True, gathers=True) is TitleKind.MONTH
    assert {each.title for each in CARRY_OVERS.values()} <= {None, *TitleKind}


def test_every_kind_has_a_name_and_fits_its_column():
    assert set(TitleName.values) == {each.value for each in TitleKind}
    assert max(len(each) for each in TitleKind) <= 8
