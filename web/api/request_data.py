"""Validated data of requests."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.serializers import Serializer


def read(serializer: type[Serializer[Any]], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the validated data, which callers must not change. Raises ``ValidationError``."""
    if data is None:
        raise ValidationError({"non_field_errors": [_("No data provided")]})
    return dict(_shape(serializer).run_validation(data))


@cache
def _shape(serializer: type[Serializer[Any]]) -> Serializer[Any]:
    """Return the one instance of a serializer class, because making one costs more than validating with it."""
    return serializer()
