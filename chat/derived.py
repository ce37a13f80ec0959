"""What conversations derive from words and memories: segments with sent turns and summaries, and reply buffers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime
from functools import partial

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from chat import live, stream
from chat.models import EndReason, FoundMessage, Segment, SentTurn
from chat.segments import end
from chat.tasks import name_untitled
from memories.derived import Finding, Layer, Reach
from memories.models import Deletion, Message, MessageState, Person, Recollection


class Segments(Layer):
    """A segment that says it, or was given it, is ended and emptied: the next reply begins a new one without it."""

    name = "segments"
    label = _("Summaries, and what was sent to the model")

    def count(self, person: Person, reach: Reach) -> int:
        return _reached(person.pk, reach).count()

    def drop(self, deletion: Deletion, reach: Reach, *, now: datetime) -> int:
        return _empty(_reached(deletion.person_id, reach), now=now)

    def purge(self, deletion: Deletion, reach: Reach, *, now: datetime) -> int:
        """Once more what was there before: with a conversation goes the record of where its words were found, and
        nobody could trace them afterwards."""
        _empty(_left(deletion, reach), now=now)
        Segment.injected.through._default_manager.filter(memory__in=reach.memories).delete()
        return 0

    def given_elsewhere(self, person: Person, messages: Collection[int]) -> Mapping[int, Collection[int]]:
        given: dict[int, set[int]] = defaultdict(set)
        found = FoundMessage.objects.filter(person=person, message__in=messages)
        for reply, message in found.values_list("reply_id", "message_id"):
            given[reply].add(message)
        return given

    def verify(self, deletion: Deletion, reach: Reach) -> Collection[Finding]:
        left = _left(deletion, reach).values_list("pk", flat=True)
        return [Finding(self.name, "left", "chat.Segment", pk) for pk in left]


class NewTitles(Layer):
    """The memories app sets titles aside; what is left of a conversation is named anew at once."""

    name = "new_titles"

    def drop(self, deletion: Deletion, reach: Reach, *, now: datetime) -> int:
        transaction.on_commit(_name_again, robust=True)
        return 0


class ReplyBuffers(Layer):
    """The parts of a reply in Valkey, and the replies that are being written while they were given it."""

    name = "reply_buffers"
    label = _("Replies in transit")

    def drop(self, deletion: Deletion, reach: Reach, *, now: datetime) -> int:
        replies = _replies(deletion.person_id, reach)
        writing = list(
            replies.filter(state__in=[MessageState.QUEUED, MessageState.STREAMING]).values_list("pk", flat=True)
        )
        transaction.on_commit(partial(_stop, writing), robust=True)
        transaction.on_commit(partial(_drop, _recent(replies, deletion)), robust=True)
        return len(writing)

    def purge(self, deletion: Deletion, reach: Reach, *, now: datetime) -> int:
        """Again, in case the process died before it came to it."""
        transaction.on_commit(partial(_drop, _recent(_replies(deletion.person_id, reach), deletion)), robust=True)
        transaction.on_commit(stream.write_file_anew, robust=True)
        return 0

    def leave(self, person: Person) -> None:
        replies = list(Message.objects.filter(person=person, role="assistant").values_list("pk", flat=True))
        transaction.on_commit(partial(_stop, replies[-10:]), robust=True)
        transaction.on_commit(partial(_drop, replies), robust=True)
        transaction.on_commit(stream.write_file_anew, robust=True)

    def verify(self, deletion: Deletion, reach: Reach) -> Collection[Finding]:
        replies = _recent(_replies(deletion.person_id, reach), deletion)
        return [Finding(self.name, "left", "memories.Message", pk) for pk in replies if stream.has_parts(pk)]


def _reached(person_id: int, reach: Reach) -> QuerySet[Segment]:
    segments = Segment.objects.filter(person=person_id)
    if reach.everything:
        return segments
    given = Recollection.objects.filter(memory__in=reach.memories).values("reply__conversation")
    said = Message.objects.filter(passages__in=reach.passages).values("conversation")
    found = FoundMessage.objects.filter(
        Q(message__passages__in=reach.passages) | Q(message__conversation__in=reach.conversations)
    ).values("reply__conversation")
    return segments.filter(
        Q(conversation__in=reach.conversations)
        | Q(conversation__in=given)
        | Q(conversation__in=said)
        | Q(conversation__in=found)
        | Q(pk__in=Segment.injected.through._default_manager.filter(memory__in=reach.memories).values("segment"))
    )


def _left(deletion: Deletion, reach: Reach) -> QuerySet[Segment]:
    """Of what the deletion reached, what is not ended and empty."""
    old = _reached(deletion.person_id, reach).filter(opened_at__lt=deletion.carried_out_at)
    return old.filter(Q(ended_at=None) | ~Q(summary="") | ~Q(opening="") | Q(turns__isnull=False)).distinct()


def _empty(segments: QuerySet[Segment], *, now: datetime) -> int:
    reached = list(segments.values_list("pk", flat=True))
    segments = Segment.objects.filter(pk__in=reached)
    SentTurn.objects.filter(segment__in=reached).delete()
    end(segments, EndReason.FORGOTTEN, now=now)
    segments.update(opening="", summary="")
    Segment.injected.through._default_manager.filter(segment__in=reached).delete()
    return len(reached)


def _replies(person_id: int, reach: Reach) -> QuerySet[Message]:
    """Replies in the conversations that are reached."""
    conversations = _reached(person_id, reach).values("conversation")
    return Message.objects.filter(
        Q(conversation__in=conversations) | Q(conversation__in=reach.conversations),
        person=person_id,
        role="assistant",
    )


def _recent(replies: QuerySet[Message], deletion: Deletion) -> list[int]:
    """Those whose parts may not have expired by themselves when the deletion was carried out."""
    since = deletion.carried_out_at - stream.LONGEST_KEPT
    recent = replies.filter(Q(finished_at=None) | Q(finished_at__gte=since), said_at__lte=deletion.carried_out_at)
    return list(recent.values_list("pk", flat=True))


def _name_again() -> None:
    name_untitled.apply_async(retry=False)


def _stop(replies: list[int]) -> None:
    for reply in replies:
        live.ask_to_stop(reply)


def _drop(replies: list[int]) -> None:
    stream.drop(replies)
