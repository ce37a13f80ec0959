from django.apps import AppConfig


class MemoriesConfig(AppConfig):
    name = "memories"

    def ready(self) -> None:
        from memories import derived
        from memories.forgetting.own_layers import register_own
        from memories.searchable import SearchRows

        derived.register(SearchRows())
        register_own()
