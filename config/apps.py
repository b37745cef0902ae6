"""The composition root as a Django app: its checks and its commands."""

from django.apps import AppConfig


class SiteConfig(AppConfig):
    """Registers the system checks when Django starts."""

    name = "config"
    verbose_name = "Kickabout"

    def ready(self) -> None:
        from config import checks  # noqa: F401
