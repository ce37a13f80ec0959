from __future__ import annotations


class ServicesError(Exception):
    """An embedded server could not be started; the text says what to do."""
