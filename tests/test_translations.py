"""Refusals and errors give their sentences to gettext, so that ``makemessages`` finds them."""

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from tests.docs.texts import PACKAGES

ROOT = Path(__file__).parent.parent
ERRORS = {
    "ValidationError": "detail",
    "ParseError": "detail",
    "NotFound": "detail",
    "PermissionDenied": "detail",
    "Http404": "",
    "ValueError": "",
}
"""The errors of Django, its REST framework and Python, each with the name of its first parameter."""


def name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def find_refusals(trees: list[ast.Module]) -> set[str]:
    """Return the names of ``DomainError`` and of all classes that inherit from it."""
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    found = {"DomainError"}
    while more := {each.name for each in classes if found & {*map(name_of, each.bases)}} - found:
        found |= more
    return found


def has_letters(text: ast.Constant) -> bool:
    return any(map(str.isalpha, str(text.value)))


def is_sentence(node: ast.expr) -> bool:
    """Return whether it is a text that begins with a capital letter and ends with a full stop."""
    match node:
        case ast.Constant(value=str(text)):
            return text[:1].isupper() and text.endswith(".")
        case ast.JoinedStr(values=[first, *_, last]) | ast.JoinedStr(values=[first as last]):
            begins = not isinstance(first, ast.Constant) or str(first.value)[:1].isupper()
            return begins and isinstance(last, ast.Constant) and str(last.value).endswith(".")
        case ast.BinOp(left=text):
            return is_sentence(text)
    return False


class Reader:
    """Find the texts of a module that refusals get as they stand: directly, by a name, or through a function."""

    def __init__(self, tree: ast.Module, refusals: set[str]) -> None:
        self.takers: dict[str, set[tuple[int | None, str]]] = {
            **{each: {(0, name)} for each, name in ERRORS.items()},
            **{each: {(0, "reason"), (None, "fields")} for each in refusals},
            "add_error": {(1, "error")},
        }
        """The callables that take sentences, and by which parameters: their places, and their names."""
        self.calls: list[tuple[ast.Call, ast.FunctionDef | None]] = []
        self.assigned: dict[tuple[ast.FunctionDef | None, str], list[ast.expr]] = defaultdict(list)
        self.lines: set[int] = set()
        self._note(tree, None)
        number = 0
        while number < sum(map(len, self.takers.values())):
            number = sum(map(len, self.takers.values()))
            for call, function in self.calls:
                self._judge_call(call, function)

    def _note(self, node: ast.AST, function: ast.FunctionDef | None) -> None:
        if isinstance(node, ast.FunctionDef):
            function = node
        elif isinstance(node, ast.Call):
            self.calls.append((node, function))
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                name = name_of(target.value if isinstance(target, ast.Subscript) else target)
                self.assigned[function, name].append(node.value)
        for child in ast.iter_child_nodes(node):
            self._note(child, function)

    def _judge_call(self, call: ast.Call, function: ast.FunctionDef | None) -> None:
        for place, name in list(self.takers.get(name_of(call.func), ())):
            given = [keyword.value for keyword in call.keywords if keyword.arg == name]
            if place is not None:
                given += call.args[place : place + 1]
            for value in given:
                # A mistake of a program is named in small letters and without a full stop.
                if name_of(call.func) != "ValueError" or is_sentence(value):
                    self._judge(value, function)

    def _judge(self, value: ast.expr, function: ast.FunctionDef | None) -> None:
        match value:
            case ast.Constant(value=str()):
                self.lines.add(value.lineno)
            case ast.JoinedStr(values=parts) if any(
                isinstance(each, ast.Constant) and has_letters(each) for each in parts
            ):
                self.lines.add(value.lineno)
            case ast.IfExp(body=first, orelse=second):
                self._judge(first, function)
                self._judge(second, function)
            case ast.BinOp(left=first, op=ast.BitOr(), right=second):
                self._judge(first, function)
                self._judge(second, function)
            case ast.BinOp(left=text) | ast.DictComp(value=text) | ast.ListComp(elt=text):
                self._judge(text, function)
            case ast.List(elts=several) | ast.Dict(values=several):
                for each in several:
                    self._judge(each, function)
            case ast.Name(id=name):
                self._judge_name(name, function)

    def _judge_name(self, name: str, function: ast.FunctionDef | None) -> None:
        parameters = [] if function is None else [each.arg for each in function.args.args + function.args.kwonlyargs]
        if function is not None and name in parameters:
            self.takers.setdefault(function.name, set()).add((parameters.index(name), name))
        for value in self.assigned.pop((function, name), []) + self.assigned.pop((None, name), []):
            self._judge(value, function)


@cache
def read_trees() -> dict[str, ast.Module]:
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text()) for path in paths}


@cache
def all_refusals() -> set[str]:
    return find_refusals([*read_trees().values()])


def find_bare(tree: ast.Module) -> list[int]:
    return sorted(Reader(tree, all_refusals()).lines)


def test_the_sentence_of_every_refusal_can_be_translated():
    bare = {path: lines for path, tree in read_trees().items() if (lines := find_bare(tree))}
    assert bare == {}


@pytest.mark.parametrize(
    "code",
    [
        "MatchOver('It is over.')",
        "MatchOver(f'{match} is over.')",
        "errors.MatchOver('%s is over.' % match)",
        "MatchOver(_('It is over.') if so else 'It has begun.')",
        "MatchOver(_('It is over.'), fields={'ply': ['It is late.']})",
        "OVER = 'It is over.'\ndef refuse():\n    raise MatchOver(OVER)",
        "def check(sentence):\n    raise MatchOver(sentence)\ncheck('It is over.')",
        "serializers.ValidationError('It is over.')",
        "ValidationError({'ply': ['It is late.']} | {'move': [_('It is bad.')]})",
        "ValidationError({'ply': [_('It is late.')]} | {'move': ['It is bad.']})",
        "ValidationError({name: ['There is none.'] for name in names})",
        "ValidationError(['There is none.' for name in names])",
        "Http404('There is no match.')",
        "exceptions.PermissionDenied(detail='It is only for staff.')",
        "ValueError('It is over.')",
        "ValueError(f'{match} is over.')",
        "ValueError(f'Match {match} is over.')",
        "ValueError('Match %s is over.' % match)",
        "form.add_error('ply', 'It is late.')",
        "def check():\n    fields = {}\n    fields['ply'] = ['It is late.']\n    raise InvalidDetails(fields)",
    ],
)
def test_a_sentence_that_gettext_does_not_get_is_found(code):
    assert find_bare(ast.parse(code))


def test_sentences_that_gettext_gets_are_left_alone():
    code = (
        "def f(n):\n"
        "    s = ngettext('%d is.', '%d are.', n)\n"
        "    raise MatchOver(s % n, fields={'ply': [_('It is.')]})\n"
        "    form.add_error('ply', f'{refusal.rule}: {refusal.reason}')"
    )
    assert not find_bare(ast.parse(code))


@pytest.mark.parametrize("code", ["ValueError('a round needs two players')", "ValueError(f'{one!r} has no seat')"])
def test_the_name_of_a_mistake_in_a_program_is_left_alone(code):
    assert not find_bare(ast.parse(code))
