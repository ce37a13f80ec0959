"""Staff see that memories and conversations are there, and never by accident what is in them. Nothing here can be
changed: people's memories are theirs, and every deletion goes through the forget door."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account.models import EmailAddress
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from memories.forms import TimeZoneField
from memories.masking import masked
from memories.models import Conversation, Deletion, Looked, Memory, Message, Passage, Person, Recollection, StaffRead
from memories.revealing import Revealing

if TYPE_CHECKING:
    AnyAdmin = admin.ModelAdmin[Any]
    ChangeForm = UserChangeForm[Person]
    PassageTable = admin.TabularInline[Passage, Message]
    PeopleAdmin = UserAdmin[Person]
else:
    AnyAdmin, PassageTable, PeopleAdmin = admin.ModelAdmin, admin.TabularInline, UserAdmin
    ChangeForm = UserChangeForm


class ReadOnlyAdmin(AnyAdmin):
    """Looked at, never touched."""

    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


# With an address of theirs on somebody's account, staff could have its password sent to themselves.
admin.site.unregister(EmailAddress)


class PersonForm(ChangeForm):
    time_zone = TimeZoneField(label=_("time zone"), max_length=64, required=False)


@admin.register(Person)
class PersonAdmin(PeopleAdmin):
    """Nobody takes over another's account here, and so reads their words without a reason: what one signs in with is
    one's own to change, and only superusers say who is staff."""

    form = PersonForm
    list_display = ["username", "email", "time_zone", "night_hour", "dream_nightly", "is_staff", "is_active"]
    list_filter = ["is_staff", "is_active", "dream_nightly", "language"]
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        (_("Account"), {"fields": ("email", "is_active", "is_staff", "is_superuser", "groups")}),
        (_("Memory"), {"fields": ("language", "time_zone", "night_hour", "dream_nightly")}),
    )

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # deleting an account is the forget door's work

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        fields = [] if request.user.is_superuser else ["is_staff", "is_superuser", "groups"]
        return fields if obj is None or obj.pk == request.user.pk else [*fields, "username", "email"]

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        if id != str(request.user.pk):
            raise PermissionDenied
        return super().user_change_password(request, id, form_url)


@admin.register(Memory)
class MemoryAdmin(Revealing, ReadOnlyAdmin):
    looked_at = Looked.MEMORY
    list_display = ["label", "person", "statement_masked", "kind", "category", "status", "confidence", "said_at"]
    list_filter = ["status", "kind", "category", "confidence", "trusted", "waiting_reason"]
    list_select_related = ["person"]
    search_fields = ["person__username", "=number"]
    date_hierarchy = "created_at"
    ordering = ["-created_at"]
    show_full_result_count = False
    fields = [
        "label", "person", "statement_masked", "kind", "category", "status", "waiting_reason", "confidence", "trusted",
        "plan", "lasting", "said_at", "confirmed_at", "used_at", "superseded_by", "superseded_at", "version",
        "created_at",
    ]  # fmt: skip
    readonly_fields = ["statement_masked"]

    @admin.display(description=_("statement"))
    def statement_masked(self, memory: Memory) -> str:
        return masked(memory.statement)


@admin.register(Recollection)
class RecollectionAdmin(ReadOnlyAdmin):
    """Why a reply was given a memory: keys, codes and numbers, no words."""

    list_display = ["__str__", "person", "memory", "reply", "how", "rank", "score", "because", "cited", "given_at"]
    list_filter = ["how", "cited"]
    list_select_related = ["person", "memory", "reply"]
    search_fields = ["person__username", "=memory__number", "=reply__id"]
    date_hierarchy = "given_at"
    ordering = ["-given_at"]
    show_full_result_count = False
    fields = ["person", "memory", "reply", "how", "rank", "score", "because", "cited", "given_at"]
    readonly_fields = ["because"]

    @admin.display(description=_("why"))
    def because(self, recollection: Recollection) -> str:
        return "; ".join(recollection.reasons)


@admin.register(Conversation)
class ConversationAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "person", "title_masked", "memory_mode", "started_at", "last_said_at"]
    list_filter = ["memory_mode"]
    list_select_related = ["person"]
    search_fields = ["person__username"]
    date_hierarchy = "last_said_at"
    ordering = ["-last_said_at"]
    show_full_result_count = False
    fields = ["person", "title_masked", "memory_mode", "started_at", "last_said_at"]
    readonly_fields = ["title_masked"]

    @admin.display(description=_("title"))
    def title_masked(self, conversation: Conversation) -> str:
        return masked(conversation.title)


class PassageInline(PassageTable):
    model = Passage
    extra = 0
    can_delete = False
    fields = ["origin", "text_masked", "characters"]
    readonly_fields = ["origin", "text_masked", "characters"]

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.display(description=_("text"))
    def text_masked(self, passage: Passage) -> str:
        return masked(passage.text)

    @admin.display(description=_("characters"))
    def characters(self, passage: Passage) -> int:
        return len(passage.text)


@admin.register(Message)
class MessageAdmin(Revealing, ReadOnlyAdmin):
    looked_at = Looked.MESSAGE
    list_display = ["__str__", "person", "conversation", "position", "role", "state", "error", "said_at", "read_at"]
    list_filter = ["role", "state", ("read_at", admin.EmptyFieldListFilter)]
    list_select_related = ["person", "conversation"]
    search_fields = ["person__username", "=conversation__id"]
    date_hierarchy = "said_at"
    ordering = ["-said_at"]
    show_full_result_count = False
    fields = [
        "person",
        "conversation",
        "position",
        "attempt",
        "role",
        "state",
        "error",
        "said_at",
        "finished_at",
        "read_at",
    ]
    inlines = [PassageInline]


@admin.register(Deletion)
class DeletionAdmin(ReadOnlyAdmin):
    list_display = [
        "__str__", "person", "via", "erase_words", "carried_out_at", "undo_until", "undone_at", "purged_at",
        "check_findings",
    ]  # fmt: skip
    list_filter = ["via", "erase_words"]
    list_select_related = ["person"]
    ordering = ["-carried_out_at"]


@admin.register(StaffRead)
class StaffReadAdmin(ReadOnlyAdmin):
    list_display = ["read_at", "staff", "person", "looked_at", "key", "reason"]
    list_filter = ["looked_at"]
    list_select_related = ["staff", "person"]
    search_fields = ["person__username", "staff__username"]
    date_hierarchy = "read_at"
    ordering = ["-read_at"]
