# ruff: noqa: E501  (lists of words read better in long lines)
"""What would make the assistant act on the outside world, or gives it an address or an account to use.

What somebody does is told ("I send postcards", "my mother calls"); what the assistant is to do is ordered, wished for, or
left without anybody who does it. Only the second is outward, unless an address stands beside the deed.
"""

from __future__ import annotations

import re

from memories.models import Kind
from memories.policy.matching import BEGIN as _B
from memories.policy.matching import END as _E
from memories.policy.matching import any_of as _any
from memories.policy.matching import stretches
from memories.words import simplified

_DO = (
    r"(?:send|forward|mail|e-?mail|post|publish|share|upload|pay|transfer|wire|cc|bcc|text|call|phone|ring|dial|submit|notify|message|buy|order|purchase|book|reserve|donate"
    r"|reply(?: on|\b(?= to))|respond to|invite|tell|inform|remind|ask|subscribe|unsubscribe|sign (?:me|us|the user) up|accept|decline|confirm|cancel|release|deploy|tweet|hand over|copy in|loop in|renew|register|apply for|schedule|top up|withdraw|deposit|invest|contact|reach out|get in touch|write to|let (?!me\b|us\b|the user\b)(?:[\w'’-]+ ){1,3}know)"
)
_DONE = (
    r"(?:sent|forwarded|mailed|e-?mailed|posted|published|shared|uploaded|paid|transferred|wired|cc'?d|bcc'?d|copied to|copied in|texted|phoned|submitted|released|deployed|delivered to|booked|ordered"
    r"|purchased|notified|donated|confirmed|cancelled|canceled)"
)
# Said of what stays between the two: what the person is called, and what a reply is made of.
_WITH_THE_PERSON = (
    r"(?:call (?:me|us|the user|him|her|them)\b(?! (?:at|on|every|when|whenever|if|before|after|back|in|tomorrow|each|by|up|daily|to)\b)|call (?:it|this|that|out)\b"
    r"|(?:send|ask|tell|remind|share with|mail) (?:me|us|the user)\b(?! (?:an? )?(?:e-?mail|text|sms|message|letter|link to pay)s?\b)(?![^.;]{0,40}@)|(?:reply|respond|confirm|forward) (?:to )?(?:me|us|the user)\b"
    r"|(?:share|post|publish|submit|send) (?:the |your |its |any |some |all |every |more |one |two |three )?(?:sources?|examples?|links?|tips?|ideas?|reasons?|code|steps?|opinions?|thoughts?|answers?|summar(?:y|ies)|tables?)\b(?! (?:to|with|on|at|by) (?!me\b|us\b|the user\b))"
    r"|order (?:(?:\w+ ){1,3}(?:by|from)|(?:\w+ )?alphabetically|chronologically|them)\b|in order to|tell (?:\w+ ){0,2}(?:jokes?|stor(?:y|ies)|apart|whether|when|what|why|how|if)\b"
    r"|ask (?:for|before|first|back|whether|if|what|which|about|at|one|two|a|questions?|clarifying|follow)\b|confirm (?:that|before|first|what|my|the|understanding)\b(?! (?:\w+ )?(?:appointments?|orders?|bookings?|payments?))"
    r"|accept (?:that|my|the)\b(?! (?:\w+ )?(?:invit|calendar|order|offer))|reply (?:in|with|briefly|as|like|only|at)\b|cancel(?:s|led)? out)"
)
_ADVERBS = r"(?:\s+(?:always|usually|often|never|also|still|now|just|only|sometimes|regularly|already|then|do|does|did|have|has|had|will|would|'ll|'ve|'d|can|could|might|may|am|is|are|was|were|be|been|being|going|used|to|like|likes|love|loves|prefer|prefers|hate|hates|try|tries|tend|tends|want|wants|plan|plans|hope|hopes|need|needs|need to|have to|has to|must|should|no|longer|not|don't|doesn't|didn't|can't|keep|keeps|started|stopped|\w+ly))*"
_BY_SOMEONE = re.compile(
    rf"(?:{_B}(?:I|I'm|I've|I'd|I'll|we|we're|we've|we'll|he|she|they|who|whose \w+)|(?:the user|my|our|her|his|their|the)(?:'s)?(?: (?!assistant|user\b|the\b|wants?\b|to\b)[\w'-]+){{0,3}}?|(?-i:[A-Z][a-z]+)(?<!You)(?<!Have)(?<!Please)(?<!Always)(?<!Never)(?<!Assistant)(?<!Claude)(?<!Then)(?<!And))"
    rf"(?<!assistant){_ADVERBS}\s+(?:(?:{_DO})(?:s|es|ing|ted)?|{_DONE}|(?:sending|forwarding|mailing|posting|publishing|sharing|paying|calling|texting|buying|ordering|booking|writing|submitting)){_E}",
    re.IGNORECASE,
)
_ASSISTANT = r"(?:the assistant|assistant|you|claude|it)"
_ADDRESS = r"(?:(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+|https?://\S{1,200}|\b0x[0-9a-fA-F]{6,}|\b[A-Z]{2}\d{2}[A-Z0-9]{10,30}\b|(?<![\d ()-])\+?\d[\d ()-]{7,30}\d)"
_LEADING = r"(?:please|always|never|also|then|and|or|just|automatically|do|don't|not|be sure to|make sure to|make sure you|make sure that you|never forget to|don't forget to|remember to|remember:|from now on,?|in future,?|going forward,?|immediately|you should|you must|you can|i want you to|i need you to|i'd like you to|can you|could you|to|by default,?)"
# An order: a clause that begins with the deed, after words that only lead up to it.
_ORDERED = re.compile(
    rf"(?:^|[,.;:!?\n]\s*|\b(?:and|then|that) )(?:{_LEADING}\s+)*{_DO}\s+(?!\w*\s*(?:is|are|was|were)\b)\S",
    re.IGNORECASE,
)
_STANDING = re.compile(
    _B
    + r"(?:always|never|every|each|whenever|when(?:ever)? (?:i|you)|any ?time|from now on|in future|automatically|without asking|if i|once i|as soon as|all|on my behalf|for me)"
    + _E,
    re.IGNORECASE,
)
_WISHED_DONE = _any(
    rf"{_B}(?:wants?|asks?|asked|expects?|prefers?|likes?|needs?|wishes|requires?)\s+(?!to\b|the assistant\b)(?:[\w'’-]+\s+){{1,8}}?(?:to be\s+|always\s+|automatically\s+|also\s+)*{_DONE}{_E}",
    rf"(?:^|[.;,]\s*)(?:please |always )*(?:have|get) (?:[\w'’-]+\s+){{1,5}}?{_DONE}{_E}",
    rf"{_B}(?:make sure|ensure|see to it)(?: that)? (?!you\b|your\b|i\b)(?:[\w'’-]+\s+){{1,4}}?(?:gets?|receives?|knows?|hears?|is told){_E}",
)
_WISHED = _any(
    rf"{_B}{_ASSISTANT}\s+(?:(?:should|must|may|can|will|is|are|has|have|not|never|always|automatically|then|also|just|only|first|to|allowed|expected|supposed)\s+)*(?:{_DO}|{_DONE}){_E}",
    rf"{_B}(?:must|should|shall|has to|have to|needs? to|(?:is|are) to)\s+(?:always\s+|also\s+|all\s+)*be\s+(?:\w+ly\s+)?{_DONE}{_E}",
    rf"{_B}automatically\s+(?:\w+\s+){{0,2}}?(?:{_DO}|{_DONE}){_E}|{_B}(?:{_DO}|{_DONE}){_E}[^.!?\n]{{0,60}}\bautomatically\b",
    rf"{_B}(?:on (?:my|the user's|their|his|her) behalf)",
)
_TO_AN_ADDRESS = _any(
    rf"{_B}(?:{_DO}|{_DONE}){_E}[^!?\n]{{0,80}}?(?:{_ADDRESS}|{_B}account{_E})",
    rf"{_ADDRESS}[^!?\n]{{0,60}}?{_B}(?:{_DO}|{_DONE}){_E}",
    rf"{_B}(?:to|from|into|use|with) (?:the |an? |this |that |my |our |their )?(?:bank )?(?:account|card){_E}[^.\n]{{0,20}}\d",
)
_PROCEDURE = re.compile(
    rf"{_B}{_DONE}{_E}|(?:^|[,.;:]\s*|\b(?:to|not|never|always|and|then|please|should|must|will|can|you|assistant|it|automatically|also|or|don't|just|instead)\s+){_DO}{_E}",
    re.IGNORECASE,
)
_NOUNS = _any(
    rf"{_B}(?:an?|the|my|your|our|their|his|her|its|each|every|this|that|of|in|by|via|short|long|plain|phone|video|blog|alphabetical|chronological|code|e-?mail|text|per|no|any)\s+"
    rf"(?:mail|e-?mail|post|text|call|phone|message|order|book|wire|share|transfer|invite)s?{_E}(?!\s+(?:it|them|all|to|me)\b)"
    rf"|{_B}text (?:block|file|message|editor|book|format)s?{_E}|{_B}(?:e-?mail|phone|mail|post|book|order|message)\s+(?:address|number|box|office|drafts?|subject|signature|club|titles?|recommendations?|list|history|style|tone)s?{_E}"
    rf"|{_B}(?:when|while|for|if) (?:you|the assistant|it)?\s*(?:write|writes|writing|draft|drafts|drafting|edit|edits) [^,.;]{{0,40}}"
)


