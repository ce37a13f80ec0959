# ruff: noqa: E501  (lists of words read better in long lines)
"""Why a statement is never kept, or waits for the person: in Chinese and English, by what stands in the words.

These rules read the statement, the quoted words and what the person typed around them. They err on the side of asking.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter

from memories.models import Category, Kind

# Boundaries are spelled out: beside Chinese, `\b` finds none.
_B = r"(?<![A-Za-z0-9])"
_E = r"(?![A-Za-z0-9])"


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


# --- Credentials: never kept ---

_KEYS = re.compile(
    _B + r"(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9_-]{8,}"
    rf"|{_B}(?:gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|hf_|npm_|pypi-|shpat_|dop_v1_)[A-Za-z0-9_-]{{8,}}"
    rf"|{_B}(?:AKIA|ASIA)[A-Z0-9]{{12,}}"
    rf"|{_B}AIza[A-Za-z0-9_-]{{20,}}"
    rf"|{_B}eyJ[A-Za-z0-9_-]{{8,}}\.[A-Za-z0-9_-]{{8,}}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY"
    r"|[a-z][a-z0-9+.-]*://[^\s/:@]+:[^\s/@]+@"
)
_GUARDED_EN = (
    r"(?:pass(?:word|code|phrase|wd)s?|pwd|pin(?:[ -]?(?:code|number))?|api[ _-]?keys?|secret[ _-]?keys?|private[ _-]?keys?"
    r"|access[ _-]?tokens?|auth(?:entication)?[ _-]?tokens?|bearer|tokens?|client[ _-]?secrets?|secrets?|login[ _-]?codes?"
    r"|verification[ _-]?codes?|security[ _-]?codes?|otp|one-time codes?|cvv2?|cvc|seed[ _-]?phrases?|recovery[ _-]?(?:phrases?|codes?|keys?)"
    r"|(?:door|alarm|gate|safe|entry|access|lock)[ _-]?codes?)"
)
_GUARDED_ZH = r"(?:密碼|密码|口令|通行碼|通行码|驗證碼|验证码|安全碼|安全码|金鑰|密鑰|密钥|私鑰|私钥|助記詞|助记词|授權碼|授权码|權杖|令牌|提款碼|解鎖碼|解锁码|門禁碼|门禁码)"
_IS_EN = r"(?:\s+(?:for|to|of|on|at|in)\s+[^.:=\n]{1,40}?)?(?:\s+(?:is|was|are|to be|has been (?:set|changed) to|set to)\s+|\s*[:=]\s*|\s+(?=[A-Za-z]*\d))"
_IS_ZH = r"[^。,,.!！?？\n]{0,12}?(?:是|為|为|改成|設成|设成|叫|:|=|\s)\s*"
# What follows "the password is" without giving it away.
_TELLS_NOTHING = r"(?!(?:not|never|no|too|very|easy|hard|long|short|weak|strong|lost|forgotten|wrong|stored|kept|required|needed|expired|on|in|the|a|an|something|什麼|什么|不|很|太|忘|錯|错|一樣|一样|多少|哪|最|要|必須|必须|需要|常|對|对)(?![A-Za-z0-9]))"
_GUARDED = _any(
    _B + _GUARDED_EN + _E + _IS_EN + _TELLS_NOTHING + r"[\"'“「『`]?\S{3,}",
    _GUARDED_ZH + _IS_ZH + _TELLS_NOTHING + r"[\"'“「『`]?[A-Za-z0-9!-~]{3,}",
    _GUARDED_ZH + r"\s*[A-Za-z0-9!-~]{4,}",
    r"\S{4,}\s+(?:is|as)\s+(?:the|my|his|her|their|our|a|user's)(?:\s+\w+('s)?){0,3}\s+" + _GUARDED_EN + _E,
    r"(?:用|以)\s*[A-Za-z0-9!-~]{4,}\s*(?:當|当|作為|作为|做)[^。,,]{0,6}" + _GUARDED_ZH,
)
_CARD = re.compile(r"(?<!\d)(?:\d[ -]?){12,18}\d(?!\d)")
_OPAQUE = re.compile(r"(?<![A-Za-z0-9/._~-])[A-Za-z0-9_+/=-]{24,}(?![A-Za-z0-9/.])")


def is_credential(text: str) -> bool:
    """A password, key, token or card number that someone could use."""
    text = _plain(text)
    return bool(
        _KEYS.search(text)
        or _GUARDED.search(text)
        or any(_luhn(card[0]) for card in _CARD.finditer(text))
        or any(_is_random(opaque[0]) for opaque in _OPAQUE.finditer(text))
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


# --- Outward: what would make the assistant act on the outside world ---

_OUT_DONE_EN = r"(?:sent|forwarded|mailed|e-?mailed|posted|published|shared|uploaded|paid|transferred|wired|cc'?d|bcc'?d|copied to|texted|submitted|released|delivered to|booked|ordered|purchased)"
_OUT_DO_EN = r"(?:send|forward|mail|e-?mail|post|publish|share|upload|pay|transfer|wire|cc|bcc|text|call|phone|dial|submit|notify|message|buy|order|purchase|book|reply to|confirm automatically|unsubscribe)"
_TELLS_EN = r"(?:assistant|(?<!for )you|claude|automatically|(?:wants?|asks?|asked|tells?|told|instructs?|instructed|expects?|prefers?|would like|needs?) (?:it|the assistant|you|all|every|everything|any|each|copies|invoices|payments|[\w ]{0,40}? to be)|must (?:always )?be|should (?:always )?be|has to be|have to be|(?:please|remember to|make sure to|be sure to|always|never forget to))"
_ADDRESS = r"(?:[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://\S+|\b0x[0-9a-fA-F]{6,}|\b[A-Z]{2}\d{2}[A-Z0-9]{10,30}\b|\+?\d[\d ()-]{7,}\d)"
_OUT_ZH = r"(?:另寄|寄送|寄給|寄给|寄到|寄出|寄一份|寄回|轉寄|转寄|轉發|转发|抄送|副本|密件|傳給|传给|傳送|传送|發送|发送|發給|发给|發到|发到|發布|发布|發佈|發表|公開|公开|分享給|分享给|分享到|上傳|上传|匯款|汇款|匯到|汇到|轉帳|转账|轉賬|付款|付給|付给|支付|繳費|缴费|打電話|打电话|撥打|拨打|致電|通知|下單|下单|訂購|订购|購買|购买|預訂|送出|提交給|提交给)"
_TELLS_ZH = r"(?:助理|助手|自動|自动|一律|往後|往后|以後|以后|之後|之后|今後|今后|每次|都要|都另|另外|記得|记得|記住|记住|請|请|幫|帮|希望|要求|必須|必须|所有)"
_OUTWARD = _any(
    _B + _TELLS_EN + _E + r"[^.!?\n]{0,80}?" + _B + f"(?:{_OUT_DONE_EN}|{_OUT_DO_EN})" + _E,
    _B + f"(?:{_OUT_DONE_EN}|{_OUT_DO_EN})" + _E + r"[^!?\n]{0,80}?" + f"(?:{_ADDRESS}|" + _B + r"account" + _E + ")",
    _ADDRESS + r"[^!?\n]{0,60}?" + _B + f"(?:{_OUT_DONE_EN}|{_OUT_DO_EN})" + _E,
    _B + r"(?:to|from|into) (?:the |an? |this |that )?(?:bank )?account" + _E + r"[^.\n]{0,20}\d",
    _TELLS_ZH + r"[^。!！?？\n]{0,40}?" + _OUT_ZH,
    _OUT_ZH + r"[^。!！?？\n]{0,40}?" + _ADDRESS,
    _ADDRESS + r"[^。!！?？\n]{0,20}?" + _OUT_ZH,
)
_OUTWARD_PROCEDURE = _any(_B + f"(?:{_OUT_DONE_EN}|{_OUT_DO_EN})" + _E, _OUT_ZH)


def is_outward(statement: str, kind: str) -> bool:
    statement = _plain(statement)
    if kind == Kind.PROCEDURAL and _OUTWARD_PROCEDURE.search(statement):
        return True
    return bool(_OUTWARD.search(statement))


# --- Sensitive: waits unless the person asked outright to keep it ---

_HEALTH = _any(
    _B
    + r"(?:allerg(?:y|ies|ic)|diagnos\w+|diabet\w+|asthma\w*|cancer|tumou?r|epilep\w+|hiv|aids|hepatitis|depress(?:ion|ed)|anxiety|bipolar"
    r"|schizophreni\w+|adhd|autis\w+|ptsd|ocd|anorexi\w+|bulimi\w+|eating disorder|addict\w*|alcoholi\w+|rehab|therap(?:y|ist)|psychiatr\w+"
    r"|psycholog(?:ist|y appointment)|medicat\w+|antidepressants?|prescri(?:bed|ption)\w*|insulin|chemo\w*|surgery|operation on|pregnan\w+|miscarr\w+|abortion|ivf|menopaus\w+"
    r"|disabilit\w+|disabled|dyslexi\w+|blood pressure|cholesterol|migraines?|arthritis|chronic (?:pain|illness|fatigue)|disease|disorder"
    r"|illness|suicid\w+|self-harm\w*|infect(?:ed|ion)|coeliac|celiac|heart (?:attack|condition|failure)|stroke)" + _E,
    r"過敏|过敏|診斷|诊断|確診|确诊|糖尿病|氣喘|气喘|哮喘|癌|腫瘤|肿瘤|癲癇|癫痫|愛滋|艾滋|肝炎|憂鬱|忧郁|抑鬱|抑郁|焦慮症|焦虑症|躁鬱|躁郁|思覺失調|精神科|身心科|心理諮商|心理咨询|諮商師"
    r"|自閉|自闭|過動|多动症|厭食|厌食|暴食症|成癮|成瘾|酗酒|戒酒|戒毒|服藥|服药|吃藥|吃药|用藥|用药|處方|处方|胰島素|化療|化疗|開刀|开刀|手術|手术|懷孕|怀孕|流產|流产|墮胎|試管嬰兒|更年期|身心障礙|殘障|残疾"
    r"|高血壓|高血压|血壓|膽固醇|偏頭痛|偏头痛|關節炎|慢性病|疾病|病症|自殺|自杀|自殘|自残|感染|中風|中风|心臟病|心脏病|住院|生病|罹患|患有",
)
_MONEY = _any(
    _B
    + r"(?:salary|salaries|wages?|income|earns?|earned|earning|net worth|savings?(?: account)?|debts?|in debt|owes?|owed|mortgage|loans?|bankrupt\w*|credit score"
    r"|bank (?:account|balance)|iban|account (?:number|ending)|pension|inherit\w+|alimony|tax (?:return|id|number)|gambl\w+)"
    + _E,
    r"薪水|薪資|薪资|月薪|年薪|時薪|工資|工资|收入|存款|積蓄|积蓄|負債|负债|欠債|欠债|欠款|欠了|貸款|贷款|房貸|房贷|卡債|破產|破产|信用評分|帳戶|账户|帳號|账号|戶頭|遺產|遗产|贍養費|赌博|賭博|報稅|繼承",
)
_INTIMATE = _any(
    _B
    + r"(?:gay|lesbian|bisexual|transgender|non-?binary|queer|sexual\w*|sex life|sex|libido|porn\w*|affair with|having an affair|cheat(?:s|ed|ing) on|divorc\w+|contracepti\w+|fertility"
    r"|came out|abus(?:e|ed|ive)|assault\w*|rape\w*)" + _E,
    r"同志|同性戀|同性恋|雙性戀|双性恋|跨性別|跨性别|性向|性取向|出櫃|出柜|性生活|性行為|性行为|避孕|外遇|出軌|出轨|劈腿|離婚|离婚|家暴|性侵|性騷擾|性骚扰|虐待",
)
_BELIEFS = _any(
    _B
    + r"(?:christian(?:ity)?|catholic\w*|protestant|muslim|islam\w*|jew(?:ish|ism)?|judaism|buddhis[mt]|hindu(?:ism)?|sikh|atheis[mt]|agnostic|mormon|pray(?:s|ed|ing)?|mosque|synagogue|religio\w+"
    r"|vote[sd]? for|voting for|voter|republican|democrat|conservative party|labour party|socialist|communist|political\w*|trade union|union member)"
    + _E,
    r"基督徒|基督教|天主教|新教徒|穆斯林|伊斯蘭|伊斯兰|猶太|犹太|佛教|信佛|道教|印度教|無神論|无神论|受洗|禱告|祷告|信仰|宗教|投票給|投票给|投給|投给|支持.{0,6}(?:黨|党)|入黨|入党|黨員|党员|政治|工會|工会|統獨",
)
_NUMBERS = re.compile(
    r"(?<![A-Za-z0-9])[A-Z][12489]\d{8}(?![A-Za-z0-9])|(?<!\d)\d{3}-\d{2}-\d{4}(?!\d)"
    r"|passport (?:number|no)|護照號碼|护照号码|身分證|身份證|身份证|social security|national insurance"
)
_OTHERS = _any(
    r"(?:'s|s')\s+(?:\w+\s+){0,2}(?:phone|mobile|e-?mail|home address|address|birth ?date|passport|id number)" + _E,
    r"(?:朋友|同事|老闆|老板|主管|客戶|客户|鄰居|邻居|媽媽|妈妈|爸爸|太太|先生|男友|女友|姊姊|妹妹|哥哥|弟弟|他|她)的?(?:電話|电话|手機|手机|信箱|郵箱|地址|住址|身分證|生日是)",
)
_CONTACT = re.compile(
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<![\d-])(?:\+\d{1,3}[ -]?)?\(?0\d{1,3}\)?[ -]?\d{3,4}[ -]?\d{3,4}(?!\d)"
)


def is_sensitive(statement: str, category: str) -> bool:
    """Health, money, intimate life, beliefs, identity numbers, or other people's data."""
    statement = _plain(statement)
    if category == Category.HEALTH:
        return True
    return any(
        pattern.search(statement) for pattern in (_HEALTH, _MONEY, _INTIMATE, _BELIEFS, _NUMBERS, _OTHERS, _CONTACT)
    )


