"""The composition root: the only package that knows every app."""

import gc

# Every process of the site begins here. Most of what it then loads stays: to look for garbage in it as often as usual
# would take a tenth of the time until it can work. Afterwards it makes no difference that can be measured.
gc.set_threshold(20_000, 20, 50)

from config.celery import app as celery_app  # noqa: E402 - what loads much comes after the above

__all__ = ["celery_app"]
