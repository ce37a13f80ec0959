from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ClaudeConfig(AppConfig):
    name = "claude"
    verbose_name = _("The model")

    def ready(self) -> None:
        from claude import checks  # noqa: F401
