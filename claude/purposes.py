"""What the model is asked for, and which model answers each purpose."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Purpose(models.TextChoices):
    CHAT = "chat", _("Replies")
    SUMMARY = "summary", _("Summaries of what came before")
    TITLE = "title", _("Titles of conversations")
    EXTRACT = "extract", _("Night: extracting")
    RECONCILE = "reconcile", _("Night: reconciling")
    PAGES = "pages", _("Night: writing pages")
    FORGET = "forget", _("Forgetting: finding what says the same")
    JUDGE = "judge", _("Evaluation: judging")


def model_for(purpose: Purpose) -> str:
    model: str = settings.CLAUDE_MODELS[purpose.value]
    return model
