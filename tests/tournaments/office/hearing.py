"""Hear which kinds of sentences *How it works* says of a competition: the texts that are translated."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from inspect import getsource
from types import ModuleType
from typing import Any

import pytest

from tournaments.models import Competition
from tournaments.office import sentences, stage_texts
from tournaments.office.sentences import list_facts

DETAILS = "Stage %(number)d: %(facts)s"


@dataclass
class Sentence:
    """A kind of sentence, with what was filled in, and of which stage it speaks if it is one of the details."""

    kind: str
    text: str
    given: Any = field(default_factory=dict)
    stage: int = 1


class _Said(str):
    """A text that notes what is filled in."""

    __slots__ = ("sentence",)
    sentence: Sentence

    def __mod__(self, given: Any) -> str:
        self.sentence.given = given
        self.sentence.text = str(self) % given
        return self.sentence.text


def hear(competition: Competition, monkeypatch: pytest.MonkeyPatch) -> list[Sentence]:
    """Return the sentences and their parts in the order in which they are made."""
    heard: list[Sentence] = []

    def say(text: str, kind: str = "") -> _Said:
        said = _Said(text)
        details = sum(each.kind == DETAILS for each in heard)
        said.sentence = Sentence(kind or str(text), str(text), stage=max(1, details))
        heard.append(said.sentence)
        return said

    with monkeypatch.context() as patch:
        for module in (sentences, stage_texts):
            patch.setattr(module, "_", say)
            patch.setattr(module, "ngettext", lambda one, many, count: say(one if count == 1 else many, many))
        shown = " ".join(list_facts(competition)).lower()
    return [each for each in heard if each.text.lower() in shown]


def kinds_in_source() -> set[str]:
    """Return all kinds that the functions behind ``list_facts`` name, whatever the options."""
    functions = {
        node.name: node
        for module in (sentences, stage_texts)
        for node in _tree(module).body
        if isinstance(node, ast.FunctionDef)
    }
    reached: set[str] = set()
    waiting = {"list_facts"}
    while waiting:
        name = waiting.pop()
        reached.add(name)
        called = {node.id for node in ast.walk(functions[name]) if isinstance(node, ast.Name)}
        waiting |= called & functions.keys() - reached
    return {kind for name in reached for kind in _texts_in(functions[name])}


def _tree(module: ModuleType) -> ast.Module:
    return ast.parse(getsource(module))


def _texts_in(function: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"_", "ngettext"}:
            text = node.args[1 if node.func.id == "ngettext" else 0]
            if isinstance(text, ast.Constant):
                yield str(text.value)
