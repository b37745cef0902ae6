"""The connection to PostgreSQL. Django asks for a module of this name."""

from __future__ import annotations

from select import POLLIN, poll

from django.db.backends.postgresql import base
from psycopg import OperationalError


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's, but at the beginning of a request it asks the server for a sign of life only if there is reason to.

    A server that has stopped, crashed or hung up has said so, or closed the connection: then there is something to be
    read on it. Where nothing is, Django's ``SELECT 1`` would tell no more than the request's own first query.
    """

    def is_usable(self) -> bool:
        """Return whether queries can be sent; of a connection on which an error has occurred the server is asked."""
        return self._is_quiet() or super().is_usable()

    def _is_quiet(self) -> bool:
        """Return whether the connection is there, and the server has sent nothing since it answered last."""
        if self.connection is None or self.errors_occurred:
            return False
        waiting = poll()
        try:
            waiting.register(self.connection.pgconn.socket, POLLIN)
        except OperationalError:
            return False
        return not waiting.poll(0)
