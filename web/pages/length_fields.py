"""A field of forms for a length of time in days, hours, minutes and seconds."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

UNITS = ((86400, _("days")), (3600, _("hours")), (60, _("minutes")), (1, _("seconds")))
MAX_PART = 100_000


class LengthWidget(forms.MultiWidget):
    """A length of time in days, hours, minutes and seconds."""

    use_fieldset = True

    def __init__(self) -> None:
        super().__init__([forms.NumberInput(attrs={"min": 0}) for _unit in UNITS])

    def decompress(self, value: int | None) -> list[int | None]:
        """Return how many of each unit so many seconds are."""
        if value is None:
            return [None] * len(UNITS)
        parts: list[int | None] = []
        for seconds, _unit in UNITS:
            count, value = divmod(value, seconds)
            parts.append(count or None)
        return parts

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        """Return the inputs, each with the name of its unit."""
        values: list[Any] = value if isinstance(value, list) else list(self.decompress(value))
        rows = [
            (widget.render(f"{name}_{number}", each, {"id": f"id_{name}_{number}"}, renderer), unit)
            for number, (widget, each, (_seconds, unit)) in enumerate(zip(self.widgets, values, UNITS, strict=True))
        ]
        return format_html('<div class="length">{}</div>', format_html_join("", "<label>{} {}</label>", rows))


class LengthField(forms.MultiValueField):
    """A length of time, as seconds; ``None`` where nothing is filled in."""

    is_length = True

    def __init__(self, **about: Any) -> None:
        fields = [forms.IntegerField(min_value=0, max_value=MAX_PART, required=False) for _unit in UNITS]
        super().__init__(fields, widget=LengthWidget(), required=False, require_all_fields=False, **about)

    def compress(self, data_list: Sequence[int | None]) -> int | None:
        """Return the seconds of the parts."""
        if all(part is None for part in data_list):
            return None
        return sum((part or 0) * seconds for part, (seconds, _unit) in zip(data_list, UNITS, strict=True))
