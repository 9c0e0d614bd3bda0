"""The runs of a store in a terminal: a table, or a few lines for each where a table has no place."""

from __future__ import annotations

import calendar
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ringtrue.reports.number import NOTHING, age_words, count, interval, number
from ringtrue.reports.terminal.canvas import STYLES, Canvas, cells, pad
from ringtrue.safetext import printable

if TYPE_CHECKING:
    from rich.text import Text

RunEntry = Mapping[str, Any]
"""A run as `ringtrue list runs --json` writes it."""
_HEADS = ("run", "age", "dataset", "systems", "passed %, 95 %", "at", "rows", "errors", "cost")
_LEFT = 5
"""How many columns are words; the rest are numbers."""


def run_list_lines(canvas: Canvas, runs: Sequence[RunEntry]) -> Iterator[Text]:
    """Every run: age, datasets, systems, the best share on the first dataset and its threshold, rows, errors, cost."""
    table = _table(runs)
    widths = _widths([[*_HEADS], *table], canvas.width)
    if sum(widths) + 2 * (len(widths) - 1) > canvas.width:
        yield from _stack(canvas, runs)
        return
    yield canvas.text(_line(_HEADS, widths), "dim")
    for run, words in zip(runs, table, strict=True):
        words[2], words[3] = _names(run["datasets"], widths[2]), _names(_best_first(run), widths[3])
        line = canvas.text(_line(words, widths))
        if run["errors"]:
            place = _HEADS.index("errors")
            start = sum(widths[:place]) + 2 * place
            line.stylize(STYLES["error"], start, start + widths[place])
        yield line


def _stack(canvas: Canvas, runs: Sequence[RunEntry]) -> Iterator[Text]:
    size = _id_width([run["id"] for run in runs])
    for run in runs:
        yield from canvas.lines(f"{run['id'][:size]}  {_age(run['created'])}", "bold")
        yield from canvas.lines(f"  {_names(run['datasets'])}, {_names(_best_first(run))}", "", 4)
        facts = [
            _result(run, marked=True),
            count(run["rows"], "row"),
            count(run["errors"], "error"),
            _cost(run, marked=True),
        ]
        yield from canvas.lines(f"  {' · '.join(fact for fact in facts if fact)}", "", 4)


def _table(runs: Sequence[RunEntry]) -> list[list[str]]:
    size = _id_width([run["id"] for run in runs])
    return [
        [
            run["id"][:size],
            _age(run["created"]),
            _names(run["datasets"]),
            _names(_best_first(run)),
            _result(run),
            _threshold(run) or NOTHING,
            f"{run['rows']:,}",
            f"{run['errors']:,}",
            _cost(run),
        ]
        for run in runs
    ]


def _widths(table: Sequence[Sequence[str]], width: int) -> list[int]:
    """Return the width of each column: what it needs; if that is too much, the names are cut."""
    widths = [max(map(cells, column)) for column in zip(*table, strict=True)]
    spare = width - sum(widths) - 2 * (len(widths) - 1)
    while spare < 0 and max(widths[2:4]) > 7:
        wider = 2 if widths[2] >= widths[3] else 3
        widths[wider] -= 1
        spare += 1
    return widths


def _line(words: Sequence[str], widths: Sequence[int]) -> str:
    left = [pad(word, room) for word, room in zip(words[:_LEFT], widths, strict=False)]
    right = [f"{word:>{room}}" for word, room in zip(words[_LEFT:], widths[_LEFT:], strict=True)]
    return "  ".join([*left, *right]).rstrip()


def _id_width(ids: Sequence[str]) -> int:
    """Return the number of characters that distinguish the ids."""
    return next((width for width in range(6, 12) if len({one[:width] for one in ids}) == len(ids)), 12)


def _best_first(run: RunEntry) -> list[str]:
    dataset = run["headlines"][0]["dataset"] if run["headlines"] else None
    ranked = [one["system"] for one in run["headlines"] if one["dataset"] == dataset]
    return list(dict.fromkeys([*ranked, *run["systems"]]))


def _names(names: Sequence[str], room: int | None = None) -> str:
    """The first name and how many more; a name that is too long for its room is cut, and the number is not."""
    first, more = next(iter(names), "") or NOTHING, f" +{len(names) - 1}" if len(names) > 1 else ""
    shown = printable(first)
    return f"{shown if room is None else pad(shown, room - len(more)).rstrip()}{more}"


def _result(run: RunEntry, *, marked: bool = False) -> str:
    """The headline with its interval, or how the run ended if it did not finish; `marked` where no head names it."""
    if run["status"] != "finished":
        return str(run["status"])
    if not run["headlines"] or run["headlines"][0]["pass_rate"] is None:
        return "nothing measured"
    best = run["headlines"][0]
    bounds = interval(best["interval"], "share") if best["interval"] else ""
    if marked:
        at = f", passes at {threshold}" if (threshold := _threshold(run)) else ""
        return f"passed {number(best['pass_rate'], 'share', marked=True)}" + (f" ({bounds})" if bounds else "") + at
    return f"{number(best['pass_rate'], 'share')}  {bounds}".rstrip()


def _threshold(run: RunEntry) -> str:
    """The score at which a row of the headline passes; empty for a suite, whose cases pass if every check passes."""
    threshold = run["headlines"][0]["threshold"] if run["headlines"] else None
    return "" if threshold is None else number(threshold, "score")


def _cost(run: RunEntry, *, marked: bool = False) -> str:
    cost = run.get("cost")
    if cost is None:
        return "" if marked else NOTHING
    return f"${cost:,.2f}" if cost >= 0.01 or not cost else "<$0.01"


def _age(created: str) -> str:
    return age_words(time.time() - calendar.timegm(time.strptime(created, "%Y-%m-%dT%H:%M:%SZ")))
