"""Staff do not take over a person's account, and staff without a right do nothing with it."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from consolidation.models import Night, NightState
from memories import forget
from memories.models import Person

FORM = {"time_zone": "Asia/Taipei", "night_hour": "4", "is_active": "on", "language": ""}


def _changed(client: Client, person: Person, **fields: str) -> int:
    url = reverse("admin:memories_person_change", args=[person.pk])
    return client.post(url, {**FORM, "username": person.username, "email": person.email, **fields}).status_code


def test_what_one_signs_in_with_is_ones_own_to_change(staff_client: Client, alice: Person, charlie: Person) -> None:
    assert _changed(staff_client, alice, username="mallory", email="charlie@example.org") == 302
    alice.refresh_from_db()
    assert (alice.username, alice.email, alice.time_zone) == ("alice", "alice@example.org", "Asia/Taipei")
    password = reverse("admin:auth_user_password_change", args=[alice.pk])
    typed = {"password1": "another long one", "password2": "another long one", "usable_password": "true"}
    assert staff_client.post(password, typed).status_code == 403
    alice.refresh_from_db()
    assert alice.check_password("alice-password")
    assert staff_client.get(reverse("admin:auth_user_password_change", args=[charlie.pk])).status_code == 200
    assert staff_client.get("/admin/account/emailaddress/").status_code == 404


def test_a_time_zone_that_is_none_is_not_kept(staff_client: Client, alice: Person) -> None:
    """It would break each page of the person's, and everybody's nights."""
    assert _changed(staff_client, alice, time_zone="Mars/Olympus_Mons") == 200
    alice.refresh_from_db()
    assert alice.time_zone == ""


def test_only_superusers_say_who_is_staff(bob: Person) -> None:
    Person.objects.filter(pk=bob.pk).update(is_staff=True)
    bob.user_permissions.set(Permission.objects.filter(codename__in=["change_person", "view_person"]))
    client = Client()
    client.force_login(bob, backend="django.contrib.auth.backends.ModelBackend")
    assert _changed(client, bob, is_superuser="on", is_staff="on") == 302
    bob.refresh_from_db()
    assert not bob.is_superuser


@pytest.mark.parametrize("action", ["retry", "approve", "undo"])
def test_staff_without_a_right_do_nothing_with_nights(bob: Person, alice: Person, now: datetime, action: str) -> None:
    Person.objects.filter(pk=bob.pk).update(is_staff=True)
    client = Client()
    client.force_login(bob, backend="django.contrib.auth.backends.ModelBackend")
    night = Night.objects.create(
        person=alice, local_date=now.date(), state=NightState.DONE, started_at=now, leased_until=now, reads_until=now
    )
    for url in ("admin:consolidation_night_changelist", "admin:memories_memory_changelist"):
        assert client.get(reverse(url)).status_code == 403
    chosen = {"action": action, "_selected_action": [night.pk]}
    assert client.post(reverse("admin:consolidation_night_changelist"), chosen).status_code == 403
    night.refresh_from_db()
    assert night.state == NightState.DONE


def test_the_staffs_journal_forgets_who_left(staff_client: Client, alice: Person) -> None:
    assert _changed(staff_client, alice) == 302
    assert LogEntry.objects.filter(object_repr="alice").exists()
    forget.delete_account(alice)
    assert not LogEntry.objects.exists()
