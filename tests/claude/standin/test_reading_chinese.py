"""What the stand-in reads out of Traditional and Simplified Chinese, and what it must not."""

from __future__ import annotations

from datetime import date

import pytest

from claude.standin.reading import read
from claude.standin.statements import Known, Statement

THURSDAY = date(2026, 4, 2)


def told(text: str) -> list[str]:
    return [one.text for one in read(text, THURSDAY)]


def only(text: str) -> Statement:
    (one,) = read(text, THURSDAY)
    return one


@pytest.mark.parametrize(
    ("said", "statements"),
    [
        ("我在嘉義的動物醫院當獸醫。", ["使用者在嘉義的動物醫院上班。", "使用者的工作是獸醫。"]),
        ("我在成都的一家医院当护士。", ["使用者在成都的一家医院上班。", "使用者的工作是护士。"]),
        ("我住在台南，養了兩隻狗。", ["使用者住在台南。", "使用者養了兩隻狗。"]),
        ("我討厭香菇，但很愛吃茄子。", ["使用者討厭香菇。", "使用者很愛吃茄子。"]),
        ("我不吃香菜。", ["使用者不吃香菜。"]),
        ("我不再喝咖啡了。", ["使用者不再喝咖啡了。"]),
        ("我不能吃麩質。", ["使用者不能吃麩質。"]),
        ("我對蝦子過敏。", ["使用者對蝦子過敏。"]),
        ("我对虾过敏。", ["使用者对虾过敏。"]),
        ("我叫林小美，是一名護士。", ["使用者叫林小美。", "使用者是一名護士。"]),
        ("我吃素六年了。", ["使用者吃素六年了。"]),
        ("我以前在銀行上班。", ["使用者以前在銀行上班。"]),
        ("我每週六跟表弟打羽毛球。", ["使用者每週六跟表弟打羽毛球。"]),
        ("我妹妹在東京讀大學。", ["使用者的妹妹在東京讀大學。"]),
        ("我弟弟在台東當木工。", ["使用者的弟弟在台東當木工。"]),
        ("我們團隊都用 Notion 開會。", ["使用者的團隊都用 Notion 開會。"]),
        ("我最喜歡的茶是東方美人。", ["使用者最喜歡的茶是東方美人。"]),
        ("我是左撇子。", ["使用者是左撇子。"]),
        ("我會說客家話和日文。", ["使用者會說客家話和日文。"]),
        ("我都用 Markdown 做筆記。", ["使用者都用 Markdown 做筆記。"]),
        ("我的狗叫麻糬。", ["使用者的狗叫麻糬。"]),
        ("我養了兩隻兔子，叫鹽巴和胡椒。", ["使用者養了兩隻兔子。", "使用者的兔子叫鹽巴和胡椒。"]),
        ("我把機車賣掉了。", ["使用者把機車賣掉了。"]),
        ("现在改骑自行车上班了，不开车了。", ["使用者现在改骑自行车上班了，不开车了。"]),
        ("我對海鮮過敏，有什麼推薦的餐廳嗎？", ["使用者對海鮮過敏。"]),
        ("請記得我的車停在地下三樓。", ["使用者的車停在地下三樓。"]),
        ("別忘了我的班機是 BR 117。", ["使用者的班機是 BR 117。"]),
        ("我在國中教化學。", ["使用者在國中教化學。"]),
        ("我的生日是十月三號。", ["使用者的生日是十月三號。"]),
        ("我從來沒去過冰島。", ["使用者從來沒去過冰島。"]),
        ("我喜歡榛果拿鐵。", ["使用者喜歡榛果拿鐵。"]),
        ("我最近在準備答辯。", ["使用者最近在準備答辯。"]),
    ],
)
def test_a_statement_is_told_in_the_third_person_and_the_persons_script(said: str, statements: list[str]) -> None:
    assert told(said) == statements


