"""A reply's Markdown as safe HTML, block by block. The page never renders anything itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

# Where the numbers of the memories that may be cited lead.
Citable = Mapping[int, str]

_CITATION = re.compile(r"[ \u3000]?\[(m\d{1,9}(?:\s*[,，、;]\s*m\d{1,9})*)\]")
# The beginning of a citation, an entity or a link that the next token may complete.
_UNFINISHED = re.compile(r"(?:\[m?[\dm,\s]*|!?\[[^\]\n]{0,200}\]?(?:\([^)\s]{0,500})?)\Z")
_TAGS = {
    "a", "blockquote", "br", "button", "code", "del", "div", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol",
    "p", "pre", "s", "span", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
_ATTRIBUTES = {
    "a": {"href", "class", "title"},
    "button": {"type", "class", "data-copy"},
    "code": {"class"},
    "div": {"class"},
    "ol": {"start"},
    "pre": {"class"},
    "span": {"class"},
    "td": {"class"},
    "th": {"class"},
}
_CLEANER = nh3.Cleaner(
    tags=_TAGS,
    attributes=_ATTRIBUTES,
    url_schemes={"http", "https", "mailto"},
    link_rel="noopener noreferrer nofollow",
)
_HIGHLIGHTED_UP_TO = 20_000  # characters of one piece of code
_FORMATTER: HtmlFormatter[str] = HtmlFormatter(nowrap=True)


def cited_numbers(text: str) -> set[int]:
    """The numbers in all `[m12]` marks of a text, wherever they lead."""
    return {int(number[1:]) for found in _CITATION.finditer(text) for number in re.findall(r"m\d+", found[1])}


def to_html(text: str, citable: Citable) -> SafeString:
    return mark_safe("".join(html for _line, html in _blocks(text, citable)))  # noqa: S308 - every block is sanitised


@dataclass
class Growing:
    """The blocks of a text that is still growing. What can no longer change is not rendered again."""

    citable: Citable
    closed: int = 0
    _offset: int = field(default=0, repr=False)

    def update(self, text: str) -> tuple[int, str]:
        """The number of blocks that stay as they are, and the HTML of all that follow them."""
        tail = text[self._offset :]
        blocks = _blocks(_UNFINISHED.sub("", tail), self.citable)
        kept, html = self.closed, "".join(block for _line, block in blocks)
        if len(blocks) > 1:
            lines = tail.split("\n")
            self._offset += sum(len(line) + 1 for line in lines[: blocks[-1][0]])
            self.closed += len(blocks) - 1
        return kept, html


def _blocks(text: str, citable: Citable) -> list[tuple[int, str]]:
    """Each top-level block: its first line, and its sanitised HTML in one element."""
    env: EnvType = {"citable": citable}
    tokens = _PARSER.parse(text, env)
    found, start = [], 0
    for index, token in enumerate(tokens):
        if token.level == 0 and token.nesting <= 0:
            block = tokens[start : index + 1]
            html = _CLEANER.clean(_PARSER.renderer.render(block, _PARSER.options, env)).strip()
            found.append((block[0].map[0] if block[0].map else 0, f'<div class="block">{html}</div>'))
            start = index + 1
    return found


def _link_citations(state: StateCore) -> None:
    """`[m12]` becomes a small link where memory 12 was given to the reply, and nothing where it was not."""
    citable: Citable = state.env.get("citable", {})
    for block in state.tokens:
        if block.type == "inline" and block.children:
            block.children = [piece for child in block.children for piece in _cited(child, citable)]


def _cited(child: Token, citable: Citable) -> list[Token]:
    if child.type != "text" or "[m" not in child.content:
        return [child]
    pieces: list[Token] = []
    end = 0
    for found in _CITATION.finditer(child.content):
        pieces.append(_text(child.content[end : found.start()]))
        for number in re.findall(r"m(\d+)", found[1]):
            if url := citable.get(int(number)):
                pieces += _link(int(number), url)
        end = found.end()
    pieces.append(_text(child.content[end:]))
    return [piece for piece in pieces if piece.type != "text" or piece.content]


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _link(number: int, url: str) -> list[Token]:
    opening = Token("link_open", "a", 1, attrs={"href": url, "class": "cite"})
    return [opening, _text(f"m{number}"), Token("link_close", "a", -1)]


def _align_by_class(state: StateCore) -> None:
    """Tables say their alignment by a class, since the page allows no inline style."""
    for token in state.tokens:
        if token.type in {"td_open", "th_open"} and (style := token.attrs.pop("style", None)):
            token.attrs["class"] = f"align-{str(style).rpartition(':')[2]}"


def _code(self: RendererHTML, tokens: list[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    token = tokens[index]
    language = token.info.strip().split()[0][:40] if token.info.strip() else ""
    label = f'<span class="code-language">{escape(language)}</span>'
    copy = f'<button type="button" class="code-copy" data-copy>{escape(_("Copy"))}</button>'
    code = _highlighted(token.content, language)
    return f'<div class="code"><div class="code-bar">{label}{copy}</div><pre><code>{code}</code></pre></div>\n'


def _highlighted(code: str, language: str) -> str:
    if language and len(code) <= _HIGHLIGHTED_UP_TO:
        try:
            return str(highlight(code, get_lexer_by_name(language, stripnl=False), _FORMATTER))
        except ClassNotFound:
            pass
    return str(escape(code))


def _parser() -> MarkdownIt:
    # Raw HTML is shown as text; images would call other servers; references could rename a citation.
    parser = (
        MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable(["image", "reference"])
    )
    parser.core.ruler.push("citations", _link_citations)
    parser.core.ruler.push("alignment", _align_by_class)
    parser.add_render_rule("fence", _code)
    parser.add_render_rule("code_block", _code)
    return parser


_PARSER = _parser()
