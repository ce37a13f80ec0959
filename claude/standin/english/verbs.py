# ruff: noqa: E501
"""Which verbs say something that lasts, something that happened, or nothing worth keeping."""

from __future__ import annotations

from claude.standin.words import words

# Said of a mind or of the talk itself: no memory.
IDLE = words("idle")
HABIT = words("habit")
LIFE = words("life")
PROGRESSIVE = words("progressive")
# Only of the moment.
MOODS = words("moods")
KINDS_OF_LASTING_BE = (
    r"\b(?:allergic to|intolerant|vegan|vegetarian|pescatarian|coeliac|celiac|diabetic|asthmatic|left-handed|right-handed|colou?r-?blind|"
    r"deaf|blind|married|single|divorced|widowed|engaged|retired|self-employed|unemployed|freelance|dyslexic|autistic|pregnant|bilingual|"
    r"from [A-Z]|based in|born in|\d{1,3}(?: years old)?$|\d{1,3} years old|afraid of|scared of|terrified of|fond of|into [a-z]|good at|bad at|fluent in|"
    r"a fan of|a big fan of|keen on|in charge of|responsible for|on a \w+ diet|lactose|a member of|an only child|the (?:youngest|eldest|oldest))"
)
FREQUENT = (
    r"\b(?:every|each|usually|always|often|never|weekly|daily|monthly|twice a|once a|these days|nowadays|still|currently|now|"
    r"(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days|at weekends|on weekends|for years|no longer|any ?more|since)\b"
)
