"""IFEval, strict and loose, against lm-eval's checker: rows per CPU second, and whether the verdicts agree.

    python benchmarks/ifeval.py [--rounds 3]

Both sides check the same golden responses with the same Punkt parameters, in processes of their own and in alternating
rounds; the best of each counts. A round is two passes over all rows: the second shows what a run costs once it is under
way. Some of lm-eval's verdicts are random: its language detector is not seeded.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
import zlib
from functools import cache
from pathlib import Path
from typing import Any

from sides import peer_python, run_worker

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
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--worker", nargs=2)
    given = parser.parse_args()
    if given.worker:
        work(*given.worker)
        return
    print("| responses | pass | ringtrue / lm-eval | same verdicts | floor |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        write_punkt(Path(folder, "tokenizers", "punkt_tab", "english"))
        for name in SETS:
            compare(name, folder, given.rounds)


def write_punkt(folder: Path) -> None:
    """Our Punkt parameters in the files in which NLTK looks for them, so that nothing is downloaded."""
    from ringtrue.scoring.data import read_bytes

    table = json.loads(zlib.decompress(read_bytes("punkt_english.bin")))
    contexts = [(word, flags) for flags, words in table["contexts"].items() for word in words.split(" ")]
    files = {
        "abbrev_types.txt": table["abbreviations"],
        "sent_starters.txt": table["starters"],
        "collocations.tab": ["\t".join(pair) for pair in table["collocations"]],
        "ortho_context.tab": ["\t".join(pair) for pair in contexts],
    }
    folder.mkdir(parents=True)
    for name, lines in files.items():
        (folder / name).write_text("\n".join(lines), "utf-8")


def compare(name: str, nltk_data: str, rounds: int) -> None:
    """Print the ratios for one set of responses."""
    best: dict[str, list[float]] = {}
    verdicts: dict[str, Any] = {}
    for _ in range(rounds):
        for side, python in (("ours", sys.executable), ("peer", peer_python("lmeval"))):
            found = run_worker(python, __file__, side, name, NLTK_DATA=nltk_data)
            best[side] = [min(pair) for pair in zip(best.get(side, found["seconds"]), found["seconds"], strict=True)]
            verdicts[side] = found["verdicts"]
    flat = {side: [v for row in found for mode in row for v in mode] for side, found in verdicts.items()}
    same = sum(a == b for a, b in zip(flat["ours"], flat["peer"], strict=True))
    for number, which in enumerate(("first", "second")):
        ratio = f"{best['peer'][number] / best['ours'][number]:.0f}"
        print(f"| {name} | {which} | {ratio} | {same:,} of {len(flat['ours']):,} | {FLOOR} |", flush=True)


if __name__ == "__main__":
    main()
