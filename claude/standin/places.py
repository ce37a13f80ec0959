# ruff: noqa: E501
"""Cities and their time zones: zoneinfo's own names, and common Chinese ones."""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from claude.standin.meaning import fold

_CHINESE = """
Asia/Taipei 台北 臺北 新北 桃園 新竹 苗栗 台中 臺中 彰化 南投 雲林 嘉義 台南 臺南 高雄 屏東 宜蘭 花蓮 台東 臺東 基隆 澎湖 金門 台灣 臺灣
Asia/Tokyo 東京 大阪 京都 札幌 名古屋 福岡 神戶 橫濱 仙台 廣島 沖繩 那霸 金澤 奈良 長崎 熊本 北海道 日本 函館 靜岡
Asia/Seoul 首爾 釜山 仁川 大邱 濟州 韓國
Asia/Shanghai 北京 上海 廣州 深圳 成都 重慶 杭州 南京 武漢 西安 蘇州 天津 青島 廈門 大連 長沙 昆明 瀋陽 哈爾濱 鄭州 濟南 福州 合肥 寧波 中國
Asia/Hong_Kong 香港 九龍
Asia/Macau 澳門
Asia/Singapore 新加坡
Asia/Kuala_Lumpur 吉隆坡 檳城 馬來西亞
Asia/Bangkok 曼谷 清邁 泰國
Asia/Ho_Chi_Minh 胡志明市 河內 峴港 越南
Asia/Manila 馬尼拉 宿霧 菲律賓
Asia/Jakarta 雅加達 印尼
Asia/Kolkata 孟買 德里 新德里 班加羅爾 印度
Asia/Dubai 杜拜 迪拜 阿布達比
Asia/Jerusalem 耶路撒冷 特拉維夫
Europe/Istanbul 伊斯坦堡 土耳其
Europe/London 倫敦 曼徹斯特 愛丁堡 劍橋 牛津 英國
Europe/Dublin 都柏林 愛爾蘭
Europe/Paris 巴黎 里昂 馬賽 法國
Europe/Berlin 柏林 慕尼黑 漢堡 法蘭克福 科隆 德國
Europe/Madrid 馬德里 巴塞隆納 西班牙
Europe/Rome 羅馬 米蘭 威尼斯 佛羅倫斯 義大利
Europe/Lisbon 里斯本 波多 葡萄牙
Europe/Amsterdam 阿姆斯特丹 鹿特丹 荷蘭
Europe/Brussels 布魯塞爾 比利時
Europe/Vienna 維也納 奧地利
Europe/Zurich 蘇黎世 日內瓦 瑞士
Europe/Stockholm 斯德哥爾摩 瑞典
Europe/Copenhagen 哥本哈根 丹麥
Europe/Oslo 奧斯陸 挪威
Europe/Helsinki 赫爾辛基 芬蘭
Europe/Prague 布拉格 捷克
Europe/Warsaw 華沙 波蘭
Europe/Athens 雅典 希臘
Europe/Moscow 莫斯科 聖彼得堡
America/New_York 紐約 波士頓 華盛頓 費城 邁阿密 亞特蘭大
America/Chicago 芝加哥 休士頓 達拉斯 奧斯汀
America/Denver 丹佛
America/Los_Angeles 洛杉磯 舊金山 西雅圖 聖地牙哥 波特蘭 矽谷
America/Toronto 多倫多 蒙特婁 渥太華
America/Vancouver 溫哥華
America/Mexico_City 墨西哥城
America/Sao_Paulo 聖保羅
America/Argentina/Buenos_Aires 布宜諾斯艾利斯
Africa/Cairo 開羅
Africa/Johannesburg 約翰尼斯堡 開普敦
Australia/Sydney 雪梨 悉尼 坎培拉
Australia/Melbourne 墨爾本
Australia/Brisbane 布里斯本
Australia/Perth 伯斯
Pacific/Auckland 奧克蘭 威靈頓 紐西蘭
"""
_ENGLISH = {
    "Europe/London": "manchester edinburgh glasgow leeds bristol cardiff birmingham liverpool oxford cambridge",
    "Europe/Dublin": "cork galway limerick",
    "Europe/Paris": "lyon marseille toulouse nice bordeaux lille",
    "Europe/Berlin": "munich hamburg frankfurt cologne leipzig dresden stuttgart",
    "Europe/Madrid": "barcelona valencia seville bilbao",
    "Europe/Rome": "milan turin naples florence venice",
    "Europe/Lisbon": "porto braga",
    "Europe/Brussels": "ghent antwerp bruges",
    "Europe/Amsterdam": "rotterdam utrecht hague",
    "Asia/Tokyo": "osaka kyoto sapporo nagoya fukuoka kobe yokohama sendai",
    "Asia/Taipei": "kaohsiung taichung tainan hsinchu",
    "Asia/Seoul": "busan incheon",
    "Asia/Shanghai": "beijing shenzhen guangzhou chengdu hangzhou wuhan",
    "Asia/Kolkata": "mumbai delhi bangalore bengaluru chennai pune hyderabad",
    "America/New_York": "boston washington philadelphia miami atlanta",
    "America/Chicago": "houston dallas austin",
    "America/Los_Angeles": "san francisco|seattle|portland|san diego|las vegas",
}


def hours_between(one: str, other: str, now: datetime) -> float | None:
    """How far the clock of the first place named is ahead of the second's; nothing where a place is unknown."""
    a, b = zone_of(one), zone_of(other)
    if not a or not b:
        return None
    ahead = now.astimezone(ZoneInfo(a)).utcoffset()
    behind = now.astimezone(ZoneInfo(b)).utcoffset()
    return (ahead - behind).total_seconds() / 3600 if ahead is not None and behind is not None else None


def zone_of(text: str) -> str:
    """The time zone of the first place that a text names."""
    folded = fold(text)
    found = [(place, zone) for name, zone in _chinese().items() if (place := folded.find(name)) >= 0]
    words = re.findall(r"[a-z]+", folded)
    for size in (3, 2, 1):
        for index in range(len(words) - size + 1):
            if zone := _english().get(" ".join(words[index : index + size])):
                found.append((folded.find(words[index]), zone))
    return min(found)[1] if found else ""


@cache
def _chinese() -> dict[str, str]:
    rows = (line.split() for line in _CHINESE.strip().splitlines())
    return {fold(name): row[0] for row in rows for name in row[1:]}


@cache
def _english() -> dict[str, str]:
    names = {
        zone.rsplit("/", 1)[1].replace("_", " ").lower(): zone
        for zone in sorted(available_timezones())
        if "/" in zone and not zone.startswith(("Etc", "SystemV", "US/", "posix", "right"))
    }
    for zone, cities in _ENGLISH.items():
        names |= dict.fromkeys(cities.split("|") if "|" in cities else cities.split(), zone)
    return names
