"""Nothing but a format's own module, its registration and the recipes names a format."""

import ast

from formats.registry import FORMATS
from tests.docs.texts import PACKAGES, ROOT

OWN = ("formats/", "tournaments/migrations/", "tournaments/making/recipes.py")
"""The places where formats are named: their modules and registry, rows of long ago, and what organisers start from."""

CLASSES = {type(each).__name__ for each in FORMATS.values()}


def files() -> list[str]:
    paths = [path.relative_to(ROOT).as_posix() for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    return sorted(path for path in paths if not path.startswith(OWN))


def named_in(source: str) -> set[str]:
    """Return the formats that a module names, by their keys or by their classes."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and node.value in FORMATS:
            found.add(str(node.value))
        if (
            isinstance(node, ast.ImportFrom)
            and (node.module or "").startswith("formats.")
            and "pairing" not in node.module
        ):
            found |= CLASSES & {alias.name for alias in node.names}
    return found


def test_no_other_module_names_a_format():
    found = {path: named for path in files() if (named := named_in((ROOT / path).read_text()))}
    assert found == {}


def test_a_module_that_names_one_would_be_found():
    assert named_in('if stage.format == "knock-out": pass') == {"knock-out"}
    assert named_in("from formats.swiss import Swiss") == {"Swiss"}


def test_no_template_names_a_format():
    quoted = [f"{quote}{key}{quote}" for key in FORMATS for quote in "\"'"]
    found = {
        path.name for path in (ROOT / "templates").rglob("*.html") if any(each in path.read_text() for each in quoted)
    }
    assert found == set()
