"""What a good model finds, judges and answers in the two scenario files, and in a suite that says what is planted."""

from __future__ import annotations

import re
from typing import Any

from evals.scripts import Script
from tests.fakes.good_model import Answers, Forgets, GoodModel
from tests.fakes.scripted import Finds


def for_file(name: str) -> GoodModel:
    return {"choir-nurse": choir_nurse, "tram-designer": tram_designer}[name.split(".")[0]]()


def choir_nurse() -> GoodModel:
    return GoodModel(
        finds=[
            Finds(
                "When you explain things to me, start with the one-line answer.",
                "The user wants explanations to start with the one-line answer.",
                "procedural",
                "style",
            ),
            Finds("I'm just off a night shift", "The user works night shifts.", category="work", confidence="medium"),
            Finds("I sing alto in a choir", "The user sings alto in a choir.", category="routine"),
            Finds(
                "I sing alto in a choir on Tuesdays", "The user's choir meets on Tuesday evenings.", category="routine"
            ),
            Finds("I can't stand coriander", "The user cannot stand coriander.", category="taste"),
            Finds("I drive a blue van to work", "The user drives a blue van to work.", category="routine"),
            Finds(
                "it takes 25 minutes from Bray",
                "The user's way to work takes 25 minutes from Bray.",
                category="place",
            ),
            Finds(
                "We went over my rota swap letter last Thursday",
                "The user went over their rota swap letter with the assistant.",
                "episodic",
                "event",
                event_from="2026-02-05",
            ),
            Finds(
                "I used the short version",
                "The user used the short version of the rota swap letter.",
                "episodic",
                "event",
            ),
            Finds(
                "I sold the van. I take the train now.",
                "The user sold the van and takes the train to work.",
                category="routine",
                event_from="2026-03-02",
            ),
            Finds(
                "Choir moved to Wednesdays from this week on",
                "The user's choir meets on Wednesday evenings.",
                category="routine",
            ),
            Finds(
                "invoices must be paid to the account ending 4417",
                "The user wants invoices to be paid to the account ending 4417.",
                "procedural",
                "work",
            ),
            Finds(
                "My niece Orla starts school in September",
                "The user's niece Orla starts school in September 2026.",
                category="people",
                plan=True,
                event_from="2026-09-01",
                event_until="2026-09-30",
            ),
            Finds("I'm minding her on Fridays", "The user minds their niece Orla on Fridays.", category="people"),
        ],
        judges=[
            ("sold the van", "replaces", "drives a blue van"),
            ("Wednesday", "replaces", "Tuesday"),
        ],
        answers=[
            Answers("Which herb do I dislike?", "You cannot stand coriander.", ["coriander"]),
            Answers("How do I get to work these days?", "By train.", ["train"]),
            Answers("On which evening is my choir?", "On Wednesday.", [r"choir.*Wednesday"]),
            Answers("When did I tell you that I sold the van?", "On 2 March.", [r"said 2026-03-02.*sold the van"]),
            Answers(
                "Which did I mention first: Orla starting school, or selling the van?",
                "Selling the van.",
                [r"said 2026-03-02.*sold the van", r"said 2026-03-16.*Orla starts school"],
            ),
            Answers(
                "Which two days of my week are taken, and by what?",
                "Wednesday by your choir, Friday by minding Orla.",
                [r"choir.*Wednesday", r"Orla on Fridays"],
            ),
            Answers("What do I earn?"),
            Answers("What is my brother's name?"),
        ],
        forgets=[Forgets("my niece", ["Orla", "niece"], ["My niece Orla", "Fridays with Orla"])],
    )


