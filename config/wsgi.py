"""The WSGI entry point: pages and API in production."""

import os

from django.core.wsgi import get_wsgi_application

from config.checks import refuse_unsafe_configuration

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()
refuse_unsafe_configuration()
