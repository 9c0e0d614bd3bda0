"""Exact match, contains and a pattern over a JSONL file, end to end: rows per CPU second against whole frameworks.

    python benchmarks/end_to_end.py [--rounds 3]

Every side reads the same kind of file and scores stored answers, in a process of its own with its own interpreter, in
alternating rounds. CPU time is counted from opening the file to the last score, without imports; the best round counts.
`bare` is a loop that parses the file with orjson and runs the same three checks: what is left to gain; `bare_json` is
the same with the standard parser. `same verdicts` says whether as many checks pass as in the bare loop on that file.
inspect's own scorers do not ask the same: `includes` looks for the target, and `pattern` compares with it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
import tempfile
from pathlib import Path

from sides import peer_python, run_worker

PATTERN = r"\bcapital\b"
FLOORS = {"multivon": 500, "deepeval": 400, "pydantic": 50, "inspect": 1000}
ROWS = {"ringtrue": 100_000, "bare": 100_000, "bare_json": 100_000, "pydantic": 1_500}
FEW = 500


def read(path: str) -> list[dict[str, str]]:
    with open(path) as lines:
        return [json.loads(line) for line in lines]


def ringtrue(path: str) -> int:
    from ringtrue.api.score_file import score_file

    run = score_file(path, ["exact_match", "contains(['capital'])", f"regex_match({PATTERN!r})"])
    return sum(run.summary(name).passed or 0 for name in ("exact_match", "contains", "regex_match"))


def _bare(path: str, loads: object) -> int:
    search, passed = re.compile(PATTERN, re.IGNORECASE).search, 0
    with open(path, "rb") as lines:
        for line in lines:
            row = loads(line)  # type: ignore[operator]
            text = row["response"]
            passed += text.strip().lower() == row["answer"].strip().lower()
            passed += "capital" in text.lower()
            passed += search(text) is not None
    return passed


def bare(path: str) -> int:
    import orjson

    return _bare(path, orjson.loads)


def bare_json(path: str) -> int:
    return _bare(path, json.loads)


def multivon(path: str) -> int:
    from multivon_eval import Contains, EvalCase, EvalSuite, ExactMatch, RegexMatch

    rows = read(path)
    said = {row["question"]: row["response"] for row in rows}
    suite = EvalSuite("b").add_cases([EvalCase(row["question"], row["answer"]) for row in rows])
    suite.add_evaluators(ExactMatch(), Contains(["capital"]), RegexMatch(PATTERN))
    report = suite.run(said.__getitem__, verbose=False)
    return sum(result.passed for case in report.case_results for result in case.results)


def deepeval(path: str) -> int:
    from deepeval import evaluate
    from deepeval.evaluate.configs import AsyncConfig, CacheConfig, DisplayConfig
    from deepeval.metrics import BaseMetric
    from deepeval.test_case import LLMTestCase

    class Check(BaseMetric):
        threshold, async_mode, verbose_mode, include_reason = 1.0, False, False, False

        def __init__(self, holds: object) -> None:
            self.holds = holds

        def measure(self, test_case: LLMTestCase, *_: object, **__: object) -> float:
            self.score = float(self.holds(test_case))  # type: ignore[operator]
            self.success = self.score == 1.0
            return self.score

        async def a_measure(self, test_case: LLMTestCase, *_: object, **__: object) -> float:
            return self.measure(test_case)

        def is_successful(self) -> bool:
            return self.success

        @property
        def __name__(self) -> str:
            return "check"

    search = re.compile(PATTERN, re.IGNORECASE).search
    checks = [
        Check(lambda case: case.actual_output.strip().lower() == case.expected_output.strip().lower()),
        Check(lambda case: "capital" in case.actual_output.lower()),
        Check(lambda case: search(case.actual_output) is not None),
    ]
    cases = [
        LLMTestCase(input=row["question"], actual_output=row["response"], expected_output=row["answer"])
        for row in read(path)
    ]
    done = evaluate(
        cases,
        checks,
        async_config=AsyncConfig(run_async=False),
        display_config=DisplayConfig(show_indicator=False, print_results=False),
        cache_config=CacheConfig(write_cache=False, use_cache=False),
    )
    return sum(data.success for result in done.test_results for data in result.metrics_data)


def pydantic(path: str) -> int:
    from dataclasses import dataclass

    from pydantic_evals import Case, Dataset
    from pydantic_evals.evaluators import Evaluator, EvaluatorContext

    search = re.compile(PATTERN, re.IGNORECASE).search

    @dataclass
    class Exact(Evaluator):
        def evaluate(self, ctx: EvaluatorContext) -> bool:
            return ctx.output.strip().lower() == ctx.expected_output.strip().lower()

    @dataclass
    class Holds(Evaluator):
        def evaluate(self, ctx: EvaluatorContext) -> bool:
            return "capital" in ctx.output.lower()

    @dataclass
    class Matches(Evaluator):
        def evaluate(self, ctx: EvaluatorContext) -> bool:
            return search(ctx.output) is not None

    rows = read(path)
    said = {row["question"]: row["response"] for row in rows}

    async def answer(question: str) -> str:
        return said[question]

    cases = [Case(name=row["id"], inputs=row["question"], expected_output=row["answer"]) for row in rows]
    dataset = Dataset(name="b", cases=cases, evaluators=[Exact(), Holds(), Matches()])
    report = dataset.evaluate_sync(answer, progress=False)
    return sum(result.value for case in report.cases for result in case.assertions.values())


def inspect(path: str) -> int:
    from inspect_ai import Task
    from inspect_ai import eval as run_task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.scorer import exact, includes, pattern
    from inspect_ai.solver import solver

    @solver
    def replay():  # type: ignore[no-untyped-def]
        async def solve(state, generate):  # type: ignore[no-untyped-def]
            state.output.completion = state.metadata["said"]
            return state

        return solve

    samples = [
        Sample(input=row["question"], target=row["answer"], metadata={"said": row["response"]}) for row in read(path)
    ]
    task = Task(MemoryDataset(samples), solver=replay(), scorer=[exact(), includes(), pattern(PATTERN)])
    with tempfile.TemporaryDirectory() as folder:
        log = run_task(task, model="mockllm/model", log_dir=folder, display="none", log_samples=True)[0]
        assert log.status == "success", log.error
        return sum(score.value == "C" for sample in log.samples or [] for score in (sample.scores or {}).values())


SIDES = {side.__name__: side for side in (ringtrue, bare, bare_json, multivon, deepeval, pydantic, inspect)}


def work(side: str, path: str) -> None:
    """Score the file once for warming up, then count."""
    small = f"{path}.few"
    Path(small).write_text("".join(Path(path).read_text().splitlines(keepends=True)[:5]))
    SIDES[side](small)
    started = cpu_seconds()
    passed = SIDES[side](path)
    print(json.dumps({"seconds": cpu_seconds() - started, "passed": passed}))


def cpu_seconds() -> float:
    """CPU time of this process and of its workers that have ended."""
    return sum(os.times()[:4])


def write_rows(path: Path, count: int) -> None:
    chance = random.Random(1)
    with path.open("w") as file:
        for number in range(count):
            city = chance.choice(["Paris", "London", "Berlin", "Madrid"])
            said = chance.choice([city, f"The capital is {city}.", "I do not know."])
            row = {"id": f"q{number}", "question": f"What is the capital of country {number}?", "answer": city}
            file.write(json.dumps({**row, "response": said}) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--worker", nargs=2, metavar=("SIDE", "FILE"))
    given = parser.parse_args()
    if given.worker:
        work(*given.worker)
        return
    best: dict[str, float] = {}
    passed: dict[str, tuple[int, int]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(given.rounds):
            for side in SIDES:
                count = ROWS.get(side, FEW)
                path = Path(folder, f"{side}.jsonl")
                write_rows(path, count)
                found = run_worker(
                    peer_python(side) if side in FLOORS else sys.executable,
                    str(Path(__file__).absolute()), side, str(path),
                    cwd=folder, DEEPEVAL_TELEMETRY_OPT_OUT="YES", PYTHONWARNINGS="ignore",
                )  # fmt: skip
                best[side] = max(best.get(side, 0.0), count / found["seconds"])
                passed[side] = found["passed"], bare_json(str(path))
    print("| ringtrue against | rows per CPU second, ratio | same verdicts | floor |\n|---|---|---|---|")
    for side, rate in best.items():
        theirs, expected = passed[side]
        if side == "ringtrue":
            assert theirs == expected, f"{theirs:,} checks pass; the bare loop passes {expected:,}"
            continue
        said = "yes" if theirs == expected else f"no: {theirs:,} pass, not {expected:,}"
        ratio = best["ringtrue"] / rate
        shown = f"{ratio:.3g}" if ratio < 1000 else f"{ratio:,.0f}"
        print(f"| {side} | {shown} | {said} | {FLOORS.get(side, '0.33' if side == 'bare' else '')} |")


if __name__ == "__main__":
    main()
