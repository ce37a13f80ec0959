"""What the page shows of a message: one shape for the page, for what is appended, and for the end of a stream."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from django.db.models import Prefetch, QuerySet, prefetch_related_objects
from django.utils.functional import Promise
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from chat.citations import links_of
from chat.markdown import to_html
from chat.models import FoundMessage
from claude.problems import OTHER_PROBLEM, PROBLEMS
from memories.forgetting.proposing import Card, card_of
from memories.models import (
    Conversation,
    DeletedMemory,
    Deletion,
    How,
    Memory,
    Message,
    MessageState,
    Origin,
    Passage,
    Recollection,
    RefusalReason,
    Role,
    Status,
    Write,
    WriteOutcome,
)
from memories.reading import shown_text

# What else may fail a reply than the model.
_PROBLEMS: dict[str, str | Promise] = {
    "worker_lost": _("Writing the answer was interrupted on our side."),
    "forgotten": _("Something that this answer was given was forgotten meanwhile, so it was thrown away."),
    "empty": _("The model answered with nothing."),
    "too_slow": _("The answer took longer than one answer may, and was ended."),
}


@dataclass(frozen=True)
class Span:
    text: str
    marked: bool = False


@dataclass(frozen=True)
class Quotation:
    """A passage that a memory's evidence leads to, and the words of it to mark."""

    passage_id: int
    start: int
    end: int


@dataclass(frozen=True)
class Said:
    passage: Passage
    spans: list[Span]

    @property
    def html(self) -> SafeString:
        """The words with the quoted ones marked, and no white space of ours: they are shown as they were written."""
        pieces = [
            ('<mark id="quoted">', span.text, "</mark>") if span.marked else ("", span.text, "") for span in self.spans
        ]
        return format_html_join("", "{}{}{}", [(mark_safe(a), text, mark_safe(b)) for a, text, b in pieces])  # noqa: S308

    @property
    def is_shown_material(self) -> bool:
        return self.passage.origin in {Origin.PASTED, Origin.FILE}

    @property
    def is_marked(self) -> bool:
        return any(span.marked for span in self.spans)

    @property
    def lines(self) -> int:
        return self.passage.text.count("\n") + 1


@dataclass(frozen=True)
class Chip:
    write: Write
    why: str
    # The deletion that took what was remembered, while it can be undone.
    taken_by: Deletion | None = None


@dataclass(frozen=True)
class Used:
    """A memory that the prompt carried, and the record of how it came there."""

    memory: Memory
    recollection: Recollection
    cited: bool


@dataclass
class Row:
    message: Message
    said: list[Said] = field(default_factory=list)
    html: SafeString = field(default_factory=SafeString)
    chips: list[Chip] = field(default_factory=list)
    used: list[Used] = field(default_factory=list)
    # What the person said elsewhere that the reply looked up.
    found: list[Message] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    problem: str | Promise = ""
    siblings: list[int] = field(default_factory=list)
    is_last: bool = False
    can_be_revised: bool = False
    is_marked: bool = False

    @property
    def is_reply(self) -> bool:
        return self.message.role == Role.ASSISTANT

    @property
    def is_answering(self) -> bool:
        return not self.message.is_finished

    @property
    def cited(self) -> list[Used]:
        return [used for used in self.used if used.cited]

    @property
    def only_given(self) -> list[Used]:
        return [used for used in self.used if not used.cited]

    @property
    def place(self) -> int:
        """Which of its siblings it is, from 1."""
        return self.siblings.index(self.message.pk) + 1 if self.message.pk in self.siblings else 0

    @property
    def before(self) -> int | None:
        return self.siblings[self.place - 2] if self.place > 1 else None

    @property
    def after(self) -> int | None:
        return self.siblings[self.place] if 0 < self.place < len(self.siblings) else None


def shown(conversation: Conversation) -> QuerySet[Message]:
    return conversation.messages.shown().prefetch_related(*WITH)


WITH = (
    "passages__tombstones__deletion",
    "proposed_deletions",
    Prefetch("recollections", Recollection.objects.select_related("memory").order_by("rank", "pk")),
    Prefetch(
        "found_messages",
        FoundMessage.objects.select_related("message__conversation").order_by("message__said_at", "message"),
    ),
    Prefetch("writes", Write.objects.select_related("memory", "replaced").order_by("pk")),
)


def row_of(message: Message) -> Row:
    """The row of one message, read anew."""
    return rows([Message.objects.prefetch_related(*WITH).select_related("conversation").get(pk=message.pk)])[0]


def just_sent(said: Message, reply: Message) -> list[Row]:
    """The rows of a message and of the queued reply to it, which has nothing yet to be looked for."""
    prefetch_related_objects([said], "passages__tombstones__deletion")
    mine = _row(said, None)
    mine.can_be_revised = True
    return [mine, Row(reply, is_last=True)]


