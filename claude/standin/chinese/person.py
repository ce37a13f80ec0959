# ruff: noqa: E501
"""Turning 我 into 使用者 and back into 你, in whichever script the person writes."""

from __future__ import annotations

import re

# The longer words first.
KIN = (
    "女朋友|男朋友|外甥女|外孫女|曾祖母|雙胞胎|朋友|好友|媽媽|母親|爸爸|父親|爸媽|父母|"
    "哥哥|弟弟|姊姊|姐姐|妹妹|兒子|女兒|老婆|太太|先生|老公|丈夫|妻子|女友|男友|伴侶|"
    "奶奶|爺爺|外婆|外公|阿嬤|阿公|姪女|侄女|外甥|姪子|侄子|表哥|表弟|表姊|表姐|表妹|"
    "堂哥|堂弟|堂姊|堂妹|阿姨|叔叔|姑姑|舅舅|同事|室友|鄰居|老闆|主管|老師|學生|同學|"
    "小孩|孩子|家人|隊友|學姊|學長|母亲|父亲|儿子|女儿|妈妈|爷爷|侄儿|邻居|老板|老师|"
    "学生|同学|亲戚|女婿|姑媽|姑丈|伯伯|伯父|嬸嬸|姨媽|姨丈|舅媽|外孫|孫女|孫子|岳父|"
    "岳母|婆婆|公公|嫂嫂|嫂子|姊夫|姐夫|妹夫|弟媳|乾媽|房東|教練|伯母|阿伯|媽|爸|哥|"
    "姊|姐|弟|妹|妈"
)
ANIMALS = "三花貓|橘貓|黑貓|虎斑貓|貓咪|小貓|貓|小狗|狗狗|柴犬|狗|兔子|倉鼠|鸚鵡|烏龜|天竺鼠|鳥|金魚|馬|猫咪|小猫|橘猫|黑猫|猫|仓鼠|鹦鹉|乌龟|鸟|金鱼"
# What is told of somebody begins so; a name of two characters stands before it.
BEGINS = "是在會会都也很喜讨討住搬叫幫帮要有說说去今上下昨明最每平現现開开剛刚已做當当學学養养考打對对不吃喝唱拉彈弹買买賣卖的和跟與与們们常總总正才就還还能可想愛爱怕又再突生工身心家手電电戒從从改轉转教用帶带收，。"
_NOT_NAMES = "公司|學校|学校|房間|房间|名字|個性|个性|年紀|年纪|職業|职业|班上|宿舍|餐廳|餐厅|店裡|店里|車子|车子|脾氣|脾气|眼睛|頭髮|头发|婚禮|婚礼|圈裡|圈里|那邊|那边|他們|她們|全家|兩人|一家|以前|之前|目前|平常|因為|因为|終於|终于|其實|其实|非常|真的|特別|特别|超級|比較|比较"
NAME = rf"(?!{_NOT_NAMES})(?![{BEGINS}])[\u4e00-\u9fff](?![{BEGINS}])[\u4e00-\u9fff](?=[{BEGINS}0-9])"
_HAVING = f"{KIN}|{ANIMALS}|團隊|部門|公司|學校|小組|組裡|班上|家裡|電腦|手機|生日|名字|薪水|辦公室|工作室|团队|部门|学校|小组|家里|电脑|手机|办公室"
_THEIRS = re.compile(rf"(?:我們|我们|咱們|咱们|我|咱)(?:的|(?=(?:{_HAVING})))")
_ME = re.compile(r"(?:我們|我们|咱們|咱们|我|咱)(?!行我素)")
_YOURS = re.compile(r"(?:你們|你们|你|您)")
_SPACE = re.compile(r"\s+")


def third_person(clause: str) -> str:
    text = _THEIRS.sub("使用者的", clause)
    text = _ME.sub("使用者", text)
    return sentence(_YOURS.sub("助理", text))


def second_person(statement: str) -> str:
    """A memory's statement, told to the person."""
    return sentence(statement.replace("使用者", "你").replace("助理", "我").replace("你希望我幫你", "你希望我幫你"))


def sentence(text: str) -> str:
    """Full-width punctuation, one full stop."""
    text = _SPACE.sub(" ", text).strip(" ,，、;；:：。.!！~～")
    text = re.sub(r"(?<=[\u3400-\u9fff」』）\w ]),(?=[\u3400-\u9fff「『A-Za-z ])", "，", text)
    return text + "。" if text else ""


def about_user(clause: str) -> str:
    """The clause in the third person; a clause that drops its subject gets one."""
    told = third_person(clause)
    return told if "使用者" in told[:14] else "使用者" + told
