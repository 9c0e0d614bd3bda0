"""Published outputs of real models, replayed through ringtrue; its figures beside the published ones.

    python benchmarks/published/replay.py PUBLISHED [BENCHMARKS]

PUBLISHED (or RINGTRUE_PUBLISHED) is a folder with any of these folders, each with the files as their authors give them:
`ifeval` (a model's responses for google-research's instruction_following_eval), `bbh` (`cot-TASK.json` of
suzgunmirac/BIG-Bench-Hard; another model's in a folder of its name), `mmlu_pro` (TIGER-AI-Lab/MMLU-Pro's eval_results,
JSON or a zip of it) and `infinitebench` (OpenBMB/InfiniteBench's `MODEL/preds_TASK.jsonl`, or `MODEL_TASK.jsonl`).
Files may be gzipped, and of several models; a published figure is printed for the model that it is of.
BENCHMARKS (or RINGTRUE_BENCHMARKS, or `benchmarks` beside PUBLISHED) has the prompts, `ifeval/input_data.jsonl`. The
questions go through the catalogue's loaders, the outputs through `evaluate()` as a system that repeats them; each
figure is the headline of its configuration. A row without an output counts as an empty reply, and is noted.
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


_TASKS = "passkey number_string kv_retrieval longbook_sum_eng longbook_qa_eng longbook_choice_eng longdialogue_qa_eng "
_TASKS += "longbook_qa_chn code_debug code_run math_calc math_find"
_FIGURES = {
    "gpt4": "100 100 89 14.73 22.44 67.25 8.5 25.96 37.06 23.25 <5 60",
    "yarn-mistral": "92.71 56.61 <5 9.09 9.55 27.95 7.5 16.98 <5 <5 <5 17.14",
    "kimi": "98.14 95.42 53.6 17.96 16.52 72.49 11.5 17.93 17.77 <5 <5 12.57",
    "claude2": "97.8 98.14 65.4 14.5 11.97 62.88 46.5 9.64 <5 <5 <5 32.29",
    "yi-6b-200k": "100 94.92 <5 <5 9.2 36.68 <5 15.07 9.14 <5 <5 <5",
    "yi-34b-200k": "100 100 <5 <5 12.17 38.43 <5 13.61 13.96 <5 <5 25.71",
    "chatglm3-6b-128k": "92.2 80.68 <5 <5 <5 10.48 <5 <5 7.36 <5 <5 7.71",
}
INFINITEBENCH = {model: dict(zip(_TASKS.split(), figures.split(), strict=True)) for model, figures in _FIGURES.items()}
"""The figures of github.com/OpenBMB/InfiniteBench@e60e8dc07b304842282c995984d88f683ae3a53b/README.md."""


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

    A response belongs to its prompt, or to its place: the wording of one prompt was changed after GPT-4's were made.
    """
    prompts = (benchmarks / "ifeval" / "input_data.jsonl").read_text(encoding="utf-8")
    rows = mirrored("google/IFEval/ifeval_input_data.jsonl", prompts, "ifeval")
    for path in files(published / "ifeval", ".jsonl"):
        given = [json.loads(line) for line in unpacked(path).splitlines() if line.strip()]
        by_prompt = {row.get("prompt"): row for row in given}
        same = len(given) == len(rows)
        found = [by_prompt.get(row["question"], given[at] if same else {}) for at, row in enumerate(rows)]
        said, note = texts(found, "response")
        result = replayed(rows, {row["id"]: text for row, text in zip(rows, said, strict=True)}, IFEval())
        known = "gpt4" in path.name
        for part, (figure, varies) in IFEVAL.items():
            if part.startswith("instruction"):
                mean = Pooled(part, "instructions").compute(result.rows)[f"pooled_{part}"]
            else:
                mean = sum(row.scores[part] for row in result.rows) / len(result.rows)
            beside = (figure, f"the official checker gives {varies}{note}") if known else (None, note)
            name = "" if known else f"{path.name.partition('.')[0]} "
            yield Figure(f"ifeval {name}{part}", len(rows), 100 * mean, *beside)


def bbh(published: Path, benchmarks: Path) -> Iterator[Figure]:
    """Exact match after "the answer is", per task."""
    for path in files(published / "bbh", ".json"):
        task = path.name.removeprefix("cot-").partition(".json")[0]
        model = "" if path.parent.name == "bbh" else f"{path.parent.name} "
        given = json.loads(unpacked(path))["outputs"]
        questions = [{"input": row["input"].rpartition("\n\nQ: ")[2], "target": row["target"]} for row in given]
        rows = mirrored(f"lukaemon/bbh/{task}/test.jsonl", lines(questions), f"bbh:{task}")
        said, note = texts(given, "prediction")
        outputs = {row["id"]: text for row, text in zip(rows, said, strict=True)}
        found = scores(rows, outputs, FinalAnswer(), "final_answer")
        figure = None if model else BBH.get(task)
        yield Figure(f"bbh {model}{task}", len(rows), 100 * sum(found) / len(found), figure, note)


