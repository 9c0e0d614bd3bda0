"""Published outputs of real models, replayed through ringtrue; its figures beside the published ones.

    python benchmarks/published/replay.py PUBLISHED [BENCHMARKS]

PUBLISHED (or RINGTRUE_PUBLISHED) is a folder with any of these folders, each with the files as their authors give them:
`ifeval` (GPT-4's responses in google-research's instruction_following_eval, gzipped), `bbh` (`cot-TASK.json.gz` of
suzgunmirac/BIG-Bench-Hard), `mmlu_pro` (a zip of TIGER-AI-Lab/MMLU-Pro's eval_results) and `infinitebench`
(MODEL_TASK.jsonl or .jsonl.gz of OpenBMB/InfiniteBench). BENCHMARKS (or RINGTRUE_BENCHMARKS, or `benchmarks` beside
PUBLISHED) has the prompts, `ifeval/input_data.jsonl`. The questions go through the catalogue's loaders, the outputs
through `evaluate()` as a system that repeats them; each figure is the headline of its configuration.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ringtrue import evaluate
from ringtrue.datasets import Origin, load
from ringtrue.datasets.catalogue.table import scoring_of
from ringtrue.evaluators.final_answer import FinalAnswer
from ringtrue.evaluators.ifeval import IFEval
from ringtrue.evaluators.infinitebench import InfiniteBench
from ringtrue.evaluators.multiple_choice import MultipleChoiceAccuracy
from ringtrue.metrics import Pooled
from ringtrue.scoring.long_context.infinitebench import RULES


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


INFINITEBENCH = {
    "gpt4": {
        "passkey": 100.0,
        "number_string": 100.0,
        "kv_retrieval": 89.0,
        "longbook_sum_eng": 14.73,
        "longbook_qa_eng": 22.44,
        "longbook_choice_eng": 67.25,
        "longdialogue_qa_eng": 8.5,
        "longbook_qa_chn": 25.96,
        "code_debug": 37.06,
        "code_run": 23.25,
        "math_find": 60.0,
    }
}
"""The figures of github.com/OpenBMB/InfiniteBench's README, by model and task; that of math_calc is "< 5"."""


def replayed(rows: list[dict[str, Any]], outputs: dict[Any, str], evaluator: Any) -> Any:
    """The result of a system that says, for every case, what was published for it."""

    def published(example: dict[str, Any]) -> str:
        return outputs[example["id"]]

    return evaluate(published, rows, [evaluator], progress=False, store=None, max_workers=1)


def scores(rows: list[dict[str, Any]], outputs: dict[Any, str], evaluator: Any, part: str) -> list[float]:
    """One part of the scores of published outputs."""
    return [row.scores[part] for row in replayed(rows, outputs, evaluator).rows]


def ifeval(published: Path, benchmarks: Path) -> Iterator[Figure]:
    """Prompt- and instruction-level accuracy; every instruction counts alike, whichever prompt it is of.

    Outputs and prompts are in the same order; the wording of one prompt was changed after the outputs were made.
    """
    path = next((published / "ifeval").glob("*.jsonl.gz"))
    said = [json.loads(line)["response"] for line in gzip.decompress(path.read_bytes()).decode().splitlines()]
    prompts = (benchmarks / "ifeval" / "input_data.jsonl").read_text(encoding="utf-8")
    rows = mirrored("google/IFEval/ifeval_input_data.jsonl", prompts, "ifeval")
    outputs = {row["id"]: response for row, response in zip(rows, said, strict=True)}
    result = replayed(rows, outputs, IFEval())
    for part, (figure, varies) in IFEVAL.items():
        if part.startswith("instruction"):
            mean = Pooled(part, "instructions").compute(result.rows)[f"pooled_{part}"]
        else:
            mean = sum(row.scores[part] for row in result.rows) / len(result.rows)
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


def infinitebench(published: Path, benchmarks: Path) -> Iterator[Figure]:
    """The headline of each task, for every model and task there are outputs of.

    GPT-4's replies to the authors' prompt of math_calc begin with the first operand, which their script leaves out.
    """
    for path in sorted((published / "infinitebench").glob("*.jsonl*")):
        stem = path.name.partition(".jsonl")[0]
        task = next(task for task in RULES if stem.endswith(task))
        model = stem.removesuffix(task).strip("_-").removesuffix("_preds")
        given = [json.loads(line) for line in unpacked(path).splitlines() if line.strip()]
        rows = mirrored(
            f"xinrongzhang2022/InfiniteBench/{task}.jsonl", lines(hub_rows(task, given)), f"infinitebench:{task}"
        )
        outputs = {row["id"]: source["prediction"] for row, source in zip(rows, given, strict=True)}
        scoring = scoring_of(f"infinitebench:{task}")
        assert scoring is not None
        found = scores(rows, outputs, InfiniteBench(repeats_first=model == "gpt4"), scoring.headline)
        figure = INFINITEBENCH.get(model, {}).get(task)
        note = "published: < 5" if task == "math_calc" else ""
        yield Figure(f"infinitebench {model} {task}", len(rows), 100 * sum(found) / len(found), figure, note)


def hub_rows(task: str, given: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows as the hub has them, from what the outputs say of them: the context is not among it."""
    found = []
    for place, row in enumerate(given):
        gold, options = row.get("ground_truth", row.get("label")), []
        if task in ("longbook_choice_eng", "code_debug"):
            gold, letter = gold
            options = [f"another option {other}" for other in "ABCD"]
            options["ABCD".index(letter)] = gold
        found.append({"id": place, "context": "", "input": "", "answer": gold, "options": options})
    return found


def unpacked(path: Path) -> str:
    """The text of a file, which may be gzipped."""
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")


def mirrored(path: str, content: str, name: str) -> list[dict[str, Any]]:
    """The cases the catalogue makes of a file in the hub's layout."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / path
        target.parent.mkdir(parents=True)
        target.write_text(content, encoding="utf-8")
        return list(load(name, origin=Origin(folder)))


def lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("PUBLISHED", "BENCHMARKS"):
        parser.add_argument(
            name.lower(), nargs="?", type=Path, metavar=name, default=os.environ.get(f"RINGTRUE_{name}")
        )
    given = parser.parse_args()
    if given.published is None:
        parser.exit(2, parser.format_help())
    published, benchmarks = given.published, given.benchmarks or given.published.parent / "benchmarks"
    there = [replay for replay in (ifeval, bbh, mmlu_pro, infinitebench) if (published / replay.__name__).is_dir()]
    if not there:
        parser.error(f"{published} has no folder ifeval, bbh, mmlu_pro or infinitebench")
    if ifeval in there and not (benchmarks / "ifeval" / "input_data.jsonl").is_file():
        parser.error(f"{benchmarks} has no ifeval/input_data.jsonl, the prompts of IFEval")
    print(f"{'':<38} {'rows':>6} {'ours':>7} {'published':>10}")
    for replay in there:
        for figure in replay(published, benchmarks):
            beside = "–" if figure.published is None else f"{figure.published:.2f}"
            print(f"{figure.what:<38} {figure.rows:>6,} {figure.ours:>7.2f} {beside:>10}  {figure.note}".rstrip())


if __name__ == "__main__":
    main()
