"""Deleting an account: no row is left that leads to the person."""

from __future__ import annotations

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import transaction

from memories.derived import layers
from memories.models import Conversation, Person, lock_person


@transaction.atomic
def delete_account(person: Person) -> None:
    """At once and for good; there is no undo. What a cascade in the database does not reach is dropped by its layer."""
    person = lock_person(person.pk)
    # What is being said at this moment comes first, and then nothing more can be added that leads to the person.
    list(Conversation.objects.filter(person=person).order_by("pk").select_for_update().values_list("pk"))
    Person.objects.select_for_update().get(pk=person.pk)
    for layer in layers():
        layer.leave(person)
    _sign_out_everywhere(person)
    _leave_the_staffs_journal(person)
    person.delete()


def _sign_out_everywhere(person: Person) -> None:
    """Sessions name their person inside their data only."""
    theirs = [
        session.pk
        for session in Session.objects.iterator()
        if str(session.get_decoded().get("_auth_user_id")) == str(person.pk)
    ]
    Session.objects.filter(pk__in=theirs).delete()


def _leave_the_staffs_journal(person: Person) -> None:
    """The admin writes down by its name what it changed, without a key to it."""
    kind = ContentType.objects.get_for_model(Person)
    LogEntry.objects.filter(content_type=kind, object_id=str(person.pk)).delete()