# --- Asked outright: the person's own "remember this" ---

_ASKS = _any(
    _B
    + r"(?:please |do |always |can you |could you |and |so )?(?:remember|keep in mind|bear in mind|make a note|note (?:that|down)|take note|jot down|don'?t forget|do not forget|never forget|memori[sz]e"
    r"|save (?:this|that|it)|for future reference|for the record|store (?:this|that|it))" + _E,
    r"記得|记得|記住|记住|記下|记下|記起來|记起来|幫我記|帮我记|請記|请记|別忘|别忘|不要忘|勿忘|備註|备注|存起來|存起来|留意一下",
)
_ASKS_NOT = _any(
    _B
    + r"(?:do|did|can|can't|cannot|don'?t|didn'?t|couldn'?t|if|i|we|you|i'?ll|still|to) (?:not )?(?:you |i |we |still |always |even )?remember"
    + _E,
    _B + r"remember(?:ed|ing|s)" + _E,
    r"(?:不要|別|别|不用|不必|不准|毋須|無須)\s*(?:再)?\s*(?:記得|记得|記住|记住|記下|记下|記起|记起|存)|(?:我|他|她|還|还|不|你)(?:都|還|还|不|也)?(?:記得|记得)(?!要|喔|哦|一下)|記得嗎|记得吗|記不記得|记不记得",
    _B + r"(?:do not|don'?t|never) (?:remember|save|store|keep|note|memori[sz]e)" + _E,
    _B + r"remember (?:when|how|last|\?)|, remember\?",
)


