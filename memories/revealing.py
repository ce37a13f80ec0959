"""Staff read a person's words only with a reason, which is recorded before anything is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memories.models import Looked, Memory, Message, StaffRead, Status
from memories.reading import readable

if TYPE_CHECKING:
    AnyAdmin = admin.ModelAdmin[Any]
else:
    AnyAdmin = admin.ModelAdmin


class ReasonForm(forms.Form):
    reason = forms.CharField(label=_("Reason"), min_length=10, max_length=200, strip=True)


class Revealing(AnyAdmin):
    """For an admin whose rows are shown masked. `looked_at` says what they are."""

    looked_at: Looked
    change_form_template = "memories/admin/masked.html"

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.reveal)
        own = path("<int:pk>/reveal/", view, name=f"memories_{self.looked_at.value}_reveal")
        return [own, *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        url = reverse(f"admin:memories_{self.looked_at.value}_reveal", args=[object_id]) if object_id.isdigit() else ""
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), "reveal_url": url})

    def reveal(self, request: HttpRequest, pk: int) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        row = get_object_or_404(self.get_queryset(request), pk=pk)
        form = ReasonForm(request.POST or None)
        texts: list[str] | None = None
        if request.method == "POST" and form.is_valid():
            StaffRead.objects.create(
                person_id=row.person_id,
                staff_id=request.user.pk,
                looked_at=self.looked_at,
                key=row.pk,
                reason=form.cleaned_data["reason"],
                read_at=timezone.now(),
            )
            texts = _words(row)
        context = {
            **self.admin_site.each_context(request),
            "title": str(row),
            "form": form,
            "texts": texts,
            "back": reverse(f"admin:memories_{self.looked_at.value}_change", args=[pk]),
        }
        return TemplateResponse(request, "memories/admin/reveal.html", context)


def _words(row: Memory | Message) -> list[str]:
    """What the person can still read themselves: nothing that was forgotten."""
    if isinstance(row, Memory):
        return [] if row.status == Status.DELETED else [row.statement]
    if row.conversation.deletion_id is not None:
        return []
    passages = row.passages.prefetch_related("tombstones").order_by("position")
    return [readable(passage) for passage in passages]
