"""Which threshold suits a check with a judge, where somebody measured it.

multivon-eval ships two tables of thresholds that were measured with its own questions. Those here are others, so none
of its numbers holds for them: both tables are here, and empty. MULTIVON_CALIBRATION_FILE names one of your own.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from multivon_eval.exceptions import CalibrationMissing

if TYPE_CHECKING:
    from multivon_eval.judge import JudgeConfig

DEFAULT_THRESHOLD = 0.7
SHIPPED = {"v1": 1, "v2": 2}
FILE = "MULTIVON_CALIBRATION_FILE"
FallbackPolicy: TypeAlias = Literal["silent", "warn", "strict"]
_POLICY: FallbackPolicy = "warn"
_WARNED: set[tuple[str, str]] = set()


@dataclass
class CalibrationEntry:
    """One threshold, the check and the judge it was measured for, and on what."""

    evaluator: str
    judge_model: str
    threshold: float
    dataset: str = ""
    dataset_hash: str = ""
    n: int = 0
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    measured_at: str = ""
    notes: str = ""
    judge_aliases: list[str] = field(default_factory=list)

    def all_judge_keys(self) -> list[str]:
        """The names the judge goes by."""
        return [self.judge_model, *self.judge_aliases]


@dataclass
class CalibrationTable:
    """Thresholds, and how they were found."""

    schema_version: int
    generated_at: str
    methodology: str
    entries: list[CalibrationEntry]
    version_label: str = ""

    def lookup(self, evaluator: str, judge_model: str) -> CalibrationEntry | None:
        """The entry of a check with a judge."""
        found = (one for one in self.entries if one.evaluator == evaluator and judge_model in one.all_judge_keys())
        return next(found, None)

    def iter_thresholds(self) -> Iterator[tuple[tuple[str, str], float]]:
        """Each threshold, under every name of its judge."""
        return (((one.evaluator, key), one.threshold) for one in self.entries for key in one.all_judge_keys())


def load_calibration(reload: bool = False, *, version: str | None = None) -> CalibrationTable:
    """The table of this version; without one, MULTIVON_CALIBRATION_VERSION's, that of your own file, or the newest."""
    if reload:
        _shipped.cache_clear()
        _read.cache_clear()
    own = os.environ.get(FILE, "")
    wanted = os.environ.get("MULTIVON_CALIBRATION_VERSION", "").strip() or None if version is None else version
    if wanted is None:
        return _read(own) if own else _shipped(max(SHIPPED))
    if own and wanted == _read(own).version_label:
        return _read(own)
    if wanted not in SHIPPED:
        raise FileNotFoundError(f"there is no table of thresholds {wanted!r}; {FILE} names a file of your own")
    return _shipped(wanted)


@cache
def _shipped(version: str) -> CalibrationTable:
    return CalibrationTable(SHIPPED[version], "", "nothing was measured with the questions of ringtrue", [], version)


@cache
def _read(path: str) -> CalibrationTable:
    data = json.loads(Path(path).read_text("utf-8"))
    known = {item.name for item in fields(CalibrationEntry)}
    entries = [CalibrationEntry(**{name: row[name] for name in row if name in known}) for row in data["entries"]]
    about = (int(data.get("schema_version", 1)), data.get("generated_at", ""), data.get("methodology", ""))
    return CalibrationTable(*about, entries, str(data.get("version_label") or Path(path).stem))


def set_calibration_fallback_policy(policy: FallbackPolicy) -> None:
    """What happens where no threshold was measured: `warn` (once) and `silent` take 0.7, `strict` raises."""
    global _POLICY
    if policy not in get_args(FallbackPolicy):
        raise ValueError(f"the policy is 'silent', 'warn' or 'strict'; got {policy!r}")
    _POLICY = policy


def _policy(strict: bool) -> Any:
    forced = os.environ.get("MULTIVON_CALIBRATION_FALLBACK", "").strip().lower()
    return "strict" if strict else forced if forced in get_args(FallbackPolicy) else _POLICY


def calibrated_threshold(
    evaluator: str, judge: JudgeConfig, *, strict: bool = False, version: str | None = None
) -> float:
    """The threshold that was measured for a check with this judge, else 0.7, as the policy says."""
    found = calibration_provenance(evaluator, judge, version=version)
    if found is not None:
        return found.threshold
    policy = _policy(strict)
    if policy == "strict":
        raise CalibrationMissing(evaluator, judge.model)
    if policy == "warn" and (evaluator, judge.model) not in _WARNED:
        _WARNED.add((evaluator, judge.model))
        warnings.warn(
            f"no threshold was measured for {evaluator!r} with the judge {judge.model!r}: it is {DEFAULT_THRESHOLD}. "
            "Give threshold=, find one on your own labels with `ringtrue calibrate`, or call "
            "set_calibration_fallback_policy('silent')",
            UserWarning,
            stacklevel=3,
        )
    return DEFAULT_THRESHOLD


def calibration_provenance(
    evaluator: str, judge: JudgeConfig, *, version: str | None = None
) -> CalibrationEntry | None:
    """What a threshold was measured on; None where none was."""
    return load_calibration(version=version).lookup(evaluator, judge.model)


def threshold_table(*, version: str | None = None) -> dict[tuple[str, str], float]:
    """Every threshold by check and judge."""
    return dict(load_calibration(version=version).iter_thresholds())


def effective_calibration_version(*, version: str | None = None) -> str:
    """The label of the table that is used."""
    return load_calibration(version=version).version_label


def calibration_versions() -> list[str]:
    """The labels of the tables there are."""
    return sorted({*SHIPPED, load_calibration().version_label})
