# ruff: noqa: E501
"""What a question asks for: whose, which attribute, what about, and of which time."""

from __future__ import annotations

import re
from dataclasses import dataclass

from claude.standin.frames import favourite, topic_words
from claude.standin.meaning import HAN, Meaning, fold, is_chinese, meaning


@dataclass(frozen=True)
class Question:
    text: str
    shape: str  # said, first, kin, days, hours, yesno, all, general
    subject: str
    attributes: tuple[str, ...]
    about: Meaning
    past: bool
    own: bool  # about the person, so that memory may hold the answer
    chinese: bool
    negative: bool = False
    asks_when: bool = False
    asks_amount: bool = False
    asks_who: bool = False
    asks_where: bool = False
    of_you: bool = False  # about the assistant


_IS_QUESTION_EN = re.compile(
    r"\?|^(?:what|which|who|whom|whose|when|where|why|how|do|does|did|am|is|are|was|were|have|has|can|could|would|should|shall|will)\b(?!n't)",
    re.I,
)
_IS_QUESTION_ZH = re.compile(
    r"[?？]|[嗎吗]$|什麼|什么|甚麼|哪[裡里個个一些幾天]|誰|谁|怎麼|怎么|怎樣|幾[個个點歲次天行隻]|多少|是不是|有沒有|有没有|何時|何时"
)

