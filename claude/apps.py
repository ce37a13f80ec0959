from django.apps import AppConfig


class ClaudeConfig(AppConfig):
    name = "claude"

    def ready(self) -> None:
        from claude import checks  # noqa: F401
