from django.urls import URLPattern, URLResolver

app_name = "memories"

urlpatterns: list[URLPattern | URLResolver] = []
