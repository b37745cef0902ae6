"""The ASGI entry point: event streams, and the single-process server."""

import gc
import importlib
import os

import django
from django.conf import settings

from config.checks import refuse_unsafe_configuration
from matches.views.remembered import content_version
from streams.asgi_handler import StreamingHandler
from web.limits.bodies.asgi import BoundedBodies

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

django.setup(set_prefix=False)
application = BoundedBodies(StreamingHandler())
refuse_unsafe_configuration()
# Of the files whose code was loaded just now: later there may be those of the next release.
content_version()
if settings.REDIS_URL:
    # Sites without Redis do without the 7 MB of its client. With it, the first clients would wait for its modules.
    importlib.import_module("redis.asyncio")
# As for WSGI: each stream that is let in leaves objects, after some of which all others would be visited.
gc.freeze()
