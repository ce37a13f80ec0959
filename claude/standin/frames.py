# ruff: noqa: E501
"""What a third-person statement claims, as comparable parts: whose it is, which attribute, which value, and yes or no."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from claude.standin.meaning import Meaning, fold, is_chinese, meaning


@dataclass(frozen=True)
class Frame:
    subject: str  # "" is the person; else a kin or animal concept, or a name
    attribute: str  # "commute", "workplace", "taste:food.herb.basil" ...; "" where none is known
    exclusive: bool  # one value at a time: another value replaces this one
    negative: bool
    ended: bool  # says that something stopped being so
    about: Meaning
    codes: frozenset[str]  # numbers and identifiers
    named: bool = False  # gives the name of whose it is
    newly: bool = False  # says that it is so now, and was otherwise before
    leaves: frozenset[str] = frozenset()  # what is given up for another, where both are named


_NEGATIVE_EN = re.compile(
    r"\b(?:not|no longer|never|don't|doesn't|didn't|isn't|aren't|can't|cannot|won't|hasn't|haven't|without|stopped|quit|gave up|given up|hate|hates|"
    r"dislike|dislikes|detests?|loathes?|can't stand|avoids?|any ?more)\b"
)
_NEGATIVE_ZH = re.compile(r"不(?!管|過|过|错|錯|同|只|僅|仅)|没(?!错)|讨厌|受不了|戒|别|未|停止")
_ENDED = re.compile(
    r"\b(?:no longer|any ?more|stopped|quit|gave up|given up|sold|gave away|got rid of|left|resigned|moved out|cancelled|canceled|broke up|divorced|lost|died|passed away|dropped|switched from|used to)\b"
    r"|不再|卖掉|卖了|戒|送人|辞|离职|搬走|分手|离婚|不用.{1,12}了|不.{1,6}了|退掉|丢了|过世|以前|停了|取消"
)
_SUBJECT_EN = re.compile(
    r"^(?:(?:on|in|at|every|since|next|last) [^,]{2,30}? )?the user(?P<own>'s)?(?: (?P<rest>.*))?$", re.I | re.S
)
_ANIMATE = ("kin", "animal")

_RULES: tuple[tuple[str, str], ...] = (
    # attribute, pattern over the folded statement; `{}` in it stands for nothing. First that fits wins.
    ("role", r"^the user's (?:new )?(?:boss|manager|supervisor|doctor|gp|dentist|tutor|coach|trainer|landlord|landlady|accountant|lawyer|hairdresser|mentor|bank|phone|laptop|provider) (?:is|was)\b|^[\w' .-]+ is (?:now )?the user's (?:new )?(?:boss|manager|supervisor|doctor|dentist|landlord|landlady|coach|tutor)"
             r"|^我的新?(?:老板|主管|上司|房东|医生|牙医|教练|导师|会计|律师|设计师|指导教授|班导|银行|手机|电信)(?:现在)?(?:是|换成|改成|换)"),
    ("instruct.name", r"wants to be called|称呼我"),
    ("instruct", r"the user wants the assistant|我希望助理|the user (?:prefers|likes|wants|hates|dislikes|doesn't like) .*(?:answers|replies|explanations|responses|summaries|bullet points)"),
    ("project", r"\b(?:on|to) (?:the )?(?:project|team) \w|专案|项目组"),
    ("allergy", r"allerg|intoleran|过敏"),
    ("name", r"\bname is\b|\b(?:is|are) (?:called|named)\b|名字(?:是|叫)|叫(?:做)?(?!助理|我)[^，。]{1,8}。?$"),
    ("format", r"(?:deliver|hand|submit|export|send|file)\w* .*\b(?:as|in|to)\b|\bformat\b|(?:交件|交稿|格式|档案|导出|输出|汇出)"),
    ("drive", r"\bdrives? (?:an?|the user's|the)\b(?!.*\b(?:to work|to the office|to school)\b)|开(?!会|始|心|店|口|刀).{0,6}车(?!.*(?:上班|上学|上课))"),
    ("commute", r"commut|(?<!used )(?<!like )(?<!wants )(?<!going )\b(?:to|from) (?:work(?! (?:for|at|as|in|with|on)\b)|the office|school|campus)\b|\b(?:takes?|rides?|drives?|catch(?:es)?|cycles?|walks?|gets?) (?:the |a |an |his |her |their |the user's )?(?:\w+ )?(?:train|bus|tram|metro|subway|tube|bike|car|van|scooter|ferry|motorbike|e-bike|lorry|truck)\b"
                r"|通勤|(?:搭|骑|开|坐|走路|步行).{0,8}(?:上班|上学|上课)|(?:改|都|每天|平常|现在)+(?:是)?(?:搭|骑|开|坐).{0,8}(?:车|捷运|地铁|公交|高铁|渡轮)|改(?:搭|骑|开|坐|走路)|(?:每天|平常|都)走路"),
    ("residence", r"\b(?:lives?|lived|resides?|living|based) (?:in|at|near|on|with)\b|\bmov(?:ed|es|ing|e) (?:\w+ )?(?:to|into|back to|house|flats?|home)\b(?!.*days\b)|relocat|住在|(?<![记忍抓站停遮守撑挡稳拦接留困])住(?!院)|搬(?:到|去|进|来|家)|定居"),
    ("workplace", r"\bworks? (?:at|in|for)\b|\bworking (?:at|in|for)\b|\bemployed\b|\bemployer\b|started (?:a new job )?(?:at|as)\b|joined .*(?:company|team|firm)|transfer|在.{1,20}(?:上班|工作|任职|就职)|外派|调到|派驻|(?:换|跳槽)到"),
    ("job", r"\bworks? as\b|\bthe user is an? (?!big fan|fan|only child|member|vegan|vegetarian|pescatarian)|^the user's [\w' -]{2,40}? is an? (?!big fan|fan|only child|member|vegan|vegetarian|bit|lot)|\bjob is\b|profession is|工作是|我(?:现在|的.{1,6})?是(?:一名|一位|一个|个|名|位)?.{0,16}(?:师|员|生|医|家|人|手|长|司机|护士|士)|(?:当|担任).{1,10}(?:师|员|长|士)"),
    ("diet", r"\bvegan|vegetarian|pescatarian|\beats? meat\b|\bmeat\b|halal|kosher|吃素|素食|全素|纯素|吃荤|吃肉|吃全素"),
    ("age", r"years old|\bis \d{1,3}\.?$|[\d一二三四五六七八九十百]{1,4} ?岁"),
    ("birthday", r"birthday|born on|生日"),
    ("earn", r"\bearns?\b|salary|wage|薪|年收|月收|赚"),
    ("taste", r"\b(?:likes?|loves?|enjoys?|adores?|hates?|dislikes?|detests?|loathes?|can't stand|cannot stand|can't bear|fond of|keen on|fan of|favou?rite|prefers?|avoids?|into|not eat|doesn't eat|doesn't drink|eats?|drinks?)\b"
              r"|喜欢|最爱|爱(?:吃|喝|看|听)|讨厌|不吃|不喝|受不了|偏好|偏爱|热爱|怕|喝|吃"),
    ("own", r"\b(?:has|have|owns?|bought|adopted|got|keeps?|sold|gave away|got rid of)\b|养|领养|买|卖|拥有|有(?:一|两|三|个|只)"),
    ("weekday", r"days?\b.*|星期|礼拜|周[一二三四五六日末]"),
    ("tool", r"\b(?:uses?|switched|using)\b|改用|用"),
    ("learn", r"\blearn|\bstud(?:y|ies|ying)\b|学|主修|读"),
)  # fmt: skip
_COMPILED = tuple((name, re.compile(pattern)) for name, pattern in _RULES)
_EXCLUSIVE = frozenset(
    [
        "instruct.name",
        "name",
        "project",
        "format",
        "commute",
        "residence",
        "workplace",
        "job",
        "diet",
        "age",
        "birthday",
        "earn",
        "weekday",
    ]
)
_OWN_NAME = re.compile(
    r"^the user(?:'s (?:\w+ )?name is| is (?:called|named))\b|^我(?:的)?(?:名字|姓名|全名|本名)?(?:是|就|就是)?(?:叫|名叫|是)|^我的名字"
)
_OWNS = re.compile(dict(_RULES)["own"])
_WEEKDAY = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|(?:星期|礼拜|周)[一二三四五六日天]")
_FAVOURITE = re.compile(
    r"\bfavou?rite ([a-z-]+(?: [a-z-]+)?)(?= is\b| was\b| are\b| used\b|\?|$)|\bfavou?rite ([a-z-]+)|最(?:喜欢|爱)的([\u4e00-\u9fff]{1,4}?)(?:现在)?(?:就)?是|最(?:喜欢|爱)(?:的|吃|喝|看|听)?(?:什么|哪(?:一|种|个|部|本|首|道|支)*)([\u4e00-\u9fff]{1,4})"
    r"|最(?:喜欢|爱)的([\u4e00-\u9fff]{1,4})(?:是|叫|$|[。!?])"
)
_NEWLY = re.compile(
    r"\bnow\b|these days|nowadays|\bswitched|\bchanged|\bmoved\b|(?:现在|目前|改(?!天|善|进))|换(?:成|到|了)|转(?:到|去|成)"
)
_LEAVES = re.compile(
    r"\bfrom (?:the |an? )?([\w-]+(?: [\w-]+)?) (?:to|into)\b|(?:从|由)([^，。]{1,10}?)(?:系|班|队|组)?(?:转|换|改|调|跳)(?:到|成|去|为|至)"
)
_MOVES_A_THING = re.compile(r"[把将].{1,12}搬|\bmoved? (?:the|my|their|his|her|a) ")
_ROLE = re.compile(
    r"^.*?(boss|manager|supervisor|doctor|gp|dentist|tutor|coach|trainer|landlord|landlady|accountant|lawyer|hairdresser|mentor|bank|phone|laptop|provider|老板|主管|上司|房东|医生|牙医|教练|导师|会计|律师|设计师|指导教授|班导|银行|手机|电信).*$",
    re.S,
)
_NAMED = re.compile(
    r"[Tt]he user's [a-z -]{3,24} [A-Z][\w'-]+|\bhas (?:\w+ ){1,2}[a-z]+,? (?:called |named )?[A-Z]|^[A-Z][\w'-]+ is the user's|使用者的.{1,4}(?:阿|小|老|叫|名)\w|(?:養|养|有).{1,8}叫\w"
)
_CODE = re.compile(r"(?<![a-z])[a-z]{0,12}\d[\w.-]*")
_LONGEST = 600  # of a statement


@lru_cache(maxsize=4096)
def frame(statement: str) -> Frame:
    text = fold(statement[:_LONGEST]).strip()
    about = meaning(statement[:_LONGEST])
    subject = _subject(text)
    spoken = text.replace("使用者", "我")
    attribute = favourite(text)
    for name, pattern in _COMPILED:
        if not attribute and pattern.search(spoken) and (name != "format" or about.has("file", "format", "deliver")):
            attribute = name
    if attribute == "role":
        attribute = "role." + next(
            iter(
                sorted(meaning(_ROLE.sub(r"\1", spoken)[:24]).concepts | meaning(_ROLE.sub(r"\1", spoken)[:24]).words)
            ),
            "",
        )
    if attribute == "residence" and _MOVES_A_THING.search(spoken):
        attribute = ""
    if attribute == "name" and not subject and not _OWN_NAME.search(spoken):
        attribute = "own" if _OWNS.search(spoken) else "called"  # what is named is another than the person
    if attribute in ("own", "tool", "learn", "taste", "") and _WEEKDAY.search(text) and not re.search(r"20\d\d", text):
        attribute = "weekday"
    negative = bool((_NEGATIVE_ZH if is_chinese(statement) else _NEGATIVE_EN).search(text))
    return Frame(
        subject, attribute, attribute in _EXCLUSIVE or attribute.startswith(("favourite.", "role.")), negative, bool(_ENDED.search(text)), about, frozenset(_CODE.findall(text)),
        bool(_NAMED.search(statement[:_LONGEST])), bool(_NEWLY.search(text)), _left(text),
    )  # fmt: skip


def favourite(folded: str) -> str:
    """ "favourite.colour", of what kind of thing a favourite is told or asked; nothing where none is."""
    found = _FAVOURITE.search(folded)
    kind = next((group for group in found.groups() if group), "") if found else ""
    if not kind:
        return ""
    about = meaning(kind)
    return "favourite." + (min(about.concepts, key=len) if about.concepts else min(about.words, default=kind))


def _left(folded: str) -> frozenset[str]:
    found = _LEAVES.search(folded)
    if not found:
        return frozenset()
    about = meaning(found[1] or found[2])
    return about.concepts | about.words


def topic(of: Frame) -> Meaning:
    """What the statement is about, its own verb and whose it is left out."""
    out = tuple(_OWN_CONCEPTS.get(of.attribute, ())) + _ANIMATE_WORDS
    concepts = frozenset(
        one
        for one in of.about.concepts
        if one not in _GENERIC and not any(one == o or one.startswith(o + ".") for o in out)
    )
    return Meaning(concepts, of.about.words)


_GENERIC = frozenset(("food", "food.drink", "animal", "vehicle", "city", "tool", "hobby"))
_ANIMATE_WORDS = ("plan", "own", "use", "stop")
_OWN_CONCEPTS: dict[str, tuple[str, ...]] = {
    "taste": ("taste", "avoid"),
    "allergy": ("allergy", "avoid"),
    "weekday": ("weekday", "move", "live", "time"),
    "commute": ("work", "commute"),
    "workplace": ("work",),
    "residence": ("live", "move"),
    "name": ("name",),
    "format": ("format",),
    "own": ("own", "colour"),
    "job": ("work",),
    "instruct": ("style.reply", "style.write"),
}


def _subject(text: str) -> str:
    """Whose attribute it is: "" for the person's own."""
    if found := re.match(r"^使用者的(.{1,12})", text):
        who = meaning(found[1][:4]).concepts
        return next((one for one in sorted(who, reverse=True) if one.startswith(_ANIMATE) and one != "kin.team"), "")
    if (english := _SUBJECT_EN.match(text)) and english["own"] and english["rest"]:
        words = english["rest"].split()[:3]
        for word in words:
            for one in meaning(word).concepts:
                if one.startswith(_ANIMATE) and one != "kin.team":
                    return one
    if found := re.match(r"^([\w-]+) is the user's (\w+)", text):
        return next((one for one in meaning(found[2]).concepts if one.startswith(_ANIMATE)), "")
    return ""


def topic_words(about: Meaning) -> Meaning:
    """Without the words that only ask."""
    out = (
        "plan",
        "own",
        "use",
        "stop",
        "city",
        "food",
        "time.evening",
        "time.morning",
        "age",
        "name",
        "work",
        "commute",
    )
    generic = ("food", "city")
    return Meaning(
        frozenset(one for one in about.concepts if one in generic or not any(one == o for o in out))
        - {"plan", "own", "use", "stop"},
        about.words,
    )
