"""A reply as safe HTML, whole and while it grows."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chat.markdown import Growing, cited_numbers, to_html

LINKS = {12: "/memories/12/"}


@pytest.mark.parametrize(
    "attack",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        '<div hx-get="/memories/" hx-trigger="load" onclick="x()">a</div>',
        "[a](javascript:alert(1))",
        "[a](data:text/html,x)",
        '[a](https://x.example "\\" onmouseover=\\"x")',
        "![a](https://x.example/leak.png)",
        '```"><script>x</script>\n<script>y</script>\n```',
        "`<script>x</script>`",
        '<a href="https://x.example" hx-post="/x" data-hx-get="/y" style="x">a</a>',
        "[m12]: javascript:alert(1)\n\n[m12]",
        "<svg/onload=alert(1)>",
        '<https://x.example/"onclick=x>',
    ],
)
def test_nothing_a_model_writes_becomes_active(attack: str) -> None:
    found = _Tags()
    found.feed(to_html(attack, LINKS))

    assert {tag for tag, _ in found.seen} <= {"div", "p", "a", "pre", "code", "span", "button"}
    for _tag, attributes in found.seen:
        assert attributes.keys() <= {"class", "href", "title", "rel", "type", "data-copy"}
        assert attributes.get("href", "https://").startswith(("https://", "/memories/"))


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, {name: value or "" for name, value in attrs}))


def test_marks_of_given_memories_become_links_and_others_vanish() -> None:
    html = to_html("By train [m12], never by car [m99]. Both [m12, m99].", LINKS)

    assert html.count('href="/memories/12/"') == 2
    assert "m99" not in html


def test_marks_in_code_stay_as_they_are() -> None:
    assert "[m12]" in to_html("`[m12]`", LINKS)


def test_numbers_are_read_from_all_marks() -> None:
    assert cited_numbers("a [m1] b [m2, m3] c [m4、m5] [x6]") == {1, 2, 3, 4, 5}


def test_code_is_coloured_by_classes_and_can_be_copied() -> None:
    html = to_html("```python\nreturn 1\n```", {})

    assert '<span class="k">return</span>' in html
    assert "data-copy" in html
    assert "style=" not in html


def test_tables_align_by_class() -> None:
    html = to_html("| a | b |\n|---|--:|\n| 1 | 2 |", {})

    assert 'class="align-right"' in html
    assert "style" not in html


@pytest.mark.parametrize(
    "text",
    [
        "# Title\n\nA paragraph with **bold** and `code`.\n\n- one\n- two\n\n  more\n\n1. x\n\nNow",
        "Look:\n\n```python\nprint(1)\n\nprint(2)\n```\n\nEnd [m12].",
        "一段中文。\n\n> 引用\n\n| 甲 | 乙 |\n|---|---|\n| 1 | 2 |\n\n完。",
        "a\n\n    indented\n\n    code\n\nb",
        "Title\n=====\n\ntext\n***\nmore",
    ],
)
@pytest.mark.parametrize("step", [1, 3, 17])
def test_the_parts_add_up_to_the_whole(text: str, step: int) -> None:
    assert _grown(text, step) == to_html(text, LINKS)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(["# h", "a b", "- x", "  - y", "> q", "```", "    c", "1. n", "", "", "***", "| a |"]),
        max_size=12,
    )
)
def test_any_text_grows_into_what_it_is(lines: list[str]) -> None:
    text = "\n".join(lines)

    assert _grown(text, 2) == to_html(text, LINKS)


def _grown(text: str, step: int) -> str:
    growing = Growing(LINKS)
    blocks: list[str] = []
    for end in [*range(step, len(text), step), len(text)]:
        kept, html = growing.update(text[:end])
        opening = '<div class="block">'
        blocks = [*blocks[:kept], *[opening + block for block in html.split(opening)[1:]]]
    return "".join(blocks)
