"""Texts that are looked up by a variable are marked where they are written, so that ``makemessages`` finds them."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Any

import pytest

from formats.advancement import AdvanceRule
from formats.grouping import GroupingOptions
from formats.options import Option, options_of
from formats.registry import FORMATS
from tests.test_translations import ROOT, name_of, read_trees
from tournaments.making.recipes import RECIPES, YEAR_FINAL
from tournaments.models.carry_overs import CARRY_OVERS

KEYWORDS = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy"}
"""The names of functions by which ``makemessages`` finds texts, as far as they are used here."""

LOOKED_UP = {"label", "noun", "summary", "help_text", "name", "sentence"}
"""The last names of what is looked up by a variable: texts of formats, options, carry-overs and recipes."""


@cache
def find_texts() -> set[Any]:
    """Return the texts that are given to these functions as they stand."""
    return {
        given.value
        for tree in read_trees().values()
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and name_of(call.func) in KEYWORDS
        for given in call.args
        if isinstance(given, ast.Constant)
    }


def find_variables(tree: ast.Module) -> Iterator[str]:
    """Yield the last name of each expression that is looked up and is no text."""
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and name_of(call.func) in KEYWORDS and not isinstance(call.args[0], ast.Constant):
            given = call.args[0]
            yield name_of(given.func if isinstance(given, ast.Call) else given)


def values_of(option: Option) -> set[Any]:
    """Return values of an option by which what is said may change."""
    if option.kind is bool:
        return {True, False}
    if option.kind is str:
        return {key for key, _label in option.choices}
    low = option.minimum or 0
    return {low, low + 1, option.maximum, option.default} | ({None} if option.may_be_empty else set())


def texts_of_options(type_: type[Any]) -> Iterator[str]:
    for option in options_of(type_):
        yield option.label
        yield from (label for _key, label in option.choices)
        if option.help_text:
            yield option.help_text


def texts_of_format(key: str) -> Iterator[str]:
    spec = FORMATS[key]
    yield from (spec.label, spec.noun, spec.summary, *texts_of_options(spec.options))
    for option in options_of(spec.options):
        for value in values_of(option):
            options = spec.options(**{option.name: value})
            yield spec.name(options)
            for of_teams in (False, True):
                yield from (sentence for sentence, _given in spec.describe(options, of_teams=of_teams))


@pytest.mark.parametrize("key", FORMATS)
def test_the_texts_of_a_format_are_marked(key):
    assert {*texts_of_format(key)} - find_texts() == set()


@pytest.mark.parametrize("type_", [AdvanceRule, GroupingOptions])
def test_the_texts_of_the_options_of_stages_are_marked(type_):
    assert {*texts_of_options(type_)} - find_texts() == set()


def test_the_texts_of_carry_overs_and_recipes_are_marked():
    carried = {text for each in CARRY_OVERS.values() for text in (each.label, each.summary)}
    stock = {text for each in (*RECIPES.values(), YEAR_FINAL) for text in (each.label, each.summary)}
    assert (carried | stock) - find_texts() == set()


def test_nothing_else_is_looked_up_by_a_variable():
    in_python = set(chain.from_iterable(map(find_variables, read_trees().values())))
    templates = [path.read_text() for path in (ROOT / "templates").rglob("*") if path.is_file()]
    variables = chain.from_iterable(re.findall(r"{% translate ([a-z_.]+)", text) for text in templates)
    in_templates = {each.rpartition(".")[2] for each in variables}
    assert in_python == LOOKED_UP
    assert in_templates == {"label", "summary"}


@pytest.mark.parametrize("code", ["_(fault)", "gettext(each.fault)", "_(spec.fault(options))"])
def test_a_variable_that_is_looked_up_is_found(code):
    assert [*find_variables(ast.parse(code))] == ["fault"]


def test_a_conditional_text_is_found():
    assert [*find_variables(ast.parse("_('It is.' if so else 'It was.')"))] == [""]
