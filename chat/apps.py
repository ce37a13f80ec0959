from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ChatConfig(AppConfig):
    name = "chat"
    verbose_name = _("Conversations")

    def ready(self) -> None:
        from chat.derived import NewTitles, ReplyBuffers, Segments
        from memories import derived

        derived.register(Segments())
        derived.register(NewTitles())
        derived.register(ReplyBuffers())
