"""What multivon-eval's code may catch."""

from __future__ import annotations

__all__ = [
    "CacheError",
    "CalibrationMissing",
    "ComplianceError",
    "EvaluatorPrereqMissing",
    "JudgeUnavailable",
    "MultivonError",
    "SecretsError",
]


class MultivonError(Exception):
    """Everything multivon-eval raises on purpose."""


class JudgeUnavailable(MultivonError):
    """A judge could not be reached or read; a check that raises it makes its case a `judge_error`."""

    def __init__(self, message: str, provider: str = "", model: str = "") -> None:
        super().__init__(message)
        self.provider, self.model = provider, model


class CalibrationMissing(MultivonError):
    """Nobody measured which threshold suits this check with this judge, and the caller wants one that was measured."""

    def __init__(self, evaluator: str, judge_model: str) -> None:
        super().__init__(
            f"no threshold was measured for {evaluator!r} with the judge {judge_model!r}; "
            "give threshold=, or find one on your own labels with `ringtrue calibrate`"
        )
        self.evaluator, self.judge_model = evaluator, judge_model


class EvaluatorPrereqMissing(MultivonError):
    """An evaluator lacks what it needs."""

    def __init__(self, evaluator: str, missing: str) -> None:
        super().__init__(f"{evaluator} needs {missing}")
        self.evaluator, self.missing = evaluator, missing


class CacheError(MultivonError):
    """The kept judgements cannot be read or written."""


class SecretsError(MultivonError):
    """A secret that is needed is nowhere to be found."""

    def __init__(self, key: str, resolver: str = "") -> None:
        where = f" by the resolver {resolver!r}" if resolver else ""
        super().__init__(f"the secret {key!r} is not found{where}; set it, or register a resolver with set_resolver()")
        self.key, self.resolver = key, resolver


class ComplianceError(MultivonError):
    """A compliance record is refused, or its chain is broken."""
