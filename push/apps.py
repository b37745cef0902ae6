"""The push app."""

from importlib import import_module

from django.apps import AppConfig


class PushConfig(AppConfig):
    """Devices that are told by Web Push what concerns their players."""

    name = "push"

    def ready(self) -> None:
        """Register receivers when the models are loaded."""
        import_module("push.receivers")
