"""Which evaluators a benchmark gets when nobody names any."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from ringtrue.evaluators.adapt import Measuring
from ringtrue.evaluators.spec import build
from ringtrue.evaluators.table import BUILT_IN
from ringtrue.records import Case

EVERYWHERE = "answer_quality"

WIRED: Mapping[str, frozenset[str]] = {
    "summarization_quality": frozenset(
        {"multi-news", "dialogsum", "qmsum", "summscreenfd", "meetingbank", "govreport"}
    ),
    "multiple_choice": frozenset({"mmlu", "mmlu-pro", "arc-challenge", "gpqa", "hellaswag", "winogrande"}),
    "code_execution": frozenset({"humaneval", "mbpp"}),
    "math_equivalence": frozenset({"math", "gsm8k", "mgsm"}),
    "nli_label_match": frozenset({"contract-nli", "scifact"}),
    "ifeval_checker": frozenset({"ifeval"}),
    "ifeval": frozenset({"ifeval"}),
}


def wired(datasets: Iterable[str]) -> tuple[tuple[Measuring, ...], Mapping[str, Callable[[Case], bool]]]:
    """The evaluators these datasets get, and which of them measure only the rows of some."""
    names = {dataset.partition(":")[0] for dataset in datasets}
    chosen = [name for name, meant in WIRED.items() if meant & names and name in BUILT_IN]
    return tuple(build(name) for name in (EVERYWHERE, *chosen)), {name: partial(_is_of, WIRED[name]) for name in chosen}


def _is_of(datasets: frozenset[str], case: Case) -> bool:
    return str(case.fields.get("dataset", "")).partition(":")[0] in datasets
