"""Read JSON strictly: a refusal says in one sentence what is wrong with it."""

import json
import math
from collections import Counter
from typing import Any, Final

from rules_engine.errors import InvalidNotation
from rules_engine.messages import shorten

MAX_DEPTH: Final = 32
"""The most levels to which lists and objects may be nested."""

MAX_NUMBER_CHARACTERS: Final = 40
"""The most characters that a number may have."""


def read_json(text: str) -> Any:
    """Return the value that the JSON text holds; raises ``InvalidNotation`` with a whole sentence.

    Stricter than the standard library: numbers are finite and short, no object has a key twice, nothing is nested more
    than ``MAX_DEPTH`` deep, and every string is whole characters. A byte order mark at the beginning is accepted.
    """
    text = text.removeprefix("\ufeff")
    try:
        value = json.loads(
            text,
            parse_int=_read_integer,
            parse_float=_read_float,
            parse_constant=_refuse_constant,
            object_pairs_hook=_read_object,
        )
    except RecursionError:
        raise _too_deep() from None
    except json.JSONDecodeError as error:
        raise InvalidNotation("json_syntax", line=error.lineno, column=error.colno) from None
    if text.count("[") + text.count("{") > MAX_DEPTH and _is_deeper(value, MAX_DEPTH):
        raise _too_deep()
    if "\\u" in text:
        _check_characters(value)
    return value


def _too_deep() -> InvalidNotation:
    return InvalidNotation("json_too_deep")


def _read_integer(digits: str) -> int:
    _check_length(digits)
    return int(digits)


def _read_float(digits: str) -> float:
    _check_length(digits)
    number = float(digits)
    if not math.isfinite(number):
        raise InvalidNotation("json_number_too_large", number=digits)
    return number


def _check_length(digits: str) -> None:
    if len(digits) > MAX_NUMBER_CHARACTERS:
        raise InvalidNotation("json_number_too_long", characters=MAX_NUMBER_CHARACTERS)


def _refuse_constant(name: str) -> float:
    raise InvalidNotation("json_not_a_number", name=name)


def _read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise InvalidNotation("json_key_twice", key=shorten(twice))
    return value


def _is_deeper(value: Any, depth: int) -> bool:
    """Return whether lists and objects are nested more than ``depth`` deep."""
    level = [value]
    for _ in range(depth + 1):
        nested = [each for each in level if isinstance(each, list | dict)]
        level = [inner for each in nested for inner in (each.values() if isinstance(each, dict) else each)]
        if not nested:
            return False
    return True


def _check_characters(value: Any) -> None:
    """Refuse a lone surrogate, which can be neither stored nor sent."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise InvalidNotation("json_half_character") from None
