"""Which threshold suits a check with a judge, where somebody measured it.

The two tables beside this file hold the numbers that multivon-eval published, and name it as their source: it asks in
other words than the judges here, and whoever relies on one of them is told so, once. MULTIVON_CALIBRATION_FILE names a
table of your own.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from multivon_eval.exceptions import CalibrationMissing

if TYPE_CHECKING:
    from multivon_eval.judge import JudgeConfig

DEFAULT_THRESHOLD = 0.7
SHIPPED = ("v1", "v2")
FILE = "MULTIVON_CALIBRATION_FILE"
FallbackPolicy: TypeAlias = Literal["silent", "warn", "strict"]
_POLICY: FallbackPolicy = "warn"
_WARNED: set[tuple[str, str]] = set()
_TABLE_CACHE: dict[str, CalibrationTable] = {}
"""Tables that were read, by the place of their file."""


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
    source: str = ""
    """Who published the thresholds, where they were measured with other questions than those here."""

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
        _TABLE_CACHE.clear()
    return _table(calibration_file(version))


def calibration_file(version: str | None = None) -> Traversable:
    """The file of the table that `load_calibration` gives for this version."""
    own = os.environ.get(FILE, "")
    wanted = os.environ.get("MULTIVON_CALIBRATION_VERSION", "").strip() or None if version is None else version
    if own and wanted in (None, _table(Path(own)).version_label):
        return Path(own)
    label = max(SHIPPED) if wanted is None else wanted
    if label not in SHIPPED:
        raise FileNotFoundError(f"the table of thresholds {label!r} is not shipped; {FILE} names a file of your own")
    return files("multivon_eval") / "calibration_data" / f"{label}.json"


def _table(place: Traversable) -> CalibrationTable:
    key = str(place)
    if key not in _TABLE_CACHE:
        _TABLE_CACHE[key] = _read(place)
    return _TABLE_CACHE[key]


def _read(place: Traversable) -> CalibrationTable:
    data = json.loads(place.read_text("utf-8"))
    known = {item.name for item in fields(CalibrationEntry)}
    entries = [CalibrationEntry(**{name: row[name] for name in row if name in known}) for row in data["entries"]]
    source = str(data.get("source", ""))
    for entry in entries if source else ():
        entry.notes = "; ".join(
            note for note in (f"published by {source}, which asks in other words", entry.notes) if note
        )
    about = (int(data.get("schema_version", 1)), data.get("generated_at", ""), data.get("methodology", ""))
    return CalibrationTable(*about, entries, str(data.get("version_label") or Path(place.name).stem), source)


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
    table = load_calibration(version=version)
    found, policy = table.lookup(evaluator, judge.model), _policy(strict)
    who = f"{evaluator!r} with the judge {judge.model!r}"
    if found is None and policy == "strict":
        raise CalibrationMissing(evaluator, judge.model)
    threshold = DEFAULT_THRESHOLD if found is None else found.threshold
    if found is None:
        words = f"no threshold was measured for {who}: it is {threshold}"
    elif table.source:
        words = f"the threshold {threshold} for {who} was measured by {table.source}, which asks in other words"
    else:
        return threshold
    if policy != "silent" and (evaluator, judge.model) not in _WARNED:
        _WARNED.add((evaluator, judge.model))
        advice = "Give threshold=, find one on your own labels with `ringtrue calibrate`, or call "
        warnings.warn(f"{words}. {advice}set_calibration_fallback_policy('silent')", UserWarning, stacklevel=3)
    return threshold


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
