"""The app of the HTTP plumbing that all other apps use."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """Holds the responses that are kept for requests with an ``Idempotency-Key``."""

    name = "web"
