"""Slugs that are free."""

from typing import Any

from anyascii import anyascii
from django.db.models import QuerySet
from django.utils.text import slugify

MAX_SLUG_LENGTH = 80


def find_free_slug(name: str, *, among: QuerySet[Any], otherwise: str) -> str:
    """Return a name in Latin letters as a slug that none of these rows has yet, with a number if need be, cut to fit.

    ``otherwise`` takes the place of a name of which nothing is left.
    """
    base = slugify(anyascii(name))[:MAX_SLUG_LENGTH] or otherwise
    slug, number = base, 1
    while among.filter(slug=slug).exists():
        number += 1
        ending = f"-{number}"
        slug = base[: MAX_SLUG_LENGTH - len(ending)] + ending
    return slug
