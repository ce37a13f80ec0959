# Lint, types, imports, migrations, translations, templates.
check:
    uv run ruff check .
    uv run ruff format --check .
    uv run mypy .
    uv run lint-imports
    uv run manage.py makemigrations --check --dry-run
    uv run djlint --check --lint templates

# Format what can be formatted.
format:
    uv run ruff format .
    uv run ruff check --fix .

test *args:
    uv run pytest {{ args }}
