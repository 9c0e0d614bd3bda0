"""GSM8K-Platinum: the test problems of GSM8K with wrong answers corrected and ambiguous problems left out."""

from ringtrue.datasets.catalogue.benchmark import Benchmark
from ringtrue.datasets.catalogue.cited import HUB, LM_EVAL
from ringtrue.datasets.catalogue.gsm8k import load

BENCHMARK = Benchmark(
    name="gsm8k-platinum",
    task="mathematics, word problems",
    path="madrylab/gsm8k-platinum",
    config="main",
    split="test",
    size=1209,
    fields={"question": "string", "answer": "string"},
    load=load,
    evaluators=("answer_quality", "math_equivalence"),
    metric="math_equiv",
    licence="MIT",
    citation="Vendrow et al. 2025, arXiv:2502.03461",
    homepage="https://github.com/MadryLab/platinum-benchmarks",
    sources=(
        f"{LM_EVAL}/gsm8k_platinum/gsm8k-platinum.yaml: schema, configurations",
        f"{HUB}/madrylab/gsm8k-platinum/blob/refs%2Fpr%2F1/README.md: size, licence",
    ),
)
