"""Which evaluators a benchmark gets when nobody names any."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType

from ringtrue.evaluators.adapt import Evaluator
from ringtrue.evaluators.built_in import BUILT_IN
from ringtrue.evaluators.spec import build
from ringtrue.records import Case

EVERYWHERE = "answer_quality"

WIRED: Mapping[str, frozenset[str]] = {
    "summarization_quality": frozenset(
        {"multi-news", "dialogsum", "qmsum", "summscreenfd", "meetingbank", "govreport"}
    ),
    "multiple_choice": frozenset(
        {"mmlu", "mmlu-pro", "arc-challenge", "gpqa", "hellaswag", "winogrande", "quality", "longbench-v2"}
    ),
    "code_execution": frozenset({"humaneval", "mbpp"}),
    "math_equivalence": frozenset({"math", "gsm8k", "mgsm"}),
    "nli_label_match": frozenset({"contract-nli", "scifact"}),
    "ifeval_checker": frozenset({"ifeval"}),
    "ifeval": frozenset({"ifeval"}),
    "final_answer": frozenset({"bbh"}),
    "tool_call_match": frozenset({"bfcl", "apigen"}),
    "diff_files": frozenset({"swebench", "swebench-verified", "swebench-lite"}),
}


def evaluators_of_datasets(
    datasets: Iterable[str], added: Mapping[str, frozenset[str]] = MappingProxyType({})
) -> tuple[tuple[Evaluator, ...], Mapping[str, Callable[[Case], bool]]]:
    """The evaluators these datasets get, and which of them measure only the rows of some.

    `added` is the wiring of datasets that plug-ins bring, evaluator -> datasets.
    """
    names = {dataset.partition(":")[0] for dataset in datasets}
    table = {name: WIRED.get(name, frozenset()) | added.get(name, frozenset()) for name in (*WIRED, *added)}
    known = {*BUILT_IN, *added} - {EVERYWHERE}
    chosen = [name for name, meant in table.items() if meant & names and name in known]
    return tuple(build(name) for name in (EVERYWHERE, *chosen)), {name: partial(_is_of, table[name]) for name in chosen}


def _is_of(datasets: frozenset[str], case: Case) -> bool:
    return str(case.fields.get("dataset", "")).partition(":")[0] in datasets
