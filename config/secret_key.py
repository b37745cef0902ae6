"""The signing key of a one-machine installation: made once, kept in the data directory."""

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

from database.private_files import make_private, tighten


def read_or_create_key(path: Path) -> str:
    """Return the key in ``path``, which is created if it does not exist. Only the owner may read it.

    If processes start at the same moment, all of them use the key of the first.
    """
    if not path.exists():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ImproperlyConfigured(f"The data directory {path.parent} cannot be made: {error.strerror}.") from None
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        make_private(draft)
        draft.write_text(get_random_secret_key())
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    tighten(path)
    return path.read_text().strip()
