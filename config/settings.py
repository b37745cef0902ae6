"""Settings, read from the environment. With no variable set they suit one machine and its own browser.

``DEBUG`` has three values: unset is one machine (loopback IPs only, a generated key, SQLite);
``0`` is a public site, which ``config.checks`` refuses to start until it is safe; ``1`` shows
programmers what went wrong. docs/ lists every variable.
"""

from datetime import timedelta
from email.utils import parseaddr
from pathlib import Path
from typing import Any

import environ
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from config.log_settings import configure_structlog, logging_config
from config.queues import QUEUES, count_computer_processes, routes
from config.schedule import SCHEDULE
from config.secret_key import read_or_create_key
from config.site_defaults import default_sender, default_site_url
from database.timeouts import CONNECTING, limit
from operations.metric_files import keep_metrics_in
from web.api.openapi_texts import DESCRIPTION

env = environ.Env()

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.str("DATA_DIR", default=str(BASE_DIR / "var"))).expanduser().resolve()

# Who may reach this site

LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS: list[str] = env.list("ALLOWED_HOSTS", default=[] if "DEBUG" in env.ENVIRON else LOOPBACK_HOSTS)
PUBLIC = not DEBUG and ("DEBUG" in env.ENVIRON or not set(ALLOWED_HOSTS) <= set(LOOPBACK_HOSTS))
HTTPS = env.bool("HTTPS", default=PUBLIC)
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=0)

SECRET_KEY = env.str("SECRET_KEY", default="")
if not SECRET_KEY and not PUBLIC:
    SECRET_KEY = read_or_create_key(DATA_DIR / "secret-key")
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])

CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
SECURE_SSL_REDIRECT = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None
SECURE_HSTS_SECONDS = int(timedelta(days=365).total_seconds()) if HTTPS else 0
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_AGE = int(timedelta(days=365).total_seconds())
SESSION_COOKIE_NAME = "kickabout_session"
CSRF_COOKIE_NAME = "kickabout_csrf"
X_FRAME_OPTIONS = "DENY"
# Whether the sub-domains speak https, and whether browsers may list the domain, only its owner knows.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}

# The apps

INSTALLED_APPS = [
    "config",
    "push",
    "simulations",
    "tournaments",
    "matches",
    "players",
    "web",
    "operations.admin_config.StaffSiteConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "corsheaders",
    "csp",
]

MIDDLEWARE = [
    "web.requests.arrival.ArrivalMiddleware",
    "operations.endpoints.OperationsMiddleware",
    "web.requests.metrics.MeasuringMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "web.pages.content_policy.ContentPolicyMiddleware",
    "web.api.throttling.LimitsMiddleware",
    "web.problems.ProblemsMiddleware",
    "web.limits.slots.SlotsMiddleware",
    "web.limits.bodies.middleware.BodiesMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "web.pages.static_files.StaticFilesMiddleware",
    "matches.views.polls.PollsMiddleware",
    "web.requests.privacy.PrivacyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "web.requests.trailing_slash.ForgivingCommonMiddleware",
    "web.requests.sound_requests.BrokenFormsMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "web.requests.log.RequestLogMiddleware",
    "web.pages.throttling.PageRatesMiddleware",
    "players.presence.PresenceMiddleware",
    "players.middleware.ActsMiddleware",
    "players.middleware.GuestClientMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "web.pages.refusal_pages.PageRefusalsMiddleware",
    "players.middleware.GuestFormKeysMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
            ],
        },
    }
]

# The bodies of requests: how many bytes, and in how many seconds

MAX_BODY_SIZE = env.int("MAX_BODY_SIZE", default=1_000_000)
MAX_IMPORT_SIZE = env.int("MAX_IMPORT_SIZE", default=2_000_000)
DATA_UPLOAD_MAX_MEMORY_SIZE = max(MAX_BODY_SIZE, MAX_IMPORT_SIZE)
BODY_TIMEOUT = env.int("BODY_TIMEOUT", default=30)

# Where data is kept

