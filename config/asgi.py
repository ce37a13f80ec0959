import os
import warnings

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# WhiteNoise's files are read synchronously, which Django takes well and warns of.
warnings.filterwarnings("ignore", "StreamingHttpResponse must consume synchronous iterators", Warning)

application = get_asgi_application()
