# ruff: noqa: E501  (lists of words read better in long lines)
"""What waits unless the person asked outright to keep it: health, money, intimate life, beliefs, identity numbers, and
other people's data."""

from __future__ import annotations

import re

from memories.models import Category
from memories.policy.matching import BEGIN as _B
from memories.policy.matching import END as _E
from memories.policy.matching import any_of as _any
from memories.policy.matching import stretches
from memories.words import simplified

_HEALTH = _any(
    _B
    + r"(?:allerg(?:y|ies|ic)|intoleran(?:t|ce)|diagnos\w+|diabet\w+|asthma\w*|cancer|tumou?rs?|leuk(?:a)?emia|epilep\w+|seizures?|hiv|hepatitis|depress(?:ion|ed)|anxiety|panic attacks?|bipolar"
    r"|schizophreni\w+|adhd|autis(?:m|tic)|asperger\w*|ptsd|ocd|anorexi\w+|bulimi\w+|eating disorders?|addict(?:ed to (?!\w+ing\b|crosswords?|chocolate|coffee|tea|podcasts?|puzzles?)|ion)|alcoholi(?:c|cs|sm)|sober|rehab|therap(?:y|ist)|(?:see|sees|seeing|saw) (?:an? |my |her |his |their |the )?(?:\w+ )?(?:counsell?or|shrink)|covid|(?:was|were|been) operated on|psychiatr\w+"
    r"|psycholog(?:ist|y appointment)|medicat(?:ion|ions|ed)|antidepressants?|painkillers?|statins?|sleeping pills?|sertraline|fluoxetine|prozac|lithium|warfarin|metformin|ritalin|prescri(?:bed|ption)s?(?! (?:reading|text|book)s?)|insulin|chemo\w*|dialysis|surgery|operation on|pregnan(?:t|cy)|miscarr\w+|abortion|ivf|infertil\w+|menopaus\w+|endometriosis"
    r"|disabilit(?:y|ies)|disabled|wheelchair|dyslexi[ac]|dementia|alzheimer\w*|parkinson's|multiple sclerosis|lupus|crohn's|ibs|eczema|psoriasis|thyroid|blood pressure|blood sugar|cholesterol|migraines?|insomnia|arthritis|gout|chronic (?:pain|illness|fatigue)|disease|disorder"
    r"|illness|suicid\w+|self-harm\w*|infect(?:ed|ion)|coeliac|celiac|heart (?:attack|condition|failure)|(?:had|has had|suffered|survived|after|from) (?:a |an |her |his |the )?(?:\w+ )?stroke"
    r"|(?:broke|broken|fractured|sprained|tore) (?:my|her|his|their|the user's|an?) (?:left |right )?(?:arm|leg|wrist|ankle|hip|rib|foot|hand|collarbone|ligament|knee))"
    + _E,
    r"(?-i:" + _B + r"AIDS" + _E + ")",
)
_HEALTH_ZH = re.compile(
    simplified(
        "過敏|乳糖不耐|診斷|確診|糖尿病|血糖|氣喘|哮喘|癌|腫瘤|白血病|癲癇|愛滋|肝炎|[BＢbCＣc]肝|憂鬱|抑鬱|焦慮症|恐慌症|強迫症|躁鬱|思覺失調|精神科|身心科|心理諮商|心理咨詢|諮商師|心理師"
        "|自閉|過動|厭食症?|暴食症|成癮|酗酒|戒酒|戒毒|服藥|吃藥|用藥|安眠藥|止痛藥|抗憂鬱藥|處方|胰島素|化療|洗腎|開刀|動過?刀|手術|懷孕|流產|墮胎|試管嬰兒|不孕|更年期|子宮|身心障礙|殘障|輪椅"
        "|失智|帕金森|紅斑性狼瘡|甲狀腺|異位性皮膚炎|濕疹|乾癬|腸躁症|痛風|失眠|高血壓|血壓|膽固醇|偏頭痛|關節炎|骨折|韌帶|慢性病|疾病|病症|自殺|自殘|感染(?!力)|中風|心臟病|住院(?!醫)|生病|罹患|患有"
    )
)
_MONEY = _any(
    _B
    + r"(?:salary|salaries|wages?|income|earn(?:s|ed|ing)?(?! (?:an?|my|the|his|her|their|user's) (?!living|salary|lot|fortune|hundred|few|little|decent|good)\w+)|(?:makes?|made|making|paid|pays me|rent is|rent of) (?:about |around |only |nearly |over )?[£$€]?\d[\d,.]*(?:k|m)?(?! (?:\w+s\b))|net worth|savings|savings account|behind on (?:the |my |our |their )?(?:rent|bills|payments|taxes)|lost [£$€]?\d[\d,.]*(?:k|m)? (?:on|in|at|with)|debts?|in debt|overdraft|owes?|owed|mortgage|(?<!library )(?<!interlibrary )(?<!on )loans?|bankrupt\w*|credit score|can't afford|cannot afford"
    r"|bank (?:account|balance)|iban|account (?:number|ending)|pension|inherit\w+ (?:[\w']+ ){0,4}(?:money|house|flat|estate|shares?|fortune)|alimony|tax (?:return|id|number|debt)|gambl(?:e|es|ed|ing))"
    + _E
    + r"|[£$€]\s?\d",
)
_MONEY_ZH = re.compile(
    simplified(
        "薪水|薪資|月薪|年薪|時薪|月入|年收|工資|收入|存款|積蓄|存了.{0,6}萬|身價|負債|欠債|欠款|欠了|欠.{1,6}錢|貸款|房貸|卡債|破產|賠了|信用評分|帳戶|銀行帳號|戶頭|遺產|贍養費|賭博|報稅|繼承(?!權|者)|房租.{0,4}\\d|賺.{0,6}(?:萬|千|錢)"
    )
)
_INTIMATE = _any(
    _B
    + r"(?:gay|lesbian|bisexual|asexual|transgender|trans (?:man|woman|person)|non-?binary|queer|polyamor\w+|sexual\w*|sex life|(?<!same-)sex(?! of)|libido|porn\w*|affair with|having an affair|one-night stand|cheat(?:s|ed|ing) on (?:my|her|his|their|the user's) (?!exam|test)|divorc(?:e|ed|ing)|custody|(?:he|she|partner|husband|wife) (?:hits|beats|hurts) me|contracepti\w+|fertility"
    r"|came out (?:as|to (?:my|her|his|their|the user's)|at work)|sexual(?:ly)? assault\w*|abus(?:ed|ive)|(?:domestic|child|sexual|physical|emotional) abuse|assaulted|raped?)"
    + _E,
)
_INTIMATE_ZH = re.compile(
    simplified(
        "同志|同性戀|雙性戀|無性戀|跨性別|性向|性取向|出櫃|性生活|性行為|一夜情|開放式關係|避孕|外遇|出軌(?!事故)|劈腿|離婚|家暴|性侵|性騷擾|受虐|被虐待"
    )
)
_BELIEFS = _any(
    _B
    + r"(?:(?:(?<!called )(?<!named )(?:am|'m|is|are|was|were|became|become|born|raised|an?|devout|practi[sc]ing) (?:an? )?(?:\w+ly )?(?:devout )?christian(?! \w*(?:boltanski|dior|name))|christian (?:faith|church|family|values|group|community)|christianity)|catholic\w*|protestant|evangelical|quaker|muslim|islam\w*|jew(?:ish|ism)?|judaism|buddhis[mt]|hindu(?:ism)?|sikh|atheis[mt]|agnostic"
    r"|mormon|pray(?:s|ed|ing)?(?! mantis)|(?:goes|go|went|going) to (?:a |the |our )?(?:\w+ )?(?:church|mass|temple|mosque|synagogue)|believes? in god|ramadan|religio(?:n|us)(?! (?:studies|education|art|history|buildings?))|votes? (?:for|against)|voted|voting for|voter|republican|democrat|conservative party|labour party|green party|party member|left-wing|right-wing|socialist|communist"
    r"|politic(?:s|al(?! (?:science|theory|history|geography|cartoons?|thrillers?|philosophy|map))\w*)(?! department)|trade union|union member)"
    + _E,
)
_BELIEFS_ZH = re.compile(
    simplified(
        "基督徒|基督教|天主教(?!.{0,3}(?:堂|學校|中學))|教友|上教會|新教徒|穆斯林|伊斯蘭|猶太(?!潔食)|佛教徒|信佛|皈依|道教|印度教|無神論|受洗|禱告|齋戒月|信仰|信教|宗教(?!學|系|所|建築|藝術)|投票給|投給.{0,6}(?:黨|候選人|營)|投.{0,4}[黨營]|支持.{0,6}(?:黨|營)|[藍綠]營|入黨|黨員|政治(?!系|學|所|哲學|地理|漫畫)|工會(?!大樓)|統獨"
    )
)
_NUMBERS = re.compile(
    r"(?<![A-Za-z0-9])[A-Z][12489]\d{8}(?![A-Za-z0-9])|(?<!\d)\d{3}-\d{2}-\d{4}(?!\d)"
    r"|(?i:passport (?:number|no)|social security|national insurance|driving licen[cs]e number)|護照號碼|护照号码|身分證|身份證|身份证|健保卡號|健保卡号"
)
_OTHERS = _any(
    r"(?:'s|s')\s+(?:\w+\s+){0,2}(?:phone(?! (?:is|was) (?:broken|old|new|lost|dead|an?)\b)|mobile(?! (?:game|home))|e-?mail|home address|address|birth ?date|passport|id number)"
    + _E,
)
_OTHERS_ZH = re.compile(
    simplified(
        "(?:朋友|同事|老闆|主管|客戶|鄰居|室友|媽媽|爸爸|太太|先生|男友|女友|姊姊|姐姐|妹妹|哥哥|弟弟|他|她)的?(?:電話|手機(?=號|是\\s*0|[:：]?\\s*09)|信箱|郵箱|地址|住址|身分證)"
    )
)
_CONTACT = re.compile(
    r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+|(?<![\d-])(?:\+\d{1,3}[ -]?)?\(?0\d{1,3}\)?[ -]?\d{3,4}[ -]?\d{3,4}(?!\d)"
)