def asks_outright(words: str) -> bool:
    """Whether the person's own words ask for something to be kept, and do not only speak of remembering."""
    return bool(_ASKS.search(_ASKS_NOT.sub(" ", _plain(words))))


# --- Spoken by another: what stands in the person's own message and is not the person speaking ---

_LABEL = re.compile(
    r"^[ \t]*(?:>|(?:[*#_\[<(「【-]|&lt;)*[ \t]*(?:system|assistant|developer|instructions?|tool|user|the user said|user said|user says|系統|系统|助理|使用者說|使用者|用戶|開發者)"
    r"(?:[ \t_-]*(?:prompt|message|note|override|update|提示|訊息|指令))?[ \t]*[\]>)」】*]*[ \t]*[:：>\]])",
    re.IGNORECASE | re.MULTILINE,
)
_COMMENT = re.compile(
    r"<!--.*?(?:-->|\Z)|\[//\]: ?#.*|<(system|instructions?|important|admin|script|style)\b.*?(?:</\1>|\Z)|\A---\n.*?\n---",
    re.IGNORECASE | re.DOTALL,
)
_PLAYED = _any(
    _B
    + r"(?:role-?play(?:ing)?|let'?s (?:pretend|play|say)|pretend (?:that|to be|you|i)|imagine (?:that|you are|you're|i am|i'm|we)|hypothetically|suppose (?:that|i|you|we)|in (?:this|the|my) (?:story|scene|novel|game)|you are now|from now on you are|act as|stay in character|my character)"
    + _E,
    r"角色扮演|假設|假设|假裝|假装|假如|想像一下|想象一下|你現在是|你现在是|你扮演|我扮演|在(?:這個|这个)?(?:故事|小說|小说|劇本|剧本|遊戲|游戏)(?:裡|里|中)",
)
_HIDDEN = re.compile("[\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")


