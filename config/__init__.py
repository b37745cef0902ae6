"""The composition root: the only package that knows every app."""

import gc

# Every process of the site begins here. Most of what it then loads stays: looking for garbage in it again and again
# would take a tenth of the time until it can work.
gc.set_threshold(20_000, 20, 50)

from config.celery import app as celery_app  # noqa: E402 - what loads much comes after the above

__all__ = ["celery_app"]