def rows(messages: Sequence[Message], quotation: Quotation | None = None) -> list[Row]:
    """`messages` come with what `WITH` names, in order. Only the last row of its conversation can be tried again."""
    if not messages:
        return []
    newest = messages[-1]
    made = [_row(message, quotation) for message in messages]
    from_here = _from_here(newest)
    if newest.role == Role.ASSISTANT and all(position == newest.position for position, _pk, _state in from_here):
        made[-1].is_last = True
        # The attempts at the same place, in order; failed ones only while they are shown.
        made[-1].siblings = [
            pk for _position, pk, state in from_here if state != MessageState.FAILED or pk == newest.pk
        ]
        if newest.attempt > 1:
            # What another attempt did to the memories was done all the same.
            made[-1].chips = [*_chips_of_others(newest), *made[-1].chips]
        if len(made) > 1:
            made[-2].can_be_revised = made[-2].message.replaced_at is None
    _mark_taken(made)
    return made


def _mark_taken(made: Sequence[Row]) -> None:
    chips = [chip for row in made for chip in row.chips if chip.write.memory and _is_deleted(chip.write.memory)]
    if not chips:
        return
    rows = DeletedMemory.objects.filter(
        memory__in=[chip.write.memory_id for chip in chips], deletion__undone_at=None, deletion__purged_at=None
    )
    taken = {row.memory_id: row.deletion for row in rows.select_related("deletion")}
    for row in made:
        row.chips = [replace(chip, taken_by=taken.get(chip.write.memory_id or 0)) for chip in row.chips]


def _is_deleted(memory: Memory) -> bool:
    return memory.status == Status.DELETED


def _row(message: Message, quotation: Quotation | None) -> Row:
    passages = sorted(message.passages.all(), key=lambda passage: passage.position)
    row = Row(message)
    if message.role == Role.USER:
        row.said = [Said(passage, _spans(passage, quotation)) for passage in passages]
        row.is_marked = any(said.is_marked for said in row.said)
        return row
    row.html = to_html("\n\n".join(map(shown_text, passages)), links_of(message))
    row.cards = [card_of(proposal) for proposal in message.proposed_deletions.all()]
    row.chips = [Chip(write, _why(write)) for write in _worth_showing(message.writes.all())]
    row.used = _used(message)
    row.found = [found.message for found in message.found_messages.all() if _can_be_seen(found.message)]
    row.is_marked = quotation is not None and any(passage.pk == quotation.passage_id for passage in passages)
    if message.state == MessageState.FAILED:
        row.problem = (PROBLEMS | _PROBLEMS).get(message.error, OTHER_PROBLEM)
    return row


def _can_be_seen(found: Message) -> bool:
    return found.role == Role.USER and found.conversation.deletion_id is None


def _spans(passage: Passage, quotation: Quotation | None) -> list[Span]:
    text = shown_text(passage)
    if quotation is None or quotation.passage_id != passage.pk or not 0 <= quotation.start < quotation.end <= len(text):
        return [Span(text)]
    start, end = quotation.start, quotation.end
    spans = [Span(text[:start]), Span(text[start:end], marked=True), Span(text[end:])]
    return [span for span in spans if span.text]


def _worth_showing(writes: Iterable[Write]) -> Iterable[Write]:
    """Not what only confirmed something, and one chip for a memory that was written twice."""
    seen: set[int] = set()
    for write in writes:
        if write.outcome == WriteOutcome.CONFIRMED or (write.memory_id and write.memory_id in seen):
            continue
        if write.memory_id:
            seen.add(write.memory_id)
        yield write


def _chips_of_others(reply: Message) -> list[Chip]:
    mine = {write.memory_id for write in reply.writes.all()}
    others = Write.objects.filter(
        reply__conversation_id=reply.conversation_id, reply__position=reply.position, memory__isnull=False
    ).exclude(reply=reply)
    found = others.select_related("memory", "replaced").order_by("pk")
    return [Chip(write, "") for write in _worth_showing(found) if write.memory_id not in mine]


def _why(write: Write) -> str:
    return str(RefusalReason(write.reason).label) if write.reason in RefusalReason.values else ""


def _used(message: Message) -> list[Used]:
    """The memories that the prompt carried, each once; how it was found says more than that it always is."""
    found: dict[int, Used] = {}
    for one in message.recollections.all():
        if one.memory.status == Status.DELETED:
            continue
        before = found.get(one.memory_id)
        kept = before.recollection if before and before.recollection.how != How.INJECTED else one
        found[one.memory_id] = Used(one.memory, kept, cited=one.cited or (before is not None and before.cited))
    return list(found.values())


def _from_here(message: Message) -> list[tuple[int, int, str]]:
    """Position, key and state of the messages at this place and of those after it, as far as one needs to know."""
    there = Message.objects.filter(conversation_id=message.conversation_id, position__gte=message.position)
    return list(there.order_by("-position", "attempt").values_list("position", "pk", "state")[:200])
