# Lint, types, imports, migrations, templates.
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
    uv run djlint --reformat --quiet templates

test *args:
    uv run pytest {{ args }}

# How fast it is, on this machine.
bench *args:
    uv run manage.py bench {{ args }}

# Gather what is to be translated, and compile what is (needs gettext).
messages:
    uv run manage.py makemessages --locale zh_Hant --ignore .venv --ignore var --ignore tests --no-obsolete --no-location --no-wrap
    uv run manage.py compilemessages --ignore .venv
