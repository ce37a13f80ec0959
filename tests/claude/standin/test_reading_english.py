"""What the stand-in reads out of English, sentence by sentence, and what it must not."""

from __future__ import annotations

from datetime import date

import pytest

from claude.standin.reading import read
from claude.standin.statements import Known, Statement

MONDAY = date(2026, 2, 9)


def told(text: str) -> list[str]:
    return [one.text for one in read(text, MONDAY)]


def only(text: str) -> Statement:
    (one,) = read(text, MONDAY)
    return one


@pytest.mark.parametrize(
    ("said", "statements"),
    [
        ("I work as a baker at Tartine in Lyon.", ["The user works as a baker.", "The user works at Tartine in Lyon."]),
        ("I'm a paramedic in Cardiff.", ["The user is a paramedic.", "The user works in Cardiff."]),
        ("My husband Marc plays the cello.", ["The user's husband Marc plays the cello."]),
        ("I hate mushrooms, but I love aubergines.", ["The user hates mushrooms.", "The user loves aubergines."]),
        ("I don't eat meat anymore.", ["The user doesn't eat meat anymore."]),
        ("I no longer eat fish.", ["The user no longer eats fish."]),
        ("I can't eat gluten.", ["The user can't eat gluten."]),
        ("I used to play the drums.", ["The user used to play the drums."]),
        ("I've been vegan for six years.", ["The user has been vegan for six years."]),
        ("My name is Ana and I'm left-handed.", ["The user's name is Ana.", "The user is left-handed."]),
        ("I'm learning Portuguese.", ["The user is learning Portuguese."]),
        ("On Mondays I teach pottery.", ["On Mondays the user teaches pottery."]),
        ("I go swimming every Thursday.", ["The user goes swimming every Thursday."]),
        (
            "I play violin in an orchestra on Fridays.",
            ["The user plays violin in an orchestra.", "The user's orchestra is on Fridays."],
        ),
        ("Book club moved to Thursdays.", ["The user's book club moved to Thursdays."]),
        ("I own a red bicycle.", ["The user owns a red bicycle."]),
        ("I sold the boat.", ["The user sold the boat."]),
        ("I speak Welsh and Catalan.", ["The user speaks Welsh and Catalan."]),
        ("Our team stores everything in Postgres.", ["The user's team stores everything in Postgres."]),
        ("The dog is called Biscuit.", ["The user's dog is called Biscuit."]),
        ("I'm allergic to penicillin.", ["The user is allergic to penicillin."]),
        ("My birthday is on 3 October.", ["The user's birthday is on 3 October."]),
        ("My favourite tea is lapsang souchong.", ["The user's favourite tea is lapsang souchong."]),
        ("I teach chemistry at a secondary school.", ["The user teaches chemistry at a secondary school."]),
        ("Remember that I park on level 3.", ["The user parks on level 3."]),
        ("Could you remember that my bike is a Brompton?", ["The user's bike is a Brompton."]),
        ("I've lived in Ghent since 2019.", ["The user has lived in Ghent since 2019."]),
        ("Hey Sam, I keep bees on the roof.", ["The user keeps bees on the roof."]),
        ("We live near the harbour.", ["The user lives near the harbour."]),
        ("I'm not a fan of horror films.", ["The user is not a fan of horror films."]),
    ],
)
def test_a_statement_is_told_in_the_third_person_one_thing_each(said: str, statements: list[str]) -> None:
    assert told(said) == statements


