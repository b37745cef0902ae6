# PgBouncer of Debian 13 (1.24): from 1.21 on it keeps prepared statements in transaction mode.
FROM debian:trixie-slim

RUN apt-get update \
    && apt-get install --yes --no-install-recommends pgbouncer postgresql-client \
    && rm -rf /var/lib/apt/lists/*

COPY --chmod=644 pgbouncer.ini /etc/pgbouncer/pgbouncer.ini
COPY --chmod=755 pgbouncer-entrypoint /usr/local/bin/pgbouncer-entrypoint

USER postgres
ENTRYPOINT ["pgbouncer-entrypoint"]
