from django.urls import URLPattern, URLResolver

app_name = "nights"

urlpatterns: list[URLPattern | URLResolver] = []
