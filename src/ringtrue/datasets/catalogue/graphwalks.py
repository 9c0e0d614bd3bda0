"""GraphWalks: walks in a long list of edges; `graphwalks:1M` has those of 256,000 to a million tokens."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import HUB, LM_EVAL

FILES = {"128k": "graphwalks_128k_and_shorter.parquet", "1M": "graphwalks_256k_to_1mil.parquet"}


def load(source: Source) -> Iterator[Case]:
    """A case per prompt, exactly as it is: it says how the answer is to be written."""
    for row in source.rows(files=FILES[str(source.config)]):
        nodes = [str(node) for node in row["answer_nodes"]]
        yield {
            "question": row["prompt"],
            "answer": [f"Final Answer: [{', '.join(nodes)}]"],
            "answer_nodes": nodes,
            "problem_type": row["problem_type"],
        }


BENCHMARK = Benchmark(
    name="graphwalks",
    task="long context, reasoning",
    path="openai/graphwalks",
    config="128k",
    configs=tuple(FILES),
    split="train",
    size=750,
    fields={"prompt": "string", "answer_nodes": ["any"], "problem_type": "string"},
    load=load,
    evaluators=("answer_quality", "node_set"),
    metric="node_f1",
    proxy="F1 as the authors mean it: as printed on their card, the code loses the first node of a list and gives 1 "
    "to a list without a right node.",
    subject="problem_type",
    licence="MIT",
    citation="OpenAI 2025, https://huggingface.co/datasets/openai/graphwalks",
    homepage="https://huggingface.co/datasets/openai/graphwalks",
    sources=(
        f"{HUB}/openai/graphwalks/discussions/2: licence",
        "github.com/EleutherAI/lm-evaluation-harness/pull/3377: size",
        f"{HUB}/openai/graphwalks/blob/main/README.md: rules",
        f"{LM_EVAL}/graphwalks/utils.py: schema, rules",
        f"{LM_EVAL}/graphwalks/graphwalks_128k.yaml: files, configurations",
    ),
)