DATABASES: dict[str, dict[str, Any]] = {
    "default": env.db_url("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'kickabout.sqlite3'}")
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["ENGINE"] = "database.sqlite3"
    # IMMEDIATE takes the write lock at once: a transaction that begins by reading would else fail when it writes.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
else:
    DATABASES["default"]["ENGINE"] = "database.postgresql"
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    DATABASES["default"]["OPTIONS"] = {
        **limit(
            statement=env.float("STATEMENT_TIMEOUT", default=30.0),
            lock=env.float("LOCK_TIMEOUT", default=15.0),
            is_pooled=DATABASES["default"].get("DISABLE_SERVER_SIDE_CURSORS", False),
        ),
        **DATABASES["default"].get("OPTIONS", {}),
    }
    if env.bool("PREPARED_STATEMENTS", default=True):
        DATABASES["default"]["OPTIONS"]["prepare_threshold"] = 3
DATABASES["default"]["CONN_MAX_AGE"] = env.int("CONN_MAX_AGE", default=60)
# Only pages that ask for it, by ``web.pages.spectators``, read from the replica.
if REPLICA_URL := env.str("REPLICA_URL", default=""):
    replica = env.db_url_config(REPLICA_URL)
    # No connection is made to one that was promoted: it goes its own way. Options in the primary's URL are for the
    # primary alone.
    own = {**CONNECTING, "target_session_attrs": "standby", **replica.get("OPTIONS", {})}
    options = {**DATABASES["default"].get("OPTIONS", {}), **own}
    DATABASES["replica"] = {
        **DATABASES["default"],
        **replica,
        "ENGINE": DATABASES["default"]["ENGINE"],
        "OPTIONS": options,
    }
DATABASE_ROUTERS = ["database.replica.ReplicaRouter"] if REPLICA_URL else []
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.str("REDIS_URL", default="")
CACHES: dict[str, dict[str, Any]] = {
    "default": (
        {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}
        if REDIS_URL
        # Attempts and rates are counted here. With the default of 300 entries anybody could push them out.
        else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 100_000}}
    ),
    # Parts of pages, of up to some 100 kB. Who asks for many pages pushes out no counts.
    "pages": (
        {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL, "KEY_PREFIX": "pages"}
        if REDIS_URL
        else {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "LOCATION": "pages",
            "OPTIONS": {"MAX_ENTRIES": 300},
        }
    ),
}

# Work in the background

IN_MEMORY = "memory://localhost/"
# Django and Celery spell a Redis socket differently.
BROKER_URL = env.str("BROKER_URL", default=REDIS_URL.replace("unix://", "redis+socket://") or IN_MEMORY)
CELERY_BROKER_URL = BROKER_URL
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {}
    if BROKER_URL == IN_MEMORY
    # A broker that is down must not keep requests waiting: sweeps do what was not queued.
    else {"max_retries": 0, "socket_connect_timeout": 2}
)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = SCHEDULE
CELERY_TASK_QUEUES = QUEUES
CELERY_TASK_ROUTES = routes(by_kind=env.bool("QUEUES_BY_KIND", default=False))
COMPUTER_PROCESSES = env.int("COMPUTER_PROCESSES", default=count_computer_processes())

# Other numbers for rows of web/limits/table.py, such as "games:guest=10/min+100/day,seeks=30/hour"

BUDGETS: dict[str, str] = env.dict("BUDGETS", default={})

# How much one player may have open at a time

MAX_COMPUTER_MATCHES_OF_GUEST = env.int("MAX_COMPUTER_MATCHES_OF_GUEST", default=3)
MAX_COMPUTER_MATCHES_OF_CLIENT = env.int("MAX_COMPUTER_MATCHES_OF_CLIENT", default=60)
MAX_COMPUTER_MATCHES_OF_PLAYER = env.int("MAX_COMPUTER_MATCHES_OF_PLAYER", default=20)
MAX_OPEN_SEEKS = env.int("MAX_OPEN_SEEKS", default=5)
MAX_OPEN_INVITATIONS = env.int("MAX_OPEN_INVITATIONS", default=20)
MAX_OPEN_INVITATIONS_TO_ONE = env.int("MAX_OPEN_INVITATIONS_TO_ONE", default=3)

