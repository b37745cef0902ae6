"""Write a mail when it is sent, from the facts as they are then."""

from collections.abc import Callable
from datetime import datetime
from email.utils import formataddr
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend
from django.template.loader import render_to_string
from django.utils import timezone, translation

from players.mail_links import ALL_SWITCHES, absolute, switch_off_link
from players.models import SWITCHES, TO_OTHER_EMAILS, Delivery, MailKind, Player
from players.selectors import mail_settings_of, players_to_mail
from web.storable_text import printable

Writer = Callable[[Player, dict[str, Any], datetime], dict[str, Any] | None]
"""Returns what the template of a kind of mail needs, from what a letter is about; ``None`` if that is out of date."""

_WRITERS: dict[str, Writer] = {}


def writes(kind: MailKind) -> Callable[[Writer], Writer]:
    """Make the decorated function the writer of a kind of mail. Each app registers its own when Django starts.

    A mail goes to the player's e-mail unless the writer gives another one as ``to``.
    """

    def register(writer: Writer) -> Writer:
        _WRITERS[kind] = writer
        return writer

    return register


def write_mail(
    *, delivery: Delivery, now: datetime, connection: BaseEmailBackend | None = None
) -> EmailMultiAlternatives | None:
    """Return the mail in the player's language and time zone; ``None`` if it may no longer be sent.

    The template gives the subject, an empty line, and the text. The HTML is made
    from that text, escaped as a whole, so that nothing that players write can be anything but text.
    """
    player = delivery.player
    if delivery.kind not in TO_OTHER_EMAILS and not players_to_mail(kind=delivery.kind).filter(pk=player.pk).exists():
        return None
    language = _offered_language(mail_settings_of(player=player).language)
    with translation.override(language), timezone.override(player.zone):
        facts = _WRITERS[delivery.kind](player, delivery.about, now)
        if facts is None:
            return None
        can_stop = delivery.kind in SWITCHES
        off = switch_off_link(player.pk, delivery.kind if can_stop else ALL_SWITCHES)
        about_site = {
            "player": player,
            "site": settings.SITE_URL,
            "settings": absolute("/profile/#mail"),
            "off": off,
            "can_stop": can_stop,
        }
        rendered = printable(render_to_string(f"mail/{delivery.kind}.txt", {**about_site, **facts}))
        subject, _gap, text = rendered.strip().partition("\n\n")
        text = _with_short_gaps(text)
        page = render_to_string("mail/page.html", {**about_site, "subject": subject, "text": text})
    mail = EmailMultiAlternatives(
        " ".join(subject.split()),
        text,
        to=[formataddr((player.username, facts.get("to", player.email)))],
        headers=_headers(delivery, off),
        connection=connection,
    )
    mail.attach_alternative(page, "text/html")
    return mail


def _offered_language(noted: str) -> str:
    """Return the language noted for a player if the site offers it, and the site's own language otherwise."""
    return noted if noted in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def _with_short_gaps(text: str) -> str:
    """Return the text with at most one empty line in a row: templates leave more of them."""
    lines = [line.rstrip() for line in text.strip().splitlines()]
    return "\n".join(line for line, before in zip(lines, ["", *lines], strict=False) if line or before) + "\n"


def _headers(delivery: Delivery, off: str) -> dict[str, str]:
    """Return headers for programs: an id by which they know a mail that comes twice, and how to get no more."""
    host = urlsplit(settings.SITE_URL).hostname or "localhost"
    return {
        "Message-ID": f"<delivery-{delivery.pk}@{host}>",
        "Auto-Submitted": "auto-generated",
        "List-Unsubscribe": f"<{off}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
