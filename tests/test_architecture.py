"""Packages import only what they may, and the source as a whole keeps its other rules."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.texts import PACKAGES

ROOT = Path(__file__).parent.parent
MAX_MODULE_LINES = 450


def test_the_import_contracts_hold():
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("package", PACKAGES)
def test_no_module_is_longer_than_a_reader_can_hold(package):
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text().splitlines())
        for path in (ROOT / package).rglob("*.py")
        if "migrations" not in path.parts
    }
    assert {path: length for path, length in lengths.items() if length > MAX_MODULE_LINES} == {}


def test_the_rules_engine_needs_nothing_but_the_standard_library():
    imported = set()
    for path in (ROOT / "rules_engine").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                imported.add(node.module.partition(".")[0])
    assert imported - {"rules_engine"} <= sys.stdlib_module_names
