# The production form: one image for the web, the workers and beat. PostgreSQL and Valkey are yours (compose.yaml).
FROM python:3.13-slim AS build
RUN pip install --no-cache-dir uv
WORKDIR /srv/reverie
ENV UV_PROJECT_ENVIRONMENT=/srv/venv UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy
COPY pyproject.toml uv.lock .python-version ./
RUN uv sync --frozen --no-dev
COPY . .
RUN PRODUCTION=1 SECRET_KEY=only-for-gathering-files ALLOWED_HOSTS=localhost STATIC_ROOT=/srv/static \
    /srv/venv/bin/python manage.py collectstatic --no-input

FROM python:3.13-slim
RUN useradd --system --uid 10001 reverie
COPY --from=build /srv /srv
WORKDIR /srv/reverie
ENV PATH=/srv/venv/bin:$PATH PYTHONUNBUFFERED=1 PRODUCTION=1 STATIC_ROOT=/srv/static \
    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 REVERIE_VAR=/tmp/reverie
USER reverie
EXPOSE 8000
CMD ["python", "-m", "config.web", "--host", "0.0.0.0", "--port", "8000"]
