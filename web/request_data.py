"""Reading what a request says."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.serializers import Serializer


def read(serializer: type[Serializer[Any]], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data in the serializer's shape, to be read only; raises ``ValidationError``."""
    if data is None:
        raise ValidationError({"non_field_errors": [_("No data provided")]})
    return dict(_shape(serializer).run_validation(data))


@cache
def _shape(serializer: type[Serializer[Any]]) -> Serializer[Any]:
    """Return the serializer that reads all requests of its shape: making one costs more than reading with it."""
    return serializer()
