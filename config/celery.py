"""The Celery application, its queues, and the schedule (kept in code)."""

from __future__ import annotations

import logging.config
import os
from enum import StrEnum
from typing import Any

from celery import Celery
from celery.signals import setup_logging


class Queues(StrEnum):
    REPLIES = "replies"
    NIGHTS = "nights"
    EMBEDDINGS = "embeddings"
    HOUSEKEEPING = "housekeeping"


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("reverie")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def _log_like_everything_else(**kwargs: Any) -> None:
    from django.conf import settings

    logging.config.dictConfig(settings.LOGGING)
