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


# These take `output_config.effort`; it is a 400 on others.
_TAKES_EFFORT = {"claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5"}


def model_for(purpose: Purpose) -> str:
    model: str = settings.CLAUDE_MODELS[purpose.value]
    return model


def effort_for(model: str) -> str:
    """How hard the model should try; blank where the model, or the server, takes no such setting."""
    effort: str = settings.CLAUDE_EFFORT
    return effort if model in _TAKES_EFFORT else ""
