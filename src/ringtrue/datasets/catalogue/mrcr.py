"""OpenAI-MRCR: which of several like requests in a long conversation was answered how; `mrcr:8needle` hides eight."""

import json
from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import EVALSCOPE, HUB
from ringtrue.errors import InputError

NEEDLES = ("2needle", "4needle", "8needle")


def load(source: Source) -> Iterator[Case]:
    """A case per conversation, sent turn by turn as it is; its last turn is the question."""
    folder = "*needle" if source.config == "all" else str(source.config)
    for place, row in enumerate(source.rows(files=f"{folder}/*.parquet")):
        try:
            turns = json.loads(row["prompt"])
            question = turns[-1]["content"]
        except (ValueError, KeyError, IndexError, TypeError) as error:
            raise InputError(f"mrcr: the prompt of row {place} is not a list of messages: {error}") from error
        yield {
            "id": place,
            "question": question,
            "turns": turns,
            "answer": [row["answer"]],
            "prefix": row["random_string_to_prepend"],
            "needles": row["n_needles"],
        }


BENCHMARK = Benchmark(
    name="mrcr",
    task="long context, conversation",
    path="openai/mrcr",
    config="all",
    configs=("all", *NEEDLES),
    split="train",
    size=2400,
    fields={"prompt": "string", "answer": "string", "random_string_to_prepend": "string", "n_needles": "integer"},
    load=load,
    evaluators=("answer_quality", "prefixed_similarity"),
    metric="prefixed_similarity",
    subject="needles",
    licence="MIT",
    citation="OpenAI 2025, https://huggingface.co/datasets/openai/mrcr; Vodrahalli et al. 2024, arXiv:2409.12640",
    homepage="https://huggingface.co/datasets/openai/mrcr",
    sources=(
        f"{EVALSCOPE}/openai_mrcr/openai_mrcr_adapter.py: schema",
        f"{EVALSCOPE}/openai_mrcr/utils.py: rules",
        f"{EVALSCOPE}/_meta/openai_mrcr.json: size",
        f"{HUB}/openai/mrcr/tree/main: files, licence, configurations",
    ),
)
