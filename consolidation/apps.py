from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ConsolidationConfig(AppConfig):
    name = "consolidation"
    verbose_name = _("Nights")

    def ready(self) -> None:
        from consolidation.derived import Candidates
        from memories.derived import register

        register(Candidates())
