"""`AnyOf`, `AllOf` and `Not`: evaluators made of evaluators.

They combine verdicts, not numbers: the value is 1 where the combination passes, else 0. A member that gives no verdict
passes from its threshold upwards, or from 0.5. Skipped members are left out; where all are skipped, so is the
combination. A member's error is the combination's, unless the other members decide without it.
"""

from __future__ import annotations

import inspect
from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any

from ringtrue._version import __version__
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.adapt import Evaluator, as_evaluator
from ringtrue.evaluators.check import Check
from ringtrue.records import Json, Score, Trial


@dataclass(frozen=True, init=False)
class CombinedEvaluator(Check):
    """A check that asks other evaluators, given one by one or as a list, and combines their verdicts."""

    needs = "what its members need"

    members: tuple[Evaluator, ...]
    threshold: float = field(default=1.0, init=False)

    def __init__(self, *evaluators: Any, name: str = "") -> None:
        given = evaluators[0] if len(evaluators) == 1 and isinstance(evaluators[0], (list, tuple)) else evaluators
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "members", tuple(as_evaluator(item) for item in given))
        self.__post_init__()

    def __post_init__(self) -> None:
        super().__post_init__()
        kind = type(self).__name__
        if not self.members:
            raise ConfigurationError(f"{kind} needs evaluators: {kind}(NotEmpty(), ...)", parameter="evaluators")
        for member in self.members:
            if inspect.iscoroutinefunction(member.measure):
                raise ConfigurationError(
                    f"{kind} combines evaluators that answer at once; {member.name!r} is asynchronous",
                    parameter="evaluators",
                    value=member,
                )
        # A text too long for a member is too long for the combination: `Not` makes no pass of that.
        limits = [member.max_chars for member in self.members if isinstance(member, Check)]
        object.__setattr__(self, "max_chars", min([self.max_chars, *limits]))

    @abstractmethod
    def combine(self, verdicts: list[bool], errors: bool) -> bool | None:
        """The verdict over the members that were measured; None where an error keeps it open."""

    def grade(self, trial: Trial) -> Score:
        """The members' verdicts, combined."""
        scores = [(member, member.measure(trial)) for member in self.members]
        calls, tokens = (sum(getattr(score, spent) for _, score in scores) for spent in ("calls", "tokens"))
        verdicts = [_passes(member, score) for member, score in scores if score.status == "scored"]
        failure = next((score.reason for _, score in scores if score.status == "error"), "")
        if not verdicts and not failure:
            return Score(None, status="skipped", reason=scores[0][1].reason, calls=calls, tokens=tokens)
        verdict = self.combine(verdicts, bool(failure))
        if verdict is None:
            return Score(None, status="error", reason=failure, calls=calls, tokens=tokens)
        reason = "; ".join(_verdict_words(member, score) for member, score in scores)
        metadata: dict[str, Json] = {"members": [_member_record(member, score) for member, score in scores]}
        if caveat := "; ".join(dict.fromkeys(score.caveat for _, score in scores if score.caveat)):
            metadata["caveat"] = caveat
        return Score(
            float(verdict),
            status="scored",
            passed=verdict,
            reason=reason,
            metadata=metadata,
            calls=calls,
            tokens=tokens,
        )

    def signature(self) -> str:
        """The members' signatures and the version."""
        inside = ",".join(member.signature().partition("|")[0] for member in self.members)
        return f"{self.name}={type(self).__name__}({inside})|ringtrue:{__version__}{self.code_of_subclass()}"

    def _recipe(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.members, self.name)


@dataclass(frozen=True, init=False)
class AnyOf(CombinedEvaluator):
    """Passes if at least one evaluator passes."""

    default_name = "any_of"
    parts = ("any_of",)
    formula = "1 if a member passes, else 0"

    def combine(self, verdicts: list[bool], errors: bool) -> bool | None:
        """One pass decides."""
        return True if any(verdicts) else None if errors else False


@dataclass(frozen=True, init=False)
class AllOf(CombinedEvaluator):
    """Passes if every evaluator passes."""

    default_name = "all_of"
    parts = ("all_of",)
    formula = "1 if all members pass, else 0"

    def combine(self, verdicts: list[bool], errors: bool) -> bool | None:
        """One failure decides."""
        return False if not all(verdicts) else None if errors else True


@dataclass(frozen=True, init=False)
class Not(CombinedEvaluator):
    """Passes if the evaluator does not pass; a broken output, and one that the evaluator cannot judge, never pass."""

    default_name = "not"
    parts = ("not",)
    formula = "1 if the member fails, else 0"

    def __init__(self, evaluator: Any, *, name: str = "") -> None:
        super().__init__(evaluator, name=name)

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.members) != 1:
            raise ConfigurationError("Not takes one evaluator: Not(AnyOf(first, second))", parameter="evaluator")

    def combine(self, verdicts: list[bool], errors: bool) -> bool | None:
        """The opposite."""
        return None if errors else not verdicts[0]

    def grade(self, trial: Trial) -> Score:
        """The opposite of the member's verdict, unless it has none."""
        score = super().grade(trial)
        if score.passed and any(member["undecided"] for member in score.metadata["members"]):
            return self.fail(score.reason, **score.metadata)
        return score


def _passes(member: Evaluator, score: Score) -> bool:
    if score.passed is not None:
        return score.passed
    return (score.value or 0.0) >= float(getattr(member, "threshold", 0.5))


def _verdict_words(member: Evaluator, score: Score) -> str:
    if score.status != "scored":
        return f"{member.name} {score.status}: {score.reason}"
    word = "passed" if _passes(member, score) else "failed"
    return f"{member.name} {word}" + (f": {score.reason}" if score.reason else "")


def _member_record(member: Evaluator, score: Score) -> dict[str, Json]:
    return {
        "name": member.name,
        "status": score.status,
        "value": score.value,
        "passed": score.passed,
        "reason": score.reason,
        "undecided": bool(score.metadata.get("undecided")),
    }


def _rebuild(kind: type[CombinedEvaluator], members: tuple[Evaluator, ...], name: str) -> CombinedEvaluator:
    return kind(*members, name=name)
