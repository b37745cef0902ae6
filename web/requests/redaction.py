"""Redaction of secrets in all log lines: ours, Django's, a server's, or an exception's.

A link from a mail gives access to an account, one for a friend to a game, and its secret is in the URL. So nothing
after the path of such a route is logged, whether the link is right, mistyped, quoted in another URL, or the Referer of
a refusal.
"""

import logging
import re

from structlog.stdlib import ProcessorFormatter

SECRET_PATHS = (
    "choose-password",
    "mail/confirm",
    "mail/invitation",
    "mail/off",
    "calendar",
    "friend",
    "api/v1/linked-seeks",
)
"""The routes whose arguments are secrets, up to the first of them."""

REDACTED = "[secret]"

_SLASH = r"(?:/|%(?:25)*2f)+"
_REST = r"""[^\s"'<>\\]+"""
_PATHS = "|".join(path.replace("/", _SLASH) for path in SECRET_PATHS)
_SECRETS = re.compile(
    rf"(?P<link>(?:{_SLASH}|(?<![\w.-]))(?:{_PATHS}){_SLASH}){_REST}"
    r"|(?P<argument>\b(?:token|secret|password)['\"]?\s*[:=]\s*['\"])[^'\"\\]+"
    r"|(?P<token>\bkick_)[\w-]{8,}"
    r"|(?P<header>\b(?:Basic|Bearer)\s+)(?!kick_)[\w+/=.~-]{8,}",
    re.IGNORECASE,
)
_WORDS = (
    *(max(path.split("/"), key=len) for path in SECRET_PATHS),
    *("token", "secret", "password", "kick_", "basic", "bearer"),
)
"""A text without any of these holds no secret. This check costs a twentieth of the search for secrets."""


class RedactingFormatter(ProcessorFormatter):
    """Formats log lines without the secrets in them."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line and its exception."""
        return redact(super().format(record))


def is_secret_path(path: str) -> bool:
    """Return whether a request's path leads to a secret."""
    return path.strip("/").startswith(SECRET_PATHS)


def redact(text: str) -> str:
    """Return a text with ``[secret]`` in the place of links from mails, API tokens and credentials."""
    folded = text.lower()
    if not any(word in folded for word in _WORDS):
        return text
    return _SECRETS.sub(lambda found: f"{found[found.lastgroup or 0]}{REDACTED}", text)
