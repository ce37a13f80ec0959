"""Writing one reply: the window, the model's words as they come, its tools, and how it all ends."""

from __future__ import annotations

import logging
import re
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from itertools import count
from pathlib import Path

from django.conf import settings
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from chat import attempts, live, stream, window
from chat.citations import MemoryLinks
from chat.connections import release_connection
from chat.finish import FORGOTTEN, Ending, finish
from chat.tools import TOOLS, Bench, carry_out
from chat.turns import CUT_OFF, NO_ANSWER
from chat.watch import Watched, watching
from claude.client import Block, Response
from claude.client import stream as ask_model
from claude.errors import ClaudeError, Refused
from claude.prompts import render
from claude.purposes import Purpose
from memories.models import Memory, Message, MessageState
from memories.transcript import readable_message

logger = logging.getLogger(__name__)

SYSTEM = Path(__file__).parent / "prompts" / "system.v1.md"
BROKEN = "broken"
TOO_SLOW = "too_slow"
# Of one reply, far beyond what its tokens allow: a server may not keep to them.
LONGEST = settings.MESSAGE_MAX_CHARACTERS // 2
_HAN = re.compile(r"[\u4e00-\u9fff]")


class TooSlow(Exception):
    """The reply took longer than `REPLY_MAX_S`."""


@dataclass
class Draft:
    """A reply while it is written."""

    reply: Message
    asked: Message
    clock: Callable[[], datetime]
    writer: stream.Writer
    window: window.Window
    links: MemoryLinks
    # What was sent and received after the window, to be kept when the reply is done.
    turns: list[Block] = field(default_factory=list)
    cost: Decimal = Decimal(0)

    def say(self, text: str) -> None:
        """Words after those that are there, as a paragraph of their own."""
        self.writer.add(("\n\n" if self.writer.text.strip() else "") + text)

    def take(self, text: str) -> str:
        """As much of it as there is room for."""
        return text[: max(0, LONGEST - len(self.writer.text))]

    @property
    def is_full(self) -> bool:
        return len(self.writer.text) >= LONGEST

    def give(self, memory: Memory) -> None:
        self.window.citable[memory.number] = memory
        self.links.add(memory)

    def keep_text(self, text: str) -> None:
        """An assistant turn of bare text, where the response itself cannot be sent again."""
        self.turns.append({"role": "assistant", "content": [{"type": "text", "text": text.strip() or NO_ANSWER}]})


def write_reply(reply_id: int, *, now: datetime | None = None) -> None:
    """Write a queued reply to its end. With `now`, the clock stands still there (replay, tests)."""
    clock = _standing_at(now) if now is not None else _wall_clock
    reply = attempts.claim(reply_id, now=clock())
    if reply is None:
        # A task that comes a second time: its reply is finished, under way, or was lost with the first worker.
        for unfinished in Message.objects.filter(pk=reply_id, state=MessageState.STREAMING):
            attempts.fail_if_lost(unfinished, now=clock())
        return
    try:
        finish(reply, _written(reply, clock), now=clock())
    finally:
        live.give_up_lease(reply.pk)
        stream.end(reply.pk)
        release_connection()


def _standing_at(now: datetime) -> Callable[[], datetime]:
    return lambda: now


def _wall_clock() -> datetime:
    return timezone.now()


