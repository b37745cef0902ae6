"""The composition root as a Django app: its checks and its commands."""

from importlib import import_module

from django.apps import AppConfig
from django.core.checks import Tags, register

from config.checks import check_budgets, check_public_site


class SiteConfig(AppConfig):
    """Registers the system checks, the API's authentication schemes, and the receivers of signals."""

    name = "config"
    verbose_name = "Kickabout"

    def ready(self) -> None:
        """Register checks and receivers when the models are loaded."""
        register(check_public_site, Tags.security)
        register(check_budgets, Tags.security)
        for module in ("web.api.openapi", "operations.task_metrics", "operations.worker_server", "streams.pubsub"):
            import_module(module)
