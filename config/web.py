"""The web server: `python -m config.web --host 0.0.0.0 --port 8000`, or with a socket that `manage.py up` opened."""

from __future__ import annotations

import argparse
import socket

import uvicorn


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--fd", type=int, help="a socket that is open already")
    options = parser.parse_args()

    from config.asgi import application

    server = uvicorn.Server(
        uvicorn.Config(
            application,
            host=options.host,
            port=options.port,
            lifespan="off",
            log_config=None,  # Django's stands
            access_log=False,  # addresses carry what people search for
            proxy_headers=False,  # Django reads the one header it trusts: SECURE_PROXY_SSL_HEADER
            server_header=False,
            timeout_graceful_shutdown=3,
        )
    )
    server.run(sockets=None if options.fd is None else [socket.socket(fileno=options.fd)])


if __name__ == "__main__":
    main()
