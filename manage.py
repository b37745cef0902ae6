#!/usr/bin/env python
"""Kickabout's command line: ``manage.py help`` lists what it can do.

``--data DIRECTORY`` goes with every command. Like Django's own ``--settings`` it is read before the
settings are, which take the place of the database from it.
"""

import argparse
import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line


def main() -> None:
    """Run the command that the arguments name."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--data")
    options, arguments = parser.parse_known_args(sys.argv[1:])
    if options.data:
        os.environ["DATA_DIR"] = options.data
    try:
        execute_from_command_line([sys.argv[0], *arguments])
    except ImproperlyConfigured as error:
        sys.exit(f"Kickabout cannot start. {error}")


if __name__ == "__main__":
    main()
