"""Markup in whatever a person, a model or a file says is shown as words, on every page that shows it."""

from __future__ import annotations

from datetime import datetime
from html.parser import HTMLParser
from itertools import batched
from urllib.parse import quote, urlsplit

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from chat.markdown import Growing, to_html
from memories import index
from memories.models import Category, Line, Memory, Page, Passage, Person, Version
from tests.chat.saying import answer, nothing_queued, text_of
from tests.memories.saying import told

# What any of it would run or load bears this number.
MARK = "7731"
VECTORS = [
    "<script>alert(7731)</script>",
    "<ScRiPt src=//e.example/7731></sCrIpT>",
    '"><script>alert(7731)</script>',
    "'><img src=x onerror=alert(7731)>",
    "<img src=x onerror=alert(7731)//",
    "<svg onload=alert(7731)>",
    "<svg><script>alert(7731)</script></svg>",
    "<svg><a xlink:href='javascript:alert(7731)'><text>x</text></a></svg>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(7731)&gt;'>",
    "<noscript><p title='</noscript><img src=x onerror=alert(7731)>'>",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(7731)>",
    "<iframe srcdoc='<script>alert(7731)</script>'></iframe>",
    "<object data='data:text/html;base64,7731'></object>",
    "<embed src='javascript:alert(7731)'>",
    "<base href='//e.example/7731'>",
    "<link rel=stylesheet href='//e.example/7731'>",
    "<meta http-equiv=refresh content='0;url=//e.example/7731'>",
    "<style>@import '//e.example/7731';</style>",
    "<div style='background:url(//e.example/7731)'>x</div>",
    "<form action='//e.example/7731'><button>x</button></form>",
    "<button formaction='javascript:alert(7731)'>x</button>",
    "<details open ontoggle=alert(7731)>",
    "<body onload=alert(7731)>",
    "<input autofocus onfocus=alert(7731)>",
    "<div hx-get='/7731' hx-trigger='load'>x</div>",
    "<div data-hx-post='/7731' data-hx-trigger='load'>x</div>",
    "<div hx-on::load='alert(7731)'>x</div>",
    "<a href='javascript:alert(7731)'>x</a>",
    "[x](javascript:alert(7731))",
    "[x](JaVaScRiPt:alert(7731))",
    "[x](java\tscript:alert(7731))",
    "[x](&#106;avascript:alert(7731))",
    "[x](javascript&colon;alert(7731))",
    "[x](<javascript:alert(7731)>)",
    "[x](data:text/html;base64,7731)",
    "[x](vbscript:alert(7731))",
    "[x](https://e.example/7731 'title\" onmouseover=\"alert(7731)')",
    '[x](https://e.example/"onmouseover="alert(7731))',
    "![x](https://e.example/7731.png)",
    "![x](javascript:alert(7731))",
    "<javascript:alert(7731)>",
    '<https://e.example/7731?"onmouseover=alert(7731)>',
    "[x]: javascript:alert(7731)\n\n[x]",
    "```html\n<script>alert(7731)</script>\n```",
    '```"><script>alert(7731)</script>\nx\n```',
    '```x" onclick="alert(7731)\nx\n```',
    "`<img src=x onerror=alert(7731)>`",
    "    <script>alert(7731)</script>",
    "| a |\n|---|\n| <img src=x onerror=alert(7731)> |",
    "> <script>alert(7731)</script>",
    "# <svg/onload=alert(7731)>",
    "- <iframe src=javascript:alert(7731)>",
    "**<b onclick=alert(7731)>x</b>**",
    '[m1](javascript:alert(7731)) [m1"onclick="alert(7731)]',
    "&lt;script&gt;alert(7731)&lt;/script&gt;",
    "\u202e<script>alert(7731)</script>",
    "＜script＞alert(7731)＜/script＞",
    "<scr\u200bipt>alert(7731)</scr\u200bipt>",
    "{{ 7731 }}{% load 7731 %}${7731}",
    "</textarea><script>alert(7731)</script>",
    "</title><script>alert(7731)</script>",
    "--><script>alert(7731)</script>",
    "]]><script>alert(7731)</script>",
    '";alert(7731);//',
    "<p id=quoted name=htmx data-words>7731</p>",
]
RUNS = {"script", "style", "iframe", "object", "embed", "base", "link", "meta", "img", "math", "form", "video", "audio"}


