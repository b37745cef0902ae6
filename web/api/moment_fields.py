"""The fields of bodies for moments and days."""

from typing import Any

from rest_framework import serializers

from web.moment_bounds import check_bounds


class MomentField(serializers.DateTimeField):  # noqa: TID251 - it is what the others have to be
    """A moment, within the bounds of ``web.moment_bounds``."""

    def __init__(self, **about: Any) -> None:
        super().__init__(validators=[check_bounds], **about)


class DayField(serializers.DateField):  # noqa: TID251 - it is what the others have to be
    """A day, within the same bounds."""

    def __init__(self, **about: Any) -> None:
        super().__init__(validators=[check_bounds], **about)
