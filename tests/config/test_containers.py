"""The image's entry point, the Compose file and its example environment agree with each other and the settings."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.urls import URLPattern

import config.api_urls
from config.queues import QUEUES
from tests.docs.texts import PACKAGES
from web.requests.redaction import SECRET_PATHS

ROOT = Path(__file__).parent.parent.parent
COMPOSE = (ROOT / "docker" / "compose.yaml").read_text()
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load(COMPOSE)["services"]
OURS = [name for name, service in SERVICES.items() if str(service["image"]).startswith("kickabout:")]
ENTRYPOINT = (ROOT / "docker" / "entrypoint").read_text()
DOCKERFILE = (ROOT / "docker" / "Dockerfile").read_text()
CADDYFILE = (ROOT / "docker" / "Caddyfile").read_text()
SETTINGS = (ROOT / "config" / "settings.py").read_text()


def names(pattern: str, text: str) -> set[str]:
    return set(re.findall(pattern, text, re.MULTILINE))


def test_every_variable_that_containers_are_given_is_read():
    given = set(SERVICES["web"]["environment"]) | names(
        r"^ +([A-Z0-9_]+)=\S+(?: \\)?$", DOCKERFILE.rpartition("FROM")[2]
    )
    read = names(r"\benv(?:\.\w+)?\(\s*\"([A-Z0-9_]+)\"", SETTINGS) | names(r"\$\{([A-Z0-9_]+)", ENTRYPOINT)
    assert given - read == {"PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE"}


def test_containers_are_given_every_setting_that_is_not_settled_by_the_image():
    read = names(r"\benv(?:\.\w+)?\(\s*\"([A-Z0-9_]+)\"", SETTINGS)
    settled = {"DATA_DIR", "DEBUG", "METRICS_DIR", "STATIC_ROOT"}
    assert read - set(SERVICES["web"]["environment"]) == settled


@pytest.mark.parametrize("name", ["DATABASE_URL", "REDIS_URL"])
def test_the_servers_of_the_compose_file_can_be_replaced_by_others(name):
    assert SERVICES["web"]["environment"][name].startswith(f"${{{name}:-")


def test_the_example_names_every_variable_of_the_compose_file():
    asked = names(r"\$\{([A-Z0-9_]+)", COMPOSE)
    passed_on = {name for name, value in SERVICES["web"]["environment"].items() if value is None}
    example = (ROOT / "docker" / ".env.example").read_text()
    assert names(r"^#?([A-Z0-9_]+)=", example) == asked | passed_on


@pytest.mark.parametrize("name", [name for name in OURS if "command" in SERVICES[name]])
def test_the_entry_point_knows_every_command(name):
    (command,) = SERVICES[name]["command"]
    assert f"\n    {command})\n" in ENTRYPOINT


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_has_limits(name):
    assert set(SERVICES[name]["deploy"]["resources"]["limits"]) == {"cpus", "memory"}


@pytest.mark.parametrize("name", [name for name, service in SERVICES.items() if service["restart"] != "no"])
def test_services_that_stay_up_stop_gracefully_and_wait_for_the_migrations(name):
    service = SERVICES[name]
    assert service["stop_grace_period"]
    if name in OURS:
        assert service["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}


def test_a_service_that_has_ended_is_started_again_unless_it_is_done():
    policies = {name: service["restart"] for name, service in SERVICES.items()}
    done = {name for name, policy in policies.items() if policy == "no"}
    assert done == {"migrate", "static"}
    assert {policies[name] for name in policies.keys() - done} == {"unless-stopped"}


@pytest.mark.parametrize("name", ["worker", "computers"])
def test_a_worker_is_asked_whether_it_takes_work(name):
    port = SERVICES[name]["environment"]["METRICS_PORT"]
    assert f"http://127.0.0.1:{port}/health/live" in SERVICES[name]["healthcheck"]["test"][-1]


def test_the_workers_take_from_every_queue():
    options = re.findall(r"--queues (\S+)", ENTRYPOINT)
    taken = {name for option in options for name in option.strip('"').rpartition(":-")[2].rstrip("}").split(",")}
    assert taken == set(QUEUES)


def test_only_the_proxy_is_reached_from_outside():
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]
    assert {name for name, service in SERVICES.items() if service["networks"] == ["inside"]} >= {"postgres", "redis"}


def test_the_image_is_built_from_the_lock_file_without_what_only_tests_need():
    assert "uv sync --frozen --no-dev" in DOCKERFILE
    assert re.search(r"^USER \d+:\d+$", DOCKERFILE, re.MULTILINE)


def test_the_image_has_every_package():
    kept = names(r"^!(\S+)$", (ROOT / "docker" / "Dockerfile.dockerignore").read_text())
    assert kept >= {*PACKAGES, "docker/entrypoint", "manage.py", "static", "templates"}


def test_the_proxy_passes_on_to_services_that_stay_up():
    upstreams = names(r"\breverse_proxy (\w+):8000\b", CADDYFILE)
    assert upstreams == {"web", "streams"}
    assert {SERVICES[name]["restart"] for name in upstreams} == {"unless-stopped"}
    assert {network for name in upstreams for network in SERVICES[name]["networks"]} >= {"outside"}


def test_the_proxy_passes_every_stream_to_the_process_for_streams():
    (passed,) = re.findall(r"@streams path (.+)", CADDYFILE)
    streams = {
        re.sub(r"<[^>]+>", "*", f"/api/v1/{pattern.pattern}")
        for pattern in config.api_urls.urlpatterns
        if isinstance(pattern, URLPattern) and str(pattern.pattern).endswith("stream/")
    }
    assert set(passed.split()) == streams


def test_the_proxy_handles_everything_in_blocks_that_exclude_each_other():
    """Caddy orders directives by their names: other ones come after the last block, which takes every request."""
    site = CADDYFILE.rpartition("\n{$SITE_ADDRESS")[2]
    assert names(r"^\t([a-z_]+)", site) == {"handle", "handle_path", "handle_errors"}


def test_the_proxy_bounds_the_bodies_on_every_route():
    """A snippet that is imported stands for what it says."""
    parts = dict(re.findall(r"^(\(\w+\)) \{\n(.*?)^\}$", CADDYFILE, re.MULTILINE | re.DOTALL))
    assert "max_size {$MAX_IMPORT_SIZE:2000000}" in parts["(bodies)"]
    site = CADDYFILE.rpartition("\n{$SITE_ADDRESS")[2]
    for name, text in parts.items():
        site = site.replace(f"import {name.strip('()')}", text)
    site = site.replace("import bodies", parts["(bodies)"])
    routes = re.findall(r"^\thandle(?:_path)? .*?^\t\}$", site, re.MULTILINE | re.DOTALL)
    assert len(routes) == 4
    assert [route for route in routes if "max_size" not in route] == []


def test_the_proxy_accepts_bodies_as_large_as_the_site_does_and_no_larger():
    assert SERVICES["proxy"]["environment"]["MAX_IMPORT_SIZE"] == "${MAX_IMPORT_SIZE:-2000000}"
    assert 'env.int("MAX_IMPORT_SIZE", default=2_000_000)' in SETTINGS


def test_the_proxy_lets_no_browser_guess_what_a_static_file_is():
    static = CADDYFILE.partition("\thandle_path /static/*")[2].partition("\n\t}")[0]
    assert "\n\t\theader X-Content-Type-Options nosniff\n" in static


def test_the_proxy_hides_what_only_machines_ask_for():
    assert re.search(r"^\t@operations path /health/\* /metrics$", CADDYFILE, re.MULTILINE)
    assert re.search(r"^\thandle @operations \{\n\t\timport bodies\n\t\trespond 404\n\t\}$", CADDYFILE, re.MULTILINE)


def test_the_proxy_gives_up_a_process_only_if_it_does_not_live_and_looks_again_while_requests_wait():
    """Without Redis or PostgreSQL none is ready, and what they answer then is better than what a proxy would."""
    assert re.findall(r"\bhealth_uri (\S+)", CADDYFILE) == ["/health/live"] * CADDYFILE.count("reverse_proxy")
    intervals = {int(seconds) for seconds in re.findall(r"\bhealth_interval (\d+)s$", CADDYFILE, re.MULTILINE)}
    waits = {int(seconds) for seconds in re.findall(r"\blb_try_duration (\d+)s$", CADDYFILE, re.MULTILINE)}
    assert max(intervals) < min(waits)


def test_the_proxy_logs_no_secrets():
    """It logs a request that fails whole, and the URL is the key to an account if it is a link from a mail."""
    kept_out = re.search(r'^\t\t\t\trequest>uri regexp "([^"]+)" "([^"]+)"$', CADDYFILE, re.MULTILINE)
    assert kept_out
    pattern, instead = kept_out[1], kept_out[2].replace("$1", r"\1")
    for path in SECRET_PATHS:
        assert re.sub(pattern, instead, f"/{path}/x/y?z=1") == f"/{path}/[secret]"
    for header in ("Referer", "Cookie", "Authorization"):
        assert f"\t\t\t\trequest>headers>{header} delete\n" in CADDYFILE


def test_pgbouncer_is_started_for_who_asks_for_it_and_keeps_prepared_statements():
    assert SERVICES["pgbouncer"]["profiles"] == ["pgbouncer"]
    options = dict(re.findall(r"^(\w+) = (\S+)", (ROOT / "docker" / "pgbouncer.ini").read_text(), re.MULTILINE))
    assert options["pool_mode"] == "transaction"
    assert int(options["max_prepared_statements"]) > 0
    most = int(re.search(r"max_connections=(\d+)", " ".join(SERVICES["postgres"]["command"]))[1])
    assert int(options["default_pool_size"]) < most


def test_pgbouncer_does_not_wait_for_clients_that_keep_their_connections():
    assert SERVICES["pgbouncer"]["stop_signal"] == "SIGINT"


def test_pgbouncer_finds_its_users_where_its_entry_point_writes_them_on_a_read_only_file_system():
    files = ("pgbouncer.Dockerfile", "pgbouncer-entrypoint", "pgbouncer.ini")
    dockerfile, entrypoint, ini = ((ROOT / "docker" / name).read_text() for name in files)
    (users,) = re.findall(r"^auth_file = (\S+)$", ini, re.MULTILINE)
    assert f"> {users}\n" in entrypoint
    assert SERVICES["pgbouncer"]["read_only"]
    assert [each.partition(":")[0] for each in SERVICES["pgbouncer"]["tmpfs"]] == [str(Path(users).parent)]
    for name in re.findall(r"^COPY (?:--\S+ )?(\S+)", dockerfile, re.MULTILINE):
        assert (ROOT / "docker" / name).is_file()
    assert "POSTGRES_PASSWORD" in SERVICES["pgbouncer"]["environment"]


@pytest.mark.parametrize("name", [name for name in OURS if name != "static"])
def test_services_that_may_use_pgbouncer_wait_for_it_if_it_is_started(name):
    assert SERVICES[name]["depends_on"]["pgbouncer"] == {"condition": "service_healthy", "required": False}


@pytest.mark.parametrize(("command", "goes"), [("migrate", "directly"), ("recompute", "directly"), ("web", "pooled")])
def test_commands_that_may_take_long_go_past_a_pool_of_connections(command, goes, tmp_path) -> None:
    program = tmp_path / "python"
    program.write_text('#!/bin/sh\necho "$DATABASE_URL"\n')
    program.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin", "METRICS_DIR": str(tmp_path / "metrics")}
    environment |= {"DATABASE_URL": "pooled", "DIRECT_DATABASE_URL": "directly"}
    said = subprocess.run(
        ["sh", ROOT / "docker" / "entrypoint", command], env=environment, capture_output=True, text=True, check=True
    )
    assert said.stdout == f"{goes}\n"
