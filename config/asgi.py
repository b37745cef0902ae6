"""The ASGI entry point: event streams, and the single-process server."""

import os

import django

from config.bodies.asgi import BoundedBodies
from config.checks import refuse_unsafe_configuration
from config.streams.handler import StreamingHandler

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

django.setup(set_prefix=False)
application = BoundedBodies(StreamingHandler())
refuse_unsafe_configuration()
