"""Tags as text: ``[Name "value"]``, a line for each, before what was played."""

import re
from typing import Final

TAG: Final = r'\[\s*([A-Za-z][A-Za-z0-9]*)\s+"((?:[^"\\]|\\["\\])*)"\s*\]'
"""A tag as people write it: its name, blanks, and its value with quotation marks and backslashes escaped."""

NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*")


def write_tag(name: str, value: str) -> str:
    """Return a tag as a line of text."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def read_value(text: str) -> str:
    """Return the value that stands, escaped, between a tag's quotation marks."""
    return re.sub(r"\\(.)", r"\1", text)
