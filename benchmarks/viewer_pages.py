"""What a page of a large run costs beside a page of a small one: processor time, the database server's too.

`python benchmarks/viewer_pages.py [ROWS] [sqlite|postgresql]`; a million rows take some minutes to write. PostgreSQL is
Debian's server, started on loopback for this.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
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
from ringtrue.store.case_pages import CaseOrder, CasePage, CasePages, CasePlace
from ringtrue.store.run_copies import copy_run
from ringtrue.store.runs import RunStore

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

SMALL = 1_000
ORDERS: tuple[CaseOrder, ...] = ("-score", "-cost", "seconds", "name")
SYSTEMS = ("small", "large")
MADE = Made(
    datasets=(DatasetInfo("nq", headline="f1"),),
    systems=tuple(map(SystemInfo, SYSTEMS)),
    evaluators=(EvaluatorInfo("f1", "f1 1.0", 0.5),),
)


EVERYWHERE, SELDOM, SELDOM_CASES = "everywhere", "seldom", 40
"""A word of every question, a rare word, and how many cases of a run of any size hold it."""


class MadeUpRows:
    """`amount` rows, made as they are asked for."""

    def __init__(self, amount: int) -> None:
        self.amount = amount

    def __len__(self) -> int:
        return self.amount

    def __iter__(self) -> Iterator[Row]:
        dice = Random(1)
        words = ["".join(dice.choices("abcdefghij", k=5)) for _ in range(20_000)]
        cases = self.amount // len(SYSTEMS)
        for position in range(cases):
            planted = [EVERYWHERE, *([SELDOM] if position % (cases // SELDOM_CASES) == 0 else [])]
            question = " ".join([*dice.choices(words, k=10), *planted])
            case = Case(f"nq-{position}", question, ("gold",), fields={"dataset": "nq"})
            for system in SYSTEMS:
                value = dice.random()
                score = Score(value, passed=value >= 0.5, reason="so")
                text = " ".join(dice.choices(words, k=30))
                output = Output(text, latency_seconds=dice.random(), cost=dice.random())
                yield Row(Trial(case, output), {"f1": score}, position, system)


def least_seconds(page: Callable[[], CasePage], clock: Callable[[], float], times: int = 9) -> float:
    found = []
    for _ in range(times):
        begun = clock()
        page()
        found.append(clock() - begun)
    return min(found)


def processor_seconds(server: int) -> float:
    """Processor time of this process and of those of a PostgreSQL server that answer it."""
    children = [Path(f"/proc/{child}") for child in Path(f"/proc/{server}/task/{server}/children").read_text().split()]
    answering = [child for child in children if b": ringtrue " in (child / "cmdline").read_bytes()]
    taken = [int((child / "schedstat").read_text().split()[0]) for child in answering]
    return time.process_time() + sum(taken) / 1e9


def pages_of(pages: CasePages, amount: int) -> dict[str, Callable[[], CasePage]]:
    middle = CasePlace(3, 0, 0.75, amount // 4)
    searches = {
        "the beginning of many words": "ab",
        "a word of every row": EVERYWHERE,
        "the beginning of that word": EVERYWHERE[:6],
        "a rare word": SELDOM,
        "a rare word and a common one": f"{SELDOM} {EVERYWHERE}",
        "a rare word and the beginning of many": f"{SELDOM} ab",
        "a word of no row": "nowhere",
    }
    return {
        "failures first": lambda: pages.page(RowFilter(), limit=25),
        "failed": lambda: pages.page(RowFilter(status="failed"), limit=25),
        "failed of a system": lambda: pages.page(RowFilter(status="failed", system="large"), limit=25),
        "as asked, the middle": lambda: pages.page(RowFilter(), "position", after=middle, limit=25),
        "the middle": lambda: pages.page(RowFilter(), after=middle, limit=25),
        "back from the middle": lambda: pages.page(RowFilter(), before=middle, limit=25),
        **{f"by {order}": partial(pages.page, RowFilter(), order, limit=25) for order in ORDERS},
        **{name: partial(pages.page, RowFilter(text=word), limit=25) for name, word in searches.items()},
        **{
            f"{name}, failed": partial(pages.page, RowFilter(text=word, status="failed"), limit=25)
            for name, word in searches.items()
        },
    }


def main(large: int, database: str) -> None:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stores:
        seconds: dict[int, dict[str, float]] = {}
        clock = time.process_time
        if database == "postgresql":
            from support.postgres import PostgresServer

            server = stores.enter_context(PostgresServer())
            assert server.process is not None
            clock = partial(processor_seconds, server.process.pid)
        for amount in (SMALL, large):  # each in a store of its own: runs of one store share an index of words
            url = server.create(f"of_{amount}") if database == "postgresql" else f"{folder}/{amount}.db"
            store = stores.enter_context(RunStore.open(url))
            begun = time.monotonic()
            run = copy_run(store, Run(MADE, MadeUpRows(amount), {}), "run")  # type: ignore[arg-type]
            written = time.monotonic() - begun
            pages = CasePages(run.rows)  # type: ignore[arg-type]
            begun = time.monotonic()
            pages.search.prepare()
            print(
                f"{amount:,} rows: written in {written:.0f} s, indexed in {time.monotonic() - begun:.0f} s", flush=True
            )
            seconds[amount] = {name: least_seconds(page, clock) for name, page in pages_of(pages, amount).items()}
        print(f"{'page of 25 cases':<40}{SMALL:>12,}{large:>12,}  times")
        for name, small in seconds[SMALL].items():
            big = seconds[large][name]
            print(f"{name:<40}{small * 1000:>9.1f} ms{big * 1000:>9.1f} ms  {big / small:.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000, *(sys.argv[2:3] or ["sqlite"]))
