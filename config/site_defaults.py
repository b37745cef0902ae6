"""Defaults for mails: the site's URL and the sender."""

from collections.abc import Sequence
from urllib.parse import urlsplit

ONE_MACHINE = "http://127.0.0.1:8000"


def default_site_url(public: bool, https: bool, hosts: Sequence[str]) -> str:
    """Return the site's URL by its settings: that of a public site by its first full host name."""
    names = [host for host in hosts if not host.startswith((".", "*"))]
    if not public or not names:
        return ONE_MACHINE
    return f"{'https' if https else 'http'}://{names[0]}"


def default_sender(site_url: str) -> str:
    """Return the sender: Kickabout at the site's own host."""
    return f"Kickabout <kickabout@{urlsplit(site_url).hostname or 'localhost'}>"
