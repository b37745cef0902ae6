"""The composition root as a Django app: its checks and its commands."""

from django.apps import AppConfig
from django.core.checks import Tags, register

from config.checks import check_public_site


class SiteConfig(AppConfig):
    """Registers the system checks when Django starts."""

    name = "config"
    verbose_name = "Kickabout"

    def ready(self) -> None:
        register(check_public_site, Tags.security)
