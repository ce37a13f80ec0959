import pytest

from memories.quotes import locate, stands_in_forgotten


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("I sing alto", "Well, I sing alto in a choir.", "I sing alto"),
        ("i sing ALTO", "Well, I sing alto in a choir.", "I sing alto"),
        ("“I sing alto…”", "Well, I sing alto in a choir.", "I sing alto"),
        ("I sing alto", "Well, I   sing\nalto in a choir.", "I   sing\nalto"),
        (
            "我對花生過敏，訂便當的時候要記得",
            "對了我對花生過敏,訂便當的時候要記得。",
            "我對花生過敏,訂便當的時候要記得",
        ),
        ("我喜歡ＡＢＣ", "我喜歡 ABC 的歌", "我喜歡 ABC"),
        ("café", "the cafe\u0301 there", "cafe\u0301"),
        ("it's", "It’s mine", "It’s"),
        ("貓", "貓", "貓"),
        ("a <b> c", "a ＜b> c", "a ＜b> c"),
    ],
)
def test_words_are_found_but_for_width_case_and_punctuation(quote: str, text: str, found: str) -> None:
    span = locate(quote, text)
    assert span is not None
    assert text[span[0] : span[1]] == found


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("", "anything"),
        ("…", "anything… at all"),
        ("art", "the party"),
        ("4", "14 of them"),
        ("I love tea", "I do not love tea"),
        ("使用者喜歡茶", "我喜歡茶"),
    ],
)
def test_other_words_are_not(quote: str, text: str) -> None:
    assert locate(quote, text) is None


def test_what_was_forgotten_is_not_found_but_another_place_is() -> None:
    text = "I sing alto. Yes: I sing alto."
    assert locate("I sing alto", text) == (0, 11)
    assert locate("I sing alto", text, [(5, 8)]) == (18, 29)
    assert locate("I sing alto", text, [(5, 8), (20, 21)]) is None
    assert stands_in_forgotten("I sing alto", text, [(5, 8), (20, 21)])
    assert not stands_in_forgotten("I play the flute", text, [(5, 8)])
