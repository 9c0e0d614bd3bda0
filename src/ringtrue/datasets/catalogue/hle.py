"""Humanity's Last Exam: expert questions of many fields; those without a picture, with the confidence asked for."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import EVALSCOPE, HUB, INSPECT
from ringtrue.datasets.catalogue.prompts import OWN_WORDS, asking

FORM = (
    'Explain your answer, then end with a line "Answer: X", where X is the answer, and a line "Confidence: N%", where '
    "N says from 0 to 100 how sure you are."
)


def load(source: Source) -> Iterator[Case]:
    """A case per question that has no picture."""
    for row in source.rows():
        if not row["image"]:
            yield {
                "id": row["id"],
                "question": asking(row["question"], FORM),
                "bare_question": row["question"],
                "answer": [row["answer"]],
                "answer_type": row["answer_type"],
                "category": row["category"],
            }


BENCHMARK = Benchmark(
    name="hle",
    task="expert questions",
    path="cais/hle",
    split="test",
    revision="5a81a4c7271a2a2a312b9a690f0c2fde837e4c29",
    gated=True,
    size=2158,
    fields=dict.fromkeys(("id", "question", "answer", "answer_type", "category"), "string") | {"image": "any"},
    load=load,
    evaluators=("answer_quality", "stated_confidence(unstated=1.0)"),
    metric="contains",
    proxy="Whether the reply contains the answer, letter by letter; the authors let a model decide: add a judge.",
    judged=("short_answer_judge",),
    judged_metric="correct",
    judged_proxy=OWN_WORDS,
    metrics=(("CalibrationError", "correct", "confidence"),),
    subject="category",
    licence="MIT",
    citation="Phan et al. 2025, arXiv:2501.14249",
    homepage="https://github.com/centerforaisafety/hle",
    sources=(
        f"{HUB}/cais/hle/discussions/6: licence",
        f"{INSPECT}/hle/dataset.py: revision, schema",
        f"{INSPECT}/hle/metrics.py: rules",
        f"{EVALSCOPE}/_meta/hle.json: size",
    ),
    note="Of the 2,500 questions those with pictures are left out. A reply without a confidence counts as 100%, as in "
    "the authors' script. The authors' script leaves out the last bin of "
    "the calibration error: that is calibration_error_hle.",
)
