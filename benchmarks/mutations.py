"""Lists the small changes that can be made to functions, and makes one while the program runs.

A mutant is a statement of a function that is left out, or has one operator, number or answer changed. Its key follows
from the function's name, the statement and the change, not from file or line: an older checkout can have the same ones.
"""

from __future__ import annotations

import ast
import gc
import hashlib
from collections import defaultdict
from collections.abc import Iterator
from functools import _lru_cache_wrapper
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

FOLDERS = ("formats", "tournaments/rounds", "tournaments/running", "tournaments/decisions")
WIDER = ("formats", "tournaments")
"""Where a checkout without these rooms may have the same functions."""
REMOVABLE = (ast.Expr, ast.AugAssign, ast.Raise, ast.Continue, ast.Break, ast.Delete)
PAIRS = (
    (ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.Is, ast.IsNot), (ast.In, ast.NotIn),
    (ast.And, ast.Or), (ast.Add, ast.Sub), (ast.Mult, ast.FloorDiv),
)  # fmt: skip
OPPOSITES: dict[type, type] = {one: other for pair in PAIRS for one, other in (pair, pair[::-1])}
Change = tuple[Any, str | int, object, str]
"""What holds a part of a statement, under which name or number, by what that is replaced, and how it is said."""


class Mutant(NamedTuple):
    """A change of a statement, in the tree of a module."""

    path: Path
    tree: ast.Module
    block: list[ast.stmt]
    statement: ast.stmt
    change: Change
    name: str


def list_statements(tree: ast.AST, name: str = "", in_function: bool = False) -> Iterator[tuple[str, list, ast.stmt]]:
    """Yield the statements in functions, each after its function's name and its block."""
    for _, block in ast.iter_fields(tree):
        for node in block if isinstance(block, list) else ():
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inner = f"{name}.{node.name}".lstrip(".")
                yield from list_statements(node, inner, not isinstance(node, ast.ClassDef))
            elif isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
                if isinstance(node, ast.stmt) and in_function:
                    yield name, block, node
                yield from list_statements(node, name, in_function)


def list_parts(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the expressions of a statement, without those of the statements in it."""
    for part in ast.iter_child_nodes(node):
        is_annotation = part is getattr(node, "annotation", None)
        if isinstance(part, ast.expr | ast.withitem | ast.comprehension | ast.keyword) and not is_annotation:
            yield part
            yield from list_parts(part)


def list_changes(block: list[ast.stmt], statement: ast.stmt) -> Iterator[Change]:
    """Yield what can be changed in a statement."""
    is_docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    if isinstance(statement, REMOVABLE) and not is_docstring:
        yield block, block.index(statement), ast.Pass(), "removed"
    if isinstance(statement, ast.Return) and statement.value and ast.unparse(statement.value) != "None":
        yield vars(statement), "value", ast.Constant(None), "returns None"
    if isinstance(statement, ast.If):
        yield vars(statement), "test", ast.UnaryOp(ast.Not(), statement.test), "condition negated"
    for number, part in enumerate(list_parts(statement)):
        match part:
            case ast.Compare(ops=[old, *_]):
                new = OPPOSITES[type(old)]
                yield part.ops, 0, new(), f"{type(old).__name__} to {new.__name__} at {number}"
            case ast.BoolOp(op=old) | ast.BinOp(op=old) if type(old) in OPPOSITES:
                new = OPPOSITES[type(old)]
                yield vars(part), "op", new(), f"{type(old).__name__} to {new.__name__} at {number}"
            case ast.Constant(value=int(constant)):
                changed = not constant if isinstance(constant, bool) else constant + 1
                yield vars(part), "value", changed, f"{constant} to {changed} at {number}"


def list_mutants(root: Path) -> dict[str, Mutant]:
    """Return the mutants of a checkout by their keys, without those whose name is not theirs alone."""
    folders = FOLDERS if (root / FOLDERS[1]).is_dir() else WIDER
    found: defaultdict[str, list[Mutant]] = defaultdict(list)
    for path in sorted(path for folder in folders for path in (root / folder).rglob("*.py")):
        tree = ast.parse(path.read_text())
        for function, block, statement in list_statements(tree):
            parts = (ast.unparse(part) for part in ast.iter_child_nodes(statement) if isinstance(part, ast.expr))
            text = f"{function}|{type(statement).__name__} {', '.join(parts)}"
            for change in list_changes(block, statement):
                name = f"{text}|{change[3]}"
                key = hashlib.sha1(name.encode(), usedforsecurity=False).hexdigest()[:12]
                found[key].append(Mutant(path.relative_to(root), tree, block, statement, change, name))
    return {key: mutants[0] for key, mutants in found.items() if len(mutants) == 1}


def replace_functions(path: Path, tree: ast.Module) -> None:
    """Give the functions of a module, whoever holds them, their code in this tree; forget cached answers."""
    codes: dict[tuple[str, int], CodeType] = {}
    waiting = [compile(ast.fix_missing_locations(tree), str(path), "exec", dont_inherit=True)]
    while waiting:
        inner = [constant for constant in waiting.pop().co_consts if isinstance(constant, CodeType)]
        codes |= {(code.co_qualname, code.co_firstlineno): code for code in inner}
        waiting += inner
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and thing.__code__.co_filename == str(path):
            code = codes.get((thing.__code__.co_qualname, thing.__code__.co_firstlineno))
            if code is not None and len(code.co_freevars) == len(thing.__code__.co_freevars):
                thing.__code__ = code
        elif type(thing) is _lru_cache_wrapper and thing.__module__.startswith(WIDER):
            thing.cache_clear()