MAX_UNFINISHED_COMPETITIONS = env.int("MAX_UNFINISHED_COMPETITIONS", default=5)
MAX_COMPETITIONS_A_DAY = env.int("MAX_COMPETITIONS_A_DAY", default=3)
MAX_ENTRY_INVITATIONS_A_DAY = env.int("MAX_ENTRY_INVITATIONS_A_DAY", default=200)
MAX_ORGANISERS = env.int("MAX_ORGANISERS", default=20)

# What organisers may keep on their desk, and how much they may do at once

MAX_PINNED_ANNOUNCEMENTS = env.int("MAX_PINNED_ANNOUNCEMENTS", default=3)
MAX_BULK_ROWS = env.int("MAX_BULK_ROWS", default=100)
MAX_FORESEEN_ROWS = env.int("MAX_FORESEEN_ROWS", default=20)
MAX_ORGANISER_NOTES = env.int("MAX_ORGANISER_NOTES", default=200)

# What programs elsewhere are given of a competition at once

MAX_PRINTED_ROWS = env.int("MAX_PRINTED_ROWS", default=500)
MAX_OWN_DEADLINES = env.int("MAX_OWN_DEADLINES", default=200)
MAX_CALENDAR_ROUNDS = env.int("MAX_CALENDAR_ROUNDS", default=500)
MAX_FEED_ITEMS = env.int("MAX_FEED_ITEMS", default=50)

# Texts of matches that are played through

MAX_REPLAY_CHARACTERS = env.int("MAX_REPLAY_CHARACTERS", default=100_000)
MAX_REPLAY_PLIES = env.int("MAX_REPLAY_PLIES", default=6_000)

# Vacation

VACATION_DAYS = env.int("VACATION_DAYS", default=30)

# Mail

SITE_URL = env.str("SITE_URL", default=default_site_url(PUBLIC, HTTPS, ALLOWED_HOSTS)).rstrip("/")
globals().update(env.email_url("EMAIL_URL", default="consolemail://"))
# Who runs the site, for the privacy page and security.txt; a contact is a URL or mailto: with an address.
SITE_OPERATOR = env.str("SITE_OPERATOR", default="", multiline=True)
SITE_CONTACT = env.str("SITE_CONTACT", default="")
SECURITY_CONTACT = env.str("SECURITY_CONTACT", default=SITE_CONTACT)
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("DEFAULT_FROM_EMAIL", default=default_sender(SITE_URL))
EMAIL_TIMEOUT = 10
MAX_CONFIRMATION_MAILS = env.int("MAX_CONFIRMATION_MAILS", default=5)
ROUND_REMINDER_HOURS = env.int("ROUND_REMINDER_HOURS", default=24)

# Pushes, and calls to servers that others name

VAPID_PRIVATE_KEY = env.str("VAPID_PRIVATE_KEY", default="")
VAPID_SUBJECT = env.str("VAPID_SUBJECT", default=f"mailto:{parseaddr(DEFAULT_FROM_EMAIL)[1]}")
ALLOW_PRIVATE_ADDRESSES = env.bool("ALLOW_PRIVATE_ADDRESSES", default=False)

# Event streams

EVENT_STREAMS = env.bool("EVENT_STREAMS", default=False)
MAX_STREAMS_PER_CLIENT = env.int("MAX_STREAMS_PER_CLIENT", default=20)
MAX_MATCHES_PER_STREAM = env.int("MAX_MATCHES_PER_STREAM", default=20)

# Accounts

AUTH_USER_MODEL = "players.Player"
LOGIN_URL = "/log-in/"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
PASSWORD_RESET_TIMEOUT = int(timedelta(hours=24).total_seconds())
REAUTHENTICATION_TIMEOUT = env.int("REAUTHENTICATION_TIMEOUT", default=900)
PASSWORD_HASHERS = ["players.hashers.Argon2PasswordHasher", "players.hashers.PBKDF2PasswordHasher"]
ARGON2_MEMORY_COST = env.int("ARGON2_MEMORY_COST", default=19456)
ARGON2_TIME_COST = env.int("ARGON2_TIME_COST", default=2)
ARGON2_PARALLELISM = env.int("ARGON2_PARALLELISM", default=1)
MAX_PASSWORD_HASHES = env.int("MAX_PASSWORD_HASHES", default=2)
PASSWORD_HASH_TIMEOUT = env.float("PASSWORD_HASH_TIMEOUT", default=10.0)
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": name}
    for name in (
        "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "django.contrib.auth.password_validation.MinimumLengthValidator",
        "django.contrib.auth.password_validation.CommonPasswordValidator",
        "django.contrib.auth.password_validation.NumericPasswordValidator",
        "players.services.password_mails.PasswordMails",
    )
]

