"""Published outputs of real models, replayed through ringtrue; its figures beside the published ones.

    python benchmarks/published/replay.py [PUBLISHED] [BENCHMARKS]

PUBLISHED (or RINGTRUE_PUBLISHED) is a folder with `ifeval`, `bbh` and `mmlu_pro`; BENCHMARKS (or RINGTRUE_BENCHMARKS)
has the IFEval prompts. The questions go through the catalogue's loaders, the outputs through `evaluate()` as a system
that repeats them.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ringtrue import evaluate
from ringtrue.datasets import Origin, load
from ringtrue.evaluators.final_answer import FinalAnswer
from ringtrue.evaluators.ifeval import IFEval
from ringtrue.evaluators.multiple_choice import MultipleChoiceAccuracy


class Figure(NamedTuple):
    """One number: of what, how many rows, ours and the published one, in percent, and what to know."""

    what: str
    rows: int
    ours: float
    published: float | None
    note: str = ""


IFEVAL = {
    "prompt_strict": (76.89, "76.71–77.08"),
    "instruction_strict": (83.57, "83.45–83.69"),
    "prompt_loose": (79.30, "79.30–79.67"),
    "instruction_loose": (85.37, "85.37–85.61"),
}
"""GPT-4, as the authors publish it (arXiv:2311.07911), and between what their checker varies: it draws at random."""

BBH = {
    "boolean_expressions": 92.8,
    "date_understanding": 87.2,
    "disambiguation_qa": 76.0,
    "geometric_shapes": 54.4,
    "hyperbaton": 66.4,
    "movie_recommendation": 90.4,
    "multistep_arithmetic_two": 47.6,
    "object_counting": 93.2,
    "snarks": 59.55,
}
"""code-davinci-002 with chains of thought: `accuracy` in the authors' `*_eval_metrics.jsonl` beside these outputs,
github.com/suzgunmirac/BIG-Bench-Hard@e26f26d60a13e15a85e3321d0cbfb844c8039031/code-davinci-002-outputs."""


def scores(rows: list[dict[str, Any]], outputs: dict[Any, str], evaluator: Any, part: str) -> list[float]:
    """The scores of a system that says, for every case, what was published for it."""

    def replayed(example: dict[str, Any]) -> str:
        return outputs[example["id"]]

    result = evaluate(replayed, rows, [evaluator], progress=False, store=None, max_workers=1)
    return [row.scores[part] for row in result.rows]


def ifeval(published: Path, benchmarks: Path) -> Iterator[Figure]:
    """Prompt- and instruction-level accuracy; every instruction counts alike, whichever prompt it is of.

    Outputs and prompts are in the same order; the wording of one prompt was changed after the outputs were made.
    """
    path = next((published / "ifeval").glob("*.jsonl.gz"))
    said = [json.loads(line)["response"] for line in gzip.decompress(path.read_bytes()).decode().splitlines()]
    prompts = (benchmarks / "ifeval" / "input_data.jsonl").read_text(encoding="utf-8")
    rows = mirrored("google/IFEval/ifeval_input_data.jsonl", prompts, "ifeval")
    outputs = {row["id"]: response for row, response in zip(rows, said, strict=True)}
    for part, (figure, varies) in IFEVAL.items():
        found = scores(rows, outputs, IFEval(), part)
        weights = [len(row["instruction_id_list"]) if part.startswith("instruction") else 1 for row in rows]
        mean = sum(value * weight for value, weight in zip(found, weights, strict=True)) / sum(weights)
        yield Figure(f"ifeval {part}", len(rows), 100 * mean, figure, f"the official checker gives {varies}")


def bbh(published: Path, benchmarks: Path) -> Iterator[Figure]:
    """Exact match after "the answer is", per task."""
    for path in sorted((published / "bbh").glob("cot-*.json.gz")):
        task = path.name.removeprefix("cot-").removesuffix(".json.gz")
        given = json.loads(gzip.decompress(path.read_bytes()))["outputs"]
        questions = [{"input": row["input"].rpartition("\n\nQ: ")[2], "target": row["target"]} for row in given]
        rows = mirrored(f"lukaemon/bbh/{task}/test.jsonl", lines(questions), f"bbh:{task}")
        outputs = {row["id"]: source["prediction"] for row, source in zip(rows, given, strict=True)}
        found = scores(rows, outputs, FinalAnswer(), "final_answer")
        yield Figure(f"bbh {task}", len(rows), 100 * sum(found) / len(found), BBH.get(task))


def mmlu_pro(published: Path, benchmarks: Path) -> Iterator[Figure]:
    """Accuracy beside that of the letters the authors read from the same texts, `pred` in their file.

    Where they find no letter, their leaderboard counts a random guess; we count that as wrong.
    """
    with zipfile.ZipFile(next((published / "mmlu_pro").glob("*.zip"))) as archive:
        given = json.loads(archive.read(archive.namelist()[0]))
    rows = mirrored("TIGER-Lab/MMLU-Pro/data/test.jsonl", lines(given), "mmlu-pro")
    outputs = {row["question_id"]: row["generated_text"] for row in given}
    found = scores(rows, outputs, MultipleChoiceAccuracy(), "mc_accuracy")
    guesses = [1 / len(row["options"]) for row in given if row["pred"] is None]
    theirs = sum(row["pred"] == row["answer"] for row in given)
    guessed = 100 * (theirs + sum(guesses)) / len(given)
    note = f"with {len(guesses):,} random guesses {guessed:.2f} on average"
    yield Figure("mmlu-pro", len(rows), 100 * sum(found) / len(found), 100 * theirs / len(given), note)


def mirrored(path: str, content: str, name: str) -> list[dict[str, Any]]:
    """The cases the catalogue makes of a file in the hub's layout."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / path
        target.parent.mkdir(parents=True)
        target.write_text(content, encoding="utf-8")
        return list(load(name, origin=Origin(folder)))


def lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def main(arguments: list[str]) -> None:
    published, benchmarks = (
        Path(arguments[place] if len(arguments) > place else os.environ.get(variable, variable))
        for place, variable in enumerate(("RINGTRUE_PUBLISHED", "RINGTRUE_BENCHMARKS"))
    )
    print(f"{'':<30} {'rows':>6} {'ours':>7} {'published':>10}")
    for replay in (ifeval, bbh, mmlu_pro):
        for figure in replay(published, benchmarks):
            beside = "–" if figure.published is None else f"{figure.published:.2f}"
            print(f"{figure.what:<30} {figure.rows:>6,} {figure.ours:>7.2f} {beside:>10}  {figure.note}".rstrip())


if __name__ == "__main__":
    main(sys.argv[1:])