def _written(reply: Message, clock: Callable[[], datetime]) -> Ending:
    links = MemoryLinks()
    writer = stream.Writer(reply.pk, links)
    prepared: window.Window | None = None
    try:
        stream.start(reply.pk)
        asked = _asked(reply)
        writer.language = _language(reply, asked)
        prepared = window.prepare(reply, asked, now=clock())
        links.add(*prepared.citable.values())
        draft = Draft(reply, asked, clock, writer, prepared, links)
        with translation.override(writer.language), watching(writer) as watched:
            state = _answer(draft, watched)
        return Ending(state, writer.text, window=prepared, turns=draft.turns)
    except ClaudeError as error:
        logger.warning("Reply %d failed: %s", reply.pk, error.code)
        # What a model wrote before it declined is not an answer.
        text = "" if isinstance(error, Refused) else writer.text
        return Ending(MessageState.FAILED, text, error=error.code, window=prepared)
    except TooSlow:
        logger.warning("Reply %d took too long", reply.pk)
        return Ending(MessageState.FAILED, writer.text, error=TOO_SLOW, window=prepared)
    except window.ForgottenMeanwhile:
        return Ending(MessageState.FAILED, "", error=FORGOTTEN)
    except Exception as error:
        # Never the exception's own words: they may quote what someone said.
        where = "".join(traceback.format_tb(error.__traceback__))
        logger.error("Reply %d broke: %s\n%s", reply.pk, type(error).__name__, where)
        return Ending(MessageState.FAILED, writer.text, error=BROKEN, window=prepared)


def _answer(draft: Draft, watched: Watched) -> MessageState:
    """Ask, carry out the tools, ask again, until there is nothing more to do or enough was done."""
    reply = draft.reply
    bench = Bench(reply.person, reply.conversation, reply, draft.asked, draft.clock, draft.give)
    for rounds in count():
        response = _respond(draft, watched)
        if draft.is_full:
            if response is not None:
                draft.keep_text(response.text[:LONGEST])
            draft.say(_cut())
            return MessageState.DONE
        if response is None and watched.overdue:
            raise TooSlow
        if response is None:
            return MessageState.STOPPED
        draft.cost += response.cost or Decimal(0)
        if response.stop_reason == "max_tokens":
            draft.say(_cut())
        elif not response.tool_uses:
            draft.turns.append({"role": "assistant", "content": response.blocks})
            return MessageState.DONE
        elif rounds >= settings.REPLY_MAX_TOOL_ROUNDS:
            draft.say(
                _("*I stopped here: this took more steps than one answer may take. Ask me to go on if you like.*")
            )
        elif draft.cost >= Decimal(str(settings.REPLY_MAX_COST_USD)):
            draft.say(_("*I stopped here: this answer reached its cost limit. Ask me to go on if you like.*"))
        else:
            draft.turns.append({"role": "assistant", "content": response.blocks})
            draft.turns.append({"role": "user", "content": carry_out(response.tool_uses, bench)})
            continue
        draft.keep_text(response.text)
        return MessageState.DONE
    raise AssertionError  # pragma: no cover - count() has no end


def _cut() -> str:
    return _("*The answer was cut here: it reached the longest that is allowed.*")


def _respond(draft: Draft, watched: Watched) -> Response | None:
    """One response of the model, published as it comes; None when the person stopped it, or it took too long."""
    began = False
    request = draft.window.request(draft.turns)
    release_connection()
    with (
        ask_model(
            Purpose.CHAT,
            system=render(SYSTEM),
            messages=request,
            tools=TOOLS,
            person=draft.reply.person,
            run=f"reply-{draft.reply.pk}",
            max_tokens=settings.REPLY_MAX_TOKENS,
        ) as answer,
        watched.aborting(answer.close),
    ):
        for text in answer:
            if began:
                draft.writer.add(draft.take(text))
            elif text.strip():
                draft.say(draft.take(text))
                began = True
            if draft.is_full:
                answer.close()
        if answer.aborted:
            written = answer.text[:LONGEST].rstrip()
            draft.keep_text(written + CUT_OFF if written.strip() else "")
            return None
        return answer.response


def _asked(reply: Message) -> Message:
    return (
        Message.objects.standing()
        .prefetch_related("passages__tombstones")
        .get(conversation_id=reply.conversation_id, position=reply.position - 1)
    )


def _language(reply: Message, asked: Message) -> str:
    """The language of our own sentences in the reply: the person's, else that of their message."""
    if reply.person.language:
        return reply.person.language
    return "zh-hant" if _HAN.search(readable_message(asked)) else "en"
