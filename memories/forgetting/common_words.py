"""Words too common to tell one memory from another, as `memories.words` folds and stems them."""

from __future__ import annotations


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


CALENDAR = _listed("""
monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays
saturdays sundays january february march april may june july august september october november december
today tomorrow
""")
COMMON = _listed("""
user like love hate want need know think thing time day week month year get go goe make take use say
tell ask pleas now new old good well much mani also onli alway never sometim often one two first last
next thi remember rememb forget note
""")
# Chinese words that say how, when or to whom.
COMMON_HAN = _listed("""
使用者 使用 用户 现在 目前 今天 明天 昨天 之后 以后 之前 以前 时候 时间 当地 这边 那边 这里 那里 哪里
自己 我们 你们 他们 她们 大家 什么 怎么 为什么 如果 因为 所以 但是 可是 不过 而且 已经 可能 可以 应该
需要 想要 喜欢 觉得 知道 记得 记住 忘记 希望 一个 一下 一些 一只 有点 非常 比较 还是 还没 没有 不是 不会
不要 不用 这个 那个 每次 每天 每周 下个月 上个月 下个 上个 下周 上周 这次 礼拜 星期 早上 晚上 下午 上午
工作 上班 公司 东西 事情 问题 开始 正在 通常 总是 一直 一起 帮我 告诉 谢谢 了解 收到 好的 对了 其实 然后
还有 就是 都是 准备 打算 计划 最近 最爱 平常 常常 其中 改成 改用 关于 全部 所有 删掉 删除
""")
# Kin and company: what follows one of them is likely a name.
KIN_HAN = _listed("""
朋友 同事 老板 同学 老师 妹妹 姐姐 姊姊 弟弟 哥哥 太太 先生 女儿 儿子 侄女 侄子 外甥 外甥女 邻居 妈妈
爸爸 奶奶 爷爷 男友 女友
""")
