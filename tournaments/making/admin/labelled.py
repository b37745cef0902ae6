"""Several inputs in one field of the admin, each beside its label."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString


class LabelledWidget(forms.MultiWidget):
    """Inputs of which each has its label beside it; one with an empty label stands above them, over the whole width."""

    use_fieldset = True

    def __init__(self, parts: dict[str, tuple[Any, forms.Widget]], attrs: dict[str, Any] | None = None) -> None:
        self.parts = {part: label for part, (label, _widget) in parts.items()}
        super().__init__({part: widget for part, (_label, widget) in parts.items()}, attrs)

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        """Return the inputs with their labels, in order."""
        values: list[Any] = value if isinstance(value, list) else list(self.decompress(value) or ())
        rows = []
        for (part, label), widget, each in zip(self.parts.items(), self.widgets, values, strict=True):
            key = f"{name}_{part}"
            rows.append((label, widget.render(key, each, {"id": f"id_{key}"}, renderer)))
        above = format_html_join("", "{}", ((html,) for label, html in rows if not label))
        beside = format_html_join("", "<label>{} {}</label>", ((label, html) for label, html in rows if label))
        return format_html('<div class="labelled-inputs">{}{}</div>', above, beside)
