"""Deleting the account, by typing its name."""

from __future__ import annotations

from django.contrib.auth import logout
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from memories import forget
from memories.http import PersonRequest
from memories.models import Person


@require_http_methods(["GET", "HEAD", "POST"])
def account_delete(request: PersonRequest) -> HttpResponse:
    person = Person.objects.get(pk=request.user.pk)
    name = person.email or person.get_username()
    if request.method == "POST":
        if request.POST.get("name", "").strip().casefold() == name.casefold():
            logout(request)
            forget.delete_account(person)
            answer = redirect("account_login")
            answer["Clear-Site-Data"] = '"cache", "storage"'  # what was written and not sent
            return answer
        return render(request, "memories/account_delete.html", {"name": name, "mistyped": True}, status=422)
    return render(request, "memories/account_delete.html", {"name": name})
