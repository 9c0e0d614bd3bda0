"""`Check`: what every deterministic evaluator is, a frozen dataclass that turns a trial into a score."""

from __future__ import annotations

import copyreg
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from ringtrue._version import __version__
from ringtrue.dialects.dicts import DictDialect
from ringtrue.dialects.suite import SuiteDialect
from ringtrue.evaluators.named_parts import NamedParts
from ringtrue.identity import canonical_json, digest
from ringtrue.records import Json, Score, Trial
from ringtrue.require import require_share, require_string, require_that


@dataclass(frozen=True)
class Check(NamedParts, DictDialect, SuiteDialect):
    """An evaluator that computes its score from the trial alone.

    A subclass is a frozen dataclass with its parameters, `threshold` last, and defines `grade`. Settings are
    checked in `__post_init__`, which calls `super().__post_init__()`. A broken output never reaches `grade`: it is a
    scored failure.
    """

    main: ClassVar[str] = ""
    """The part whose number is the value and decides the verdict; the first one unless it says otherwise."""
    needs: ClassVar[str]
    """What a case must hold, in words; shown by `ringtrue explain`."""
    formula: ClassVar[str]
    matches: ClassVar[str] = ""
    """The reference implementation this agrees with, if there is one."""
    max_chars: ClassVar[int] = 20_000_000
    """Longer outputs and answers are a scored failure that names this limit."""

    name: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        given = vars(self).get("name", "")
        require_string("name", given)
        self.take_name(given, self.default_name)
        require_share("threshold", self.threshold)
        for item in fields(self):
            # Annotations are text here; a switch set to "no" is a slip that would switch it on.
            if item.type == "bool":
                given = getattr(self, item.name)
                require_that(isinstance(given, bool), item.name, given, "True or False")

    def measure(self, trial: Trial) -> Score:
        """The score of one trial; a broken or oversized output is a failure with the reason, never an exception."""
        output = trial.output
        problem = output.problem or self.size_problem(output.text, trial.case.expected)
        return self.fail(problem) if problem else self.grade(trial)

    def size_problem(self, text: str, expected: Iterable[str] | None) -> str:
        """Return why an output or an answer is too long to be read, or an empty string."""
        limit = self.max_chars
        if len(text) > limit:
            return f"the output has {len(text):,} characters; {self.default_name} reads {limit:,}"
        for answer in expected or ():
            if len(answer) > limit:
                return f"the expected answer has {len(answer):,} characters; {self.default_name} reads {limit:,}"
        return ""

    def measure_many(self, trials: Iterable[Trial]) -> list[Score]:
        """The scores of many trials, identical to measuring each alone."""
        return [self.measure(trial) for trial in trials]

    @abstractmethod
    def grade(self, trial: Trial) -> Score:
        """The score of a trial whose output is text within the limit."""

    def fail(self, reason: str, **metadata: Json) -> Score:
        """A scored failure: zero in every part, whatever the threshold."""
        parts = dict.fromkeys(self.parts, 0.0) if len(self.parts) > 1 else {}
        return Score(0.0, status="scored", passed=False, reason=reason, parts=parts, metadata=metadata)

    def settings(self) -> dict[str, Any]:
        """The constructor's parameters and their values."""
        return {item.name: getattr(self, item.name) for item in fields(self) if item.init}

    def signature(self) -> str:
        """The recipe of this evaluator's numbers: class, parameters, package version; long parameters as a hash."""
        shown = ",".join(f"{name}={_setting_text(value)}" for name, value in self.settings().items() if name != "name")
        return f"{self.name}={type(self).__name__}({shown})|ringtrue:{__version__}{self.code_of_subclass()}"

    def __reduce__(self) -> str | tuple[Any, ...]:
        maker = next(kind for kind in type(self).__mro__ if "__init__" in vars(kind))
        if "__dataclass_fields__" not in vars(maker):  # a subclass with a constructor of its own
            return copyreg.__newobj__, (type(self),), vars(self)  # type: ignore[attr-defined]
        return self._recipe()

    def _recipe(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), self.settings())


def _rebuilt(kind: type[Check], settings: Mapping[str, Any]) -> Check:
    # Compiled patterns and validators do not travel between processes; the settings do.
    return kind(**settings)


def _setting_text(value: object) -> str:
    if isinstance(value, Check):
        return value.signature().partition("|")[0]
    if isinstance(value, (list, tuple)) and any(isinstance(item, Check) for item in value):
        return "[" + ",".join(_setting_text(item) for item in value) + "]"
    text = canonical_json(value)
    return text if len(text) <= 80 else f"sha256:{digest(text)[:16]}"