class Reading(HTMLParser):
    """What a browser would run or load of the marked text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self._inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            said = value or ""
            if name.startswith("on"):
                self.found.append(f"{tag} {name}")
            if MARK not in said:
                continue
            if tag in RUNS - {"form"} or _acts(name, said) or name in {"style", "srcdoc"}:
                self.found.append(f"{tag} {name}={said}")
            if name in {"href", "src", "action", "formaction", "xlink:href", "data", "poster"}:
                to = urlsplit(said.strip())
                if to.scheme not in {"http", "https", "mailto", ""} or (tag != "a" and to.netloc):
                    self.found.append(f"{tag} {name}={said}")
        if tag in {"script", "style"}:
            self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._inside and tag == self._inside[-1]:
            self._inside.pop()

    def handle_data(self, data: str) -> None:
        if self._inside and MARK in data:
            self.found.append(f"inside {self._inside[-1]}")


def _acts(name: str, said: str) -> bool:
    """What htmx would do; a link of ours to a search bears the words only as they are written in an address."""
    return name.removeprefix("data-").startswith("hx-") and ("alert(" in said or said.startswith("/"))


def run_by(html: str) -> list[str]:
    reading = Reading()
    reading.feed(html)
    return reading.found


def test_the_reading_finds_what_would_run() -> None:
    """Of the vectors as they stand, most."""
    assert sum(bool(run_by(vector)) for vector in VECTORS) >= 25


@pytest.mark.parametrize("vector", VECTORS)
def test_markdown_is_safe_whole_and_while_it_grows(vector: str) -> None:
    assert run_by(to_html(vector, {1: "/memories/1/"})) == []
    growing = Growing({1: "/memories/1/"})
    for end in range(1, len(vector) + 1):
        assert run_by(growing.update(vector[:end])[1]) == []


def test_every_page_shows_markup_as_words(client: Client, staff_client: Client, alice: Person, now: datetime) -> None:
    everything = "\n\n".join(VECTORS)
    file = SimpleUploadedFile("x.txt", everything.encode())
    vars(file)["_name"] = VECTORS[3]
    with nothing_queued():
        client.post(reverse("chat:send"), {"text": everything, "pasted": everything, "files": [file]})
    asked = Passage.objects.filter(origin="typed").get().message
    reply = asked.conversation.messages.get(position=1)
    answer(reply, everything, now=now)
    assert text_of(reply).count(MARK) >= len(VECTORS)
    client.post(reverse("chat:rename", args=[asked.conversation_id]), {"title": VECTORS[2]})
    page = Page.objects.create(person=alice, slug="vectors", title=VECTORS[2], built_at=now)
    statuses = ["active", "waiting", "superseded", "faded"]
    for position, some in enumerate(batched(VECTORS, 5, strict=False)):
        vector = " ".join(some)
        memory = told(alice, f"Word {position}.", f"The user says word {position}.", now).memory
        assert memory is not None
        status = statuses[position % 4]
        reason = "unclear" if status == "waiting" else ""
        Memory.objects.filter(pk=memory.pk).update(statement=vector, status=status, waiting_reason=reason, trusted=True)
        Version.objects.create(memory=memory, number=1, statement=vector, replaced_at=now)
        index.add_memory(Memory.objects.get(pk=memory.pk))
        line = Line.objects.create(page=page, section=Category.OTHER, position=position, text=vector)
        line.memories.set([memory])
    memory = Memory.objects.of(alice).filter(status="active").latest("pk")
    passage = asked.passages.get(origin="typed")
    mine = [
        reverse("chat:conversation", args=[asked.conversation_id]),
        f"{reverse('chat:conversation', args=[asked.conversation_id])}?passage={passage.pk}&from=3&to=90",
        reverse("chat:rename", args=[asked.conversation_id]),
        reverse("chat:revise", args=[asked.pk]),
        reverse("memories:list") + "?status=all",
        reverse("memories:detail", args=[memory.number]),
        reverse("memories:edit", args=[memory.number]),
        reverse("memories:waiting"),
        reverse("memories:export") + "?as=page",
        reverse("memories:page", args=[page.slug]),
        reverse("memories:forget") + f"?m={memory.number}",
        reverse("memories:forget") + f"?conversation={asked.conversation_id}",
        *(f"{reverse(name)}?q={quote(v)}" for name in ("memories:list", "chat:list") for v in VECTORS[2:5]),
        f"{reverse('memories:forget')}?q={quote(VECTORS[2])}&via={quote(VECTORS[2])}&proposal=",
    ]
    for address in mine:
        answered = client.get(address)
        assert answered.status_code == 200, address
        assert run_by(answered.content.decode()) == [], address
    for name, key in (("memory", memory.pk), ("message", asked.pk)):
        revealed = staff_client.post(
            reverse(f"admin:memories_{name}_reveal", args=[key]), {"reason": "Ticket 12 <script>alert(7731)</script>"}
        )
        assert MARK in revealed.content.decode()
        assert run_by(revealed.content.decode()) == []
        assert run_by(staff_client.get(reverse(f"admin:memories_{name}_changelist")).content.decode()) == []
    assert run_by(client.get(reverse("memories:privacy")).content.decode()) == []
