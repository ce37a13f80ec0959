from django.apps import AppConfig


class ChatConfig(AppConfig):
    name = "chat"

    def ready(self) -> None:
        from chat.derived import ReplyBuffers, Segments
        from memories import derived

        derived.register(Segments())
        derived.register(ReplyBuffers())
