"""Deleting a conversation: its memories go too, or stay, as the person says."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from chat import temporary
from memories.http import PersonRequest
from memories.models import Conversation, MemoryMode


@require_http_methods(["GET", "POST"])
def delete(request: PersonRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Conversation.objects.of(request.user), pk=pk)
    if request.method == "POST" and found.memory_mode == MemoryMode.TEMPORARY:
        temporary.close(found)
        return redirect("chat:home")
    return render(request, "chat/delete.html", {"conversation": found})
