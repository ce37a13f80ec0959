"""The ledger for staff: read-only, by purpose and day. There is no text in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Avg, Count, Q, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _

from claude.charts import charts
from claude.models import Call
from claude.purposes import Purpose

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.contrib.admin.views.main import ChangeList

    ModelAdmin = admin.ModelAdmin[Call]
else:
    ModelAdmin = admin.ModelAdmin


class NamedValues(admin.AllValuesFieldListFilter):
    """Without the link that has no words: most calls have no error."""

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        return (choice for choice in super().choices(changelist) if choice["display"] != "")


@admin.register(Call)
class CallAdmin(ModelAdmin):
    list_display = (
        "called_at",
        "purpose",
        "model_or_standin",
        "run",
        "tokens_in",
        "tokens_out",
        "tokens_cache_write",
        "tokens_cache_read",
        "cost_or_unknown",
        "duration",
        "stop_reason",
        "error",
    )
    list_filter = ("purpose", ("error", NamedValues), "standin", "model", "called_at")
    search_fields = ("=run", "=request_id")
    date_hierarchy = "called_at"
    ordering = ("-called_at",)
    change_list_template = "claude/admin/calls.html"
    show_full_result_count = False

    @admin.display(description=_("model"), ordering="model")
    def model_or_standin(self, call: Call) -> str:
        """The stand-in goes by the name of the model in whose place it answers; here it goes by its own."""
        return str(_("stand-in")) if call.standin else call.model

    @admin.display(description=_("cost (USD)"), ordering="cost")
    def cost_or_unknown(self, call: Call) -> str:
        if call.standin:
            return "–"
        return str(_("unknown")) if call.cost is None else f"{call.cost:.6f}"

    @admin.display(description=_("seconds"), ordering="duration_ms")
    def duration(self, call: Call) -> str:
        return f"{call.duration_ms / 1000:.1f}"

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Below the filters, the sums of what they leave."""
        response = super().changelist_view(request, extra_context)
        if isinstance(response, TemplateResponse) and response.context_data and "cl" in response.context_data:
            calls = response.context_data["cl"].queryset
            response.context_data["by_day"] = usage_by_purpose_and_day(calls)
            response.context_data["charts"] = charts(calls)
        return response

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Call | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Call | None = None) -> bool:
        return False


def usage_by_purpose_and_day(calls: QuerySet[Call], *, rows: int = 60) -> list[dict[str, Any]]:
    """Newest day first. `total_cost` is what is known of it; `unknown` counts the calls it lacks."""
    days = (
        calls.order_by()
        .annotate(day=TruncDate("called_at"))
        .values("day", "purpose")
        .annotate(
            calls=Count("id"),
            failures=Count("id", filter=~Q(error="")),
            total_in=Sum("tokens_in"),
            total_out=Sum("tokens_out"),
            total_cache_write=Sum("tokens_cache_write"),
            total_cache_read=Sum("tokens_cache_read"),
            total_cost=Sum("cost"),
            unknown=Count("id", filter=Q(cost=None)),
            by_standin=Count("id", filter=Q(standin=True)),
            seconds=Avg("duration_ms") / 1000.0,
        )
        .order_by("-day", "purpose")[:rows]
    )
    return [{**row, "purpose": Purpose(row["purpose"]).label} for row in days]
