"""What mails say of the site where nobody has set it: its address, and who sends them."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

ONE_MACHINE = "http://127.0.0.1:8000"


def default_site_url(public: bool, https: bool, hosts: Sequence[str]) -> str:
    """Return the URL of the site as far as its settings tell: of a public one by its first whole name."""
    names = [host for host in hosts if not host.startswith((".", "*"))]
    if not public or not names:
        return ONE_MACHINE
    return f"{'https' if https else 'http'}://{names[0]}"


def default_sender(site_url: str) -> str:
    """Kickabout at the site's own host."""
    return f"Kickabout <kickabout@{urlsplit(site_url).hostname or 'localhost'}>"
