"""IFEval: prompts whose instructions can be checked by a program."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import HUB, INSPECT


def load(source: Source) -> Iterator[Case]:
    """A case per prompt, exactly as it is; there is no answer to compare with."""
    for row in source.rows():
        yield {
            "id": row["key"],
            "question": row["prompt"],
            "prompt": row["prompt"],
            "instruction_id_list": list(row["instruction_id_list"]),
            "kwargs": [dict(arguments) for arguments in row["kwargs"]],
        }


BENCHMARK = Benchmark(
    name="ifeval",
    task="instruction following",
    path="google/IFEval",
    split="train",
    revision="966cd89545d6b6acfd7638bc708b98261ca58e84",
    size=541,
    fields={"key": "integer", "prompt": "string", "instruction_id_list": ["string"], "kwargs": [{}]},
    load=load,
    evaluators=("answer_quality", "ifeval_checker", "ifeval"),
    metric="prompt_strict",
    metrics=(("Pooled", "instruction_strict", "instructions"), ("Pooled", "instruction_loose", "instructions")),
    licence="Apache-2.0",
    citation="Zhou et al. 2023, arXiv:2311.07911",
    homepage="https://github.com/google-research/google-research/tree/master/instruction_following_eval",
    sources=(
        f"{INSPECT}/ifeval/ifeval.py: revision, schema",
        f"{INSPECT}/ifeval/eval.yaml: size",
        f"{HUB}/google/IFEval/tree/966cd89545d6b6acfd7638bc708b98261ca58e84: files, licence",
    ),
)
