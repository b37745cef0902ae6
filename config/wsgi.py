"""The WSGI entry point: pages and API in production."""

import gc
import importlib
import os

import django
from django.conf import settings

from config.checks import refuse_unsafe_configuration
from matches.views.remembered import content_version
from web.limits.bodies.wsgi import BoundedBodies
from web.limits.open_files import SpareFiles
from web.limits.slots import Application, Slots
from web.requests.sound_requests import SoundWSGIHandler

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

django.setup(set_prefix=False)
application: Application = SoundWSGIHandler()
if slots := os.environ.get("REQUEST_SLOTS"):
    from web.limits.bodies.granian import allow_answers_aside

    application = Slots(application, int(slots))
    allow_answers_aside()
application = SpareFiles(BoundedBodies(application))
refuse_unsafe_configuration()
# Of the files whose code was loaded just now: later there may be those of the next release.
content_version()
if settings.REDIS_URL:
    # Sites without Redis do without its client. With it, the first request would wait for its modules.
    importlib.import_module("redis")
# Objects loaded by now are never freed, so the garbage collector need not visit them every few requests.
gc.freeze()