# The JSON API

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "players.api.authentication.TokenAuthentication",
        "players.api.authentication.OwnOriginSession",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["players.api.permissions.HasScope"],
    "DEFAULT_THROTTLE_CLASSES": ["web.api.throttling.ScopedThrottle"],
    "DEFAULT_THROTTLE_RATES": {
        "read": env.str("THROTTLE_READ", default="1200/min"),
        "write": env.str("THROTTLE_WRITE", default="600/min"),
        "sign-up": env.str("THROTTLE_SIGN_UP", default="20/hour" if PUBLIC else "600/hour"),
        "guests": env.str("THROTTLE_GUESTS", default="20/hour" if PUBLIC else "600/hour"),
        "tokens": env.str("THROTTLE_TOKENS", default="60/hour" if PUBLIC else "600/hour"),
        "password": env.str("THROTTLE_PASSWORD", default="20/hour"),
        "mail": env.str("THROTTLE_MAIL", default="20/hour"),
        "page-read": env.str("THROTTLE_PAGE_READ", default="1200/min"),
        "page-write": env.str("THROTTLE_PAGE_WRITE", default="300/min"),
        "page-guests": env.str("THROTTLE_PAGE_GUESTS", default="60/hour" if PUBLIC else "600/hour"),
        "exports": env.str("THROTTLE_EXPORTS", default="60/min"),
        "echoes": env.str("THROTTLE_ECHOES", default="6000/min"),
        "replays": env.str("THROTTLE_REPLAYS", default="60/min"),
    },
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["web.api.negotiation.StrictJSONParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "web.api.negotiation.StrictNegotiation",
    # The OpenAPI description says more than OPTIONS could.
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "web.api.openapi.ApiSchema",
    "EXCEPTION_HANDLER": "web.problems.handle_exception",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
    "NUM_PROXIES": TRUSTED_PROXIES,
}

SPECTACULAR_SETTINGS = DESCRIPTION

# Pages of other origins may use the API as any program may: by a token, and never by a session of this site.

CORS_URLS_REGEX = r"^/api/v1/(?!docs/)"
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_CREDENTIALS = False
CORS_ALLOW_HEADERS = [
    "accept",
    "authorization",
    "content-type",
    "idempotency-key",
    "if-none-match",
    "last-event-id",
    "prefer",
    "x-request-id",
]
CORS_EXPOSE_HEADERS = [
    "Content-Disposition",
    "ETag",
    "Preference-Applied",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "WWW-Authenticate",
    "X-Request-ID",
]
CORS_PREFLIGHT_MAX_AGE = 7200

# Language and time

LANGUAGE_CODE = "en"
# A language is offered once its translation is complete.
LANGUAGES = [("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
FORMAT_MODULE_PATH = ["web.formats"]

# Static files: a public site serves what collectstatic has gathered and named by content.

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", default=str(BASE_DIR / "staticfiles"))) if PUBLIC else None
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if PUBLIC
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = not PUBLIC
WHITENOISE_ALLOW_ALL_ORIGINS = False
# What browsers look for at the root of the site: the manifest of the app, and its worker.
WHITENOISE_ROOT = BASE_DIR / "static" / "root"
WHITENOISE_MIMETYPES = {".webmanifest": "application/manifest+json"}

# Logs

LOG_LEVEL = env.str("LOG_LEVEL", default="INFO" if PUBLIC else "WARNING")
LOGGING = logging_config(level=LOG_LEVEL, json=PUBLIC)
configure_structlog()

# Numbers for Prometheus

METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
METRICS_PORT = env.int("METRICS_PORT", default=0)
METRICS_HOST = env.str("METRICS_HOST", default="127.0.0.1")
METRICS_DIR = env.str("METRICS_DIR", default="")
if METRICS_DIR:
    keep_metrics_in(METRICS_DIR)
