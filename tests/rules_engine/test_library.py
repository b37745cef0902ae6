"""The engine as a library of its own: a wheel without dependencies, and a README that is true."""

import json
import shutil
import subprocess
import sys
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

import rules_engine

PACKAGE = Path(rules_engine.__file__).parent
ROOT = PACKAGE.parent


def run(*arguments, cwd):
    done = subprocess.run([sys.executable, *arguments], check=False, cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Return a wheel that is built without the network, of nothing but the package's own folder."""
    folder = tmp_path_factory.mktemp("library")
    source = folder / "source"
    shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("__pycache__"))
    run("-c", "from hatchling.build import build_wheel; build_wheel('..')", cwd=source)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_every_module_and_needs_nothing(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (metadata,) = (name for name in names if name.endswith("/METADATA"))
        described = Parser().parsestr(archive.read(metadata).decode())
    modules = {str(path.relative_to(ROOT)) for path in PACKAGE.rglob("*.py")} | {"rules_engine/py.typed"}
    assert {name for name in names if ".dist-info/" not in name} == modules
    assert (described["Name"], described.get_all("Requires-Dist")) == ("kickabout-rules", None)


def test_the_library_has_the_version_of_the_project():
    own, whole = (tomllib.loads((folder / "pyproject.toml").read_text())["project"] for folder in (PACKAGE, ROOT))
    assert [own[key] for key in ("version", "requires-python", "license")] == [
        whole[key] for key in ("version", "requires-python", "license")
    ]


def test_the_readme_is_true_of_the_wheel_alone(wheel, tmp_path):
    printed = run(
        "-I",
        "-S",
        "-c",
        "import doctest, json, sys; sys.path.insert(0, sys.argv[1]);"
        "done = doctest.testfile(sys.argv[2], module_relative=False);"
        "file = sys.modules['rules_engine'].__file__;"
        "print(json.dumps([done.failed, done.attempted, 'django' in sys.modules, file]))",
        str(wheel),
        str(PACKAGE / "README.md"),
        cwd=tmp_path,
    )
    failed, attempted, has_django, file = json.loads(printed.splitlines()[-1])
    assert (failed, has_django) == (0, False), printed
    assert attempted > 20
    assert file.startswith(str(wheel))


def test_a_name_is_imported_when_it_is_asked_for():
    printed = run(
        "-c",
        "import sys, rules_engine as engine;"
        "before = 'rules_engine.registry' in sys.modules;"
        "found = [getattr(engine, name) is not None for name in engine.__all__];"
        "print(before, all(found), 'rules_engine.registry' in sys.modules)",
        cwd=ROOT,
    )
    assert printed.split() == ["False", "True", "True"]
    assert set(rules_engine.__all__) <= set(dir(rules_engine))
    with pytest.raises(AttributeError, match="no attribute 'play'"):
        rules_engine.play  # noqa: B018
