from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MemoriesConfig(AppConfig):
    name = "memories"
    verbose_name = _("Memories")

    def ready(self) -> None:
        from memories import derived
        from memories.forgetting.own_layers import register_own
        from memories.searchable import SearchRows

        derived.register(SearchRows())
        register_own()
