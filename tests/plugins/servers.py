"""Gives the tests a data directory of their own, before pytest-django reads the settings."""

import os
import tempfile

os.environ["DATA_DIR"] = tempfile.mkdtemp(prefix="kickabout-tests-")
