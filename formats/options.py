"""Options of a format: the fields of a frozen dataclass, with all that forms, checks and sentences need to know."""

from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from enum import StrEnum
from typing import Any, TypeVar, get_type_hints

T = TypeVar("T")

MAX_DAYS = 3650
"""The most days that an option may say: ten years, so that no date leaves the calendar."""

_ABOUT = "option"


class OptionFault(StrEnum):
    """The ways in which a value of an option can be wrong."""

    UNKNOWN = "unknown"
    WRONG_TYPE = "wrong-type"
    TOO_SMALL = "too-small"
    TOO_LARGE = "too-large"
    NOT_A_CHOICE = "not-a-choice"


@dataclass(frozen=True, slots=True)
class Option:
    """The description of one option.

    ``kind`` is ``bool``, ``int`` or ``str``. ``label`` and ``help_text`` are English, for organisers; ``choices`` are
    (value, label). ``is_free`` says that it can be changed while the competition runs, ``shapes_table`` that the table
    depends on it.
    """

    name: str
    kind: type[bool | int | str]
    default: Any
    label: str
    help_text: str = ""
    minimum: int | None = None
    maximum: int | None = None
    choices: tuple[tuple[str, str], ...] = ()
    may_be_empty: bool = False
    is_free: bool = False
    shapes_table: bool = False


class InvalidOptions(ValueError):
    """Options of a format that cannot be taken: the fault of each, with parameters, by its name."""

    def __init__(self, faults: Mapping[str, tuple[OptionFault, Mapping[str, Any]]]) -> None:
        super().__init__(", ".join(f"{name}: {fault}" for name, (fault, _parameters) in faults.items()))
        self.faults = faults


def option(default: Any, label: str, **about: Any) -> Any:
    """Return a field of a dataclass of options; ``about`` are the attributes of ``Option``."""
    return field(default=default, metadata={_ABOUT: {"label": label, **about}})


_OPTIONS: dict[type[Any], tuple[Option, ...]] = {}
"""The options that have been described so far: no dataclass changes."""


def options_of(type_: type[Any]) -> tuple[Option, ...]:
    """Return the options of a dataclass, in its order. Raises ``TypeError`` for a field that is no option."""
    if type_ not in _OPTIONS:
        hints = get_type_hints(type_)
        _OPTIONS[type_] = tuple(_describe(each, hints[each.name]) for each in fields(type_))
    return _OPTIONS[type_]


def read_options(type_: type[T], values: Mapping[str, Any]) -> T:
    """Return the options that these values give; what is not named has its default.

    Raises ``InvalidOptions`` for unknown names, other types, and values out of bounds.
    """
    known = {each.name: each for each in options_of(type_)}
    faults = {name: (OptionFault.UNKNOWN, {"known": sorted(known)}) for name in values if name not in known}
    for name, value in values.items():
        if name in known and (fault := _find_fault(known[name], value)) is not None:
            faults[name] = fault
    if faults:
        raise InvalidOptions(faults)
    return type_(**values)


def write_options(options: Any) -> dict[str, Any]:
    """Return the options as values that can be stored as JSON."""
    return {each.name: getattr(options, each.name) for each in fields(options)}


def _describe(each: Field[Any], hint: Any) -> Option:
    if _ABOUT not in each.metadata or each.default is MISSING:
        raise TypeError(f"{each.name} is no option: give it a default and a label by option()")
    kinds = [part for part in getattr(hint, "__args__", (hint,)) if part is not type(None)]
    if len(kinds) != 1 or kinds[0] not in {bool, int, str}:
        raise TypeError(f"{each.name} is no option: it has to be a bool, an int or a str")
    may_be_empty = hint is not kinds[0]
    return Option(each.name, kinds[0], each.default, may_be_empty=may_be_empty, **each.metadata[_ABOUT])


def _find_fault(known: Option, value: Any) -> tuple[OptionFault, dict[str, Any]] | None:
    if value is None and known.may_be_empty:
        return None
    if type(value) is not known.kind:
        return OptionFault.WRONG_TYPE, {"type": known.kind.__name__}
    if known.choices and value not in [key for key, _label in known.choices]:
        return OptionFault.NOT_A_CHOICE, {"choices": [key for key, _label in known.choices]}
    if isinstance(value, int) and known.minimum is not None and value < known.minimum:
        return OptionFault.TOO_SMALL, {"minimum": known.minimum}
    if isinstance(value, int) and known.maximum is not None and value > known.maximum:
        return OptionFault.TOO_LARGE, {"maximum": known.maximum}
    return None