def is_spoken_by_another(text: str, span: tuple[int, int]) -> bool:
    """Whether the quoted span stands in what a typed message only carries: quoted lines, markup and comments, a label
    of another speaker, a part that is played, or letters that do not show."""
    start, end = span
    line = text[text.rfind("\n", 0, start) + 1 : end]
    return bool(
        _LABEL.search(line)
        or _HIDDEN.search(text[start:end])
        or any(hidden.start() < end and start < hidden.end() for hidden in _COMMENT.finditer(text))
        or _PLAYED.search(text[max(0, start - 300) : end])
    )


# Letters that look like Latin ones, so that a word spelt with them is still read.
_LOOKALIKES = str.maketrans(
    "аеорсухіѕјԁԛԝһкмтвАЕОРСУХІЅЈКМТВНοανιρτυκΑΒΕΗΙΚΜΝΟΡΤΥΧ",
    "aeopcyxisjdqwhkmtbAEOPCYXISJKMTBHoaviptukABEHIKMNOPTYX",
)


def _plain(text: str) -> str:
    """Width, apostrophes, lookalikes and what does not show made plain."""
    text = unicodedata.normalize("NFKC", text).replace("’", "'")
    if text.isascii():
        return text
    shown = (c for c in text if unicodedata.category(c) not in {"Cf", "Mn"} and c not in "\u115f\u1160\u3164\uffa0")
    return "".join(shown).translate(_LOOKALIKES)