# What somebody does for a living or studies, and what an animal has, is nobody's health, money or belief.
_OCCUPATION = (
    r"(?:doctor|nurse|therapist|surgeon|physician|researcher|research|psychiatrist|psychologist|pharmacist|midwife|counsell?or|oncologist|scientist|biologist|broker|advis[eo]r|lawyer|solicitor|journalist|correspondent|cartoonist"
    r"|historian|teacher|lecturer|student|professor|engineer|developer|technician|writer|editor|clerk|volunteer|assistant|ward|clinic|lab|charity|department|unit|studies|novels?|thrillers?)s?"
)
_BY_TRADE = _any(
    rf"{_B}(?:(?:am|I'm|we're|she's|he's|is|was|be|as|become|became|are|being) (?:an? |the )?|(?:studies|study|studying|teaches|teach|works? (?:in|at|for|on)|working (?:in|at|for)|volunteers? (?:in|at|for|with)|reads?|writes?|likes?|loves?) (?:an? |the )?)(?:(?!and\b|has\b|with\b|see|visit)[\w'-]+ ){{0,4}}?{_OCCUPATION}{_E}",
    rf"{_B}(?:my|our|the user's|the) (?:\w+ )?(?:cat|dog|puppy|kitten|rabbit|horse|hamster|parrot|tortoise|goldfish|budgie|cow|plant|tomato(?:es)?|rose)s?(?: [A-Z]\w+)? (?:is|has|had|needs|takes|got|was|are|have)\b[^.;]*",
)
_BY_TRADE_ZH = re.compile(
    simplified(
        "(?<![看找約])(?:癌症?|腫瘤|精神科?|心理|諮商|身心科|開刀房?|手術室?|住院|疾病|感染|糖尿病|過敏|政治|宗教|信仰|佛教|伊斯蘭|貸款|房貸|報稅|保險)(?:與?.{0,4})?(?:科?醫師|科?醫生|護理師|護士|師|研究員|研究所|研究|學者|學|專員|顧問|記者|系|線|編輯|雜誌|漫畫|建築|藝術|畫)"
        "|(?:我|使用者)的?(?:貓|狗|兔子|倉鼠|鸚鵡|烏龜|馬|植物|盆栽)(?:[阿小老]?.{0,2}?)(?:對|有|要|得|在|也|是|最近)[^。；]*"
    )
)
_PRIVATE = (_HEALTH, _MONEY, _INTIMATE, _BELIEFS)
_PRIVATE_ZH = (_HEALTH_ZH, _MONEY_ZH, _INTIMATE_ZH, _BELIEFS_ZH, _OTHERS_ZH)
_DATA = (_NUMBERS, _OTHERS, _CONTACT)


def is_sensitive(statement: str, category: str) -> bool:
    if category == Category.HEALTH:
        return True
    return any(_is_private(part) for part in stretches(statement))


def _is_private(text: str) -> bool:
    english, chinese = _BY_TRADE.sub(" ", text), _BY_TRADE_ZH.sub("", simplified(text))
    return (
        any(pattern.search(english) for pattern in _PRIVATE)
        or any(pattern.search(chinese) for pattern in _PRIVATE_ZH)
        or any(pattern.search(text) for pattern in _DATA)
    )
