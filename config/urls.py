from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.contrib.auth.decorators import login_not_required
from django.urls import include, path
from django.utils.translation import gettext_lazy as _
from django.views.i18n import set_language

from config.health import healthz
from config.requests import favicon
from config.sign_in import sign_in

admin.site.site_header = admin.site.site_title = _("Reverie administration")
# Staff sign in where everybody does, with the limits on guessing that the admin's own form lacks.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]  # as allauth documents it

urlpatterns = [
    path("", include("chat.urls")),
    path("memories/", include("memories.urls")),
    path("nights/", include("consolidation.urls")),
    path("language/", login_not_required(set_language), name="set_language"),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("favicon.ico", favicon),
    path("healthz", healthz, name="healthz"),
    path("sign-in/<str:token>/", sign_in, name="sign_in"),
]

handler400 = "config.requests.bad_request"
