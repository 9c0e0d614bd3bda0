"""IFEval, strict and loose, against lm-eval's checker: rows per CPU second, and whether the verdicts agree.

    python -m venv .peers/lmeval && .peers/lmeval/bin/pip install nltk==3.9.1 langdetect immutabledict packaging
    .peers/lmeval/bin/pip install --no-deps lm-eval
    NLTK_DATA=folder python benchmarks/ifeval.py [--peer .peers/lmeval/bin/python] [--rounds 3]

The peer needs NLTK's `punkt_tab` data below NLTK_DATA. Both sides check the same golden responses, in processes of
their own and in alternating rounds; the best of each counts. A round is two passes over all rows: the second shows
what a run costs once it is under way.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).parent.parent / "tests" / "golden"
FLOOR = 20
SETS = {"models' responses": ["ifeval"], "the same and edited ones": ["ifeval", "ifeval_perturbed"]}


def rows(chosen: str) -> list[dict[str, Any]]:
    found = []
    for name in SETS[chosen]:
        lines = (GOLDEN / f"{name}.jsonl").read_text().splitlines()[1:]
        found += [json.loads(line)["input"] for line in lines]
    return found


def ours(row: dict[str, Any]) -> list[list[bool]]:
    from ringtrue.scoring.ifeval import check_response

    verdicts = check_response(row["instruction_id_list"], row["kwargs"], row["response"] or "", row["prompt"])
    return [list(verdicts.strict), list(verdicts.loose)]


def peer(row: dict[str, Any]) -> list[list[bool]]:
    utils = _lm_eval()
    example = utils.InputExample(
        key=row["key"],
        instruction_id_list=row["instruction_id_list"],
        prompt=row["prompt"],
        kwargs=[{name: value for name, value in kwargs.items() if value is not None} for kwargs in row["kwargs"]],
    )
    response = row["response"] or ""
    strict = utils.test_instruction_following_strict(example, response)
    loose = utils.test_instruction_following_loose(example, response)
    return [strict.follow_instruction_list, loose.follow_instruction_list]


@cache
def _lm_eval() -> Any:
    """lm-eval's checker alone: the package around it would load a whole harness."""
    import importlib.util
    import types

    home = Path(importlib.util.find_spec("lm_eval").submodule_search_locations[0])  # type: ignore[union-attr, index]
    for name in ("lm_eval", "lm_eval.tasks", "lm_eval.tasks.ifeval"):
        package = types.ModuleType(name)
        package.__path__ = [str(home.joinpath(*name.split(".")[1:]))]
        sys.modules[name] = package
    return importlib.import_module("lm_eval.tasks.ifeval.utils")


def work(side: str, name: str) -> None:
    check = {"ours": ours, "peer": peer}[side]
    chosen = rows(name)
    check(chosen[0])
    seconds, verdicts = [], []
    for _ in range(2):
        started = time.process_time()
        verdicts = [check(row) for row in chosen]
        seconds.append(time.process_time() - started)
    print(json.dumps({"seconds": seconds, "verdicts": verdicts}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer", default=".peers/lmeval/bin/python")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--worker", nargs=2)
    given = parser.parse_args()
    if given.worker:
        work(*given.worker)
        return
    print("| IFEval, strict and loose | pass | ringtrue / lm-eval | floor |\n|---|---|---|---|")
    for name in SETS:
        compare(name, given.peer, given.rounds)


def compare(name: str, peer_python: str, rounds: int) -> None:
    """Print the ratios for one set of responses."""
    best: dict[str, list[float]] = {}
    verdicts: dict[str, Any] = {}
    for _ in range(rounds):
        for side, python in (("ours", sys.executable), ("peer", peer_python)):
            words = [python, __file__, "--worker", side, name]
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            if done.returncode:
                sys.exit(done.stderr[-2000:])
            found = json.loads(done.stdout.splitlines()[-1])
            best[side] = [min(pair) for pair in zip(best.get(side, found["seconds"]), found["seconds"], strict=True)]
            verdicts[side] = found["verdicts"]
    flat = {side: [v for row in found for mode in row for v in mode] for side, found in verdicts.items()}
    same = sum(a == b for a, b in zip(flat["ours"], flat["peer"], strict=True))
    said = f"{name}: {same:,} of {len(flat['ours']):,} verdicts are the same, some of lm-eval's are random"
    for number, which in enumerate(("first", "second")):
        print(f"| {said} | {which} | {best['peer'][number] / best['ours'][number]:.0f} | {FLOOR} |", flush=True)


if __name__ == "__main__":
    main()
