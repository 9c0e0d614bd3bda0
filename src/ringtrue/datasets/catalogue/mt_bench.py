"""MT-Bench: 80 conversations of two turns in eight categories."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import EVALSCOPE, HUB


def load(source: Source) -> Iterator[Case]:
    """A case per conversation; where there are reference replies, that to the last turn is the answer."""
    for row in source.rows():
        turns, references = list(row["prompt"]), [text for text in row["reference"] or () if text]
        case = {
            "id": row["prompt_id"],
            "question": turns[0],
            "multi_turn": True,
            "turns": [{"role": "user", "content": turn} for turn in turns],
            "category": row["category"],
        }
        yield {**case, "answer": [references[-1]], "turn_references": references} if references else case


BENCHMARK = Benchmark(
    name="mt-bench",
    task="conversation",
    path="HuggingFaceH4/mt_bench_prompts",
    split="train",
    size=80,
    fields={"prompt": ["string"], "prompt_id": "integer", "category": "string", "reference": "any"},
    load=load,
    metric="f1",
    proxy="Overlap with a reference, which 30 of 80 cases have. The authors let a model rate every reply from 1 to 10: "
    "with a judge the headline is that rating / 10.",
    judged=("turn_ratings",),
    judged_metric="turn_rating",
    subject="category",
    licence="Apache-2.0",
    citation="Zheng et al. 2023, arXiv:2306.05685",
    homepage="https://github.com/lm-sys/FastChat/tree/main/fastchat/llm_judge",
    sources=(
        f"{HUB}/HuggingFaceH4/mt_bench_prompts/commits/main/README.md: licence",
        f"{EVALSCOPE}/mt_bench/mt_bench_adapter.py: schema",
        f"{EVALSCOPE}/_meta/mt_bench.json: size",
    ),
)
