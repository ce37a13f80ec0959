from django.contrib import admin
from django.urls import include, path

from config.health import healthz

urlpatterns = [
    path("", include("chat.urls")),
    path("memories/", include("memories.urls")),
    path("nights/", include("consolidation.urls")),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("healthz", healthz, name="healthz"),
]
