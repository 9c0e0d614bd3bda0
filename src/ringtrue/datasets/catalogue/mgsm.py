"""MGSM: 250 problems of GSM8K in eleven languages; `mgsm:de` is German."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import EVALSCOPE, HUB, LM_EVAL
from ringtrue.datasets.catalogue.gsm8k import FORM
from ringtrue.datasets.catalogue.prompts import asking


def load(source: Source) -> Iterator[Case]:
    """A case per problem; the answer is a number, the same in every language."""
    for row in source.rows():
        yield {
            "question": asking(row["question"], FORM),
            "answer": [f"{row['answer_number']:g}" if row["answer_number"] % 1 else str(int(row["answer_number"]))],
            "language": source.config,
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
    licence="CC BY-SA 4.0",
    citation="Shi et al. 2022, arXiv:2210.03057",
    homepage="https://github.com/google-research/url-nlp/tree/main/mgsm",
    sources=(
        f"{LM_EVAL}/mgsm/direct/mgsm_direct_en.yaml: schema",
        f"{LM_EVAL}/mgsm/utils.py: configurations",
        f"{EVALSCOPE}/_meta/mgsm.json: size",
        f"{HUB}/juletxara/mgsm/commits/main/README.md: licence",
    ),
    note="The form of the answer is asked for in English, whatever the language of the problem.",
)
