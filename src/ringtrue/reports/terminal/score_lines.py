"""The lines below the headline of a dataset: its other scores, and the cost of answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ringtrue.records import Run, Summary, Unit
from ringtrue.reports.headline_table import HeadlineBlock, further_scores, score_unit
from ringtrue.reports.number import NOTHING, interval, number
from ringtrue.reports.terminal.canvas import STYLES, Canvas, SystemNames, cells, pad
from ringtrue.reports.terminal.headline_lines import system_names
from ringtrue.safetext import printable

if TYPE_CHECKING:
    from rich.text import Text


def score_lines(canvas: Canvas, run: Run, block: HeadlineBlock) -> Iterator[Text]:
    """The other scores of a dataset, what the answers of each system took, and which systems no other beats."""
    names = system_names(canvas, block)
    yield from _scores(canvas, further_scores(run, block), block, names)
    yield from _costs(canvas, block, names)
    if len(block.lines) > 1:
        yield from _front(canvas, block)


def _front(canvas: Canvas, block: HeadlineBlock) -> Iterator[Text]:
    from ringtrue.reports.trade_off import front_by_tokens  # with it come the charts

    front = front_by_tokens(block.lines)
    if front:
        yield from canvas.lines(f"Pareto front, quality against tokens: {', '.join(map(printable, front))}", indent=2)


def _scores(canvas: Canvas, keys: Sequence[str], block: HeadlineBlock, names: SystemNames) -> Iterator[Text]:
    if not keys:
        return
    alone = len(block.lines) == 1
    labels = [printable(key) for key in keys] if alone else [f"  {name.rstrip()}" for name in names.shown.values()]
    scores = {key: [(line, one) for line in block.lines if (one := line.numbers.get(key)) is not None] for key in keys}
    shown = [_counts(one) for own in scores.values() for _, one in own]
    heads = {"n": 5, "at": 4, "pass": 5, "fail": 5, "skip": 4, "err": 3}
    widths = [
        1 + max(head, *map(len, column)) for head, column in zip(heads.values(), zip(*shown, strict=True), strict=True)
    ]
    left = min(max(map(cells, labels)), canvas.width if canvas.is_narrow else canvas.width - 21 - sum(widths))
    if not canvas.is_narrow:
        head = "".join(f"{name:>{width}}" for name, width in zip(heads, widths, strict=True))
        yield canvas.text(f"{'':{left}}    mean 95 %        {head}", "dim")
    for key in keys:
        if not alone:
            yield from canvas.lines(printable(key), "bold")
        for line, one in scores[key]:
            label = printable(key) if alone else f"  {names[line.system].rstrip()}"
            yield from _score(canvas, pad(label, left), one, score_unit(block, key), widths)


def _counts(one: Summary) -> list[str]:
    """Return how many were measured, the threshold, and how many passed, failed, were skipped or ended in errors."""
    amounts = (one.n, one.passed, one.failed, one.skipped, one.errors)
    found = [NOTHING if amount is None else f"{amount:,}" for amount in amounts]
    return [found[0], NOTHING if one.threshold is None else f"{one.threshold:.2f}", *found[1:]]


def _score(canvas: Canvas, label: str, one: Summary, unit: Unit, widths: Sequence[int]) -> Iterator[Text]:
    value = number(one.value, unit, marked=True)
    counts = _counts(one)
    if canvas.is_narrow:
        yield canvas.text(label.rstrip())
        yield canvas.text(f"  {value}  {interval(one.interval, unit)}  n {counts[0]}  at {counts[1]}")
        yield canvas.text("  pass {}  fail {}  skip {}  err {}".format(*counts[2:]), "dim")
        return
    line = canvas.text(f"{label} {value:>7} {interval(one.interval, unit):<12}")
    styles = ("", "dim", "", "", STYLES["skipped"], STYLES["error"] if one.errors else "dim")
    for amount, width, style in zip(counts, widths, styles, strict=True):
        line.append(f"{amount:>{width}}", style)
    yield line


def _costs(canvas: Canvas, block: HeadlineBlock, names: SystemNames) -> Iterator[Text]:
    """Yield the tokens, seconds and cost of each system's answers, in as few lines as fit."""
    for system_line in block.lines:
        parts = _cost_words(system_line.numbers)
        label = names[system_line.system] if parts and len(block.lines) > 1 else ""
        if label and canvas.is_narrow:
            yield from canvas.lines(label.rstrip(), "dim")
            label = ""
        line = label
        for part in parts:
            longer = f"{line} · {part}" if line != label else f"{label}  {part}" if label else part
            if line != label and len(longer) > canvas.width:
                yield from canvas.lines(line, "dim", 2)
                longer = f"{'':{len(label) + 2 if label else 0}}{part}"
            line = longer
        if parts:
            yield from canvas.lines(line, "dim", 2)


def _cost_words(found: Mapping[str, Summary]) -> list[str]:
    """Time, tokens, compression, cost of a pass; only what was measured."""

    def shown_number(key: str) -> str:
        one = found.get(key)
        return "" if one is None or one.value is None or not one.n else number(one.value, one.unit, marked=True)

    parts = []
    if shown_number("latency_median"):
        parts.append(f"median {shown_number('latency_median')}, 95th percentile {shown_number('latency_p95')}")
    if shown_number("mean_input_tokens") and found["mean_input_tokens"].value:
        guessed = " (estimated)" if "estimated" in found["mean_input_tokens"].method else ""
        parts.append(f"{shown_number('mean_input_tokens')} in, {shown_number('mean_output_tokens')} out{guessed}")
    if shown_number("cost_of_pass"):
        paid = found.get("usd_per_pass")
        dollars = f", {shown_number('usd_per_pass')}" if paid is not None and paid.value else ""
        parts.append(f"{shown_number('cost_of_pass')}{dollars} per pass")
    spared = found["compression_ratio"].value or 0.0 if shown_number("compression_ratio") else 0.0
    if spared >= 0.005:  # below it no context was spared: an endpoint counts its chat template too
        parts.append(f"compression {shown_number('compression_ratio')}")
    for key in (key for key in found if key.startswith(("pass@", "pass^"))):
        parts.append(f"{key} {shown_number(key)}" if shown_number(key) else "")
    return [part for part in parts if part]
