"""Math equivalence against math-verify: errors on the golden rows, and pairs per CPU second; ratios only.

    python benchmarks/maths.py [--rounds 3]

Both sides judge the same golden pairs (real GSM8K solutions, MATH answers, constructed forms), in processes of their
own and in alternating rounds; the best round of each counts. math-verify gets LaTeX wrapped in $, its best case. The
first table shows where the graders err; `same verdicts` counts the timed pairs on which both sides agree.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from pathlib import Path
from typing import Any

from sides import peer_python, run_worker

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
    verdicts = [judge(gold, candidate) for gold, candidate in chosen]
    print(json.dumps({"rate": len(chosen) / (time.process_time() - started), "verdicts": verdicts}))


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
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--worker", nargs=2)
    given = parser.parse_args()
    if given.worker:
        work(*given.worker)
        return
    errors()
    print("\n| pairs | ringtrue / math-verify | same verdicts | floor |\n|---|---|---|---|")
    for family in FAMILIES:
        best: dict[str, float] = {}
        said: dict[str, list[bool]] = {}
        for _ in range(given.rounds):
            for side, python in (("ours", sys.executable), ("peer", peer_python("math"))):
                found = run_worker(python, __file__, side, family)
                best[side], said[side] = max(best.get(side, 0.0), found["rate"]), found["verdicts"]
        same = sum(a == b for a, b in zip(said["ours"], said["peer"], strict=True))
        cells = f"{best['ours'] / best['peer']:.0f} | {same} of {len(said['ours'])} | {FLOOR}"
        print(f"| {family} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
