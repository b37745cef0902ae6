"""The script ``script/environment`` sets the right variables for uv."""

from __future__ import annotations

import os
import subprocess
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
