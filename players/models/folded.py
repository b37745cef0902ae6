"""Usernames as they are looked up by their beginning."""

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import CharField
from django.db.models.functions import Lower
from django.db.models.sql.compiler import SQLCompiler


class Folded(Lower):
    """A text in lower case that is compared byte by byte on both databases, so that an index finds its beginning."""

    output_field = CharField()

    def as_postgresql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any) -> Any:
        """Return the SQL with the collation in which PostgreSQL compares bytes, as SQLite does without one."""
        return self.as_sql(compiler, connection, template='(%(function)s(%(expressions)s) COLLATE "C")', **context)
