"""Whether a statement is in the language that the words it rests on were said in."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]+")
_FUNCTION_WORDS = {
    "en": "the of and is are was has have to in for with that they their it not user from on at by who when wants does",
    "fr": "le la les un une des du de et est sont dans pour avec que qui pas sur utilisateur il elle au aux ses son sa",
    "es": "el la los las un una de del y es son en para con que no por usuario su sus al le se",
    "de": "der die das ein eine und ist sind in für mit dass nicht von zu auf den dem benutzer nutzer sein seine hat",
    "it": "il lo la gli le un una di del e è sono in per con che non da utente suo sua al",
    "pt": "o a os as um uma de do da e é são em para com que não por usuário seu sua ao",
    "nl": "de het een en is zijn in voor met dat niet van op gebruiker heeft hun te",
}
_WORDS = {language: frozenset(words.split()) for language, words in _FUNCTION_WORDS.items()}
_ENGLISH = _WORDS["en"] | frozenset(["i", "my", "me", "we", "our", "us", "you", "your", "am", "can", "like", "love"])


def same_language(statement: str, said: str, *, around: str = "", traditional: bool = False) -> bool:
    """`said` is the quote, `around` what it was taken from; `traditional` says that the person reads Traditional."""
    script = _script(said)
    if script and _script(_without_borrowed(statement, said)) not in {script, ""}:
        return False
    if script == "han":
        return _same_variant(statement, said + around, traditional=traditional)
    if script == "latin":
        ours, theirs = _latin_language(statement), _latin_language(said)
        return not ours or not theirs or ours == theirs
    return True


def _script(text: str) -> str:
    """The script that carries the text. A name or two in another does not change it."""
    han, kana, hangul = len(_HAN.findall(text)), len(_KANA.findall(text)), len(_HANGUL.findall(text))
    if kana:
        return "japanese" if kana * 4 >= han else "han"
    counts = {
        "han": han,
        "hangul": hangul,
        "cyrillic": len(_CYRILLIC.findall(text)) // 4,
        # A Latin word weighs as much as a Chinese one of two characters; Chinese function words decide a draw.
        "latin": len(_LATIN.findall(text)) * 1.5,
    }
    if han and counts["latin"] > han and not _ENGLISH & {word.lower() for word in _LATIN.findall(text)}:
        return ""  # names among a few characters: either language may have said it
    script, count = max(counts.items(), key=lambda one: one[1])
    return script if count else ""


def _without_borrowed(statement: str, said: str) -> str:
    """The statement without the words that it took over as they were said: names, terms."""
    for word in sorted(set(_LATIN.findall(said)), key=len, reverse=True):
        statement = re.sub(rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])", " ", statement)
    if _script(said) == "latin":
        for run in re.findall(rf"(?:{_HAN.pattern})+", said):
            statement = statement.replace(run, " ")
    return statement


def _same_variant(statement: str, said: str, *, traditional: bool) -> bool:
    """No Simplified-only characters for a Traditional writer, nor the other way round."""
    simplified_only, traditional_only = _variants()
    characters, written = set(statement) - set(said), set(said)
    if written & traditional_only and not written & simplified_only:
        return not characters & simplified_only
    if written & simplified_only and not written & traditional_only:
        return not characters & traditional_only
    if traditional:
        return not characters & simplified_only
    # Nothing in the words tells; a statement that mixes both is wrong for anyone.
    return not (characters & simplified_only and characters & traditional_only)


def _latin_language(text: str) -> str:
    words = [word.lower() for word in _LATIN.findall(text)]
    counts = {language: sum(word in known for word in words) for language, known in _WORDS.items()}
    best = max(counts, key=lambda language: counts[language])
    others = max(count for language, count in counts.items() if language != best)
    return best if counts[best] >= 2 and counts[best] > others else ""


@lru_cache(maxsize=1)
def _variants() -> tuple[frozenset[str], frozenset[str]]:
    """Characters that only Simplified, and only Traditional, writing uses."""
    return _changed("STCharacters.txt"), _changed("TSCharacters.txt") - frozenset("臺乾徵著麼妳")


def _changed(table: str) -> frozenset[str]:
    changed = set()
    for line in (files("opencc") / "dictionary" / table).read_text(encoding="utf-8").splitlines():
        character, _, becomes = line.partition("\t")
        if len(character) == 1 and becomes.strip() and character not in becomes.split():
            changed.add(character)
    return frozenset(changed)
