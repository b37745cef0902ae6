"""Hold the names of deleted accounts for a year, so that nobody is taken for who had one."""

from datetime import datetime, timedelta

from django.conf import settings
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from players.errors import AlreadyTaken
from players.models import HeldName
from players.usernames import is_reserved
from web.written_texts import find_skeleton

HELD = timedelta(days=365)


def hold_name(*, username: str, now: datetime) -> None:
    """Let nobody take this username, or one that looks like it, for a year. Nobody can take reserved ones ever."""
    if not is_reserved(username):
        digest = _digest(username, settings.SECRET_KEY)
        HeldName.objects.update_or_create(digest=digest, defaults={"held_until": now + HELD})


def check_is_free(*, username: str, now: datetime) -> None:
    """Raise AlreadyTaken for a username that is held.

    To be asked after it was stored, in the same transaction: a deletion that is going on has ended by then.
    """
    digests = [_digest(username, key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]
    if HeldName.objects.filter(digest__in=digests, held_until__gt=now).exists():
        sentence = _(
            "The username %s, or one that looks like it, was that of an account that was deleted less than a year ago."
        )
        raise AlreadyTaken(sentence % username, fields={"username": [sentence % username]})


def free_names(*, now: datetime) -> int:
    """Forget the names that have been held long enough; return how many."""
    return HeldName.objects.filter(held_until__lte=now).delete()[0]


def _digest(username: str, key: str) -> str:
    return salted_hmac("players.held_names", find_skeleton(username), secret=key, algorithm="sha256").hexdigest()
