"""Signed links to games for whoever has the link: a link is not stored, so it can be shown again, and not stolen."""

from io import BytesIO

import segno
from django.core import signing
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from players.mail_links import absolute


def path_to(seek_id: int) -> str:
    """Return the path of the page on which a game is taken by its link."""
    return reverse("friend-game", args=[_signer().sign(f"{seek_id}")])


def link_to(seek_id: int) -> str:
    """Return the full URL of that page."""
    return absolute(path_to(seek_id))


def read_link(token: str) -> int | None:
    """Return the id of the seek that the token of a link names; ``None`` if it is not ours."""
    try:
        return int(_signer().unsign(token))
    except signing.BadSignature:
        return None


def draw_code(link: str) -> SafeString:
    """Return a link's QR code as an SVG, black on white."""
    drawn = BytesIO()
    code = segno.make(link, error="m", micro=False)
    code.save(drawn, kind="svg", xmldecl=False, svgns=False, omitsize=True, nl=False, light="#fff", svgclass="qr")
    return mark_safe(drawn.getvalue().decode())  # noqa: S308 - drawn here, of black and white squares alone


def _signer() -> signing.Signer:
    """Return the signer of links; its key is read when a link is, as settings may lack one until they are checked."""
    return signing.Signer(salt="matches.seek-link")