_SHAPES = (
    ("said", r"when did i (?:first |last )?(?:tell|mention|say|let you know|bring up|talk)|what day did i (?:tell|mention)|(?:什么时候|哪(?:一)?天|何时|几月几[号日]).{0,8}?(?:(?:跟|和|对|向|同)你(?:说|提|讲|聊)|告诉你|提(?:到|过|起)|说(?:过|到|起)|讲(?:过|到))"),
    ("first", r"which .*\b(?:first|earlier|before)\b.*\bor\b|did i mention .* before|(?:哪个|哪件|哪一个).{0,8}先|先(?:提到|说|讲)的?是?"),
    ("hours", r"how many hours (?:ahead|behind|is|are|later|earlier)|hours? (?:difference|ahead|behind)|(?:快|慢|早|晚|差)(?:了)?(?:几个|多少)?(?:小时|钟头)|时差"),
    ("kin", r"(?:which|what|who|any)\b.*\b(?:relatives?|family|kin)\b.*\b(?:did|have|do|had) (?:i|you)\b|(?:哪些|什么|哪几个?|有谁).{0,6}(?:家人|亲人|亲戚)|(?:家人|亲人|亲戚).{0,4}(?:有谁|有哪些|是谁|哪些|哪几)"),
    ("days", r"(?:which|what) (?:\w+ )?days (?:of|in|do|are|am|is)|(?:哪几天|哪些天|哪两天|哪三天|星期几有|礼拜几有|一周.{0,6}哪)"),
    ("all", r"what (?:do|did) you (?:know|remember|recall) about me\b(?! and)|what have (?:i|you) (?:told|learn)\w* (?:you )?(?:so far|about me)|(?:知道|记得|了解)(?:关于)?我(?:的)?(?:什么|哪些|多少)|你(?:还)?记得我(?:什么|哪些)"),
    ("yesno", r"^(?:so |and |but )?(?:do|does|did|am|is|are|was|were|have|has|can|will)\b|吗$|吗[?？]|是不是|有没有|会不会"),
)  # fmt: skip
_ATTRIBUTES = (
    ("name", r"(?:what|which).{0,12}\bmy (?:[\w ]+)?(?:'s )?name\b|\bname of my\b|\bcalled\b|names? of\b|叫(?:做)?什么|名字|(?:怎么称呼)"),
    ("earn", r"\bearn|salary|wage|income|薪|收入|赚"),
    ("commute", r"how (?:do|did|am|will|was) i (?:now |usually )?(?:get|getting|go|travel|commut|come)\w*\b|commut|way to work|怎么(?:去|上|到)|通勤|(?:搭|坐)什么|(?:骑|开)什么(?!车)|(?:骑|开)什么车.{0,3}(?:上班|上学|上课|通勤|去)|交通工具"),
    ("tool", r"(?:which|what) (?:program|software|app|application|tool|editor)s?\b|(?:什么|哪个|哪款|哪种|哪套)(?:软体|软件|程式|工具|编辑器|app)"),
    ("drive", r"what (?:car |vehicle )?(?:do|did|am) i (?:now )?driv|(?:which|what) (?:car|van|vehicle)|(?:开|骑)什么车(?!.{0,3}(?:上班|上学|上课|通勤|去))"),
    ("workplace", r"where (?:do|am|did|is|was) (?:i|my)\b.*\b(?:work|working|job|employ|office|based)|who (?:do|did) i work for|(?:company|employer|city|place|town) (?:do|did) i work|my (?:employer|workplace|office)\b|在?哪.{0,6}(?:上班|工作|任职)|上班的(?:城市|地方|公司)|什么公司|哪家公司"),
    ("residence", r"^(?:so |and |but )?(?:do|did) i (?:\w+ )?live (?:in|at|near|on)\b|^我(?:现在|还|是|目前){0,2}住在.+吗|where (?:do|did|am) i (?:\w+ )?(?:live|living|stay)|my (?:home|address)\b|(?:city|town|place|country) (?:do|did) i live|住.{0,3}哪|哪.{0,5}住|住的(?:城市|地方)"),
    ("job", r"what (?:do|did) i do\b(?: for (?:a living|work))?|my (?:job|profession|occupation)|what (?:kind of )?(?:job|work) do i|what does my \w+ (?:\w+ )?do\b|职业|(?:做|是做)什么(?:工作|的)|工作是什么|什么工作"),
    ("avoid", r"avoid|allerg|can(?:'t| not|not) i eat|should(?:n't| not) i eat|避开|过敏|不能吃|忌口"),
    ("taste.no", r"dislike|hate|can't (?:i )?stand|(?:don't|do not) (?:i )?(?:like|eat|drink)|(?:do|did) i not (?:like|eat)|讨厌|不喜欢|不吃|不喝|受不了"),
    ("diet", r"\bvegan|vegetarian|meat|diet|吃素|全素|素食|吃荤|吃肉|饮食习惯"),
    ("taste.yes", r"\blikes?\b|\blove|enjoy|favou?rite|prefer|喜欢|最爱|爱吃|爱喝|偏好"),
    ("format", r"format|file type|deliver|格式|交件|交稿"),
    ("weekday", r"(?:what|which) (?:day|evening|night|morning|afternoon|weekday)s?\b|星期几|礼拜几|周几"),
    ("birthday", r"birthday|born|生日"),
    ("age", r"how old|my age|几岁|年纪|年龄"),
    ("instruct.name", r"(?:do|should|will) you call me|call me\?|怎么(?:称呼|叫)我|称呼我什么|叫我什么"),
    ("instruct", r"(?:how|what|which) .*(?:should you|do i want you|do i like (?:you|my|your)|would i like you|i want your)|希望你|要你|你(?:应该|要)(?:怎么|先)"),
    ("project", r"(?:which|what) (?:project|team) (?:am|was|do|did)|(?:哪个|什么)(?:专案|项目)"),
    ("learn", r"what .*\b(?:learning|studying|study|learn)\b|学什么|主修"),
)  # fmt: skip
_SHAPED = tuple((name, re.compile(pattern)) for name, pattern in _SHAPES)
_ASKED = tuple((name, re.compile(pattern)) for name, pattern in _ATTRIBUTES)
_PAST = re.compile(
    r"\bused? to\b|\bpreviously\b|\bformer(?:ly)?\b|\boriginally\b|\bin the past\b|\bbefore\b|\bold (?:job|flat|employer|address)\b|以前|之前|原本|原来|过去|从前|曾经|本来"
)
_NOW = re.compile(r"\b(?:now|currently|these days|nowadays|at the moment|today|still)\b|现在|目前|如今|最近")
_OWN_EN = re.compile(r"\b(?:i|my|me|mine|we|our|us|i'm|i've)\b")


