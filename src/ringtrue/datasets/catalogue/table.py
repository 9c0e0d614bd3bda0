"""The benchmarks by name: where the entry of each is, and those other packages add."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from ringtrue.datasets.catalogue.benchmark import Benchmark
from ringtrue.errors import ConfigurationError, UnknownName

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
}
"""Name -> module here, and the name of the entry in it."""


def find(name: str) -> Benchmark:
    """The benchmark of this name; a name nobody has raises, with the nearest one."""
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


def metric_of(datasets: Iterable[str], keys: Sequence[str]) -> str:
    """The score that means quality on these datasets: the metric they share, where it is measured, else the first."""
    bare = {dataset.partition(":")[0] for dataset in datasets}
    metrics = {find(name).metric if name and is_known(name) else "" for name in bare}
    shared = metrics.pop() if len(metrics) == 1 else ""
    return shared if shared in keys else keys[0]


def wiring_of_plugins(datasets: Iterable[str]) -> dict[str, frozenset[str]]:
    """Evaluator -> datasets, for those of these datasets that other packages add."""
    added = {plugin.name for plugin in plugins()} - set(ENTRIES)
    named = sorted(added & {dataset.partition(":")[0] for dataset in datasets})
    wanted = [(evaluator, name) for name in named for evaluator in find(name).evaluators]
    return {evaluator: frozenset(name for other, name in wanted if other == evaluator) for evaluator, _ in wanted}


def plugins() -> Iterator[EntryPoint]:
    """The entry points other packages offer."""
    yield from entry_points(group=PLUGINS)