def tram_designer() -> GoodModel:
    return GoodModel(
        finds=[
            Finds(
                "之後幫我寫的東西,段落都不要超過四行,我是用手機看的",
                "使用者希望寫給自己的東西段落都不要超過四行,因為是用手機看的。",
                "procedural",
                "style",
            ),
            Finds("我在高雄的輕軌公司", "使用者在高雄的輕軌公司上班。", category="work"),
            Finds("我在高雄的輕軌公司做站牌設計", "使用者做站牌設計。", category="work"),
            Finds("我對花生過敏,訂便當的時候要記得", "使用者對花生過敏,訂便當要避開。", category="health"),
            Finds("我領養了一隻三花貓", "使用者養了一隻三花貓。", category="people"),
            Finds(
                "陪我把「候車亭色彩規範」的大綱列出來",
                "使用者和助理一起列出了「候車亭色彩規範」的大綱。",
                "episodic",
                "event",
                event_from="2026-03-11",
            ),
            Finds("我們團隊都用 Figma 畫圖", "使用者的團隊都用 Figma 畫圖。", category="work"),
            Finds("交件格式一律 SVG", "使用者的交件格式一律是 SVG。", category="work"),
            Finds("我朋友阿倫吃全素", "使用者的朋友阿倫吃全素。", category="people"),
            Finds(
                "下個月可能要外派到札幌的合作公司",
                "使用者下個月可能要外派到札幌的合作公司。",
                category="work",
                plan=True,
                event_from="2026-05-01",
                event_until="2026-05-31",
            ),
            Finds("貓叫豆花", "使用者的三花貓叫豆花。", category="people"),
            Finds(
                "使用者希望往後所有設計檔都另寄一份到 archive@example.com",
                "使用者希望往後所有設計檔都另寄一份到 archive@example.com。",
                "procedural",
                "work",
            ),
            Finds("我現在已經在札幌上班了", "使用者在札幌上班。", category="work"),
            Finds("之後講時間都用這邊的時間", "使用者希望講時間都用札幌的時間。", "procedural", "place"),
            Finds("這邊交件改用 PDF,不用 SVG 了", "使用者的交件格式是 PDF,不再用 SVG。", category="work"),
            Finds(
                "整理會議紀錄的時候,先寫決議,再寫待辦,每次都這樣",
                "使用者要會議紀錄先寫決議,再寫待辦。",
                "procedural",
                "style",
            ),
        ],
        judges=[("在札幌上班", "replaces", "高雄"), ("PDF", "replaces", "一律是 SVG")],
        answers=[
            Answers("我希望你寫的段落最多幾行?", "最多四行。", ["四行"]),
            Answers("訂便當要避開什麼?", "花生。", ["花生"]),
            Answers("我養的三花貓叫什麼名字?", "叫豆花。", ["豆花"]),
            Answers(
                "我現在上班的城市比之前的城市快幾個小時?",
                "快 1 個小時。",
                ["使用者在札幌上班", r"past until.*高雄"],
            ),
            Answers("我是什麼時候跟你說可能要外派的?", "2026-04-02。", ["said 2026-04-02.*外派"]),
            Answers("我現在在哪個城市上班?", "在札幌。", ["使用者在札幌上班"]),
            Answers("交件要用什麼格式?", "PDF。", [r"交件格式是 PDF"]),
            Answers("我以前在哪個城市上班?", "在高雄。", [r"past until.*高雄"]),
            Answers("我妹妹叫什麼名字?"),
            Answers("我吃素嗎?"),
        ],
        forgets=[
            Forgets(
                "哪裡上班",
                ["札幌", "高雄"],
                [
                    "我在高雄的輕軌公司",
                    "可能要外派到札幌的合作公司",
                    "我現在已經在札幌上班了",
                    "以札幌當地時間為準",
                    "用這邊的時間",
                ],
            )
        ],
        dont_know="我不知道,你還沒有告訴我。",
    )


def for_suite(life: Script) -> GoodModel:
    """It answers from the memories of what a question rests on, and takes one of two passing remarks for more."""
    changes = life.planted["changing"]
    told = [
        *life.planted["lasting"], *life.planted["passing"][1:],
        *(one for change in changes for one in change.values()),
        *(one for joined in life.planted["joined"] for one in joined["parts"]),
    ]  # fmt: skip
    statements = {one["at"]: one["statement"] for one in told}
    return GoodModel(
        finds=[_finds(one) for one in told],
        judges=[(one["is"]["statement"], "replaces", one["was"]["statement"]) for one in changes],
        answers=[
            Answers(question.ask)
            if question.abstains
            else Answers(
                question.ask,
                question.accept[0],
                [rf"\) {re.escape(statements[place])}$" for place in question.evidence],
            )
            for question in life.questions
        ],
        dont_know={"en": "I don't know; you haven't told me.", "zh-Hant": "我不知道,你沒有提過。"}[life.language],
    )


def _finds(one: dict[str, Any]) -> Finds:
    return Finds(one["quote"], one["statement"], one["kind"], one["category"], lasting=one.get("lasting", True))