@pytest.mark.parametrize(
    "said",
    [
        "Would decaf suit me better?",
        "Do you think I should buy an e-bike?",
        "What did we decide?",
        "If I were rich, I'd buy a boat.",
        "I wish I had a garden.",
        "Suppose I earn 50k; what would I pay?",
        "Imagine I'm a pirate. I live on a ship and I eat limes.",
        "Write a story about a girl called Mona who hates cheese.",
        "For a made-up project, target 35 %. Just answer A or B now.",
        "Just answer yes or no.",
        "Summarise this article in two lines.",
        "Hi! Good morning.",
        "Thanks, that's perfect!",
        "It's 3:25 pm.",
        "It is raining here.",
        "I'm tired today.",
        "I'm so happy for you! I can't wait to hear more.",
        "I think the new plan is good.",
        "I don't know what to cook tonight.",
        "Sorry for the late reply!",
        "My dad is asking.",
        "I'm off to bed.",
        "I have a question.",
        "Could you translate this for me?",
        "You always give such good advice.",
        "Always been interested in maps.",
        "",
        "   ",
        "🙂🙂",
        "...",
    ],
)
def test_what_says_nothing_lasting_of_the_person_yields_nothing(said: str) -> None:
    assert told(said) == []


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        (
            "When you explain a recipe, start with the oven temperature.",
            "The user wants the assistant to start with the oven temperature when it explains a recipe.",
        ),
        (
            "When you write code for me, always add type hints.",
            "The user wants the assistant always to add type hints when it writes code for the user.",
        ),
        ("Never use exclamation marks.", "The user wants the assistant never to use exclamation marks."),
        ("Always use metric units.", "The user wants the assistant always to use metric units."),
        ("From now on, answer in Welsh.", "The user wants the assistant to answer in Welsh."),
        ("Use bullet points in future.", "The user wants the assistant to use bullet points in future."),
        ("Call me Dot.", "The user wants to be called Dot."),
        ("I prefer short answers.", "The user prefers short answers."),
    ],
)
def test_a_standing_instruction_is_how_to_do_things_for_the_person(said: str, statement: str) -> None:
    one = only(said)
    assert (one.text, one.kind, one.key) == (statement, "procedural", True)


@pytest.mark.parametrize(
    ("said", "first", "last", "plan"),
    [
        ("I moved flats last week.", date(2026, 2, 2), date(2026, 2, 8), False),
        ("My boiler broke yesterday.", date(2026, 2, 8), date(2026, 2, 8), False),
        ("I adopted a puppy two weeks ago.", date(2026, 1, 26), date(2026, 2, 1), False),
        ("I ran my first half marathon on Sunday!", date(2026, 2, 8), date(2026, 2, 8), False),
        ("Next month I might move to Porto.", date(2026, 3, 1), date(2026, 3, 31), True),
        ("I'm going to visit my grandmother in August.", date(2026, 8, 1), date(2026, 8, 31), True),
        ("My sister starts school in September.", date(2026, 9, 1), date(2026, 9, 30), True),
        ("I had a call with my lawyer on 13 July 2024.", date(2024, 7, 13), date(2024, 7, 13), False),
    ],
)
def test_days_are_counted_from_the_day_of_saying(said: str, first: date, last: date, plan: bool) -> None:
    one = only(said)
    assert (one.event_from, one.event_until, one.plan) == (first, last, plan)
    assert "last week" not in one.text
    assert "yesterday" not in one.text


def test_a_pronoun_is_named_when_the_conversation_introduced_whom_it_means() -> None:
    known = Known()
    read("My daughter Freya plays the harp.", MONDAY, known)
    assert [one.text for one in read("She has a recital on 14 May.", MONDAY, known)] == [
        "The user's daughter Freya has a recital on 14 May 2026."
    ]


def test_another_persons_trait_is_never_the_users() -> None:
    assert told("My friend hates football.") == ["The user's friend hates football."]
    assert told("Her cousin is vegan.") == []


def test_work_done_together_is_something_that_happened() -> None:
    one = only('Help me outline my talk "Bees in Towns" today: intro, threats.')
    assert (one.kind, one.event_from) == ("episodic", MONDAY)
    assert "Bees in Towns" in one.text


def test_every_quote_stands_in_what_was_said() -> None:
    said = "Hey! So, I moved to Cork in May — and my flatmate Ines bakes. Please remember I'm allergic to sesame, ok?"
    found = read(said, MONDAY)
    assert found
    assert all(one.quote in said for one in found)
