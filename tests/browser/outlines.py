"""Outlines of pages: their elements, apart from their words."""

from __future__ import annotations

import re
from html.parser import HTMLParser

Attributes = list[tuple[str, str | None]]

WITHOUT_END = frozenset(("br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"))
FIELDS = frozenset(("input", "select", "textarea"))
HEADING = re.compile(r"h[1-6]")

DESCRIPTIVE_ATTRIBUTES = ("role", "type", "aria-hidden", "aria-current")
"""Attributes whose values say what an element is, or how it looks; of the others the names are enough."""

OF_ONE_MODEL = re.compile(r"(app|model|field|column|row)-\S+|\S*\d\S*")
"""Classes in which Django says what it shows: no style sheet asks for them."""


class _Outline(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.parts: set[str] = set()
        self._open: list[_Element] = [_Element("", "")]
        self._labelled: set[str] = set()
        self._fields: list[tuple[str, str]] = []
        self._heading = ""

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        around, given = self._open[-1], dict(attrs)
        path = f"{around.path}>{_name(tag, given)}"
        self.parts.add(f"{around.last}+{path}")
        around.last, around.is_empty = _name(tag, given), False
        if HEADING.fullmatch(tag):
            self.parts.add(f"{self._heading} before {tag}")
            self._heading = tag
        if tag == "label":
            self._labelled.add(given.get("for") or "")
        if tag in FIELDS and not given.keys() & {"aria-label", "aria-labelledby"}:
            self._fields.append((given.get("id") or "", path))
        if tag not in WITHOUT_END:
            self._open.append(_Element(tag, path))

    def handle_endtag(self, tag: str) -> None:
        if any(tag == element.tag for element in self._open):
            while (element := self._open.pop()).tag != tag:
                self._close(element)
            self._close(element)

    def handle_data(self, data: str) -> None:
        if data.strip():
            self._open[-1].is_empty = False

    def close(self) -> None:
        super().close()
        self.parts |= {f"without label: {path}" for key, path in self._fields if key not in self._labelled}

    def _close(self, element: _Element) -> None:
        if element.is_empty:
            self.parts.add(f"empty: {element.path}")


class _Element:
    """One that has begun: where it is, what came last in it, and whether nothing has come yet."""

    def __init__(self, tag: str, path: str) -> None:
        self.tag, self.path = tag, path
        self.last = ""
        self.is_empty = True


def _name(tag: str, given: dict[str, str | None]) -> str:
    """Return what an element is: its tag, its classes, and the names of its attributes."""
    classes = [name for name in sorted((given.get("class") or "").split()) if not OF_ONE_MODEL.fullmatch(name)]
    attributes = sorted(name for name in given if not name.startswith("data-") and name not in {"class", "id"})
    return f"{'.'.join([tag, *classes])}[{' '.join(_attribute(name, given[name]) for name in attributes)}]"


def _attribute(name: str, value: str | None) -> str:
    return f"{name}={value}" if name in DESCRIPTIVE_ATTRIBUTES else name


def outline(page: str) -> set[str]:
    """Return the parts of a page: each element by all that it is in and the one before it, and what is true of several.

    That is the order of the headings, which elements are empty, and which fields no label is for.
    """
    found = _Outline()
    found.feed(page)
    found.close()
    return found.parts