def is_outward(statement: str, kind: str) -> bool:
    return any(_in_english(part, kind) or _in_chinese(simplified(part), kind) for part in stretches(statement))


def _in_english(text: str, kind: str) -> bool:
    if _TO_AN_ADDRESS.search(text):
        return True
    text = _NOUNS.sub(" … ", re.sub(_WITH_THE_PERSON, " … ", text, flags=re.IGNORECASE))
    if _WISHED_DONE.search(text):
        return True
    text = _BY_SOMEONE.sub(" ", text)
    if kind == Kind.PROCEDURAL and _PROCEDURE.search(text):
        return True
    return bool(_WISHED.search(text) or (_ORDERED.search(text) and (_STANDING.search(text) or _pleads(text))))


def _pleads(text: str) -> bool:
    return bool(
        re.match(
            rf"\W*(?:please|remember|make sure|be sure|don't forget|can you|could you|{_DO}\b)", text, re.IGNORECASE
        )
    )


# --- Chinese, read as Simplified ---

_OUT = simplified(
    "(?:寄(?![住託宿生養望])|轉寄|轉發|抄送|寄副本|密件|傳給(?!我)|傳(?:一|.{0,4}[則封張個份])?.{0,2}(?:訊息|簡訊|信|照片|檔案)|傳到|傳送|發送|發給(?!我)|發到|發布|發佈|發表|貼到|公開|分享給(?!我)|分享到|上傳|匯款|匯給|匯到|轉帳|轉賬|轉給|付款|付給|付清|支付|繳費|繳"
    "|打電話|打給(?!我)|撥打|撥給|致電|通知|回信|回覆(?=給(?!我)|他|她|對方|客戶)|回電|請假|下單|訂購|購買|買|預訂|預約|訂位|訂(?=機票|車票|房|餐|票)|送出|提交給|提交|捐|報名|簽署|轉告|告訴(?!我|使用者)|邀請|取消(?=訂單|預約|訂位)|用.{0,10}(?:戶頭|帳戶|信用卡)(?:付|匯|扣))"
)
# Whose deed it is told to be.
_SOMEONE = simplified(
    "(?:我們?|咱們?|使用者(?:的.{1,4}?)?|他們?|她們?|(?:我|使用者的?)?(?:媽媽|爸爸|媽|爸|哥哥|姊姊|弟弟|妹妹|先生|太太|老公|老婆|女兒|兒子|阿嬤|阿公|老闆|主管|同事|朋友|客戶|老師|學生|公司|學校|房東|室友|鄰居)|小[^\\s，。]|阿[^\\s，。])"
)
_ORDERS = simplified(
    "(?:助理|助手|自動|一律|請你?|拜託|麻煩你|務必|幫(?:我|使用者|忙)|替(?:我|使用者)|代(?:我|使用者)|要求|要你|叫你|你要|你就|你得|您|不用(?:問|經過)|必須|(?:希望|要)[^，。]{0,16}(?:助理|你|把|將|所有|每[份次封篇個筆]|都|一律|往後|以後|之後|自動|另))"
)
_LEADS_UP = simplified(
    "(?:以後|之後|往後|今後|從現在起|每次|每當|每封|每份|每篇|每筆|所有|都要|都|另外|記得|記住|直接|順便|先|再|就|也|完成後|寫完|然後|把[^，。]{1,16}|將[^，。]{1,16}|當.{1,12}時|收到.{1,8})"
)
_ORDERED_ZH = re.compile(rf"{_ORDERS}[^。!！?？\n]{{0,30}}?{_OUT}|{_OUT}[^，。]{{0,12}}(?:不用问我|不必问我)")
_LED_ZH = re.compile(rf"(?:^|[，,。;；:：])\s*(?:{_LEADS_UP}){{1,6}}[^，,。我]{{0,10}}?{_OUT}")
_OUT_ZH = re.compile(_OUT)
_ADDRESS_ZH = re.compile(
    rf"{_OUT}[^。!！?？\n]{{0,40}}?{_ADDRESS}|{_ADDRESS}[^。!！?？\n]{{0,20}}?{_OUT}|(?:户头|帐户|账户|帐号|账号)[^，。\n]{{0,8}}\d{{4,}}"
)
_TOLD_ZH = re.compile(rf"(?<![帮替代请把将给跟对和]){_SOMEONE}(?!希望)(?:(?!{_ORDERS})[^，,。!！?？\n]){{0,24}}?{_OUT}")
_NAMED_ZH = re.compile(
    simplified(
        "(?:叫|稱呼)(?:我|使用者)|(?:通知|公開|分享|發表)(?:單|信|課|會|的)|公開(?:課|賽)|買(?!.{0,12}(?:給|吧|就))(?=[^，。]{0,6}(?:的時候|時|了|過))|(?:要|會)?提交(?:的|格式)|預約(?:制|的)"
    )
)


def _in_chinese(text: str, kind: str) -> bool:
    if _ADDRESS_ZH.search(text):
        return True
    text = _TOLD_ZH.sub(" ", _NAMED_ZH.sub("…", text))
    if kind == Kind.PROCEDURAL and _OUT_ZH.search(text):
        return True
    return bool(_ORDERED_ZH.search(text) or _LED_ZH.search(text))