_YOU_EN = re.compile(
    r"^(?:so |and |but )?(?:are|do|did|have|can|were|will) you\b(?! (?:know|remember|recall|think|tell|have any))"
)
_YOU_ZH = re.compile(r"^(?:那|所以)?你(?!.{0,4}(?:知道|记得|还记|觉得|认为|了解))")
_WHEN = re.compile(
    r"\bwhen\b|\b(?:what|which) (?:date|day|month|year)\b|什么时候|何时|哪(?:一)?天|几[号月]|哪(?:一)?年|哪个月|星期几|礼拜几|周几"
)
_AMOUNT = re.compile(
    r"\bhow (?:much|many|far|tall|long|old|big|heavy)\b|多少|几(?:个|次|岁|块|公里|公斤|人|只|天|本|张|年)|多(?:高|重|远|大|久)"
)
_WHERE = re.compile(
    r"\bwhere\b|\b(?:in|on) (?:which|what) (?:part|room|floor|corner|drawer|cupboard|shelf|box)\b|\b(?:which|what) (?:city|town|place|country|village)\b|哪里|哪儿|什么地方|哪(?:一|个|座)?(?:城市|国家|地方|县|镇)"
)
_WHO = re.compile(r"^(?:and |so )?who(?:'s|se)?\b|谁")


def is_question(text: str) -> bool:
    return bool((_IS_QUESTION_ZH if is_chinese(text) else _IS_QUESTION_EN).search(text.strip()))


def understand(text: str) -> Question:
    chinese = is_chinese(text)
    folded = fold(text[:2000]).strip()
    shape = next((name for name, pattern in _SHAPED if pattern.search(folded)), "general")
    attributes = tuple(name for name, pattern in _ASKED if pattern.search(folded))
    if kind := favourite(folded):
        attributes = (kind,)
    if "avoid" in attributes and "taste.no" in attributes:
        attributes = tuple(one for one in attributes if one != "taste.no")
    if meaning(text).has("style") and not attributes:
        attributes = ("instruct",)
    if shape in ("said", "first"):
        attributes = ()
    about = meaning(text)
    return Question(
        text=text,
        shape=shape,
        subject=_subject(folded, chinese=chinese),
        attributes=attributes,
        about=topic_words(about),
        past=bool(_PAST.search(folded)) and not (_NOW.search(folded) and shape != "hours"),
        own=(bool(re.search("我|咱", folded)) or "你" not in folded) if chinese else bool(_OWN_EN.search(folded)),
        chinese=chinese,
        asks_when=bool(_WHEN.search(folded)),
        asks_amount=bool(_AMOUNT.search(folded)),
        asks_where=bool(_WHERE.search(folded)),
        asks_who=bool(_WHO.search(folded)),
        of_you=_is_of_you(folded, chinese=chinese),
        negative=bool(re.search(r"\b(?:not|don't|dislike|hate|never)\b|不|没有?(?=[^有])", folded)),
    )


def _is_of_you(folded: str, *, chinese: bool) -> bool:
    """Asks of the assistant itself, and nothing that it may know of the person."""
    if chinese:
        return bool(_YOU_ZH.search(folded)) and "我" not in folded
    return bool(_YOU_EN.search(folded)) and not _OWN_EN.search(folded)


def _subject(folded: str, *, chinese: bool) -> str:
    """The kin or animal it asks about; "" for the person."""
    pattern = r"我(?:们)?(?:家)?(?:的|养的)?(.{1,8})" if chinese else r"\b(?:my|our) ((?:[\w-]+ ?){1,3})"
    for found in re.finditer(pattern, folded):
        pieces = [found[1][:size] for size in (4, 3, 2, 1)] if chinese else found[1].split()
        for piece in pieces:
            named = [one for one in meaning(piece).concepts if one.startswith(("kin.", "animal."))]
            if named and (not chinese or (HAN.match(piece) and _begins(piece))):
                return min(named, key=len)
    return ""


def _begins(piece: str) -> bool:
    """The word of kin stands at the head of what "my" is said of."""
    heads = (meaning(piece[:size]) for size in range(1, len(piece) + 1))
    return any(
        head.concepts and not head.words and all(one.startswith(("kin.", "animal", "own")) for one in head.concepts)
        for head in heads
    )
