"""A run in a terminal: a block for each dataset, its headline first, every number with its unit, interval and n.

The layout is that of 80 columns, and a stacked one below 64; words, order, marks and decimals are those of the pages.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from ringtrue.records import Row, RowFilter, Run, Summary
from ringtrue.reports.caveats import caveat_lines
from ringtrue.reports.cost import run_cost
from ringtrue.reports.headline_table import is_score
from ringtrue.reports.number import NOTHING, count, duration, interval, number
from ringtrue.runner.error_causes import ErrorCauses
from ringtrue.safetext import printable, shorten
from ringtrue.stats.row_status import RowVerdicts

if TYPE_CHECKING:
    from rich.text import Text

NARROW = 64
PICTURE, MIN_PICTURE, MIN_NAME = 28, 13, 16
SHOWN_CASES = 20
SHOWN_CHARS = 200
SHOWN_CAUSES = 3
TRACEBACK_LINES = 8
PASS_RATE = "pass_rate"
_MARKS = {"passed": ("✓", "ok"), "failed": ("✗", "FAIL"), "error": ("!", "ERR"), "skipped": ("–", "skip")}
_STYLES = {"passed": "green", "failed": "bold red", "error": "magenta", "skipped": "dim"}


def print_run(run: Run, *, cases: bool = False, named: str = "") -> None:
    """Print a run on standard output; `named` is how the next command names it, its id by default."""
    _print(lambda width, plain: run_lines(run, width=width, plain=plain, cases=cases, named=named))


def print_rows(run: Run, rows: Sequence[Row]) -> None:
    """Print rows on standard output, a few lines each."""
    _print(lambda width, plain: _row_lines(_Drawing(run, width, plain), rows))


def _print(lines: Callable[[int, bool], Iterable[Text]]) -> None:
    """Print what a width and an encoding make of it; what the encoding lacks is escaped: printing never fails a run."""
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    width = console.width if console.is_terminal else 80
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    with console.capture() as capture:
        for line in lines(width, not _can_draw(encoding)):
            console.print(line, soft_wrap=True)
    sys.stdout.write(capture.get().encode(encoding, "backslashreplace").decode(encoding))


def _row_lines(draw: _Drawing, rows: Sequence[Row]) -> Iterator[Text]:
    for row in rows:
        yield from draw.case(row)
    if not rows:
        yield draw.text("no such rows")


def run_text(run: Run, *, width: int = 80, plain: bool = False, cases: bool = False) -> str:
    """The run as text without colours."""
    return "".join(f"{line.plain.rstrip()}\n" for line in run_lines(run, width=width, plain=plain, cases=cases))


def run_lines(
    run: Run, *, width: int = 80, plain: bool = False, cases: bool = False, named: str = ""
) -> Iterator[Text]:
    """The run line by line; `cases` adds those that did not pass, with what each check says."""
    draw = _Drawing(run, width, plain)
    yield from draw.title()
    for dataset, systems in run.summaries.items():
        yield draw.text("")
        yield from draw.block(dataset, systems)
    if cases:
        yield from draw.cases()
    notes = list(draw.notes(named or run.id, errors_shown=cases))
    if notes:
        yield draw.text("")
        yield from notes


def _can_draw(encoding: str) -> bool:
    try:
        "├─●┤·–✓✗".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


class _Drawing:
    def __init__(self, run: Run, width: int, plain: bool) -> None:
        self.run, self.made, self.width, self.plain = run, run.made, width, plain
        self.verdicts = RowVerdicts(run.made)

    def text(self, words: str, style: str = "") -> Text:
        from rich.text import Text

        safe = printable(words)  # whatever the words are of, the terminal obeys none of them
        return Text(self._ascii(safe) if self.plain else safe, style=style)

    def _ascii(self, words: str) -> str:
        table = str.maketrans({"·": ".", "├": "|", "┤": "|", "─": "-", "●": "o", "–": "-", "…": "~", "−": "-"})
        return words.translate(table)

    def lines(self, words: str, style: str = "", indent: int = 0) -> Iterator[Text]:
        """The words in lines that fit the terminal, the later ones indented; a longer word is broken."""
        from rich.cells import cell_len, chop_cells

        text = printable(words).lstrip(" ")
        line = " " * (len(words) - len(words.lstrip(" ")))
        room = self.width - max(indent, len(line))
        pieces = (piece for word in text.split(" ") for piece in chop_cells(word, room) or [""])
        for piece in pieces:
            longer = f"{line} {piece}" if line.strip() else f"{line}{piece}"
            if line.strip() and cell_len(longer) > self.width:
                yield self.text(line, style)
                longer = " " * indent + piece
            line = longer
        yield self.text(line, style)

    def title(self) -> Iterator[Text]:
        """What the run is called, how large it is, and what it took."""
        cost = run_cost(self.run)["total"]
        facts = [
            f"{self.made.job} {self.run.id}".strip(),
            count(len(self.run.rows), "row"),
            number(cost, "dollars", marked=True) if cost else "",
            duration(sum(self.run.seconds.values())) if self.run.seconds else "",
            f"{count(self.run.problems, 'broken row')} left out" if self.run.problems else "",
        ]
        shown = " · ".join(fact for fact in facts if fact)
        yield from self.lines(f"{printable(self.made.name)}   {shown}" if self.made.name else shown, "bold")

    def block(self, dataset: str, systems: Mapping[str, Mapping[str, Summary]]) -> Iterator[Text]:
        """A dataset: its headline for each system, best first, the other scores, and what answers took."""
        yield from self.lines(self._heading(dataset, systems), "bold")
        proxy = next((one.proxy for one in self.made.datasets if one.name == dataset), "")
        if proxy:
            yield from self.lines(f"not its authors' metric: {proxy}", _STYLES["error"])
        ordered = sorted(systems.items(), key=lambda pair: -_rank(pair[1].get(PASS_RATE)))
        shares = {system: found[PASS_RATE] for system, found in ordered if PASS_RATE in found}
        columns = _HeadlineColumns(list(shares.values()), self.width)
        names = _SystemNames(
            [printable(system) for system, _ in ordered], columns.name if self.width >= NARROW else self.width - 2
        )
        if shares and self.width >= NARROW:
            yield self.text(columns.head(names.width), "dim")
        for system, share in shares.items():
            yield from self._headline(names[printable(system)], share, columns)
        yield from self._scores(self._further_scores(dataset, ordered), ordered, names)
        yield from self._took(ordered, names)
        yield from self._front(systems)

    def _took(self, systems: Sequence[tuple[str, Mapping[str, Summary]]], names: _SystemNames) -> Iterator[Text]:
        """What the answers of each system took, in as few lines as fit."""
        for system, found in systems:
            parts = _took(found)
            label = names[printable(system)] if parts and len(systems) > 1 else ""
            if label and self.width < NARROW:
                yield from self.lines(label.rstrip(), "dim")
                label = ""
            line = label
            for part in parts:
                longer = f"{line} · {part}" if line != label else f"{label}  {part}" if label else part
                if line != label and len(longer) > self.width:
                    yield from self.lines(line, "dim", 2)
                    longer = f"{'':{len(label) + 2 if label else 0}}{part}"
                line = longer
            if parts:
                yield from self.lines(line, "dim", 2)

    def _front(self, systems: Mapping[str, Mapping[str, Summary]]) -> Iterator[Text]:
        if len(systems) < 2:
            return
        from ringtrue.reports.headline_table import HeadlineLine
        from ringtrue.reports.trade_off import front_by_tokens

        front = front_by_tokens(
            [HeadlineLine(system, place, found) for place, (system, found) in enumerate(systems.items(), 1)]
        )
        if front:
            yield from self.lines(f"Pareto front, quality against tokens: {', '.join(map(printable, front))}", indent=2)

    def _heading(self, dataset: str, systems: Mapping[str, Mapping[str, Summary]]) -> str:
        name = printable(dataset) or printable(self.made.name) or "rows"
        if self.made.job == "suite":
            return f"{name}   a case passes if every check passes"
        info = next((one for one in self.made.datasets if one.name == dataset), None)
        share = next((found[PASS_RATE] for found in systems.values() if PASS_RATE in found), None)
        if info is None or not info.headline or share is None:
            return name
        threshold = "" if share.threshold is None else f", passes at {share.threshold:.2f}"
        return f"{name}   {printable(info.headline)}{threshold}"

    def _headline(self, name: str, share: Summary, columns: _HeadlineColumns) -> Iterator[Text]:
        cells = [number(share.value, "share"), _picture(share, columns.picture), interval(share.interval, "share")]
        counts = [share.n, share.failed or 0, share.skipped, share.errors]
        if self.width >= NARROW:
            line = self.text(f"{name} {cells[0]:>5} {cells[1]} {cells[2]:<{columns.interval}}")
            styles = ("", _STYLES["failed"], _STYLES["skipped"], _STYLES["error"])
            for amount, width, style in zip(counts, columns.counts, styles, strict=True):
                line.append(f"{amount:>{width},}", style if amount else "dim")
            yield line
            return
        yield from self.lines(name.rstrip(), "bold")
        number_line = f"  {cells[0]} %  {cells[2]}  n {counts[0]:,}"
        yield self.text(number_line if share.value is not None else f"  {NOTHING}  n 0")
        yield self.text(f"  fail {counts[1]:,}  skip {counts[2]:,}  err {counts[3]:,}", "dim")

    def _further_scores(self, dataset: str, systems: Sequence[tuple[str, Mapping[str, Summary]]]) -> list[str]:
        """The keys that the headline has not told already: all but a headline score that is a share itself."""
        info = next((one for one in self.made.datasets if one.name == dataset), None)
        keys = dict.fromkeys(key for _, found in systems for key in found if is_score(key))
        shares = {key for key in keys if all(found[key].unit == "share" for _, found in systems if key in found)} & (
            {info.headline} if info is not None else set()
        )
        if len(keys) == 1 and (shares or self.made.job == "suite"):
            return []
        return [key for key in keys if key not in shares or self.made.job == "suite"]

    def _scores(
        self, keys: Sequence[str], systems: Sequence[tuple[str, Mapping[str, Summary]]], names: _SystemNames
    ) -> Iterator[Text]:
        if not keys:
            return
        alone = len(systems) == 1
        labels = [printable(key) for key in keys] if alone else [f"  {name.rstrip()}" for name in names.shown.values()]
        left = min(max(map(_cells, labels)), self.width - 48 if self.width >= NARROW else self.width)
        if self.width >= NARROW:
            yield self.text(f"{'':{left}}    mean 95 %             n  pass  fail skip err", "dim")
        for key in keys:
            if not alone:
                yield from self.lines(printable(key), "bold")
            for system, found in systems:
                if key in found:
                    label = printable(key) if alone else f"  {names[printable(system)].rstrip()}"
                    yield from self._score(_padded_text(label, left), found[key])

    def _score(self, label: str, one: Summary) -> Iterator[Text]:
        unit: Literal["share", "score"] = "share" if one.unit == "share" else "score"
        value = number(one.value, unit, marked=True)
        verdicts = [NOTHING if amount is None else f"{amount:,}" for amount in (one.passed, one.failed)]
        if self.width < NARROW:
            yield self.text(label.rstrip())
            yield self.text(f"  {value}  {interval(one.interval, unit)}  n {one.n:,}")
            absent = f"skip {one.skipped:,}  err {one.errors:,}"
            yield self.text(f"  pass {verdicts[0]}  fail {verdicts[1]}  {absent}", "dim")
            return
        shown = f"{label} {value:>7} {interval(one.interval, unit):<12}{one.n:>6,}{verdicts[0]:>6}{verdicts[1]:>6}"
        line = self.text(shown)
        line.append(f"{one.skipped:>5,}", _STYLES["skipped"])
        line.append(f"{one.errors:>4,}", _STYLES["error"] if one.errors else "dim")
        yield line

    def cases(self) -> Iterator[Text]:
        """The rows that did not pass, errors first."""
        rows = [row for row in self.run.rows.page(order="worst") if self.verdicts.status(row) != "passed"]
        if rows:
            yield self.text("")
        for row in rows[:SHOWN_CASES]:
            yield from self.case(row)
        if len(rows) > SHOWN_CASES:
            yield self.text(f"… and {len(rows) - SHOWN_CASES:,} more", "dim")

    def case(self, row: Row) -> Iterator[Text]:
        """A row in a few lines: how it ended, what was asked, and why."""
        status = self.verdicts.status(row)
        mark = _MARKS[status][self.plain]
        words = f"{mark}  " if self.plain else f"{mark} {status}  "  # the plain marks are words themselves
        asked = shorten(printable(" ".join(row.trial.case.input.split())), SHOWN_CHARS)
        system = f"{printable(row.system)}  " if len(self.made.systems) > 1 else ""
        first, *rest = self.lines(f"{words}{system}{printable(str(row.trial.case.id))}  {asked}".rstrip(), indent=4)
        first.stylize(_STYLES[status], 0, len(words))
        yield from (first, *rest)
        for name, reason in reasons(row):
            why = shorten(printable(" ".join(reason.split())), SHOWN_CHARS)
            yield from self.lines(f"    {printable(name)}: {why}", "dim", 6)
        for line in row.trial.output.traceback.splitlines()[-TRACEBACK_LINES:]:
            yield from self.lines(f"      {printable(line)}", "dim", 8)

    def notes(self, named: str, *, errors_shown: bool = False) -> Iterator[Text]:
        """What a reader should know beside the numbers, and what to do next."""
        errors = list(_error_lines(self.run))
        for line in () if errors_shown else errors:
            yield from self.lines(line, _STYLES["error"])
        for line in caveat_lines(self.run):
            yield from self.lines(line, _STYLES["error"])
        if self.run.stopped_by:
            yield from self.lines(f"stopped early: {self.run.stopped_by}", _STYLES["error"])
        if spent := self.run.spent:
            yield from self.lines(bill(spent), "dim")
        reused = sum(row.reused for row in self.run.rows) if self.run.made.job in ("run", "suite") else 0
        if reused:
            words = f"{count(reused, 'answer')} of {len(self.run.rows):,} reused; --no-reuse asks again"
            yield from self.lines(words, "dim")
        shares = [
            found[PASS_RATE] for own in self.run.summaries.values() for found in own.values() if PASS_RATE in found
        ]
        look = "--failed" if any(one.failed for one in shares) else "--errors" if errors else ""
        if self.run.id and look:
            yield from self.lines(f"next: ringtrue show {named} {look}", "dim", 2)


class _HeadlineColumns:
    """How wide the columns of the headline table are: counts what they need, the picture and the names the rest."""

    def __init__(self, shares: Sequence[Summary], width: int) -> None:
        amounts = [(one.n, one.failed or 0, one.skipped, one.errors) for one in shares] or [(0, 0, 0, 0)]
        heads = (4, 5, 4, 3)
        self.counts = [1 + max(head, *(len(f"{row[place]:,}") for row in amounts)) for place, head in enumerate(heads)]
        self.interval = max([9, *(len(interval(one.interval, "share")) for one in shares)])
        rest = width - sum(self.counts) - self.interval - 8  # the share, and the spaces between
        self.picture = max(MIN_PICTURE, min(PICTURE, rest - MIN_NAME))
        self.name = max(8, rest - self.picture)

    def head(self, name: int) -> str:
        """The head of the table, with the axis over the picture."""
        counts = "".join(
            f"{text:>{width}}" for text, width in zip(("n", "fail", "skip", "err"), self.counts, strict=True)
        )
        return f"{'':{name}} {'%':>5} {_axis(self.picture)} {'95 %':<{self.interval}}{counts}"


class _SystemNames:
    """System names in one width; longer ones are cut, and never to the same text."""

    def __init__(self, names: Sequence[str], width: int) -> None:
        self.width = max(8, min(width, max(map(_cells, names), default=0)))
        cut = {name: _padded_text(name, self.width) for name in names}
        clash = {text for text in cut.values() if list(cut.values()).count(text) > 1}
        self.shown = {
            name: text if text not in clash else _padded_text(name, self.width - len(f"~{number}"), "") + f"~{number}"
            for number, (name, text) in enumerate(cut.items(), 1)
        }

    def __getitem__(self, name: str) -> str:
        return self.shown[name]


def _cells(text: str) -> int:
    """How many cells of a terminal a text takes: some characters take two, some none."""
    from rich.cells import cell_len

    return cell_len(text)


def _padded_text(text: str, width: int, ellipsis: str = "…") -> str:
    """A text in exactly so many cells; one that is cut ends in an ellipsis."""
    from rich.cells import set_cell_size

    return (
        set_cell_size(text, width) if _cells(text) <= width else set_cell_size(text, width - len(ellipsis)) + ellipsis
    )


def reasons(row: Row) -> Iterator[tuple[str, str]]:
    """Why a row did not pass: the problem of its output, else what each check that did not pass says."""
    output = row.trial.output
    if output.problem:
        yield output.error or "output", output.problem
        if output.error:
            return
    for name, score in row.scores.items():
        if score.status != "scored" or not score.passed:
            yield name, score.reason or (f"scored {score.value:g}" if score.value is not None else score.status)


def bill(spent: Mapping[str, float | None]) -> str:
    """What judges took, in words."""
    cost = "cost unknown" if spent.get("cost") is None else number(spent["cost"], "dollars", marked=True)
    words = f"judges took {spent['calls']:,} calls and {spent['tokens']:,} tokens, {cost}"
    return f"{words}; {spent['cache_hits']:,} replies came from the store"


def _rank(share: Summary | None) -> float:
    return -1.0 if share is None or share.value is None else share.value


def _ticks(width: int) -> list[int]:
    return [round(tick * (width - 1) / 4) for tick in range(5)]


def _axis(width: int) -> str:
    """0, 25, 50, 75 and 100 over their places in a picture."""
    cells = [" "] * width
    for place, label in zip(_ticks(width), ("0", "25", "50", "75", "100"), strict=True):
        start = min(max(0, place - len(label) // 2), width - len(label))
        cells[start : start + len(label)] = label
    return "".join(cells)


def _picture(share: Summary, width: int) -> str:
    """The share as a dot with whiskers between 0 and 100."""
    cells = [" "] * width
    for tick in _ticks(width):
        cells[tick] = "·"
    if share.value is None:
        return "".join(cells)

    def at(value: float) -> int:
        return min(width - 1, max(0, round(value * (width - 1))))

    if share.interval is not None:
        low, high = (at(end) for end in share.interval)
        cells[low : high + 1] = "─" * (high - low + 1)
        if low < at(share.value):
            cells[low] = "├"
        if high > at(share.value):
            cells[high] = "┤"
    cells[at(share.value)] = "●"
    return "".join(cells)


def _took(found: Mapping[str, Summary]) -> list[str]:
    """What answers took: time, tokens, compression, cost of a pass; only what was measured."""

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
    if spared >= 0.005:
        parts.append(f"compression {shown_number('compression_ratio')}")
    elif spared <= -0.005:  # an endpoint counts its chat template too
        parts.append(f"the model received {number(1 - spared, 'ratio')} times the tokens of the case")
    for key in (key for key in found if key.startswith(("pass@", "pass^"))):
        parts.append(f"{key} {shown_number(key)}" if shown_number(key) else "")
    return [part for part in parts if part]


def _error_lines(run: Run) -> Iterator[str]:
    """What went wrong, cause by cause, in the words of who failed; the most frequent first."""
    if not any(_worst_errors(found) for systems in run.summaries.values() for found in systems.values()):
        return
    broken = run.rows.page(RowFilter(status="error"))
    unanswered = [row.trial.output.problem for row in broken if row.trial.output.error]
    if unanswered:
        first = shorten(printable(" ".join(unanswered[0].split())), SHOWN_CHARS)
        yield f"{count(len(unanswered), 'answer')} missing, first: {first}"
    causes = ErrorCauses.of(row.scores for row in run.rows if not row.trial.output.error)
    for line in causes.lines()[:SHOWN_CAUSES]:
        yield shorten(printable(" ".join(line.split())), SHOWN_CHARS)


def _worst_errors(found: Mapping[str, Summary]) -> int:
    return max((summary.errors for key, summary in found.items() if is_score(key) or key == PASS_RATE), default=0)
