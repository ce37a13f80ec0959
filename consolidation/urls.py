from django.urls import URLPattern, URLResolver, path

from consolidation import views

app_name = "nights"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.nights, name="list"),
    path("begin/", views.begin, name="begin"),
    path("<int:pk>/approve/", views.approve, name="approve"),
    path("<int:pk>/dismiss/", views.dismiss, name="dismiss"),
    path("<int:pk>/undo/", views.undo, name="undo"),
]
