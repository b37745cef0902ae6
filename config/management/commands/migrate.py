"""``manage.py migrate``: Django's command, for databases that this code can bring up to date."""

from typing import Any

from django.core.management.commands import migrate

from database.migration_state import refuse_other_schema
from database.timeouts import unlimited


class Command(migrate.Command):
    """Migrates the database, unless newer code has done so, or it has to pass an older version first."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Refuse a database that it cannot migrate, or migrate it."""
        with unlimited():
            refuse_other_schema(may_migrate=True)
            super().handle(*args, **options)
