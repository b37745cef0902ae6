"""The site's key for push services: that of the settings, or else one that all hosts share."""

from django.conf import settings
from django.db import transaction

from database.named_locks import lock_name
from push.encryption import make_key
from push.models import PushKey


def site_key() -> str:
    """Return the site's private key, which is made once if there is none."""
    if settings.VAPID_PRIVATE_KEY:
        return str(settings.VAPID_PRIVATE_KEY)
    known = PushKey.objects.filter(pk=PushKey.ONLY).first()
    return known.private_key if known is not None else _make_once()


def _make_once() -> str:
    with transaction.atomic():
        lock_name("push-key")
        made, _created = PushKey.objects.get_or_create(pk=PushKey.ONLY, defaults={"private_key": make_key()})
    return made.private_key
