"""Deleting a conversation goes through the forget door, which asks about its memories; a temporary one just closes."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
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
    if found.memory_mode != MemoryMode.TEMPORARY:
        return redirect(f"{reverse('memories:forget')}?conversation={found.pk}")
    return render(request, "chat/delete.html", {"conversation": found})
