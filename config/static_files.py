"""Files under names that change with what is in them, and so can be kept by a browser for ever."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    # A module imports another under the name by which the page loads it: else a browser would run that one twice.
    support_js_module_import_aggregation = True
