"""The derived layers of this app: page lines, recollections, titles."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from memories.derived import Finding, Layer, Reach, register
from memories.forgetting.marks import covers
from memories.models import (
    PREFERENCES,
    Conversation,
    DeletedTitle,
    Deletion,
    Line,
    Message,
    Page,
    Person,
    Recollection,
    Tombstone,
)


class Lines(Layer):
    """Lines are dropped at once and built again by a night; a page that is left without any goes with its title."""

    name = "lines"
    label = _("Lines on your pages")

    def count(self, person: Person, reach: Reach) -> int:
        return self._of(person.pk, reach).count()

    def drop(self, deletion: Deletion, reach: Reach, *, now: datetime) -> int:
        lines = self._of(deletion.person_id, reach)
        pages = set(lines.values_list("page_id", flat=True))
        count = lines.count()
        Line.objects.filter(pk__in=list(lines.values_list("pk", flat=True))).delete()
        # A topic page bears its topic in its title and address: it goes, and comes back from what is left.
        Page.objects.filter(pk__in=pages).exclude(slug=PREFERENCES).delete()
        return count

    def verify(self, deletion: Deletion, reach: Reach) -> Collection[Finding]:
        return [
            Finding(self.name, "line_rests_on_it", "Line", pk)
            for pk in _keys(Line.objects.filter(memories__in=reach.memories))
        ]

    def _of(self, person_id: int, reach: Reach) -> QuerySet[Line]:
        lines = Line.objects.filter(page__person=person_id)
        return lines if reach.everything else lines.filter(memories__in=reach.memories).distinct()


class Recollections(Layer):
    """Keys only, so they wait for the purge: undo then gives back where a memory was used."""

    name = "recollections"
    label = _("Records of where it was used")

    def count(self, person: Person, reach: Reach) -> int:
        rows = Recollection.objects.filter(person=person)
        return rows.count() if reach.everything else rows.filter(memory__in=reach.memories).count()

    def purge(self, deletion: Deletion, reach: Reach, *, now: datetime) -> int:
        return Recollection.objects.filter(memory__taken_by__deletion=deletion).delete()[0]

    def verify(self, deletion: Deletion, reach: Reach) -> Collection[Finding]:
        if not deletion.purged_at:
            return ()
        rows = Recollection.objects.filter(memory__taken_by__deletion=deletion)
        return [Finding(self.name, "still_recorded", "Recollection", pk) for pk in _keys(rows)]


class Titles(Layer):
    """Titles of the conversations in which something was forgotten, and of those that the person named after it: moved
    aside, so that undo gives them back."""

    name = "titles"
    label = _("Titles of conversations")

    def count(self, person: Person, reach: Reach) -> int:
        return self._of(person.pk, reach).count()

    def drop(self, deletion: Deletion, reach: Reach, *, now: datetime) -> int:
        titled = list(self._of(deletion.person_id, reach)) + self._named_after_it(deletion, reach)
        DeletedTitle.objects.bulk_create(
            DeletedTitle(deletion=deletion, conversation=found, title=found.title, title_is_mine=found.title_is_mine)
            for found in titled
        )
        Conversation.objects.filter(pk__in=[found.pk for found in titled]).update(title="", title_is_mine=False)
        return len(titled)

    def restore(self, deletion: Deletion, reach: Reach, *, now: datetime) -> None:
        """Not over a name that the person gave since, nor where something else was forgotten since: the old title may
        say that too."""
        since = Tombstone.objects.filter(
            deletion__in=Deletion.objects.filter(person=deletion.person_id, pk__gt=deletion.pk).standing(),
            passage__message__conversation=OuterRef("conversation"),
        )
        rows = deletion.taken_titles.filter(~Exists(since), conversation__title_is_mine=False)
        for row in rows:
            Conversation.objects.filter(pk=row.conversation_id).update(title=row.title, title_is_mine=row.title_is_mine)

    def verify(self, deletion: Deletion, reach: Reach) -> Collection[Finding]:
        """What was set aside, after the purge; a title that was set aside and still stands, or one that says it
        although nothing was said there since."""
        aside = {row.conversation_id: row for row in deletion.taken_titles.all()}
        left = aside.values() if deletion.purged_at else ()
        findings = [Finding(self.name, "set_aside_left", "DeletedTitle", row.pk) for row in left]
        old = self._of(deletion.person_id, reach).filter(title_is_mine=False, last_said_at__lt=deletion.carried_out_at)
        for found in old:
            before = aside.get(found.pk)
            if (before and before.title == found.title) or covers(deletion.marks, deletion.person_id, found.title):
                findings.append(Finding(self.name, "says_it", "Conversation", found.pk))
        return findings

    def _named_after_it(self, deletion: Deletion, reach: Reach) -> list[Conversation]:
        """What the person called a conversation need not stand in it."""
        if reach.everything:
            return []
        theirs = Conversation.objects.filter(person=deletion.person_id, title_is_mine=True).exclude(title="")
        theirs = theirs.exclude(pk__in=self._of(deletion.person_id, reach).values("pk"))
        return [found for found in theirs if covers(deletion.marks, deletion.person_id, found.title)]

    def _of(self, person_id: int, reach: Reach) -> QuerySet[Conversation]:
        titled = Conversation.objects.filter(person=person_id).exclude(title="")
        if reach.everything:
            return titled
        said = Message.objects.filter(passages__in=reach.passages).values("conversation")
        return titled.filter(Q(pk__in=said) | Q(pk__in=reach.conversations))


def register_own() -> None:
    for layer in (Lines(), Recollections(), Titles()):
        register(layer)


def _keys(rows: QuerySet[Line] | QuerySet[Recollection]) -> list[int]:
    return list(rows.values_list("pk", flat=True))
