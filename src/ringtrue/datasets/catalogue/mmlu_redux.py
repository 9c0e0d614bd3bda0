"""MMLU-Redux 2.0: 100 questions of each of MMLU's 57 subjects, checked by people, wrong answers corrected."""

import re
from collections.abc import Iterator, Mapping

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import EVALSCOPE, HUB
from ringtrue.datasets.catalogue.mmlu import SUBJECTS
from ringtrue.datasets.catalogue.prompts import with_options
from ringtrue.records import Json


def load(source: Source) -> Iterator[Case]:
    """A case per question of a subject, or of all one after the other; every option that is right is a reference."""
    for subject in SUBJECTS.split() if source.config == "all" else [str(source.config)]:
        for place, row in enumerate(source.rows(files=f"{subject}/data-00000-of-00001.arrow")):
            choices = list(row["choices"])
            if row["error_type"] == "no_correct_answer" and row["correct_answer"]:
                choices[row["answer"]] = row["correct_answer"]
            case = {"question": with_options(row["question"], choices), "choices": choices, "subject": subject}
            right = [choices[at] for at in right_places(row, choices)]
            case |= {"id": f"{subject}_{place}", "error_type": row["error_type"]}
            yield {**case, "answer": right} if right else case


def right_places(row: Mapping[str, Json], choices: list[str]) -> list[int]:
    """Return the right options: MMLU's answer, unless the annotators name others by number, letter or text."""
    said = str(row["correct_answer"] or "").strip("() ")
    if row["error_type"] not in ("wrong_groundtruth", "multiple_correct_answers") or not said:
        return [row["answer"]]
    parts = [part for part in re.split(r"\s*(?:,|\band\b|\bor\b|\s)\s*", said) if part]
    if all(re.fullmatch(r"[0-3]", part) for part in parts):
        return [int(part) for part in parts]
    if all(re.fullmatch(r"[A-Da-d]", part) for part in parts):
        return ["ABCD".index(part.upper()) for part in parts]
    return [place for place, choice in enumerate(choices) if choice.strip() == said]


BENCHMARK = Benchmark(
    name="mmlu-redux",
    task="multiple choice, knowledge",
    path="edinburgh-dawg/mmlu-redux-2.0",
    config="all",
    configs=("all", *SUBJECTS.split()),
    split="test",
    size=5700,
    fields={"question": "string", "choices": ["string"], "answer": "integer", "error_type": "string",
            "correct_answer": "string?"},
    load=load,
    evaluators=("answer_quality", "multiple_choice"),
    metric="mc_accuracy",
    subject="subject",
    note="All 5,700 questions, with the answers that the annotators corrected; error_type says which have no error.",
    licence="CC BY 4.0",
    citation="Gema et al. 2024, arXiv:2406.04127",
    homepage="https://huggingface.co/datasets/edinburgh-dawg/mmlu-redux-2.0",
    sources=(
        f"{EVALSCOPE}/mmlu_redux/mmlu_redux_adapter.py: schema, configurations, rules",
        f"{EVALSCOPE}/_meta/mmlu_redux.json: size",
        f"{HUB}/edinburgh-dawg/mmlu-redux-2.0/commits/ecde1359227ae7c3291f6ca3e16417b4ee8040d0: licence",
        f"{HUB}/edinburgh-dawg/mmlu-redux/tree/38779ddf492019dbe13331348f1cba754a7bc70f/college_mathematics: files",
    ),
)  # fmt: skip
