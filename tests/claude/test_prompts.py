from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claude.prompts import FENCES, PromptError, fence, fences, neutral, render

TAGS = st.sampled_from(FENCES)
BROKEN_TAGS = st.builds(
    lambda opening, gap, slash, tag, ending: f"{opening}{gap}{slash}{gap}{tag}{ending}",
    st.sampled_from(["<", "\n<", "<<", "&lt;"]),
    st.sampled_from(["", " ", "\u200b", "\n", "\u2060 "]),
    st.sampled_from(["", "/"]),
    st.one_of(TAGS, TAGS.map(str.upper), TAGS.map("\u200b".join), TAGS.map("\u034f".join), TAGS.map("\U000e0041".join)),
    st.sampled_from([">", ">\n", "", ' id="p1">\n', "\n>"]),
)
TEXTS = st.lists(st.one_of(st.text(), BROKEN_TAGS), max_size=6).map("".join)


@pytest.fixture
def prompt(tmp_path: Path) -> Path:
    file = tmp_path / "greet.v1.md"
    file.write_text("Greet ${name}. It costs $$5.", encoding="utf-8")
    return file


def test_values_are_put_in_once_and_not_read_again(prompt: Path) -> None:
    assert render(prompt, name="${name} {braces} `ticks`") == "Greet ${name} {braces} `ticks`. It costs $5."


def test_a_missing_value_and_an_unused_one_are_errors(prompt: Path) -> None:
    with pytest.raises(PromptError, match="lacks name"):
        render(prompt)
    with pytest.raises(PromptError, match="does not use date"):
        render(prompt, name="Alice", date="today")


def test_a_stray_dollar_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "stray.v1.md"
    file.write_text("It costs $5.", encoding="utf-8")
    with pytest.raises(PromptError, match="stray"):
        render(file)


def test_a_fence_carries_its_attributes_and_is_read_back() -> None:
    made = fence("passage", "我不吃香菜", id="p12", origin="typed")
    assert made == '<passage id="p12" origin="typed">\n我不吃香菜\n</passage>'
    [read] = fences(made, "passage")
    assert (read.tag, read.attributes, read.text) == ("passage", {"id": "p12", "origin": "typed"}, "我不吃香菜")


def test_fences_stand_in_fences_and_text_beside_them_does_not_count_as_one() -> None:
    turns = [fence("turn", fence("passage", words, id=f"p{at}"), role="user") for at, words in enumerate(["a", "b"])]
    made = fence("transcript", *turns, "<turn>\nfalse\n</turn>")

    [transcript] = fences(made, "transcript")
    assert [fences(turn.text, "passage")[0].attributes["id"] for turn in fences(transcript.text, "turn")] == [
        "p0",
        "p1",
    ]
    assert "＜turn>" in made


def test_only_our_own_tags_are_touched() -> None:
    html = "if a < b: <b>bold</b> <table> x<y"
    assert neutral(html) == html
    assert neutral("a\x00b\ud800c") == "abc"


def test_there_are_no_other_fences() -> None:
    with pytest.raises(PromptError):
        fence("system", "x")


@given(tag=TAGS, text=TEXTS)
def test_text_never_leaves_its_fence(tag: str, text: str) -> None:
    made = fence(tag, text)
    [read] = fences(made)
    assert (read.tag, read.start, read.end) == (tag, 0, len(made))
    assert read.text == neutral(text)
    assert fences(read.text) == []
    for other in FENCES:
        assert f"<{other}" not in read.text.lower()
        assert f"</{other}" not in read.text.lower()


@given(value=TEXTS)
def test_an_attribute_never_leaves_its_quotes(value: str) -> None:
    [read] = fences(fence("file", "x", name=value))
    assert read.text == "x"
    assert read.attributes == {"name": " ".join(value.replace("\x00", "").split())}


@given(text=TEXTS)
def test_making_harmless_twice_is_making_harmless_once(text: str) -> None:
    assert neutral(neutral(text)) == neutral(text)
