"""PostgreSQL and Valkey: yours by DATABASE_URL and REDIS_URL, else embedded ones under `var/`."""

from config.services.addresses import broker_url, database_settings, is_ours, redis_url
from config.services.errors import ServicesError
from config.services.lifecycle import restart_what_died, running

__all__ = ["ServicesError", "broker_url", "database_settings", "is_ours", "redis_url", "restart_what_died", "running"]
