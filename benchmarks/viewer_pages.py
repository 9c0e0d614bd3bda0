"""What a page of a large run costs beside a page of a small one: processor time, in the same store.

`python benchmarks/viewer_pages.py [ROWS]`; a million rows take some minutes to write.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from random import Random

from ringtrue.records import (
    Case,
    DatasetInfo,
    EvaluatorInfo,
    Made,
    Output,
    Row,
    RowFilter,
    Run,
    Score,
    SystemInfo,
    Trial,
)
from ringtrue.store.case_pages import CasePage, CasePages, CasePlace
from ringtrue.store.run_copies import copy_run
from ringtrue.store.runs import RunStore

SMALL = 1_000
SYSTEMS = ("small", "large")
MADE = Made(
    datasets=(DatasetInfo("nq", headline="f1"),),
    systems=tuple(map(SystemInfo, SYSTEMS)),
    evaluators=(EvaluatorInfo("f1", "f1 1.0", 0.5),),
)


class MadeUpRows:
    """`amount` rows, made as they are asked for."""

    def __init__(self, amount: int) -> None:
        self.amount = amount

    def __len__(self) -> int:
        return self.amount

    def __iter__(self) -> Iterator[Row]:
        dice = Random(1)
        words = ["".join(dice.choices("abcdefghij", k=5)) for _ in range(20_000)]
        for position in range(self.amount // len(SYSTEMS)):
            case = Case(f"nq-{position}", " ".join(dice.choices(words, k=10)), ("gold",), fields={"dataset": "nq"})
            for system in SYSTEMS:
                value = dice.random()
                score = Score(value, passed=value >= 0.5, reason="so")
                yield Row(Trial(case, Output(" ".join(dice.choices(words, k=30)))), {"f1": score}, position, system)


def least_seconds(page: Callable[[], CasePage], times: int = 9) -> float:
    found = []
    for _ in range(times):
        begun = time.process_time()
        page()
        found.append(time.process_time() - begun)
    return min(found)


def pages_of(pages: CasePages, amount: int, word: str) -> dict[str, Callable[[], CasePage]]:
    middle = CasePlace(3, 0, 0.75, amount // 4)
    return {
        "failures first": lambda: pages.page(RowFilter(), limit=25),
        "failed": lambda: pages.page(RowFilter(status="failed"), limit=25),
        "failed of a system": lambda: pages.page(RowFilter(status="failed", system="large"), limit=25),
        "as asked, the middle": lambda: pages.page(RowFilter(), "position", after=middle, limit=25),
        "the middle": lambda: pages.page(RowFilter(), after=middle, limit=25),
        "back from the middle": lambda: pages.page(RowFilter(), before=middle, limit=25),
        "a search": lambda: pages.page(RowFilter(text=word), limit=25),
        "a search among failures": lambda: pages.page(RowFilter(text=word, status="failed"), limit=25),
    }


def main(large: int) -> None:
    with tempfile.TemporaryDirectory() as folder, RunStore.open(f"{folder}/pages.db") as store:
        seconds: dict[int, dict[str, float]] = {}
        for amount in (SMALL, large):
            begun = time.monotonic()
            run = copy_run(store, Run(MADE, MadeUpRows(amount), {}), f"run{amount}")  # type: ignore[arg-type]
            written = time.monotonic() - begun
            pages = CasePages(run.rows)  # type: ignore[arg-type]
            word = "a"  # beginnings of many words: both runs fill a page
            begun = time.monotonic()
            pages.page(RowFilter(text=f"{word}b"))
            print(f"{amount:,} rows: written in {written:.0f} s, indexed in {time.monotonic() - begun:.0f} s")
            seconds[amount] = {name: least_seconds(page) for name, page in pages_of(pages, amount, f"{word}b").items()}
        print(f"{'page of 25 cases':<26}{SMALL:>12,}{large:>12,}  times")
        for name, small in seconds[SMALL].items():
            big = seconds[large][name]
            print(f"{name:<26}{small * 1000:>9.1f} ms{big * 1000:>9.1f} ms  {big / small:.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
