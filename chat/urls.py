from django.urls import URLPattern, URLResolver

app_name = "chat"

urlpatterns: list[URLPattern | URLResolver] = []
