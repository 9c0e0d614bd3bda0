"""The benchmarks by name: where the entry of each is, and those other packages add."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from ringtrue.datasets.catalogue.own_file import benchmark_in_file, names_file
from ringtrue.errors import ConfigurationError, UnknownName

if TYPE_CHECKING:  # most commands only ask whether a name is a benchmark's; the entries themselves load their class
    from ringtrue.datasets.catalogue.benchmark import Benchmark, ScoringRule

PLUGINS = "ringtrue.datasets"
_HERE = "ringtrue.datasets.catalogue"

ENTRIES: dict[str, tuple[str, str]] = {
    "hotpotqa": ("hotpotqa", "BENCHMARK"),
    "natural-questions": ("natural_questions", "BENCHMARK"),
    "musique": ("musique", "BENCHMARK"),
    "narrativeqa": ("narrativeqa", "BENCHMARK"),
    "triviaqa": ("triviaqa", "BENCHMARK"),
    "frames": ("frames", "BENCHMARK"),
    "quality": ("quality", "BENCHMARK"),
    "qasper": ("qasper", "BENCHMARK"),
    "mmlu": ("mmlu", "BENCHMARK"),
    "mmlu-pro": ("mmlu_pro", "BENCHMARK"),
    "arc-challenge": ("arc_challenge", "BENCHMARK"),
    "truthfulqa": ("truthfulqa", "BENCHMARK"),
    "gpqa": ("gpqa", "BENCHMARK"),
    "hellaswag": ("hellaswag", "BENCHMARK"),
    "winogrande": ("winogrande", "BENCHMARK"),
    "gsm8k": ("gsm8k", "BENCHMARK"),
    "drop": ("drop", "BENCHMARK"),
    "math": ("competition_math", "BENCHMARK"),
    "mgsm": ("mgsm", "BENCHMARK"),
    "bbh": ("bbh", "BENCHMARK"),
    "humaneval": ("humaneval", "BENCHMARK"),
    "mbpp": ("mbpp", "BENCHMARK"),
    "multi-news": ("multi_news", "BENCHMARK"),
    "dialogsum": ("dialogsum", "BENCHMARK"),
    "qmsum": ("scrolls", "QMSUM"),
    "summscreenfd": ("scrolls", "SUMM_SCREEN"),
    "meetingbank": ("meetingbank", "BENCHMARK"),
    "govreport": ("govreport", "BENCHMARK"),
    "contract-nli": ("scrolls", "CONTRACT_NLI"),
    "scifact": ("scifact", "BENCHMARK"),
    "ifeval": ("ifeval", "BENCHMARK"),
    "alpaca-eval": ("alpaca_eval", "BENCHMARK"),
    "mt-bench": ("mt_bench", "BENCHMARK"),
    "longbench": ("longbench", "BENCHMARK"),
    "longbench-v2": ("longbench_v2", "BENCHMARK"),
    "infinitebench": ("infinitebench", "BENCHMARK"),
    "nolima": ("nolima", "BENCHMARK"),
    "bfcl": ("bfcl", "BENCHMARK"),
    "apigen": ("apigen", "BENCHMARK"),
    "swebench": ("swebench", "FULL"),
    "swebench-verified": ("swebench", "VERIFIED"),
    "swebench-lite": ("swebench", "LITE"),
    "ruler": ("ruler", "BENCHMARK"),
    "aime-2024": ("exams", "AIME_2024"),
    "aime-2025": ("exams", "AIME_2025"),
    "aime-2026": ("exams", "AIME_2026"),
    "hmmt-feb-2025": ("exams", "HMMT_FEB_2025"),
    "hmmt-nov-2025": ("exams", "HMMT_NOV_2025"),
    "hmmt-feb-2026": ("exams", "HMMT_FEB_2026"),
    "math-500": ("math_500", "BENCHMARK"),
    "gsm8k-platinum": ("gsm8k_platinum", "BENCHMARK"),
    "simpleqa": ("simpleqa", "SIMPLEQA"),
    "simpleqa-verified": ("simpleqa", "VERIFIED"),
    "longmemeval": ("longmemeval", "BENCHMARK"),
    "locomo": ("locomo", "BENCHMARK"),
    "livecodebench": ("livecodebench", "BENCHMARK"),
    "ifbench": ("ifbench", "BENCHMARK"),
    "multi-if": ("multi_if", "BENCHMARK"),
    "humaneval-plus": ("evalplus", "HUMANEVAL_PLUS"),
    "mbpp-plus": ("evalplus", "MBPP_PLUS"),
    "mmlu-redux": ("mmlu_redux", "BENCHMARK"),
    "mmmlu": ("mmmlu", "BENCHMARK"),
    "hle": ("hle", "BENCHMARK"),
    "mrcr": ("mrcr", "BENCHMARK"),
    "babilong": ("babilong", "BENCHMARK"),
    "graphwalks": ("graphwalks", "BENCHMARK"),
    "squad-v2": ("squad_v2", "BENCHMARK"),
}
"""Name -> module here, and the name of the entry in it."""


def find(name: str) -> Benchmark:
    """The benchmark with this name; an unknown name raises and suggests the nearest one."""
    from ringtrue.datasets.catalogue.benchmark import Benchmark

    if name in ENTRIES:
        module, entry = ENTRIES[name]
        found = getattr(import_module(f"{_HERE}.{module}"), entry)
    else:
        plugin = next((plugin for plugin in plugins() if plugin.name == name), None)
        if plugin is None:
            raise UnknownName("dataset", name, names())
        found = plugin.load()
    if not isinstance(found, Benchmark):
        raise ConfigurationError(
            f"the plug-in dataset {name!r} is {type(found).__name__}, not a Benchmark", parameter="dataset", value=name
        )
    return found


def names() -> list[str]:
    """Every name, the catalogue's own first."""
    return [*ENTRIES, *(plugin.name for plugin in plugins() if plugin.name not in ENTRIES)]


