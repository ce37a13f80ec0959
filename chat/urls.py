from django.urls import URLPattern, URLResolver, path

from chat.views import conversations, deleting, replies, sending, writes

app_name = "chat"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", conversations.home, name="home"),
    path("chats/", conversations.listing, name="list"),
    path("chats/send/", sending.send, name="send"),
    path("chats/<int:pk>/", conversations.conversation, name="conversation"),
    path("chats/<int:pk>/send/", sending.send, name="send"),
    path("chats/<int:pk>/title/", conversations.rename, name="rename"),
    path("chats/<int:pk>/memory/", conversations.memory_mode, name="memory-mode"),
    path("chats/<int:pk>/close/", conversations.close, name="close"),
    path("chats/<int:pk>/delete/", deleting.delete, name="delete"),
    path("replies/<int:pk>/stream/", replies.stream, name="stream"),
    path("replies/<int:pk>/stop/", replies.stop, name="stop"),
    path("replies/<int:pk>/retry/", replies.retry, name="retry"),
    path("replies/<int:pk>/shown/", replies.show, name="show"),
    path("messages/<int:pk>/revise/", sending.revise, name="revise"),
    path("writes/<int:pk>/undo/", writes.undo, name="undo-write"),
    path("writes/<int:pk>/back/", writes.bring_back, name="bring-back"),
]
