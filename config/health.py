"""Is it up? Asked by `manage.py up`, by containers, by proxies."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from redis import RedisError


@login_not_required
def healthz(request: HttpRequest) -> HttpResponse:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        cache.get("healthz")
    except DatabaseError:
        return HttpResponse("the database does not answer", status=503, content_type="text/plain")
    except RedisError:
        return HttpResponse("Valkey does not answer", status=503, content_type="text/plain")
    return HttpResponse("ok", content_type="text/plain")