def mmlu_pro(published: Path, benchmarks: Path) -> Iterator[Figure]:
    """Accuracy beside that of the letters the authors read from the same texts, `pred` in their file.

    Where they find no letter, their leaderboard counts a random guess; we count that as wrong.
    """
    for path in files(published / "mmlu_pro", ".zip", ".json"):
        given = json.loads(unpacked(path))
        rows = mirrored("TIGER-Lab/MMLU-Pro/data/test.jsonl", lines(given), "mmlu-pro")
        said, note = texts(given, "generated_text", "model_outputs")
        outputs = {row["question_id"]: text for row, text in zip(given, said, strict=True)}
        found = scores(rows, outputs, MultipleChoiceAccuracy(), "mc_accuracy")
        guesses = [1 / len(row["options"]) for row in given if row.get("pred") is None]
        theirs = sum(row.get("pred") == row["answer"] for row in given)
        guessed = 100 * (theirs + sum(guesses)) / len(given)
        note = f"with {len(guesses):,} random guesses {guessed:.2f} on average{note}"
        model = path.name.partition(".json")[0].removesuffix(".zip").removeprefix("model_outputs_")
        yield Figure(f"mmlu-pro {model}", len(rows), 100 * sum(found) / len(found), 100 * theirs / len(given), note)


def infinitebench(published: Path, benchmarks: Path) -> Iterator[Figure]:
    """The headline of each task, for every model and task there are outputs of.

    GPT-4's replies to the authors' prompt of math_calc begin with the first operand, which their script leaves out.
    """
    for path in files(published / "infinitebench", ".jsonl"):
        stem = path.name.partition(".jsonl")[0]
        task = next((task for task in RULES if stem.endswith(task)), None)
        if task is None:
            raise SystemExit(f"{path} is not named after a task of InfiniteBench: {', '.join(RULES)}")
        model = stem.removesuffix(task).removesuffix("preds_").strip("_-") or path.parent.name
        given = [json.loads(line) for line in unpacked(path).splitlines() if line.strip()]
        hub = hub_rows(task, given, path)
        rows = mirrored(f"xinrongzhang2022/InfiniteBench/{task}.jsonl", lines(hub), f"infinitebench:{task}")
        said, note = texts(given, "prediction", "pred")
        outputs = {row["id"]: text for row, text in zip(rows, said, strict=True)}
        scoring = scoring_of(f"infinitebench:{task}")
        assert scoring is not None
        found = scores(rows, outputs, InfiniteBench(repeats_first=model == "gpt4"), scoring.headline)
        stated = INFINITEBENCH.get(model, {}).get(task, "<")
        figure, small = (None, f"published: {stated}") if stated.startswith("<") else (float(stated), "")
        note = (small if stated != "<" else "") + note
        yield Figure(f"infinitebench {model} {task}", len(rows), 100 * sum(found) / len(found), figure, note)


def hub_rows(task: str, given: list[dict[str, Any]], path: Path) -> list[dict[str, Any]]:
    """Rows as the hub has them, from what the outputs say of them: the context is not among it."""
    found = []
    for place, row in enumerate(given):
        gold, options = row.get("ground_truth", row.get("label")), []
        if gold is None:
            raise SystemExit(f"{path}: row {place + 1} has neither ground_truth nor label")
        if task in ("longbook_choice_eng", "code_debug"):
            gold, letter = gold
            options = [f"another option {other}" for other in "ABCD"]
            options["ABCD".index(letter)] = gold
        elif task == "math_calc" and isinstance(gold[0], list):
            gold = gold[0]
        found.append({"id": place, "context": "", "input": "", "answer": gold, "options": options})
    return found


def texts(given: list[dict[str, Any]], *names: str) -> tuple[list[str], str]:
    """What each row has under the first of these names that it has, as text, and a note on rows without any."""
    found = [next((row[name] for name in names if row.get(name) is not None), None) for row in given]
    missing = found.count(None)
    said = ["" if one is None else "\n".join(map(str, one)) if isinstance(one, list) else str(one) for one in found]
    return said, f"; {missing:,} rows without an output" if missing else ""


def files(folder: Path, *endings: str) -> list[Path]:
    """The files in a folder and below it with one of these endings, gzipped or not."""
    return sorted(path for path in folder.rglob("*") if path.name.removesuffix(".gz").endswith(endings))


def unpacked(path: Path) -> str:
    """The text of a file, which may be gzipped, or of the first file of a zip."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            return archive.read(archive.namelist()[0]).decode("utf-8")
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
    print(f"{'':<46} {'rows':>6} {'ours':>7} {'published':>10}")
    for replay in there:
        for figure in replay(published, benchmarks):
            beside = "–" if figure.published is None else f"{figure.published:.2f}"
            note = figure.note.lstrip("; ")
            print(f"{figure.what:<46} {figure.rows:>6,} {figure.ours:>7.2f} {beside:>10}  {note}".rstrip())


if __name__ == "__main__":
    main()
