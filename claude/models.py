"""The ledger: one row for every response of the model, and for every one that failed."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from claude.purposes import Purpose


class Call(models.Model):
    """Counts and names only; never a word of anyone's text."""

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="model_calls"
    )
    purpose = models.CharField(max_length=12, choices=Purpose)
    # What it was made for: "reply-12", "night-3". Blank for the rest.
    run = models.CharField(max_length=40, blank=True, default="")
    model = models.CharField(max_length=80)
    standin = models.BooleanField(default=False, help_text="Answered by the offline stand-in: costs nothing.")
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    tokens_cache_write = models.PositiveIntegerField(default=0)
    tokens_cache_read = models.PositiveIntegerField(default=0)
    # US dollars; null means unknown, never nothing.
    cost = models.DecimalField(max_digits=12, decimal_places=8, null=True)
    duration_ms = models.PositiveIntegerField()
    stop_reason = models.CharField(max_length=40, blank=True, default="")
    # The code of the named exception; see claude/errors.py. Blank when it succeeded.
    error = models.CharField(max_length=40, blank=True, default="")
    request_id = models.CharField(max_length=80, blank=True, default="")
    called_at = models.DateTimeField()

    class Meta:
        verbose_name, verbose_name_plural = _("call of the model"), _("calls of the model")
        indexes = [
            models.Index(fields=["person", "called_at"], name="call_by_person"),
            models.Index(fields=["run"], name="call_by_run"),
        ]

    def __str__(self) -> str:
        return f"call {self.pk}"
