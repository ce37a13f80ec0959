from django.apps import AppConfig


class ConsolidationConfig(AppConfig):
    name = "consolidation"

    def ready(self) -> None:
        from consolidation.derived import Candidates
        from memories.derived import register

        register(Candidates())
