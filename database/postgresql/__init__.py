"""Django's PostgreSQL backend, with connections that are checked without a query."""
