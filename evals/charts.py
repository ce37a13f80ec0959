"""Charts as plain SVG: they need no script, and print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from evals.table import Share

# In units that are about a pixel on a phone, so that words can be read there.
_ROW, _HEAD, _LABEL, _PLOT, _RIGHT, _TOP = 18, 24, 56, 200, 104, 4


@dataclass(frozen=True)
class Bar:
    arm: str  # a class of the style sheet, too
    value: float  # between 0 and 1
    text: str
    low: float | None = None
    high: float | None = None


def accuracy(title: str, groups: Sequence[tuple[str, Sequence[tuple[str, Share]]]]) -> str:
    """(category, [(arm, share)]): bars from 0 to 100 % with their intervals."""
    return _drawn(title, [(category, [_share(*one) for one in shares]) for category, shares in groups])


def amounts(title: str, groups: Sequence[tuple[str, Sequence[tuple[str, float]]]]) -> str:
    """(suite, [(arm, amount)]): bars against the greatest of them."""
    most = max((amount for _, values in groups for _, amount in values), default=0) or 1
    return _drawn(
        title,
        [(name, [Bar(arm, amount / most, f"{amount:,.0f}") for arm, amount in values]) for name, values in groups],
    )


def _share(arm: str, share: Share) -> Bar:
    return Bar(arm, share.value, f"{100 * share.value:.0f} % ({share.hits}/{share.of})", *share.interval)


def _drawn(title: str, groups: Sequence[tuple[str, Sequence[Bar]]]) -> str:
    drawn, top = "", float(_TOP)
    for name, bars in groups:
        drawn += f'<text class="group" x="0" y="{top + _HEAD - 8}">{escape(name)}</text>'
        top += _HEAD
        height = _ROW * len(bars)
        drawn += "".join(
            f'<line class="grid" x1="{_x(share)}" x2="{_x(share)}" y1="{top}" y2="{top + height}"/>'
            for share in (0, 0.25, 0.5, 0.75, 1)
        )
        drawn += "".join(_bar(bar, top + _ROW * place) for place, bar in enumerate(bars))
        top += height
    return (
        f'<svg viewBox="0 0 {_LABEL + _PLOT + _RIGHT} {top + _TOP:.0f}" role="img" aria-label="{escape(title)}"'
        f' xmlns="http://www.w3.org/2000/svg"><title>{escape(title)}</title>{drawn}</svg>'
    )


def _bar(bar: Bar, top: float) -> str:
    middle = top + _ROW / 2
    size = f'width="{_PLOT * bar.value:.1f}" height="{_ROW - 6}"'
    drawn = (
        f'<text class="label" x="{_LABEL - 6}" y="{middle + 4}" text-anchor="end">{escape(bar.arm)}</text>'
        f'<rect class="{escape(bar.arm)}" x="{_LABEL}" y="{top + 3}" {size}/>'
        f'<text class="value" x="{_LABEL + _PLOT + 8}" y="{middle + 4}">{escape(bar.text)}</text>'
    )
    if bar.low is not None and bar.high is not None:
        drawn += f'<line class="interval" x1="{_x(bar.low)}" x2="{_x(bar.high)}" y1="{middle}" y2="{middle}"/>'
    return drawn


def _x(share: float) -> str:
    return f"{_LABEL + _PLOT * share:.1f}"
