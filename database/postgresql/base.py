"""The PostgreSQL backend. Django requires a module of this name."""

from datetime import UTC, datetime
from select import POLLIN, poll
from types import ModuleType
from typing import Any

import psycopg
from django.db import DEFAULT_DB_ALIAS
from django.db.backends.postgresql import base, operations
from django.db.backends.postgresql.base import ServerBindingCursor  # type: ignore[attr-defined]
from django.db.backends.utils import CursorWrapper
from psycopg import Connection, OperationalError
from psycopg.errors import ConnectionTimeout, _WaitTimeout
from psycopg.types.datetime import TimestamptzLoader

from database.timeouts import Limits, Unanswered


class MomentLoader(TimestamptzLoader):
    """Loads timestamps in UTC, in a tenth of psycopg's time."""

    timezone = UTC

    def load(self, data: Any) -> datetime:
        """Return the timestamp. Raises psycopg's ``DataError`` for one that Python cannot represent."""
        try:
            return datetime.fromisoformat(str(data, "ascii"))
        except ValueError:
            return super().load(data)


unanswered = Unanswered()
"""What is known of the primary."""


class PatientConnection(Connection[Any]):
    """A connection that waits only so long for a reply, also of a server that is stopped and so keeps no time."""

    reply_timeout: float | None = None

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Return what the server replies. Raises ``OperationalError``, and is closed, if it does not."""
        try:
            return super().wait(gen, interval=interval, timeout=timeout or self.reply_timeout)
        except _WaitTimeout:
            if timeout is not None:
                raise
            unanswered.note()
            self.pgconn.finish()
            raise OperationalError(f"PostgreSQL has not replied for {self.reply_timeout} seconds.") from None


driver = ModuleType(psycopg.__name__)
driver.__dict__.update(psycopg.__dict__, connect=PatientConnection.connect)


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

    Database = driver
    ops_class = DatabaseOperations
    _prepared: ServerBindingCursor | None = None

    def get_connection_params(self) -> dict[str, Any]:
        """Return what a connection is made with, without limits while none hold."""
        parameters: dict[str, Any] = super().get_connection_params()
        parameters.pop("reply_timeout", None)
        if not Limits.hold:
            parameters.pop("options", None)
        return parameters

    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection[Any]:
        """Return a connection that loads timestamps quickly, if its time zone is UTC.

        Raises psycopg's ``OperationalError``, and Django's where the primary has not answered others a moment ago.
        """
        connected = self._connect(conn_params)
        if self.timezone is MomentLoader.timezone:
            connected.adapters.register_loader("timestamptz", MomentLoader)
        return connected

    def _connect(self, conn_params: dict[str, Any]) -> Connection[Any]:
        if self.alias != DEFAULT_DB_ALIAS:
            connected: PatientConnection = super().get_new_connection(conn_params)
        else:
            with unanswered.trying():
                try:
                    connected = super().get_new_connection(conn_params)
                except ConnectionTimeout:
                    unanswered.note()
                    raise
        if Limits.hold:
            connected.reply_timeout = self.settings_dict["OPTIONS"].get("reply_timeout")
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
