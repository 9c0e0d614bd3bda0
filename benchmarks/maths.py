"""Math equivalence against math-verify: errors on the golden rows, and pairs per CPU second; ratios only.

    python -m venv .peers/math && .peers/math/bin/pip install 'math-verify[antlr4_13_2]'
    python benchmarks/maths.py [--peer .peers/math/bin/python] [--rounds 3]

Both sides judge the same golden pairs (real GSM8K solutions, MATH answers, constructed forms), in processes of their
own and in alternating rounds; the best round of each counts. math-verify gets LaTeX wrapped in $, its best case.

"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).parent.parent / "tests" / "golden" / "math_equivalence.jsonl"
FLOOR = 20
PAIRS = 300


def rows() -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in GOLDEN.read_text().splitlines()]
    return [row for row in lines if "input" in row and not row["ambiguous"]]


def pairs(family: str) -> list[tuple[str, str]]:
    chosen = [row for row in rows() if row["category"].startswith("gsm8k") == (family == "GSM8K solutions")]
    chosen = random.Random(3).sample(chosen, min(PAIRS, len(chosen)))
    return [(row["input"]["gold"], row["input"]["candidate"]) for row in chosen]


FAMILIES = ("GSM8K solutions", "answers in many forms")


def ours(gold: str, candidate: str) -> bool:
    from ringtrue.scoring.maths import equivalent

    return equivalent(gold, candidate)


def peer(gold: str, candidate: str) -> bool:
    from math_verify import parse, verify

    read = [parse(_wrapped(text), parsing_timeout=None) for text in (gold, candidate)]
    return bool(verify(*read, timeout_seconds=None))


def _wrapped(text: str) -> str:
    plain = "$" in text or "boxed" in text or len(text) > 120 or "answer" in text
    return text if plain else f"${text}$"


def work(side: str, family: str) -> None:
    judge = {"ours": ours, "peer": peer}[side]
    chosen = pairs(family)
    judge(*chosen[0])
    started = time.process_time()
    for gold, candidate in chosen:
        judge(gold, candidate)
    print(json.dumps({"rate": len(chosen) / (time.process_time() - started)}))


def errors() -> None:
    print("| grader | rows | false accepts | false rejects |\n|---|---|---|---|")
    graders = {"ringtrue": None, "math-verify": "math_verify", "prm800k": "prm800k", "hendrycks": "hendrycks_is_equiv"}
    for name, oracle in graders.items():
        said = [
            (
                ours(row["input"]["gold"], row["input"]["candidate"]) if oracle is None else row["oracles"].get(oracle),
                row,
            )
            for row in rows()
        ]
        judged = [(verdict, row["expected"]["equal"]) for verdict, row in said if verdict is not None]
        accepts = sum(verdict and not truth for verdict, truth in judged)
        rejects = sum(truth and not verdict for verdict, truth in judged)
        print(f"| {name} | {len(judged)} | {accepts} | {rejects} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer", default=".peers/math/bin/python")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--worker", nargs=2)
    given = parser.parse_args()
    if given.worker:
        work(*given.worker)
        return
    errors()
    print("\n| pairs | ringtrue / math-verify | floor |\n|---|---|---|")
    for family in FAMILIES:
        best: dict[str, float] = {}
        for _ in range(given.rounds):
            for side, python in (("ours", sys.executable), ("peer", given.peer)):
                command = [python, __file__, "--worker", side, family]
                done = subprocess.run(command, capture_output=True, text=True, check=True)
                best[side] = max(best.get(side, 0.0), json.loads(done.stdout.splitlines()[-1])["rate"])
        print(f"| {family} | {best['ours'] / best['peer']:.0f} | {FLOOR} |")


if __name__ == "__main__":
    main()
