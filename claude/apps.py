from django.apps import AppConfig


class ClaudeConfig(AppConfig):
    name = "claude"
