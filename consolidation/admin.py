"""Nights as staff see them: failed and stuck first, with decisions, reasons, tokens and cost. Words stay masked."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db.models import (
    Case,
    CharField,
    Count,
    DecimalField,
    DurationField,
    ExpressionWrapper,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, Coalesce, Concat, Now
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from claude.admin import NamedValues
from claude.charts import charts
from claude.models import Call
from claude.purposes import Purpose
from consolidation import held, tasks
from consolidation import night as dreaming
from consolidation import undo as undoing
from consolidation.models import AskedFor, Decision, Did, Night, NightState
from consolidation.telling import reason_words
from memories.admin import PersonAdmin, ReadOnlyAdmin
from memories.masking import masked
from memories.models import Memory, Person

_TOKENS = F("tokens_in") + F("tokens_out") + F("tokens_cache_write") + F("tokens_cache_read")
_PURPOSES: dict[str, Any] = dict(Purpose.choices)
_COUNTED: dict[str, Any] = {
    **dict(Did.choices),
    "read": _("Messages read"),
    "left": _("Messages left for the next night"),
    "lines": _("Lines written"),
    "proposed": _("Proposed"),
    "retiring": _("Would be replaced"),
}
_DECIDED = Decision.objects.filter(night=OuterRef("pk")).order_by().values("night").annotate(n=Count("pk")).values("n")


if TYPE_CHECKING:
    DecisionTable = admin.TabularInline[Decision, Night]
else:
    DecisionTable = admin.TabularInline


class DecisionInline(DecisionTable):
    model = Decision
    extra = 0
    can_delete = False
    fields = ["did", "verdict", "why", "memory_link", "other_link", "message_link"]
    readonly_fields = ["did", "verdict", "why", "memory_link", "other_link", "message_link"]
    verbose_name_plural = _("decisions")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Decision]:
        return super().get_queryset(request).select_related("memory", "other", "passage__message").order_by("pk")

    @admin.display(description=_("reason"))
    def why(self, decision: Decision) -> str:
        return reason_words(decision)

    @admin.display(description=_("memory"))
    def memory_link(self, decision: Decision) -> str:
        return _link_to_memory(decision.memory)

    @admin.display(description=_("compared with"))
    def other_link(self, decision: Decision) -> str:
        return _link_to_memory(decision.other)

    @admin.display(description=_("words"))
    def message_link(self, decision: Decision) -> str:
        if decision.passage is None:
            return ""
        url = reverse("admin:memories_message_change", args=[decision.passage.message_id])
        return format_html(
            '<a href="{}">{} {}–{}</a>', url, decision.passage.message, decision.start or 0, decision.end or 0
        )


@admin.register(Night)
class NightAdmin(ReadOnlyAdmin):
    # As many columns as stand beside the filters on a small screen; the rest is on the night's own page.
    list_display = ["__str__", "person", "local_date", "state_told", "decided", "tokens", "cost", "duration"]
    list_filter = [
        "state",
        "asked_for",
        "step",
        ("error", NamedValues),
        ("decisions__did", admin.ChoicesFieldListFilter),
    ]
    list_select_related = ["person"]
    search_fields = ["person__username", "person__email"]
    date_hierarchy = "started_at"
    change_list_template = "consolidation/admin/nights.html"
    show_full_result_count = False
    list_per_page = 50
    actions = ("retry", "approve", "undo")  # type: ignore[assignment]
    inlines = [DecisionInline]
    fields = [
        "person", "local_date", "asked_for", "state_told", "step", "error", "attempts", "started_at", "ended_at",
        "leased_until", "reads_until", "counted", "tokens", "cost", "by_step",
    ]  # fmt: skip
    readonly_fields = ["state_told", "counted", "tokens", "cost", "by_step"]

    def get_queryset(self, request: HttpRequest) -> Any:
        """Failed, stuck and held ones first, then the newest."""
        return (
            Night.objects.annotate(
                urgency=Case(
                    When(state=NightState.FAILED, then=0),
                    When(Q(state=NightState.RUNNING, leased_until__lt=Now()), then=0),
                    When(state=NightState.HELD, then=1),
                    When(state=NightState.RUNNING, then=2),
                    default=3,
                    output_field=IntegerField(),
                ),
                used_tokens=Coalesce(_of_calls(Sum(_TOKENS), IntegerField()), 0),
                used_cost=_of_calls(Sum("cost"), DecimalField(max_digits=12, decimal_places=8)),
                unpriced=Coalesce(_of_calls(Count("pk", filter=Q(cost=None)), IntegerField()), 0),
                decided_count=Coalesce(Subquery(_DECIDED), 0),
                took=ExpressionWrapper(F("ended_at") - F("started_at"), output_field=DurationField()),
            )
        )  # fmt: skip

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        nightly = Call.objects.filter(run__startswith="night-")
        return super().changelist_view(request, {**(extra_context or {}), "charts": charts(nightly)})

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        # There is nothing to save.
        nothing = {"title": _("Night"), "show_save": False, "show_save_and_continue": False}
        return super().changeform_view(request, object_id, form_url, {**(extra_context or {}), **nothing})

    def get_ordering(self, request: HttpRequest) -> list[str | Combinable]:
        return ["urgency", "-started_at"]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # The actions need it; every field is read-only.
        return request.user.has_perm("consolidation.change_night")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return [str(field) for field in self.fields or []]

    @admin.display(description=_("state"), ordering="urgency")
    def state_told(self, night: Night) -> str:
        state = str(_("Stuck")) if night.is_stuck(timezone.now()) else night.get_state_display()
        where = [night.get_step_display()] if night.state in {NightState.FAILED, NightState.RUNNING} else []
        return " · ".join([state, *where, *([night.error] if night.error else [])])

    @admin.display(description=_("counts"))
    def counted(self, night: Night) -> str:
        return ", ".join(f"{_COUNTED.get(name, name)}: {number}" for name, number in sorted(night.counts.items()))

    @admin.display(description=_("decisions"), ordering="decided_count")
    def decided(self, night: Night) -> int:
        return int(getattr(night, "decided_count", 0))

    @admin.display(description=_("tokens"), ordering="used_tokens")
    def tokens(self, night: Night) -> str:
        return number_format(getattr(night, "used_tokens", 0), use_l10n=True, force_grouping=True)

    @admin.display(description=_("cost, USD"), ordering="used_cost")
    def cost(self, night: Night) -> str:
        if getattr(night, "unpriced", 0):
            return str(_("unknown"))
        return f"{getattr(night, 'used_cost', None) or 0:.4f}"

    @admin.display(description=_("duration"), ordering="took")
    def duration(self, night: Night) -> str:
        took: timedelta | None = getattr(night, "took", None)
        return "" if took is None else f"{took.total_seconds():.1f} s"

    @admin.display(description=_("by step"))
    def by_step(self, night: Night) -> SafeString:
        calls = (
            Call.objects.filter(run=night.run)
            .values("purpose")
            .annotate(
                calls=Count("pk"), tokens_in=Sum("tokens_in"), tokens_out=Sum("tokens_out"), ms=Sum("duration_ms")
            )
            .order_by("purpose")
        )
        told = [
            _("%(purpose)s: calls %(calls)s, tokens in %(tokens_in)s, tokens out %(tokens_out)s, %(ms)s ms")
            % {**row, "purpose": _PURPOSES.get(row["purpose"], row["purpose"])}
            for row in calls
        ]
        return format_html("{}", "; ".join(told))

    @admin.action(description=_("Retry: take failed and stuck nights up where they stood"))
    def retry(self, request: HttpRequest, nights: QuerySet[Night]) -> None:
        now, taken = timezone.now(), 0
        for night in nights:
            again = night if night.is_stuck(now) else dreaming.reopen(night, now=now)
            if again is not None:
                tasks.run_night.delay(night_id=again.pk)
                taken += 1
        self._tell(request, taken)

    @admin.action(description=_("Approve: carry out what was held"))
    def approve(self, request: HttpRequest, nights: QuerySet[Night]) -> None:
        approved = [night for night in nights if held.approve(night, now=timezone.now())]
        for night in approved:
            tasks.run_night.delay(night_id=night.pk)
        self._tell(request, len(approved))

    @admin.action(description=_("Undo: take the whole night back"))
    def undo(self, request: HttpRequest, nights: QuerySet[Night]) -> None:
        self._tell(request, sum(undoing.undo(night, now=timezone.now()) for night in nights))

    def _tell(self, request: HttpRequest, nights: int) -> None:
        level = messages.SUCCESS if nights else messages.WARNING
        self.message_user(request, ngettext("%d night.", "%d nights.", nights) % nights, level)


@admin.action(description=_("Dream now"), permissions=["change"])
def dream_now(_admin: Any, request: HttpRequest, people: QuerySet[Person]) -> None:
    begun = [
        night for person in people if (night := dreaming.begin(person, now=timezone.now(), asked_for=AskedFor.STAFF))
    ]
    for night in begun:
        tasks.run_night.delay(night_id=night.pk)
    messages.info(request, ngettext("%d night began.", "%d nights began.", len(begun)) % len(begun))


def _of_calls(aggregate: Any, output: Any) -> Subquery:
    """A number over the ledger rows of a night."""
    run = Concat(Value("night-"), Cast(OuterRef("pk"), output_field=CharField()))
    rows = Call.objects.filter(run=run).order_by().values("run").annotate(value=aggregate).values("value")
    return Subquery(rows, output_field=output)


def _link_to_memory(memory: Memory | None) -> str:
    if memory is None:
        return ""
    url = reverse("admin:memories_memory_change", args=[memory.pk])
    return format_html('<a href="{}">{}</a> {}', url, memory.label, masked(memory.statement, 30))


admin.site.unregister(Person)


@admin.register(Person)
class DreamingPersonAdmin(PersonAdmin):
    actions = [dream_now]
