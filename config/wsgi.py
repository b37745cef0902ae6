"""The WSGI entry point: pages and API in production."""

import gc
import os

from django.core.wsgi import get_wsgi_application

from config.bodies.wsgi import BoundedBodies
from config.checks import refuse_unsafe_configuration

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = BoundedBodies(get_wsgi_application())
refuse_unsafe_configuration()
# What is loaded by now stays for ever: the collector need not look at it again at every few requests.
gc.collect()
gc.freeze()
