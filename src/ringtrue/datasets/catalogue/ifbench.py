"""IFBench: prompts with instructions that few models have been trained on, which a program can check."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import EVALSCOPE


def load(source: Source) -> Iterator[Case]:
    """A case per prompt, exactly as it is; arguments that are null are left out."""
    for place, row in enumerate(source.rows()):
        given = [{name: value for name, value in (one or {}).items() if value is not None} for one in row["kwargs"]]
        yield {
            "id": row.get("key", place),
            "question": row["prompt"],
            "instruction_id_list": list(row["instruction_id_list"]),
            "kwargs": given,
        }


BENCHMARK = Benchmark(
    name="ifbench",
    task="instruction following",
    path="allenai/IFBench_test",
    split="train",
    size=300,
    fields={"prompt": "string", "instruction_id_list": ["string"], "kwargs": ["any"]},
    load=load,
    evaluators=("answer_quality", "ifbench"),
    metric="ifbench_prompt_loose",
    metrics=(
        ("Pooled", "ifbench_instruction_strict", "ifbench_instructions"),
        ("Pooled", "ifbench_instruction_loose", "ifbench_instructions"),
    ),
    licence="ODC-BY 1.0",
    citation="Pyatkin et al. 2025, arXiv:2507.02833",
    homepage="https://github.com/allenai/IFBench",
    sources=(
        "github.com/allenai/IFBench@0b84ee45c90eac9659bea80b0768c9a0f74e8a89/README.md: licence",
        f"{EVALSCOPE}/ifbench/ifbench_adapter.py: schema",
        f"{EVALSCOPE}/_meta/ifbench.json: size",
        "opencompass 0.5.4 on PyPI, opencompass/datasets/IFBench/instructions.py: rules",
        "github.com/allenai/IFBench@db69a6f05689830b0068b8f1529ebcfd2f3b164c/ifbench/instructions.py: rules",
    ),
    proxy="Two of the 58 checks are approximate (verbs by a list, syllables by groups of vowels); their rows carry a "
    "caveat. The authors change their checks: names and places of keywords are as in 2026, repeat_span as in 2025.",
    note="Two of the twelve rows of the sample, copied by hand, could not be compared with the hub again.",
)
