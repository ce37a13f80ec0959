# ruff: noqa: E501  (lists of words read better in long lines)
"""What is never kept: a password, key, token or card number that someone could use."""

from __future__ import annotations

import math
import re
from collections import Counter

from memories.policy.matching import BEGIN as _B
from memories.policy.matching import END as _E
from memories.policy.matching import any_of as _any
from memories.policy.matching import stretches

_KEYS = re.compile(
    _B + r"(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9_-]{8,}"
    rf"|{_B}(?:gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|hf_|npm_|pypi-|shpat_|dop_v1_)[A-Za-z0-9_-]{{8,}}"
    rf"|{_B}(?:AKIA|ASIA)[A-Z0-9]{{12,}}"
    rf"|{_B}AIza[A-Za-z0-9_-]{{20,}}"
    rf"|{_B}eyJ[A-Za-z0-9_-]{{8,}}\.[A-Za-z0-9_-]{{8,}}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY"
    r"|[a-z][a-z0-9+.-]*://[^\s/:@]+:[^\s/@]+@"
)
# Words that name a secret by themselves, and those that need something that looks like one beside them.
_SURE_EN = (
    r"(?:pass(?:word|code|phrase|wd)s?|pwd|pin[ -]?(?:code|number)|api[ _-]?keys?|secret[ _-]?keys?|private[ _-]?keys?"
    r"|access[ _-]?tokens?|auth(?:entication)?[ _-]?tokens?|client[ _-]?secrets?|login[ _-]?codes?"
    r"|verification[ _-]?codes?|security[ _-]?codes?|otp|one-time codes?|cvv2?|cvc|seed[ _-]?phrases?|recovery[ _-]?(?:phrases?|codes?|keys?)"
    r"|(?:door|alarm|gate|safe|entry|access|lock|locker|garage|building)[ _-]?codes?)"
)
_PERHAPS_EN = r"(?:login|pins?|bearer|tokens?|secrets?|passes|pass|pw|combination|credentials?|codes? (?:for|to|of) (?:the |my |our )?(?:\w+ )?(?:door|gate|safe|alarm|locker|garage|building|lock|bike lock|house|flat|office))"
_GUARDED_ZH = r"(?:密碼|密码|帳密|账密|口令|通行碼|通行码|驗證碼|验证码|安全碼|安全码|金鑰|密鑰|密钥|私鑰|私钥|助記詞|助记词|授權碼|授权码|權杖|令牌|提款碼|解鎖碼|解锁码|門禁碼|门禁码)(?!學|学|管理|本子|保護|保护)"
_IS_EN = r"(?:\s+(?:for|to|of|on|at|in)\s+[^.:=\n]{1,40}?)?(?:\s+(?:is|was|are|to be|has been (?:set|changed) to|set to)\s+|\s*[:=]\s*|\s+(?=[A-Za-z]*\d))"
_IS_ZH = r"[^。,,.!！?？\n]{0,12}?(?:是|為|为|改成|設成|设成|叫|:|=|\s)\s*"
_SPELT = r"(?:(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)[ ,-]*){4,}"
_LOOKS_SECRET = rf"(?:(?=[^\s]*\d)[^\s]{{3,}}|(?=[^\s]*[!@#$%^&*_])[^\s]{{6,}}|{_SPELT})"
# What follows "the password is" without giving it away.
_TELLS_NOTHING = (
    r"(?!(?:not|never|no|too|very|so|quite|really|always|also|only|now|still|just|easy|hard|long|short|weak|strong|lost|forgotten|wrong|stored|kept|saved|sent|managed|handled|based|made|called|shared|reset|written|printed"
    r"|changed|missing|broken|locked|required|needed|due|expired|on|in|at|by|from|to|that|what|where|when|how|because|about|the|a|an|my|your|his|her|their|its|safe|secure|good|bad|fine|complicated|simple|different|same|unknown|known|something|someone|"
    r"什麼|什么|不|很|太|忘|錯|错|一樣|一样|多少|哪|最|要|必須|必须|需要|常|對|对)(?![A-Za-z0-9]))"
)
_GUARDED = _any(
    _B + _SURE_EN + _E + _IS_EN + _TELLS_NOTHING + r"[\"'“「『`]?\S{3,}",
    _B + _PERHAPS_EN + _E + _IS_EN + r"[\"'“「『`]?" + _LOOKS_SECRET,
    _B + _SURE_EN + _E + r"[^.\n]{0,20}?" + _SPELT,
    _GUARDED_ZH + _IS_ZH + _TELLS_NOTHING + r"[\"'“「『`]?[A-Za-z0-9!-~]{3,}",
    _GUARDED_ZH + r"\s*[A-Za-z0-9!-~]{4,}",
    _GUARDED_ZH + r"[^。,\n]{0,8}?[〇零一二三四五六七八九]{4,}",
    r"(?<!\w)(?:pin|PIN|pw|pass)(?:碼|码)?\s*(?:是|為|为|:|=)\s*[\"'「]?(?=[^\s]*[\d〇零一二三四五六七八九])[A-Za-z0-9!-~〇零一二三四五六七八九]{4,}",
    r"(?<!\S)\S{4,80}\s+(?:is|as)\s+(?:the|my|his|her|their|our|a|user's)(?:\s+\w+('s)?){0,3}\s+"
    + _SURE_EN
    + _E
    + r"(?!\s+(?:manager|generator|hint|book|policy|app|vault|reminder|page|form))",
    r"(?:用|以)\s*[A-Za-z0-9!-~]{4,}\s*(?:當|当|作為|作为|做)[^。,,]{0,6}" + _GUARDED_ZH,
    r"(?<![A-Za-z0-9!-~])[A-Za-z0-9!-~]{4,80}\s*(?:就)?是(?:我|使用者|他|她|家裡|公司)?的?[^。,，]{0,8}" + _GUARDED_ZH,
)
_CARD = re.compile(r"(?<!\d)(?:\d[ -]?){12,18}\d(?!\d)")
_OPAQUE = re.compile(r"(?<![A-Za-z0-9/._~-])[A-Za-z0-9_+/=-]{24,}(?![A-Za-z0-9/.])")


def is_credential(text: str) -> bool:
    return any(
        _KEYS.search(part)
        or _GUARDED.search(part)
        or any(_luhn(card[0]) for card in _CARD.finditer(part))
        or any(_is_random(opaque[0]) for opaque in _OPAQUE.finditer(part))
        for part in stretches(text)
    )


def _luhn(number: str) -> bool:
    digits = [int(digit) for digit in number if digit.isdigit()]
    doubled = [sum(divmod(digit * 2, 10)) for digit in digits[-2::-2]]
    return len(set(digits)) > 1 and (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def _is_random(text: str) -> bool:
    kinds = sum(bool(re.search(kind, text)) for kind in ("[a-z]", "[A-Z]", "[0-9]"))
    counts = Counter(text)
    bits = -sum(count / len(text) * math.log2(count / len(text)) for count in counts.values())
    hexadecimal = re.fullmatch(r"[0-9a-f]{32,}", text)
    return bool(hexadecimal) or (kinds == 3 and bits > 3.8 and "/" not in text.strip("/"))
