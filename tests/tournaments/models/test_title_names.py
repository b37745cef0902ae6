"""The title that a winner has."""

from itertools import product

import pytest

from tournaments.making.recipes import RECIPES, make_stages
from tournaments.models import TitleName
from tournaments.models.title_names import TitleKind, kind_of_title


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
    traits = {name: getattr(first, name) for name in ("goes_by_months", "gathers")}
    assert kind_of_title(is_year_final=False, is_league=first.has_leagues, **traits) is kind


def test_the_final_of_a_year_has_a_title_of_its_own():
    for traits in product((False, True), repeat=3):
        named = dict(zip(("is_league", "goes_by_months", "gathers"), traits, strict=True))
        assert kind_of_title(is_year_final=True, **named) is TitleKind.YEAR


def test_every_kind_has_a_name_and_fits_its_column():
    assert set(TitleName.values) == {each.value for each in TitleKind}
    assert max(len(each) for each in TitleKind) <= 8
