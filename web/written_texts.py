"""Checks of what people write: names of things, and longer texts; and what of a name is compared by its looks."""

import re
import unicodedata
from functools import cache

from confusable_homoglyphs.utils import load
from django.utils.translation import gettext as _

from web.errors import InvalidDetails

MAX_MARKS_IN_NAMES = 2
MAX_MARKS_IN_TEXTS = 4
"""The most marks that stand on one letter. Some scripts use four in running text."""

BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that count as letters, symbols or marks, and show nothing."""

STEERING = frozenset(map(chr, [*range(0x202A, 0x202F), *range(0x2066, 0x2070), 0xFEFF, 0xFFF9, 0xFFFA, 0xFFFB]))
"""Format characters that rearrange what comes after them, or are no text: even a longer text has none of them."""

TAGS = range(0xE0000, 0xE0080)
FLAGS = re.compile("\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f")
"""Flags of regions, such as that of Wales: the only use of tags."""

NON_JOINER, JOINER = "\u200c", "\u200d"
VIRAMA = 9

IGNORED = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e0fff]"
)
"""Characters that Unicode lets programs show as nothing (Default_Ignorable_Code_Point)."""

MARKED_AS_LEFT_TO_RIGHT = "\u200e"


def clean_name(name: str, *, field: str = "name") -> str:
    """Return a name in Unicode's form NFKC, with single blanks between its words.

    Raises ``InvalidDetails``, which names the ``field``, unless it has a letter and every character of it is seen.
    """
    name = " ".join(unicodedata.normalize("NFKC", name).split())
    for place, character in enumerate(name):
        if character in BLANK_LETTERS or (unicodedata.category(character)[0] == "C" and not _joins(name, place)):
            raise _fault(
                field,
                _("Character %(place)d of the name cannot be used: %(character)s. Type the name again without it.")
                % {"place": place + 1, "character": _describe(character)},
            )
    _check_marks(name, field, MAX_MARKS_IN_NAMES)
    if not any(unicodedata.category(character)[0] == "L" for character in name):
        raise _fault(field, _("A name needs at least one letter."))
    return name


def clean_text(text: str, *, field: str) -> str:
    """Return a longer text in Unicode's form NFC, its lines apart by line feeds; an empty one may be empty.

    Raises ``InvalidDetails``, which names the ``field``, for characters that no page can show, those that rearrange
    others, and a text in which nothing is seen.
    """
    lines = unicodedata.normalize("NFC", text).splitlines()
    for number, line in enumerate(lines, start=1):
        for character in FLAGS.sub("", line):
            if _is_unusable(character):
                raise _fault(
                    field,
                    _("Line %(line)d has a character that cannot be used: %(character)s. Type the line again.")
                    % {"line": number, "character": _describe(character)},
                )
        _check_marks(line, field, MAX_MARKS_IN_TEXTS)
    cleaned = "\n".join(lines)
    if cleaned and not any(_is_seen(character) for character in cleaned):
        raise _fault(field, _("Write something that can be seen."))
    return cleaned


def find_skeleton(name: str) -> str:
    """Return what two names have in common that look alike: the skeleton of UTS 39, in any case of letters.

    It is made for comparison alone. It follows from Unicode's data in ``confusable_homoglyphs``.
    """
    return _skeleton(_skeleton(name).casefold())


def _fault(field: str, sentence: str) -> InvalidDetails:
    return InvalidDetails({field: [sentence]})


def _describe(character: str) -> str:
    return f"U+{ord(character):04X} {unicodedata.name(character, '')}".rstrip()


def _joins(name: str, place: int) -> bool:
    """Return whether a joiner stands where its script needs one (RFC 5892, appendix A)."""
    if name[place] not in {NON_JOINER, JOINER} or not name[place + 1 :]:
        return False
    if unicodedata.combining(name[place - 1 : place] or " ") == VIRAMA:
        return True
    before = next((each for each in reversed(name[:place]) if not unicodedata.combining(each)), " ")
    is_between = {unicodedata.bidirectional(before), unicodedata.bidirectional(name[place + 1])} == {"AL"}
    return name[place] == NON_JOINER and is_between


def _is_unusable(character: str) -> bool:
    code, category = ord(character), unicodedata.category(character)
    is_no_character = code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
    return (
        (category in {"Cc", "Cs", "Co"} and character != "\t")
        or is_no_character
        or character in STEERING
        or code in TAGS
    )


def _is_seen(character: str) -> bool:
    category = unicodedata.category(character)
    # What this Python does not know yet may well be a newer emoji.
    return (category[0] in "LNPS" or category == "Cn") and character not in BLANK_LETTERS


def _check_marks(text: str, field: str, most: int) -> None:
    """Raise ``InvalidDetails`` for a letter with more marks than that, which would cover what stands around it."""
    run = 0
    for place, character in enumerate(text):
        run = run + 1 if unicodedata.category(character) in {"Mn", "Me"} else 0
        if run > most:
            around = text[max(0, place - run) :][:1]
            raise _fault(
                field,
                _("“%(letter)s” has too many accents or other marks: at most %(most)d can stand on a letter.")
                % {"letter": around, "most": most},
            )


def _skeleton(text: str) -> str:
    prototypes = _read_prototypes()
    decomposed = IGNORED.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", "".join(prototypes.get(each, each) for each in decomposed))


@cache
def _read_prototypes() -> dict[str, str]:
    """Return the prototype of each character that looks like another.

    The data list with each text those with which it can be confused: with a prototype all of its kind, and with all
    others only the prototype. Where a kind has but two, it does not matter which of them stands for both, as long as
    it does so within other prototypes, too.
    """
    listed = {_plain(text): [_plain(each["c"]) for each in alike] for text, alike in load("confusables.json").items()}
    found = {
        text: min([text, *alike], key=lambda each: (-len(listed[each]), -len(each), each))
        for text, alike in listed.items()
        if len(text) == 1
    }
    return {
        text: "".join(found.get(each, each) for each in unicodedata.normalize("NFD", prototype))
        for text, prototype in found.items()
    }


def _plain(text: str) -> str:
    return text.replace(MARKED_AS_LEFT_TO_RIGHT, "")
