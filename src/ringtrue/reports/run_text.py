"""A run in a terminal: a block for each dataset, its headline first, every number with its unit, interval and n.

The layout is that of 80 columns, and a stacked one below 64; words, order, marks and decimals are those of the pages.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Literal

from ringtrue.records import Row, RowFilter, Run, Summary
from ringtrue.reports.cost import run_cost
from ringtrue.reports.number import NOTHING, count, duration, interval, number
from ringtrue.runner.error_causes import ErrorCauses
from ringtrue.safetext import printable, shorten
from ringtrue.stats.row_status import RowVerdicts

if TYPE_CHECKING:
    from rich.text import Text

NARROW = 64
PICTURE = 27
NAME = 16
SHOWN_CASES = 20
SHOWN_CHARS = 200
SHOWN_CAUSES = 3
PASS_RATE = "pass_rate"
_MARKS = {"passed": ("✓", "ok"), "failed": ("✗", "FAIL"), "error": ("!", "ERR"), "skipped": ("–", "skip")}
_STYLES = {"passed": "green", "failed": "bold red", "error": "magenta", "skipped": "dim"}
_METRICS = {
    "mean_score", PASS_RATE, "compression_ratio", "mean_input_tokens", "mean_output_tokens", "cost_of_pass",
    "num_passing", "usd_per_pass", "latency_mean", "latency_median", "latency_p95", "latency_p99", "flaky",
}  # fmt: skip


def print_run(run: Run, *, cases: bool = False) -> None:
    """Print a run on standard output; what its encoding lacks is escaped, so that printing never fails a run."""
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    width = console.width if console.is_terminal else 80
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    lines = run_lines(run, width=width, plain=not _can_draw(encoding), cases=cases)
    with console.capture() as capture:
        for line in lines:
            console.print(line, soft_wrap=True)
    sys.stdout.write(capture.get().encode(encoding, "backslashreplace").decode(encoding))


def print_rows(run: Run, rows: Sequence[Row]) -> None:
    """Print rows on standard output, a few lines each."""
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    draw = _Drawing(run, 80, not _can_draw(encoding))
    with console.capture() as capture:
        for row in rows:
            for line in draw.case(row):
                console.print(line, soft_wrap=True)
        if not rows:
            console.print("no such rows")
    sys.stdout.write(capture.get().encode(encoding, "backslashreplace").decode(encoding))


def run_text(run: Run, *, width: int = 80, plain: bool = False, cases: bool = False) -> str:
    """The run as text without colours."""
    return "".join(f"{line.plain.rstrip()}\n" for line in run_lines(run, width=width, plain=plain, cases=cases))


def run_lines(run: Run, *, width: int = 80, plain: bool = False, cases: bool = False) -> Iterator[Text]:
    """The run line by line; `cases` adds those that did not pass, with what each check says."""
    draw = _Drawing(run, width, plain)
    yield from draw.title()
    for dataset, systems in run.summaries.items():
        yield draw.text("")
        yield from draw.block(dataset, systems)
    if cases:
        yield from draw.cases()
    notes = list(draw.notes())
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

        return Text(self._ascii(words) if self.plain else words, style=style)

    def joined(self, facts: Sequence[str], style: str = "dim") -> Iterator[Text]:
        """Facts in as few lines as they need, none of them cut in two."""
        line = ""
        for fact in facts:
            longer = f"{line}{' ' if line.endswith(':') else ' · '}{fact}" if line else fact
            if line and len(longer) > self.width:
                yield self.text(shorten(line, self.width), style)
                longer = fact
            line = longer
        yield self.text(shorten(line, self.width), style)

    def wrapped(self, words: str, style: str = "", indent: str = "") -> Iterator[Text]:
        """Words in lines of the terminal's width; text from outside may hold anything."""
        plain = shorten(printable(" ".join(words.split())), SHOWN_CHARS)
        for line in wrap(plain, self.width, initial_indent=indent, subsequent_indent=indent):
            yield self.text(line, style)

    def _ascii(self, words: str) -> str:
        table = str.maketrans({"·": ".", "├": "|", "┤": "|", "─": "-", "●": "o", "–": "-", "…": "~", "−": "-"})
        return words.translate(table)

    def title(self) -> Iterator[Text]:
        cost = run_cost(self.run)["total"]
        facts = [
            f"{self.made.job} {self.run.id}".strip(),
            count(len(self.run.rows), "row"),
            number(cost, "dollars", marked=True) if cost else "",
            duration(sum(self.run.seconds.values())) if self.run.seconds else "",
            f"{count(self.run.problems, 'broken row')} left out" if self.run.problems else "",
        ]
        first, *rest = [fact for fact in facts if fact]
        name = shorten(printable(self.made.name), max(8, self.width - len(first) - 3))
        yield from self.joined([f"{name}   {first}" if name else first, *rest], "bold")

    def block(self, dataset: str, systems: Mapping[str, Mapping[str, Summary]]) -> Iterator[Text]:
        name = shorten(printable(dataset) or printable(self.made.name) or "rows", self.width)
        rule = self._rule(dataset, systems)
        whole = f"{name}   {rule}".rstrip()
        for line in [whole] if len(whole) <= self.width else [name, shorten(rule, self.width)]:
            yield self.text(line, "bold")
        proxy = next((one.proxy for one in self.made.datasets if one.name == dataset), "")
        if proxy:
            yield from self.wrapped(f"not its authors' metric: {proxy}", _STYLES["error"])
        ordered = sorted(systems.items(), key=lambda pair: -_rank(pair[1].get(PASS_RATE)))
        names = _Names([printable(system) for system, _ in ordered], max(8, min(NAME, self.width - 64)))
        if any(PASS_RATE in found for _, found in ordered):
            if self.width >= NARROW:
                head = f"{'':{names.width}}     % 0     25     50     75  100 95 %         n  fail skip err"
                yield self.text(head, "dim")
            for system, found in ordered:
                yield from self._headline(names[printable(system)], found.get(PASS_RATE))
        yield from self._scores(ordered, names)
        for system, found in ordered:
            if facts := _took(found):
                label = [f"{names[printable(system)].rstrip()}:"] if len(ordered) > 1 else []
                yield from self.joined([*label, *facts])

    def _rule(self, dataset: str, systems: Mapping[str, Mapping[str, Summary]]) -> str:
        """Which score decides, and from where on it passes."""
        if self.made.job == "suite":
            return "a case passes if every check passes"
        info = next((one for one in self.made.datasets if one.name == dataset), None)
        share = next((found[PASS_RATE] for found in systems.values() if PASS_RATE in found), None)
        if info is None or not info.headline or share is None:
            return ""
        threshold = "" if share.threshold is None else f", passes at {share.threshold:.2f}"
        return f"{shorten(printable(info.headline), self.width - len(threshold))}{threshold}"

    def _headline(self, name: str, share: Summary | None) -> Iterator[Text]:
        if share is None:
            return
        hollow = share.value is None
        cells = [number(share.value, "share"), _picture(share), interval(share.interval, "share")]
        counts = [share.n, share.failed or 0, share.skipped, share.errors]
        if self.width >= NARROW:
            amount_width = 14 - len(cells[2])
            line = self.text(f"{name} {cells[0]:>5} {cells[1]} {cells[2]}{f' {counts[0]:,}':>{amount_width}}")
            for amount, width, style in zip(counts[1:], (6, 5, 4), ("failed", "skipped", "error"), strict=True):
                line.append(f"{amount:>{width},}", _STYLES[style] if amount else "dim")
            yield line
            return
        yield self.text(name.rstrip(), "bold")
        yield self.text(f"  {cells[0]} %  {cells[2]}  n {counts[0]:,}" if not hollow else f"  {NOTHING}  n 0")
        yield self.text(f"  fail {counts[1]:,}  skip {counts[2]:,}  err {counts[3]:,}", "dim")

    def _scores(self, systems: Sequence[tuple[str, Mapping[str, Summary]]], names: _Names) -> Iterator[Text]:
        keys = list(dict.fromkeys(key for _, found in systems for key in found if _is_score(key)))
        if not keys or (
            len(keys) == 1 and all(found[keys[0]].unit == "share" for _, found in systems if keys[0] in found)
        ):
            return  # the headline has said it all
        alone = len(systems) == 1
        labels = [printable(key) for key in keys] if alone else [f"  {name}" for name in names.shown.values()]
        left = min(max(map(len, labels)), self.width - 48 if self.width >= NARROW else self.width)
        if self.width >= NARROW:
            yield self.text(f"{'':{left}}    mean 95 %             n  pass  fail skip err", "dim")
        for key in keys:
            if not alone:
                yield self.text(shorten(printable(key), self.width), "bold")
            for system, found in systems:
                if key in found:
                    label = printable(key) if alone else f"  {names[printable(system)].rstrip()}"
                    yield from self._score(shorten(label, left).ljust(left), found[key])

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
        line = self.text(f"{label} {value:>7} {interval(one.interval, unit):<12}{one.n:>6,}{verdicts[0]:>6}")
        line.append(f"{verdicts[1]:>6}")
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
        line = self.text("")
        line.append(f"{mark} {status}  ", _STYLES[status])
        case = row.trial.case
        asked = printable(f"{case.id}  {' '.join(case.input[: 4 * SHOWN_CHARS].split())}".strip())
        line.append(self.text(shorten(asked, self.width - len(line.plain))).plain)
        yield line
        for name, reason in reasons(row):
            yield from self.wrapped(f"{name}: {reason}", "dim", indent="    ")

    def notes(self) -> Iterator[Text]:
        """What a reader should know beside the numbers, and what to do next."""
        for line in _error_lines(self.run):
            yield from self.wrapped(line, _STYLES["error"])
        if any("|model:local:" in one.signature for one in self.made.evaluators):
            yield from self.wrapped("judged by the embedded model, which is too small to be trusted", _STYLES["error"])
        if self.run.stopped_by:
            yield from self.wrapped(f"stopped early: {self.run.stopped_by}", _STYLES["error"])
        if spent := self.run.spent:
            yield from self.wrapped(bill(spent), "dim")
        reused = sum(row.reused for row in self.run.rows) if self.run.made.job in ("run", "suite") else 0
        if reused:
            words = f"{count(reused, 'answer')} of {len(self.run.rows):,} reused; --no-reuse asks again"
            yield from self.wrapped(words, "dim")
        if self.run.id:
            yield self.text(f"next: ringtrue show {self.run.id} --failed", "dim")


