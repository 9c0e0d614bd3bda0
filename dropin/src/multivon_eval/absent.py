"""Names of multivon-eval 0.20 that are not here: each can be imported, and tells on its first use what to use instead.

An import line with such a name costs nobody the names beside it.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Callable, Iterator
from functools import cache
from typing import NoReturn

PAGE = "docs/migrating-multivon-eval.md"

_CASES = "ringtrue makes up no cases; load, load_jsonl and load_csv read yours"
_RECORDS = "the store of ringtrue keeps every answer: `ringtrue run`, `show`, `rescore`, `export`"
COMMANDS = "`ringtrue suite`, `score`, `judge`, `calibrate` and `show` do the work; `ringtrue --help` lists all"

# The module of a name, where that module can be imported here ("" is the top alone) -> what to use -> names.
_NAMES: dict[str, dict[str, str]] = {
    "": {
        _CASES: (
            "BootstrapResult "
            "Persona RecommendedEvaluator SimulationResult TraceSummary "
            "bootstrap "
            "generate_adversarial_cases "
            "infer_product_shape "
            "personas_from_jsonl propose_personas results_to_cases score_simulations simulate "
            "summarize_traces "
        ),
        _RECORDS: (
            "AmbiguousSiteError BaselineError CaseVerdict PromptRecorder ProvenanceError SiteVerdict "
            "StalenessReport StampResult build_staleness_report "
            "load_baseline load_recordings merge_recordings_into_baseline "
            "record_prompts recording_active reset_active_case "
            "set_active_case stamp_jsonl stamp_provenance write_baseline"
        ),
    },
}
# An `except` clause takes nothing but exceptions.
_ERRORS = {
    "AmbiguousSiteError": Exception,
    "BaselineError": Exception,
    "ProvenanceError": Exception,
}


class NotInDropin(RuntimeError, AttributeError):
    """A name was used that multivon-eval has and the drop-in has not; `advice` says what does the job.

    It is an AttributeError as well, so that `hasattr` and `getattr` with a default see what is not there.
    """

    def __init__(self, missing: str, advice: str) -> None:
        super().__init__(f"ringtrue's drop-in for multivon_eval has no {missing}: {advice}; see {PAGE}")
        self.missing, self.advice = missing, advice

    def __reduce__(self) -> tuple[type[NotInDropin], tuple[str, str]]:
        return type(self), (self.missing, self.advice)


class Absent(ABCMeta):
    """A class that may be imported, named, subclassed and tested against; whatever else is done with it raises."""

    _why: tuple[str, str]

    def _refuse(cls, *args: object, **kwargs: object) -> NoReturn:
        raise NotInDropin(*cls._why)

    __call__ = __getitem__ = __contains__ = _refuse

    def __iter__(cls) -> Iterator[object]:
        cls._refuse()

    def __getattr__(cls, name: str) -> NoReturn:
        cls._refuse()


@cache
def absent(name: str, advice: str) -> Absent:
    """The class that stands for an absent name: the same one wherever it is imported from."""
    bases = (_ERRORS[name],) if name in _ERRORS else ()
    return Absent(name, bases, {"_why": (name, advice), "__doc__": f"Not here: {advice}.", "__module__": __name__})


def absent_names(module: str) -> dict[str, str]:
    """What to use for each absent name of a module of multivon_eval; a package has those of its modules, too."""
    inside = module.removeprefix("multivon_eval").removeprefix(".")
    homes = [home for home in _NAMES if f"{home}.".startswith(f"{inside}.") or not inside]
    return {name: advice for home in homes for name, advice in _advice(_NAMES[home]).items()}


def absent_from(module: str) -> Callable[[str], Absent]:
    """The `__getattr__` of a module: its absent names, and an AttributeError for any other name."""
    table = absent_names(module)

    def found(name: str) -> Absent:
        if name not in table:
            raise AttributeError(f"module {module!r} has no attribute {name!r}; {PAGE} says what the drop-in has")
        return absent(name, table[name])

    return found


def _advice(table: dict[str, str]) -> dict[str, str]:
    return {name: advice for advice, names in table.items() for name in names.split()}