def is_known(name: str) -> bool:
    """Whether a benchmark has this name; other packages are asked only where the catalogue has not."""
    return name in ENTRIES or any(plugin.name == name for plugin in plugins())


def scoring_of(dataset: str, own: Iterable[Benchmark] = ()) -> ScoringRule | None:
    """Return the scoring of a dataset by its name in rows (`gsm8k`, `infinitebench:passkey`); None for other names.

    `own` are benchmarks that no name leads to: handed over as objects, or read from a file.
    """
    if names_file(dataset):
        benchmark, chosen = benchmark_in_file(dataset)
        return benchmark.scoring(chosen)
    bare, _, config = dataset.partition("@")[0].partition(":")
    handed = next((benchmark for benchmark in own if benchmark.name == bare), None)
    if handed is None and (not bare or not is_known(bare)):
        return None
    benchmark = handed or find(bare)
    return benchmark.scoring(config if config in benchmark.configs else None)


def scorings(datasets: Iterable[str], own: Iterable[Benchmark] = ()) -> dict[str, ScoringRule]:
    """Return the scoring of each of these datasets; those that are not benchmarks are left out."""
    known = tuple(own)
    found = {dataset: scoring_of(dataset, known) for dataset in dict.fromkeys(datasets)}
    return {dataset: scoring for dataset, scoring in found.items() if scoring is not None}


def metric_of(datasets: Iterable[str], keys: Sequence[str], own: Iterable[Benchmark] = ()) -> str:
    """The score that means quality on these datasets: the headline they share, where it is measured, else the first."""
    known = tuple(own)
    found = {_headline(scoring_of(dataset, known), keys) for dataset in set(datasets)}
    shared = found.pop() if len(found) == 1 else ""
    return shared if shared in keys else keys[0]


def proxies(datasets: Iterable[str], keys: Sequence[str], own: Iterable[Benchmark] = ()) -> dict[str, str]:
    """Dataset -> how its headline differs from its authors' metric, for those whose headline is not theirs."""
    found = {
        dataset: scoring.judged_proxy if _headline(scoring, keys) == scoring.judged_headline else scoring.proxy
        for dataset, scoring in scorings(datasets, own).items()
    }
    return {dataset: proxy for dataset, proxy in found.items() if proxy}


def _headline(scoring: ScoringRule | None, keys: Sequence[str]) -> str:
    if scoring is None:
        return ""
    return scoring.judged_headline if scoring.judged_headline in keys else scoring.headline


def plugins() -> tuple[EntryPoint, ...]:
    """The entry points other packages offer."""
    return _plugins_on(tuple(sys.path))


@cache
def _plugins_on(path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    # Reading the metadata of every installed package takes as long as scoring thousands of rows.
    return tuple(entry_points(group=PLUGINS))