class _Names:
    """System names in one width; longer ones are cut, and never to the same text."""

    def __init__(self, names: Sequence[str], width: int) -> None:
        self.width = max(8, min(width, max(map(len, names), default=0)))
        cut = {name: shorten(name, self.width) for name in names}
        clash = {text for text in cut.values() if list(cut.values()).count(text) > 1}
        self.shown = {
            name: text if text not in clash else f"{text[: self.width - 3]}~{number}"
            for number, (name, text) in enumerate(cut.items(), 1)
        }

    def __getitem__(self, name: str) -> str:
        return self.shown[name].ljust(self.width)


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


def _is_score(key: str) -> bool:
    return key not in _METRICS and not key.startswith(("pass@", "pass^"))


def _rank(share: Summary | None) -> float:
    return -1.0 if share is None or share.value is None else share.value


def _picture(share: Summary) -> str:
    """The share as a dot with whiskers between 0 and 100."""
    cells = [" "] * PICTURE
    for tick in range(5):
        cells[round(tick * (PICTURE - 1) / 4)] = "·"
    if share.value is None:
        return "".join(cells)

    def at(value: float) -> int:
        return min(PICTURE - 1, max(0, round(value * (PICTURE - 1))))

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

    def shown(key: str) -> str:
        one = found.get(key)
        return "" if one is None or one.value is None or not one.n else number(one.value, one.unit, marked=True)

    parts = []
    if shown("latency_median"):
        parts.append(f"median {shown('latency_median')}, 95th percentile {shown('latency_p95')}")
    if shown("mean_input_tokens") and found["mean_input_tokens"].value:
        parts.append(f"{shown('mean_input_tokens')} in, {shown('mean_output_tokens')} out")
    if shown("cost_of_pass"):
        paid = found.get("usd_per_pass")
        dollars = f", {shown('usd_per_pass')}" if paid is not None and paid.value else ""
        parts.append(f"{shown('cost_of_pass')}{dollars} per pass")
    if shown("compression_ratio") and abs(found["compression_ratio"].value or 0.0) >= 0.005:
        parts.append(f"compression {shown('compression_ratio')}")
    for key in (key for key in found if key.startswith(("pass@", "pass^"))):
        parts.append(f"{key} {shown(key)}" if shown(key) else "")
    return [part for part in parts if part]


def _error_lines(run: Run) -> Iterator[str]:
    """What went wrong, cause by cause, in the words of who failed; the most frequent first."""
    if not any(_worst_errors(found) for systems in run.summaries.values() for found in systems.values()):
        return
    unanswered = [
        row.trial.output.problem for row in run.rows.page(RowFilter(status="error")) if row.trial.output.error
    ]
    if unanswered:
        first = shorten(printable(" ".join(unanswered[0].split())), SHOWN_CHARS)
        yield f"{count(len(unanswered), 'answer')} missing, first: {first}"
    causes = ErrorCauses.of(row.scores for row in run.rows if not row.trial.output.error)
    for line in causes.lines()[:SHOWN_CAUSES]:
        yield shorten(printable(" ".join(line.split())), SHOWN_CHARS)


def _worst_errors(found: Mapping[str, Summary]) -> int:
    return max((summary.errors for key, summary in found.items() if _is_score(key) or key == PASS_RATE), default=0)
