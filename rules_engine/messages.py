"""Sentences as data: a stable code with parameters, and catalogues that make a language's sentence of them."""

from collections.abc import Callable, Mapping, Sequence
from string import Formatter
from typing import Any, Final, Self

from rules_engine import english

Parameters = Mapping[str, Any]
"""Texts, numbers, tuples of these, and further messages, by name."""

MAX_QUOTED_CHARACTERS: Final = 40


def shorten(text: str) -> str:
    """Return a text for quotation in a message: a long one is cut and ends with an ellipsis."""
    return text if len(text) <= MAX_QUOTED_CHARACTERS else f"{text[:MAX_QUOTED_CHARACTERS]}…"


class Catalogue:
    """The sentences of one language, by code.

    A sentence names its parameters in braces, and may say after a colon how they are shown: ``{side:word}`` by a word
    of the language, ``{number:space|spaces}`` as a number with the form of a word that ``plural_form`` chooses,
    ``{spaces:and}`` or ``{spaces:or}`` as a list with this word before the last, ``{text:quoted}`` in quotation marks,
    ``{stage:capital}`` with a capital letter.
    """

    def __init__(
        self, sentences: Mapping[str, str], words: Mapping[str, str], plural_form: Callable[[int], int]
    ) -> None:
        self.sentences = sentences
        self._words = words
        self._plural_form = plural_form
        self._parts = {code: _split(sentence) for code, sentence in sentences.items()}

    def render(self, code: str, parameters: Parameters) -> str:
        """Return the sentence; raises ``KeyError`` when the language has none, or a parameter is missing."""
        return "".join(
            [
                literal if name is None else literal + self._show(parameters[name], how)
                for literal, name, how in self._parts[code]
            ]
        )

    def _show(self, value: Any, how: str) -> str:
        if isinstance(value, tuple):
            return self._join([self._show(each, "") for each in value], how)
        if isinstance(value, Message):
            # It is English already.
            value = str(value) if self is ENGLISH else self.render(value.code, value.parameters)
        if not how:
            return str(value)
        if how == "word":
            return self._words[value]
        if how == "quoted":
            return repr(str(value))
        if how == "capital":
            return f"{value[0].upper()}{value[1:]}"
        return f"{value} {how.split('|')[self._plural_form(value)]}"

    def _join(self, texts: Sequence[str], how: str) -> str:
        *others, last = texts
        return f"{', '.join(others)} {self._words[how]} {last}" if others and how else ", ".join(texts)


def _split(sentence: str) -> list[tuple[str, str | None, str]]:
    return [(literal, name, how or "") for literal, name, how, _ in Formatter().parse(sentence)]


ENGLISH: Final = Catalogue(english.SENTENCES, english.WORDS, english.plural_form)


class Message(str):
    """A sentence in English with its stable ``code`` and its ``parameters``, for programs and for other languages.

    Another language's sentence is ``catalogue.render(message.code, message.parameters)``.
    """

    __slots__ = ("code", "parameters")

    code: str
    parameters: Parameters

    def __new__(cls, code: str, /, **parameters: Any) -> Self:
        """Make the sentence; raises ``KeyError`` when there is none with this code and these parameters."""
        message = super().__new__(cls, ENGLISH.render(code, parameters))
        message.code = code
        message.parameters = parameters
        return message

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        return (self.code,), dict(self.parameters)


def parameters_to_json(parameters: Parameters) -> dict[str, Any]:
    """Return parameters as JSON has them: a message among them is an object of its ``code`` and ``parameters``."""
    return {name: _to_json(value) for name, value in parameters.items()}


def _to_json(value: Any) -> Any:
    if isinstance(value, Message):
        return {"code": value.code, "parameters": parameters_to_json(value.parameters)}
    return [_to_json(each) for each in value] if isinstance(value, tuple) else value
