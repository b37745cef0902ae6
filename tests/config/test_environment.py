"""The script ``script/environment`` finds the right Python, and sets the right variables for uv."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("UV_SYSTEM_CERTS", "UV_NATIVE_TLS")
STORES = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem")


def environment_of_uv(**chosen: str) -> list[str]:
    """Return the values of the names after sourcing it, where the person who runs it has chosen these."""
    kept = {name: value for name, value in os.environ.items() if name not in {*NAMES, "SSL_CERT_FILE"}}
    script = ". script/environment; echo ${UV_SYSTEM_CERTS-unset} ${UV_NATIVE_TLS-unset}"
    done = subprocess.run(
        ["bash", "-c", script], cwd=ROOT, env=kept | chosen, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


SYSTEMS = "/usr/bin/python3"
"""The Python that comes before those on the PATH."""


def found_python(**chosen: str) -> str:
    """Return the path of the Python that is used, where the person who runs it has chosen these."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHON"}
    done = subprocess.run(
        ["bash", "-c", ". script/environment; find_python"],
        cwd=ROOT,
        env=kept | chosen,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.fixture
def own_python(tmp_path: Path) -> Path:
    """Return the path of a Python that is new enough, in a folder that has nothing else."""
    path = tmp_path / "python3"
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    path.chmod(0o755)
    return path


def test_a_python_that_is_chosen_is_used(own_python: Path) -> None:
    assert found_python(PYTHON=str(own_python)) == sys.executable


def test_the_systems_python_is_used_where_it_is_new_enough(own_python: Path) -> None:
    asked = "import sys, ensurepip, venv; print(sys.version_info >= (3, 11) and sys.executable)"
    systems = ""
    if Path(SYSTEMS).is_file():
        systems = subprocess.run([SYSTEMS, "-c", asked], capture_output=True, text=True, check=False).stdout.strip()
    other = sys.executable if systems in {"", "False"} else systems
    assert found_python(PATH=f"{own_python.parent}:{os.environ['PATH']}") == other


def test_a_python_that_is_too_old_is_passed_over(tmp_path: Path, own_python: Path) -> None:
    old = tmp_path / "old"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    path = f"{own_python.parent}:{os.environ['PATH']}"
    assert found_python(PYTHON=str(old), PATH=path) == found_python(PATH=path)


def test_the_systems_certificates_are_used_where_there_are_any():
    assert environment_of_uv() == (
        ["true", "true"] if any(Path(store).is_file() for store in STORES) else ["unset", "unset"]
    )


@pytest.mark.parametrize(
    ("chosen", "values"),
    [
        ({"UV_SYSTEM_CERTS": "false"}, ["false", "unset"]),
        ({"UV_NATIVE_TLS": "0"}, ["unset", "0"]),
        ({"SSL_CERT_FILE": "/opt/own.pem"}, ["unset", "unset"]),
    ],
)
def test_settings_that_are_chosen_win(chosen, values):
    assert environment_of_uv(**chosen) == values
