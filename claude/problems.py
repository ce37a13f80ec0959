"""What a person reads where the model failed, by the code of the exception."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PROBLEMS: dict[str, str | Promise] = {
    "overloaded": _("The model is overloaded at the moment."),
    "rate_limited": _("Too many requests in a short time. Please wait a little."),
    "unreachable": _("The model cannot be reached."),
    "timed_out": _("The model took too long."),
    "interrupted": _("The answer broke off."),
    "bad_key": _("The key for the model is wrong. Whoever runs Reverie must set it."),
    "no_credit": _("The account with the model has no credit left. Whoever runs Reverie must see to it."),
    "bad_request": _("The model did not accept the request."),
    "too_long": _("This is more text than the model can read at once."),
    "refused": _("The model declined to answer this."),
    "truncated": _("The answer did not fit."),
    "malformed": _("The answer could not be read."),
}
OTHER_PROBLEM = _("Something went wrong on our side.")
