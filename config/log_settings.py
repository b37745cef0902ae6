"""The logging configuration."""

import logging
import sys
from http import HTTPStatus
from typing import Any

import structlog
from structlog.dev import plain_traceback

from web.requests.redaction import RedactingFormatter

_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def logging_config(*, level: str, json: bool) -> dict[str, Any]:
    """Return the ``LOGGING`` setting: lines on standard error, for people or as JSON.

    Lines never contain the values of variables, or secrets.
    """
    renderers: list[Any] = (
        [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
        if json
        else [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain_traceback)]
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": RedactingFormatter,
                "foreign_pre_chain": _SHARED,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderers],
            }
        },
        "filters": {"no_outages": {"()": "django.utils.log.CallbackFilter", "callback": is_no_outage}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django": {"handlers": [], "propagate": True, "level": level},
            "django.server": {"handlers": [], "propagate": True, "level": level},
            "django.request": {"level": "ERROR", "filters": ["no_outages"]},
            "celery.app.trace": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.beat": {"level": "WARNING"},
            "django.security.DisallowedHost": {"level": "CRITICAL"},
            # Servers log requests by handlers of their own, which do not remove secrets.
            "uvicorn.access": {"handlers": [], "propagate": True},
            "granian.access": {"handlers": [], "propagate": True},
        },
    }


def is_no_outage(record: logging.LogRecord) -> bool:
    """Return whether a record of Django is not about an outage, which the request's own line reports."""
    return getattr(record, "status_code", None) != HTTPStatus.SERVICE_UNAVAILABLE


def configure_structlog() -> None:
    """Send structlog's events to the standard library's handlers."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
