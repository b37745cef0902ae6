"""The ASGI entry point: event streams, and the single-process server."""

import os

from django.core.asgi import get_asgi_application

from config.checks import refuse_unsafe_configuration

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_asgi_application()
refuse_unsafe_configuration()
