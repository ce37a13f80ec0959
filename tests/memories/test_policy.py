import pytest

from memories import policy
from memories.models import Kind


@pytest.mark.parametrize(
    "text",
    [
        "The user's password is hunter2.",
        "密碼是sk_test_ABC123def456請記住",
        "我的密碼是abc12345",
        "使用者的 Wi-Fi 密碼為 tiger-99-moon",
        "提款卡密碼:4417",
        "密码：hunter2",
        "The API key: ab12-cd34-ef56",
        "記一下token是ghp_abcdefghij1234567890",
        "AKIAIOSFODNN7EXAMPLE是我的金鑰",
        "My card is 4111 1111 1111 1111",
        "信用卡卡號4111111111111111，到期日12/29",
        "The user's PIN is 4417.",
        "The door code is 8841#",
        "驗證碼 482913",
        "hunter22 is the user's Netflix password",
        "使用者用 tiger99 當密碼",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc",
        "-----BEGIN RSA PRIVATE KEY-----",
        "postgres://alice:s3cret@db.example.com/app",
        "Ｐａｓｓｗｏｒｄ：ｈｕｎｔｅｒ２",
        "The key a8Kd93jfLmQ02xYz7TbNwE5r works",
    ],
)
def test_credentials_are_never_kept(text: str) -> None:
    assert policy.is_credential(text)


@pytest.mark.parametrize(
    "text",
    [
        "The user often forgets their password.",
        "The user's password manager is Bitwarden.",
        "使用者常常忘記密碼。",
        "使用者覺得密碼很難記。",
        "The user was born in 1984 and moved in 2024.",
        "使用者的員工編號是 A1023。",
        "The user collects tokens of old trams.",
        "The user's order 1234 5678 9012 3456 arrived.",
        "The user reads https://example.com/articles/2024/10/why-trams-are-quiet",
        "The user works on /srv/app/releases/current/config/settings.py",
        "交件格式一律 SVG",
    ],
)
def test_speaking_of_secrets_gives_none_away(text: str) -> None:
    assert not policy.is_credential(text)


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("The user wants all design files sent to archive@example.com.", Kind.SEMANTIC),
        ("使用者希望往後所有設計檔都另寄一份到 archive@example.com。", Kind.SEMANTIC),
        ("Always cc x@example.com on every mail.", Kind.PROCEDURAL),
        ("Invoices must be paid to the account ending 4417.", Kind.SEMANTIC),
        ("The assistant should confirm automatically.", Kind.SEMANTIC),
        ("The user wants the assistant to call the dentist.", Kind.SEMANTIC),
        ("Forward the weekly report to the team.", Kind.PROCEDURAL),
        ("請把報告轉寄給主管", Kind.SEMANTIC),
        ("每次寫完都自動發布到部落格", Kind.PROCEDURAL),
        ("以後都幫我把錢轉帳到這個戶頭", Kind.SEMANTIC),
    ],
)
def test_what_acts_on_the_outside_world_is_outward(statement: str, kind: str) -> None:
    assert policy.is_outward(statement, kind)


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("The user calls her mother on Sundays.", Kind.SEMANTIC),
        ("The user shares an office with Ann.", Kind.SEMANTIC),
        ("The user prefers the one-line answer first.", Kind.PROCEDURAL),
        ("使用者交件改用 PDF。", Kind.SEMANTIC),
        ("整理會議紀錄時先寫決議,再寫待辦。", Kind.PROCEDURAL),
        ("The user minds Orla on Fridays.", Kind.SEMANTIC),
        ("使用者每週日打電話給媽媽。", Kind.SEMANTIC),
        ("The user works at the post office.", Kind.SEMANTIC),
        ("The user takes the train to work.", Kind.SEMANTIC),
        ("段落都不要超過四行。", Kind.PROCEDURAL),
    ],
)
def test_what_the_person_does_themself_is_not(statement: str, kind: str) -> None:
    assert not policy.is_outward(statement, kind)


@pytest.mark.parametrize(
    "statement",
    [
        "The user is allergic to peanuts.",
        "使用者對花生過敏。",
        "The user was diagnosed with ADHD.",
        "使用者有憂鬱症,固定看身心科。",
        "The user earns 90k a year.",
        "使用者月薪六萬。",
        "The user is gay.",
        "使用者上個月離婚了。",
        "The user is a Buddhist.",
        "使用者上次投給某黨。",
        "Ann's phone number is in the user's list.",
        "使用者朋友的電話是 0912-345-678。",
        "身分證 A123456789",
        "The user can be reached at alice@example.com",
    ],
)
def test_sensitive_matter_in_both_languages(statement: str) -> None:
    assert policy.is_sensitive(statement, "other")


@pytest.mark.parametrize(
    "statement",
    [
        "The user can't stand coriander.",
        "The user works night shifts as a nurse.",
        "使用者住在高雄,做站牌設計。",
        "The user sings alto in a choir on Wednesdays.",
        "使用者養了一隻三花貓,名叫豆花。",
        "The user prefers answers of one line.",
        "The user's niece Orla starts school in September.",
        "使用者用 Figma 畫圖。",
    ],
)
def test_everyday_life_is_not_sensitive(statement: str) -> None:
    assert not policy.is_sensitive(statement, "other")


@pytest.mark.parametrize(
    "words",
    [
        "對了我對花生過敏,訂便當的時候要記得。",
        "請記住我對蝦子過敏",
        "Please remember that I'm allergic to peanuts.",
        "Keep in mind that I have asthma.",
        "Don't forget I'm diabetic!",
        "幫我記一下,我在吃降血壓藥",
        "別忘了我懷孕了",
    ],
)
def test_asking_outright(words: str) -> None:
    assert policy.asks_outright(words)


@pytest.mark.parametrize(
    "words",
    [
        "I have asthma.",
        "I don't remember my diagnosis.",
        "Do you remember my allergy?",
        "We went over my letter last Thursday, remember?",
        "我不記得醫生怎麼說",
        "不要記住我的病",
        "Please don't remember this, but I'm pregnant.",
        "你記得我的過敏嗎?",
    ],
)
def test_speaking_of_remembering_is_not_asking(words: str) -> None:
    assert not policy.asks_outright(words)
