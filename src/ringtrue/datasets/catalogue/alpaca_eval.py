"""AlpacaEval: 805 instructions, each with the reply of a reference model to compare with."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import EVALSCOPE, HUB


def load(source: Source) -> Iterator[Case]:
    """A case per instruction, exactly as it is; the reference model's reply is the reference."""
    for row in source.rows():
        yield {"question": row["instruction"], "answer": [row["output"]], "collection": row.get("dataset")}


BENCHMARK = Benchmark(
    name="alpaca-eval",
    task="instruction following",
    path="tatsu-lab/alpaca_eval",
    split="eval",
    files="alpaca_eval.json",
    revision="57530fed23a308e771c06bba55cb49b7e7625711",
    size=805,
    fields={"instruction": "string", "output": "string"},
    load=load,
    metric="f1",
    licence="CC BY-NC 4.0",
    citation="Li et al. 2023, https://github.com/tatsu-lab/alpaca_eval",
    homepage="https://tatsu-lab.github.io/alpaca_eval",
    sources=(
        f"{HUB}/tatsu-lab/alpaca_eval/tree/57530fed23a308e771c06bba55cb49b7e7625711: revision, files, licence",
        f"{EVALSCOPE}/alpaca_eval/alpaca_eval_adapter.py: schema",
        f"{EVALSCOPE}/_meta/alpaca_eval.json: size",
    ),
    note="The authors let a model prefer one of two replies; overlap with one of them says little: add --judge-url.",
)
