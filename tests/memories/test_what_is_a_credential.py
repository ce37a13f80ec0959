"""What somebody could use is never kept, however it is written; speaking of it gives nothing away."""

from __future__ import annotations

import pytest

from memories import policy


@pytest.mark.parametrize(
    "words",
    [
        "my password is swordfish please remember",
        "The code for the gate is 4471.",
        "The combination of my locker is 12-34-56",
        "My PIN is four four one seven.",
        "pin: 8812",
        "the wifi pass is maple!tree_9",
        "Secret: a8f3-99kd-22",
        "My bank login is anna77 / bluebird",
        "The recovery phrase is violin acid north",
        "PIN碼是8812",
        "我的提款卡密碼是四四一七八八",
        "pin是四四一七",
        "帳密是 anna77 bluebird",
        "maple99就是我的登入密碼",
        "門禁碼4471#請記住",
        "我家wifi密碼是maple_tree",
        "記住驗證碼482913喔",
        "token=a8f399kd22zz請存起來",
        "卡號5500005555555559記一下",
    ],
)
def test_what_opens_something_is_never_kept(words: str) -> None:
    assert policy.is_credential(words)


@pytest.mark.parametrize(
    "words",
    [
        "The secret to good bread is patience.",
        "My secret is that I sing in the car.",
        "Bitwarden is my password manager.",
        "Patience is my secret weapon.",
        "My enamel pin is bent.",
        "I was the ring bearer at 3 weddings.",
        "The login page is blue, and slow.",
        "My passwords are managed by my sister's software.",
        "I changed my password yesterday.",
        "Security codes are sent by text.",
        "I pass 3 bakeries on my way.",
        "The tokens are wooden.",
        "A combination of red and blue is what I like.",
        "我念密碼學,教科書是 Cryptography 101。",
        "我的密碼管理器是 Bitwarden。",
        "我常常換密碼。",
        "我用Bitwarden管理密碼",
        "密碼太長我記不住。",
        "我搭 307 公車上班。",
        "我的幸運數字是七七四九。",
    ],
)
def test_what_only_speaks_of_secrets_may_be_kept(words: str) -> None:
    assert not policy.is_credential(words)
