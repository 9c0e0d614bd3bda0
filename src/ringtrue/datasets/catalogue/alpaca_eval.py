"""AlpacaEval: 805 instructions, each with the reply of a model to beat; `alpaca-eval:gpt4` is version 2."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import EVALSCOPE, HUB


def load(source: Source) -> Iterator[Case]:
    """A case per instruction, exactly as it is; the reply to beat is `baseline`, and the reference of the overlap."""
    for row in source.rows(files=FILES[str(source.config)]):
        found = {"answer": [row["output"]], "baseline": row["output"], "collection": row.get("dataset")}
        yield {"question": row["instruction"], **found}


FILES = {"davinci003": "alpaca_eval.json", "gpt4": "alpaca_eval_gpt4_baseline.json"}
BENCHMARK = Benchmark(
    name="alpaca-eval",
    task="instruction following",
    path="tatsu-lab/alpaca_eval",
    split="eval",
    config="davinci003",
    configs=tuple(FILES),
    revision="57530fed23a308e771c06bba55cb49b7e7625711",
    size=805,
    fields={"instruction": "string", "output": "string"},
    load=load,
    metric="f1",
    proxy="Overlap with another model's reply says little. The authors let a model prefer one of two replies: with a "
    "judge the headline is its win rate.",
    judged=("pairwise_judge",),
    judged_metric="win_rate",
    judged_proxy="The win rate as the judge gives it; the authors correct it for length since version 2.",
    licence="CC BY-NC 4.0",
    citation="Li et al. 2023, https://github.com/tatsu-lab/alpaca_eval",
    homepage="https://tatsu-lab.github.io/alpaca_eval",
    sources=(
        f"{HUB}/tatsu-lab/alpaca_eval/tree/57530fed23a308e771c06bba55cb49b7e7625711: revision, files, licence",
        f"{EVALSCOPE}/alpaca_eval/alpaca_eval_adapter.py: schema, configurations",
        f"{EVALSCOPE}/_meta/alpaca_eval.json: size",
    ),
)
