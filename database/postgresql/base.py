"""The PostgreSQL backend. Django requires a module of this name."""

from datetime import UTC, datetime
from select import POLLIN, poll
from typing import Any

from django.db.backends.postgresql import base, operations
from django.db.backends.postgresql.base import ServerBindingCursor  # type: ignore[attr-defined]
from django.db.backends.utils import CursorWrapper
from psycopg import Connection, OperationalError
from psycopg.types.datetime import TimestamptzLoader


class MomentLoader(TimestamptzLoader):
    """Loads timestamps in UTC, in a tenth of psycopg's time."""

    timezone = UTC

    def load(self, data: Any) -> datetime:
        """Return the timestamp. Raises psycopg's ``DataError`` for one that Python cannot represent."""
        try:
            return datetime.fromisoformat(str(data, "ascii"))
        except ValueError:
            return super().load(data)


class DatabaseOperations(operations.DatabaseOperations):
    """Django's operations, which also show the values of statements that were sent apart from them."""

    def last_executed_query(self, cursor: Any, sql: Any, params: Any) -> str:
        """Return the SQL as if its values had been written into it."""
        if isinstance(cursor, ServerBindingCursor):
            return str(self.compose_sql(sql, params))
        return super().last_executed_query(cursor, sql, params)


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's connection, but at the beginning of a request it sends a query only if something has arrived.

    A server that has stopped, crashed or ended the connection has sent something or closed it, so there is something to
    read. If there is nothing, Django's ``SELECT 1`` would find no more than the request's own first query.
    """

    ops_class = DatabaseOperations
    _prepared: ServerBindingCursor | None = None

    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection[Any]:
        """Return a connection that loads timestamps quickly, if its time zone is UTC."""
        connected: Connection[Any] = super().get_new_connection(conn_params)
        if self.timezone is MomentLoader.timezone:
            connected.adapters.register_loader("timestamptz", MomentLoader)
        return connected

    def is_usable(self) -> bool:
        """Return whether queries can be sent; after an error this asks the server."""
        return self._is_quiet() or super().is_usable()

    def prepared_cursor(self) -> CursorWrapper:
        """Return the cursor for statements that are sent often: each connection parses and plans them once.

        Each connection has one: fetch all rows before you use it again, and do not close it. It prepares statements
        only if the option ``prepare_threshold`` says after how many runs. Values are sent apart from the statement,
        which has to name their types where they do not follow from it. So this is for few of them: what Django computes
        with numbers would be cut to the 32 bits of an integer.
        """
        self.close_if_health_check_failed()
        self.ensure_connection()
        if self._prepared is None or self._prepared.connection is not self.connection:
            with self.wrap_database_errors:
                self._prepared = ServerBindingCursor(self.connection)
        cursor: CursorWrapper = self._prepare_cursor(self._prepared)  # type: ignore[attr-defined]
        return cursor

    def _is_quiet(self) -> bool:
        """Return whether the connection is open, and the server has sent nothing since its last reply."""
        if self.connection is None or self.errors_occurred:
            return False
        waiting = poll()
        try:
            waiting.register(self.connection.pgconn.socket, POLLIN)
        except OperationalError:
            return False
        return not waiting.poll(0)
