"""What the person may write on their memory pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from zoneinfo import available_timezones

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from memories.models import Person

STATEMENT_MAX_CHARACTERS = 600


class StatementForm(forms.Form):
    """The words of one memory."""

    statement = forms.CharField(
        label=_("What should be remembered"),
        max_length=STATEMENT_MAX_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 3, "class": "textarea"}),
        error_messages={
            "required": _("Write what should be remembered."),
            "null_characters_not_allowed": _("It holds a character that cannot be stored. Remove it and save again."),
            "max_length": _(
                "A memory is one statement of at most %(limit_value)d characters. This has %(show_value)d."
            ),
        },
    )
    version = forms.IntegerField(widget=forms.HiddenInput, required=False, min_value=1)

    def clean_statement(self) -> str:
        statement = " ".join(str(self.cleaned_data["statement"]).split())
        try:
            statement.encode()
        except UnicodeEncodeError as error:
            raise ValidationError(_("It holds a character that cannot be stored. Remove it and save again.")) from error
        return statement


class TimeZoneField(forms.CharField):
    widget = forms.TextInput(attrs={"list": "time-zones", "autocomplete": "off", "spellcheck": "false"})

    def clean(self, value: Any) -> str:
        zone = str(super().clean(value))
        if zone and zone not in available_timezones():
            raise ValidationError(_("There is no such time zone. Choose one from the list, such as Asia/Taipei."))
        return zone


if TYPE_CHECKING:
    PersonForm = forms.ModelForm[Person]
else:
    PersonForm = forms.ModelForm


class PrivacyForm(PersonForm):
    time_zone = TimeZoneField(label=_("Time zone"), max_length=64, required=False)
    night_hour = forms.TypedChoiceField(
        label=_("The night runs at"), coerce=int, choices=[(hour, f"{hour:02}:00") for hour in range(24)]
    )

    class Meta:
        model = Person
        fields = [
            "time_zone",
            "language",
            "night_hour",
            "use_memories",
            "learn_memories",
            "dream_nightly",
            "ask_before_saving",
        ]

    def save(self, commit: bool = True) -> Person:
        if "time_zone" in self.changed_data:
            # Said outright now, no longer derived from a memory.
            self.instance.time_zone_memory = None
        return super().save(commit)
