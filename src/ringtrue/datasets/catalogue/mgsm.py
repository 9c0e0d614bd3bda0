"""MGSM: 250 problems of GSM8K in eleven languages; `mgsm:de` is German."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import EVALSCOPE, HUB, LM_EVAL
from ringtrue.datasets.catalogue.gsm8k import FORM
from ringtrue.datasets.catalogue.prompts import asking
from ringtrue.datasets.worked_examples import RAW, ExampleFormat

LABELS = {
    "bn": ("প্রশ্ন: ", "ধাপে ধাপে উত্তর:"),
    "de": ("Frage: ", "Schritt-für-Schritt-Antwort:"),
    "en": ("Question: ", "Step-by-Step Answer:"),
    "es": ("Pregunta: ", "Respuesta paso a paso:"),
    "fr": ("Question : ", "Réponse étape par étape :"),
    "ja": ("問題：", "ステップごとの答え："),
    "ru": ("Задача: ", "Пошаговое решение:"),
    "sw": ("Swali: ", "Jibu la Hatua kwa Hatua:"),
    "te": ("ప్రశ్న: ", "దశలవారీగా సమాధానం:"),
    "th": ("โจทย์: ", "คำตอบทีละขั้นตอน:"),
    "zh": ("问题：", "逐步解答："),
}
"""What the authors' worked examples put before a question and before its answer, in each language."""


def load(source: Source) -> Iterator[Case]:
    """A case per problem; the answer is a number, the same in every language."""
    ask, cue = LABELS[source.config or "en"]
    for row in source.rows():
        yield {
            "question": asking(row["question"], FORM),
            "answer": [f"{row['answer_number']:g}" if row["answer_number"] % 1 else str(int(row["answer_number"]))],
            "language": source.config,
            RAW: {"question": ask + row["question"].removeprefix(ask), "cue": cue, "solution": row.get("answer")},
        }


BENCHMARK = Benchmark(
    name="mgsm",
    task="mathematics, word problems",
    path="juletxara/mgsm",
    config="en",
    configs=("bn", "de", "en", "es", "fr", "ja", "ru", "sw", "te", "th", "zh"),
    split="test",
    size=250,
    fields={"question": "string", "answer_number": "number"},
    load=load,
    evaluators=("answer_quality", "math_equivalence"),
    metric="math_equiv",
    examples="train",
    example_format=ExampleFormat(example="{question}\n{solution}", question="{question}\n{cue}"),
    licence="CC BY-SA 4.0",
    citation="Shi et al. 2022, arXiv:2210.03057",
    homepage="https://github.com/google-research/url-nlp/tree/main/mgsm",
    sources=(
        f"{LM_EVAL}/mgsm/direct/mgsm_direct_en.yaml: schema",
        f"{LM_EVAL}/mgsm/utils.py: configurations",
        f"{EVALSCOPE}/_meta/mgsm.json: size",
        f"{HUB}/juletxara/mgsm/commits/main/README.md: licence",
        "github.com/google-research/url-nlp@4b1e7a43efb517abadd16041e8b47f3be975c76e/mgsm/exemplars.py: examples",
    ),
    note="The form of the answer is asked for in English, whatever the language of the problem.",
)
