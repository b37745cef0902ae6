"""The sessions in which players are logged in."""

from importlib import import_module

from django.conf import settings


def clear_expired_sessions() -> None:
    """Forget the sessions that have expired, wherever sessions are kept."""
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
