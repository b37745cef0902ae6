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
        ("monthly-cup", TitleKind.MONTH),
        ("knock-out", TitleKind.CUP),
        ("groups-then-knock-out", TitleKind.CUP),
        ("swiss", TitleKind.CUP),
    ],
)
def test_the_kind_follows_from_the_recipe(recipe, kind):
    first = make_stages(RECIPES[recipe])[0]
    traits = {name: getattr(first, name) for name in ("has_leagues", "goes_by_months", "gathers")}
    assert kind_of_title(of_series=None, is_year_final=False, **traits) is kind


def test_a_series_may_say_what_its_winners_are():
    traits = {"has_leagues": True, "goes_by_months": False, "gathers": True}
    assert kind_of_title(of_series=TitleKind.MONTH, is_year_final=False, **traits) is TitleKind.MONTH
    assert kind_of_title(of_series=TitleKind.MONTH, is_year_final=True, **traits) is TitleKind.YEAR
    assert {each.title for each in CARRY_OVERS.values()} <= {None, *TitleKind}


def test_every_kind_has_a_name_and_fits_its_column():
    assert set(TitleName.values) == {each.value for each in TitleKind}
    assert max(len(each) for each in TitleKind) <= 8
