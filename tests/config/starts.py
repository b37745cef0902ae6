"""Starts both servers in this process and then runs a command of ``manage.py``: most of the time goes into loading.

If there are no collected static files, there are some before the servers start again. Each time a line says how they
started.
"""

import importlib
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

CLIENTS = {"config.wsgi": "redis", "config.asgi": "redis.asyncio"}
"""The modules that servers load, and the client of Redis that each of them needs if the site has one."""


def main() -> None:
    """Start the servers, and end as the command ends that the arguments name."""
    start_all()
    manifest = Path(os.environ["STATIC_ROOT"]) / "staticfiles.json"
    if not manifest.exists():
        manifest.write_text("{}")
        start_all()
    import manage

    manage.main()


def start_all() -> None:
    """Write how the server of each entry starts."""
    sys.stdout.write(json.dumps([start(entry) for entry in CLIENTS]) + "\n")


def start(entry: str) -> Mapping[str, str | int | bool]:
    """Return how it refuses to start, or how many releases it knows when it has, and whether it has its client."""
    try:
        importlib.import_module(entry)
    except ImproperlyConfigured as error:
        return {"refusal": str(error)}
    from matches.views.remembered import content_version

    started = {"releases": content_version.cache_info().currsize, "has_client": CLIENTS[entry] in sys.modules}
    # The next one has to do both anew.
    content_version.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "redis"]:
        del sys.modules[name]
    return started


if __name__ == "__main__":
    main()
