"""Charts as plain SVG: they need no script, and print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from evals.table import Share

_ROW, _LABEL, _PLOT, _RIGHT, _TOP = 22, 250, 420, 150, 8


@dataclass(frozen=True)
class Bar:
    label: str
    kind: str  # a class of the style sheet
    value: float  # of `most`
    text: str
    low: float | None = None
    high: float | None = None


def accuracy(title: str, shares: Sequence[tuple[str, str, Share]]) -> str:
    """(label, arm, share): bars from 0 to 100 % with their intervals."""
    bars = [
        Bar(label, arm, share.value, f"{100 * share.value:.0f} % ({share.hits}/{share.of})", *share.interval)
        for label, arm, share in shares
    ]
    return _bars(title, bars)


def amounts(title: str, values: Sequence[tuple[str, str, float]]) -> str:
    """(label, arm, amount): bars against the greatest of them."""
    most = max((amount for _, _, amount in values), default=0) or 1
    return _bars(title, [Bar(label, arm, amount / most, f"{amount:,.0f}") for label, arm, amount in values])


def _bars(title: str, bars: Sequence[Bar]) -> str:
    width, height = _LABEL + _PLOT + _RIGHT, _TOP * 2 + _ROW * len(bars)
    drawn = "".join(_bar(bar, _TOP + _ROW * place) for place, bar in enumerate(bars))
    grid = "".join(
        f'<line class="grid" x1="{_x(share)}" x2="{_x(share)}" y1="0" y2="{height}"/>'
        for share in (0, 0.25, 0.5, 0.75, 1)
    )
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}"'
        f' xmlns="http://www.w3.org/2000/svg"><title>{escape(title)}</title>{grid}{drawn}</svg>'
    )


def _bar(bar: Bar, top: int) -> str:
    middle = top + _ROW / 2
    size = f'width="{_PLOT * bar.value:.1f}" height="{_ROW - 8}"'
    drawn = (
        f'<text class="label" x="{_LABEL - 8}" y="{middle + 4}" text-anchor="end">{escape(bar.label)}</text>'
        f'<rect class="{escape(bar.kind)}" x="{_LABEL}" y="{top + 4}" {size}/>'
        f'<text class="value" x="{_LABEL + _PLOT + 8}" y="{middle + 4}">{escape(bar.text)}</text>'
    )
    if bar.low is not None and bar.high is not None:
        drawn += f'<line class="interval" x1="{_x(bar.low)}" x2="{_x(bar.high)}" y1="{middle}" y2="{middle}"/>'
    return drawn


def _x(share: float) -> str:
    return f"{_LABEL + _PLOT * share:.1f}"