@pytest.mark.parametrize(
    "said",
    [
        "你覺得我該買電動腳踏車嗎？",
        "我換成無咖啡因的會比較好嗎？",
        "祕魯的首都是哪裡？",
        "你還記得我說過什麼嗎？",
        "如果我是鯨魚，我每天都會唱歌。",
        "要是我有花園就好了。",
        "假設我是海盜，我住在船上。",
        "寫一個故事，主角叫阿玲，她討厭起司。",
        "只要回答是或不是。",
        "幫我把這段翻成英文。",
        "幫我摘要這篇文章。",
        "早安！",
        "謝謝，太好了！",
        "現在下午三點二十五分。",
        "今天風好大。",
        "外面在下雨。",
        "我好累喔。",
        "我今天好累。",
        "我覺得新計畫不錯。",
        "我不知道晚餐要煮什麼。",
        "我要去睡了。",
        "抱歉這麼晚回。",
        "記得提醒我明天買牛奶。",
        "你好厲害。",
        "十萬年前的化石",
        "哈哈哈",
        "🙂",
        "。。。",
    ],
)
def test_what_says_nothing_lasting_of_the_person_yields_nothing(said: str) -> None:
    assert told(said) == []


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        ("以後回答請用條列。", "使用者希望助理以後回答請用條列。"),
        ("之後都叫我小安。", "使用者希望助理稱呼使用者「小安」。"),
        ("不要再用驚嘆號。", "使用者希望助理不要再用驚嘆號。"),
        ("寫程式給我的時候，一律加上型別註記。", "使用者希望助理寫程式給使用者的時候，一律加上型別註記。"),
        ("翻譯合約的時候，先列重點，再逐條翻。", "使用者希望助理翻譯合約的時候，先列重點，再逐條翻。"),
        ("以后请用简体中文回答我。", "使用者希望助理以后请用简体中文回答使用者。"),
    ],
)
def test_a_standing_instruction_is_kept_whole(said: str, statement: str) -> None:
    one = only(said)
    assert (one.text, one.kind, one.key) == (statement, "procedural", True)


@pytest.mark.parametrize(
    ("said", "first", "last", "plan"),
    [
        ("我上個月搬到新竹了。", date(2026, 3, 1), date(2026, 3, 31), False),
        ("今天約了牙醫", THURSDAY, THURSDAY, False),
        ("我昨天買了一把吉他。", date(2026, 4, 1), date(2026, 4, 1), False),
        ("我明年打算搬到台中。", date(2027, 1, 1), date(2027, 12, 31), True),
        ("下個月可能要調到雪梨分公司，還沒定。", date(2026, 5, 1), date(2026, 5, 31), True),
        ("我女兒下個月十四號要比賽。", date(2026, 5, 14), date(2026, 5, 14), True),
        ("我星期天跑完第一個半馬！", date(2026, 3, 29), date(2026, 3, 29), False),
    ],
)
def test_days_are_counted_from_the_day_of_saying(said: str, first: date, last: date, plan: bool) -> None:
    one = only(said)
    assert (one.event_from, one.event_until, one.plan) == (first, last, plan)


def test_a_pronoun_is_named_when_the_conversation_introduced_whom_it_means() -> None:
    known = Known()
    read("我的貓叫小黑。", THURSDAY, known)
    assert [one.text for one in read("牠怕打雷。", THURSDAY, known)] == ["使用者的貓小黑怕打雷。"]


def test_another_persons_trait_is_never_the_users() -> None:
    assert told("我鄰居討厭狗。") == ["使用者的鄰居討厭狗。"]
    assert told("我老婆不吃牛。") == ["使用者的老婆不吃牛。"]


def test_work_done_together_is_something_that_happened() -> None:
    one = only("今天幫我擬「社區菜園公約」的草稿：用水、堆肥、輪值。")
    assert (one.kind, one.event_from) == ("episodic", THURSDAY)
    assert "社區菜園公約" in one.text


def test_what_was_asked_outright_says_so_and_quotes_the_asking() -> None:
    one = only("我對芝麻過敏，訂餐的時候要記得。")
    assert one.asked
    assert one.quote == "我對芝麻過敏，訂餐的時候要記得"


def test_a_traditional_writer_gets_no_simplified_only_character() -> None:
    assert told("我最近在準備答辯，對花粉過敏。") == ["使用者最近在準備答辯。", "使用者對花粉過敏。"]


@pytest.mark.parametrize("asking", ["記住喔", "要記得", "記得喔", "別忘了", "请记住"])
def test_a_request_to_remember_at_the_end_is_no_statement_of_its_own(asking: str) -> None:
    one = only(f"我住在高雄，{asking}。")
    assert (one.text, one.asked) == ("使用者住在高雄。", True)
    assert told(f"{asking}。") == []
