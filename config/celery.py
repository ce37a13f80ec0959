"""The Celery application, its queues, and the schedule (kept in code)."""

from __future__ import annotations

import os
from enum import StrEnum

from celery import Celery


class Queues(StrEnum):
    REPLIES = "replies"
    NIGHTS = "nights"
    EMBEDDINGS = "embeddings"
    HOUSEKEEPING = "housekeeping"


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("reverie")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
