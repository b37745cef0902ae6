"""The fields of forms for moments and days."""

from typing import Any

from django import forms

from web.moment_bounds import check_bounds


class MomentField(forms.DateTimeField):  # noqa: TID251 - it is what the others have to be
    """A moment in UTC, within the bounds of ``web.moment_bounds``."""

    def __init__(self, **about: Any) -> None:
        widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
        super().__init__(**{"widget": widget} | about, validators=[check_bounds])


class DayField(forms.DateField):  # noqa: TID251 - it is what the others have to be
    """A day, within the same bounds."""

    def __init__(self, **about: Any) -> None:
        super().__init__(**{"widget": forms.DateInput(attrs={"type": "date"})} | about, validators=[check_bounds])
