# ruff: noqa: E501
"""Standing instructions: how to answer this person from now on. One-turn commands are none."""

from __future__ import annotations

import re

from claude.standin.english.person import conjugated, sentence, third_person

_IMPERATIVE = (
    r"(?:start|begin|end|finish|give|keep|use|write|answer|reply|respond|explain|put|show|list|summari[sz]e|include|add|avoid|leave|skip|make|"
    r"call|address|format|translate|spell|speak|talk|tell|ask|lead|stick|limit|mention|cite|quote|check|convert|round|assume|remind|treat|"
    r"send|do|be|wrap|stay|offer|number|sort|name|order|have|break|mark|print|return|structure|draft|prefer|say|capitali[sz]e|comment|point|provide|suggest|recommend|apologi[sz]e|don't|do not|never|always|no|first)"
)
# What an assistant does for someone.
_DOING = (
    r"(?:writ|explain|answer|repl(?:y|ie)|respond|summari[sz]|describ|talk|giv|list|translat|show|send|recommend|suggest|cod|draft|format|refer|help|mak|tell|"
    r"edit|review|plan|creat|generat|us|quot|cit|compar|calculat|correct|address|mention|prepar|discuss|teach|propos|outlin|not|order|convert)(?:e|es|ing|ting|s)?"
)
_WHEN = re.compile(
    rf"^(?P<when>(?:when|whenever|if|each time|every time|any time|anytime) (?:you (?P<verb>{_DOING})|(?P<ing>{_DOING}))\b[^,;:]*)[,;:]? "
    rf"(?:then )?(?:please )?(?P<do>{_IMPERATIVE}\b.*)$",
    re.I | re.S,
)
_AFTER = re.compile(
    rf"^(?:please )?(?P<do>{_IMPERATIVE}\b.*?),? (?P<when>(?:when|whenever|each time|every time|any time) you (?P<verb>{_DOING})\b.*)$",
    re.I | re.S,
)
_FROM_NOW = re.compile(
    rf"^(?:(?:from now on|in (?:the )?future|going forward|from here on|from today(?: on)?|for the future|henceforth)[,:]? )"
    rf"(?:could you |can you |please |i want you to |i'd like you to |you should |always )*(?P<do>{_IMPERATIVE}\b.*)$",
    re.I | re.S,
)
_LATER = re.compile(
    rf"^(?:please )?(?P<do>{_IMPERATIVE}\b.*?),? (?P<when>from now on|in (?:the )?future|going forward|every time|each time|from here on|at all times|"
    rf"in all (?:your|our|my) [a-z ]+|in every [a-z]+|for everything (?:you|I) [a-z ]+)$",
    re.I | re.S,
)
_ALWAYS = re.compile(
    rf"^(?:please )?(?P<do>(?:always|never|don't ever|make sure (?:you|to) always) (?!be (?:afraid|sure|too)\b){_IMPERATIVE}\b.+)$",
    re.I | re.S,
)
_WANT = re.compile(
    r"^I(?:'d| would)? (?:want|like|prefer|need) you to (?P<do>.*(?:always|never|from now on|every|each time|whenever|when you).*)$",
    re.I | re.S,
)
_YOUR = re.compile(
    r"^(?:please )?(?P<do>(?:keep|make|write|format|give|don't make|don't write) (?:me )?(?:your |all |all your |the )?"
    r"(?:answers|replies|responses|explanations|summaries|paragraphs|messages|emails|lists|headings)\b.*)$",
    re.I | re.S,
)
_MY_WAY = re.compile(
    r"^I(?:'d)? (?:prefer|like|want|need|love|hate|dislike|don't like|don't want|can't stand)\b[^.]*\b"
    r"(?:(?:your|the) )?(?:answers|replies|responses|explanations|summaries|bullet points|paragraphs|emojis|code samples|code comments)\b",
    re.I,
)
_CALL_ME = re.compile(r"^(?:please |you can |just )*call me (?P<name>[^\s,.;!?]+(?: [A-Z][^\s,.;!?]+)?)", re.I)
_FOR_TASK = re.compile(
    r"^(?:for|in|with) (?:my |all my |any |all |our )?(?P<task>[^,:;]{3,60})[,:] (?:please )?(?P<do>(?:always|never|first)\b.+)$",
    re.I | re.S,
)
_ORDER = re.compile(
    rf"^(?:{_IMPERATIVE}|cc|bcc|forward|e-?mail|mail|post|publish|share|upload|pay|transfer|submit|notify|book|file|save|message|text)\b (?!is\b|are\b|was\b).+$",
    re.I | re.S,
)
_ONCE = re.compile(
    r"\b(?:this one|just now|for this|right now|just (?:answer|this)|this time|today only|for now|the following|below|above)\b",
    re.I,
)


def standing_instruction(clause: str) -> str:
    """The statement that a standing instruction makes, or nothing."""
    text = clause.strip()
    if _ONCE.search(text):
        return ""
    if called := _CALL_ME.match(text):
        return f"The user wants to be called {called['name']}."
    if _MY_WAY.match(text):
        return third_person(text)
    for pattern in (_WHEN, _FROM_NOW, _FOR_TASK, _LATER, _AFTER, _ALWAYS, _WANT, _YOUR):
        if found := pattern.match(text):
            return _told(found)
    return ""


def told_to_do(text: str) -> str:
    """The statement of a bare order that is asked to be kept: "remember: file every receipt"."""
    order = _ORDER.match(text.strip())
    return sentence(f"The user wants the assistant {_without(order[0])}") if order else ""


def _told(found: re.Match[str]) -> str:
    parts = found.groupdict()
    do = _without(parts["do"])
    when = parts.get("when") or ""
    if parts.get("task"):
        when = f"for {_their(parts['task'])}"
    elif parts.get("verb"):
        when = re.sub(r"\byou [a-z]+", f"it {conjugated(parts['verb'])}", when, count=1, flags=re.I)
    when = _their(when)
    when = when[:1].lower() + when[1:]
    return sentence(f"The user wants the assistant {do} {when}".rstrip())


def _without(do: str) -> str:
    """The command as an infinitive, polarity kept."""
    do = _their(do.rstrip(".! "))
    low = do.lower()
    for opening in ("don't ever ", "do not ever ", "never "):
        if low.startswith(opening):
            return "never to " + do[len(opening) :]
    for opening in ("don't ", "do not "):
        if low.startswith(opening):
            return "not to " + do[len(opening) :]
    for opening in ("make sure to always ", "make sure you always ", "always "):
        if low.startswith(opening):
            return "always to " + do[len(opening) :]
    if low.startswith(("no ", "first ")):
        return "to use " + do if low.startswith("no ") else "to put " + do
    return "to " + do[:1].lower() + do[1:]


def _their(text: str) -> str:
    text = re.sub(r"\b(?:me|us)\b", "the user", text)
    text = re.sub(r"\b(?:my|our)\b", "the user's", text, flags=re.I)
    text = re.sub(
        r"\bI\b('m)?(?: ([a-z]+))?",
        lambda f: "the user" + (" is" if f[1] else "") + (f" {f[2] if f[1] else conjugated(f[2])}" if f[2] else ""),
        text,
    )
    text = re.sub(r"\byour\b", "its", text, flags=re.I)
    return re.sub(r"\byou\b", "it", text, flags=re.I)
