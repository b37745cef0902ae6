"""What a form takes the API takes too, and nothing else: numbers and texts have the same bounds at both doors."""

from collections.abc import Iterator
from typing import Any

import pytest
from django import forms
from rest_framework import serializers

from tournaments.desk.acts import ACTS
from tournaments.desk.acts.inputs import KeptResults
from tournaments.making.again_forms import CopyForm, SeriesForm
from tournaments.making.api.competitions import CopySerializer, DraftSerializer, StageOptionsSerializer
from tournaments.making.api.series import SeriesEditSerializer
from tournaments.making.draft_forms import DraftForm
from tournaments.making.stage_fields import StageFields
from tournaments.models import Stage
from tournaments.teams.api import NewTeamSerializer
from tournaments.teams.forms import TeamForm
from tournaments.teams.inputs import TeamName

FORMS = {
    "copy": (CopyForm.base_fields, CopySerializer),
    "draft": (DraftForm.base_fields, DraftSerializer),
    "series": (SeriesForm.base_fields, SeriesEditSerializer),
    "team": (TeamForm.base_fields, NewTeamSerializer),
    "stage": (StageFields(Stage(format="round-robin"), 1, 1).fields, StageOptionsSerializer),
}


def pairs() -> Iterator[Any]:
    """Yield each option that a form and the API have, as both have it."""
    for name, (fields, serializer) in FORMS.items():
        taken = serializer().fields
        for option in sorted(fields.keys() & taken.keys()):
            yield pytest.param(fields[option], taken[option], id=f"{name}-{option}")
    for act in ACTS:
        for option, field in act.inputs.items():
            if isinstance(field, TeamName):
                # The form takes a name, and the API a slug.
                continue
            yield pytest.param(field, field.api_field(), id=f"{act.operation}-{option}")


@pytest.mark.parametrize(("field", "taken"), list(pairs()))
def test_an_option_has_the_same_bounds_in_the_form_and_over_the_api(field, taken):
    if isinstance(field, forms.IntegerField) and isinstance(taken, serializers.IntegerField):
        # A quarter of an hour is so many seconds: a length of time has a unit of its own at each door.
        if not isinstance(field, forms.DecimalField):
            assert (field.min_value, field.max_value) == (taken.min_value, taken.max_value)
    elif isinstance(field, forms.CharField) and isinstance(taken, serializers.CharField):
        assert field.max_length == taken.max_length
    elif isinstance(field, forms.ChoiceField) and type(taken) is serializers.ChoiceField:
        choices: Any = field.choices
        assert {str(key) for key, _label in choices} - {""} == {str(key) for key in taken.choices}


@pytest.mark.parametrize("number", ["0", "1", str(10**17), str(10**18 - 1), str(10**18), "x"])
def test_the_matches_that_keep_their_results_are_named_by_the_same_numbers(number):
    field = KeptResults()
    read: serializers.Serializer[Any] = serializers.Serializer(data={"kept": [number]})
    read.fields["kept"] = field.api_field()
    assert field.valid_value(number) == read.is_valid()
