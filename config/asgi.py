import os
import warnings
from typing import Any

import django
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler

from config.requests import Request

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Vectors are made by workers; a page is not kept waiting for a model to load, or for another machine.
os.environ["MAKES_VECTORS"] = "0"

# WhiteNoise's files are read synchronously, which Django takes well and warns of.
warnings.filterwarnings("ignore", "StreamingHttpResponse must consume synchronous iterators", Warning)


class Application(ASGIHandler):
    """Each request in one thread from its first middleware to its view. Django's own way changes threads around every
    middleware, which costs more than most of our views do. What a response streams is asynchronous all the same."""

    request_class = Request

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)
        self._middleware_chain: Any = sync_to_async(self._middleware_chain, thread_sensitive=True)


django.setup(set_prefix=False)
application = Application()
