"""The workflow of hosted CI runs commands that are here, on what is supported."""

import os
import re
import shlex
import tomllib

import yaml

from tests.docs.texts import ROOT

WORKFLOW = ROOT / ".github" / "workflows" / "ci.yml"
JOBS = yaml.safe_load(WORKFLOW.read_text())["jobs"]


def test_every_command_is_here_and_knows_its_options():
    commands = [step["run"] for job in JOBS.values() for step in job["steps"] if "run" in step]
    assert [shlex.split(command)[0] for command in commands] == [".ci/run", "script/test"]
    for command in commands:
        name, *options = shlex.split(command.replace("${{ matrix.database }}", "sqlite"))
        assert os.access(ROOT / name, os.X_OK)
        script = (ROOT / name).read_text()
        assert [option for option in options if option.startswith("--") and option not in script] == []


def test_the_tests_run_on_every_version_of_python_from_the_oldest_and_on_both_databases():
    matrix = JOBS["tests"]["strategy"]["matrix"]
    oldest = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"].removeprefix(">=")
    minors = [int(version.removeprefix("3.")) for version in matrix["python"]]
    assert matrix["python"][0] == oldest
    assert minors == list(range(minors[0], 15))
    found = re.search(r"^databases=\((.*)\)$", (ROOT / "script" / "test").read_text(), re.MULTILINE)
    assert found
    assert matrix["database"] == found[1].split()


def test_actions_are_named_by_their_commit():
    used = re.findall(r"uses: (\S+)", WORKFLOW.read_text())
    assert used
    assert [action for action in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action)] == []
