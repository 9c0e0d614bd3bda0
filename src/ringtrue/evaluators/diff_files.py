"""`DiffFiles` and `DiffApplies`: what can be said of a patch without running the tests of its project."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ringtrue.evaluators.check import Check
from ringtrue.records import Score, Trial
from ringtrue.require import require_that
from ringtrue.scoring.programs.diffs import BadDiff, FileDiff, diff_in, first_mismatch, read_diff, touched_paths


@dataclass(frozen=True)
class DiffFiles(Check):
    """1.0 if the reply holds a unified diff that parses and touches every file the gold patch touches.

    This is not SWE-bench's "resolved": nothing is applied and no test runs.
    """

    default_name = "diff_files"
    parts = ("touches_gold_files", "diff_parses", "gold_file_recall", "gold_file_precision")
    needs = "a unified diff as the answer"
    formula = (
        "touches_gold_files = 1 if the diff parses and changes every file the gold diff changes; gold_file_recall and "
        "gold_file_precision = common files / gold files and / the diff's files; the value is touches_gold_files"
    )

    threshold: float = 1.0

    def grade(self, trial: Trial) -> Score:
        """Score the agreement between the files of the reply's diff and those of the gold diff."""
        gold = _gold_files(trial)
        if not gold:
            return Score.skipped("there is no gold diff to compare with")
        try:
            files = touched_paths(_diff_of_output(trial))
        except BadDiff as error:
            return self.fail(f"no diff is read: {error}")
        common = gold & files
        parts = {
            "touches_gold_files": float(gold <= files),
            "diff_parses": 1.0,
            "gold_file_recall": len(common) / len(gold),
            "gold_file_precision": len(common) / len(files),
        }
        reason = f"not touched: {', '.join(sorted(gold - files))}" if gold - files else ""
        return self.verdict(parts["touches_gold_files"], reason, parts, files=sorted(files)[:50])


@dataclass(frozen=True)
class DiffApplies(Check):
    """1.0 if the reply's diff applies to the row's checkout: `checkouts` holds a folder per `instance_id`.

    Hunks fit exactly, at their place or moved, as `git apply` has it. No test runs.
    """

    default_name = "diff_applies"
    parts = ("diff_applies",)
    needs = "`instance_id` (or an id), and under `checkouts` the project at its base commit"
    formula = "1 if the diff parses and every hunk's old lines occur in their file, else 0"

    checkouts: str
    threshold: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        there = isinstance(self.checkouts, str) and Path(self.checkouts).is_dir()
        require_that(there, "checkouts", self.checkouts, "a folder with a checkout per instance")

    def grade(self, trial: Trial) -> Score:
        """Whether the diff fits the files of the row's checkout."""
        name = str(trial.case.fields.get("instance_id") or trial.case.id)
        folder = Path(self.checkouts) / Path(name).name
        if Path(name).name in ("", "..") or not folder.is_dir():
            return Score.skipped(f"there is no checkout of {name!r}")
        try:
            reason = first_mismatch(_diff_of_output(trial), lambda path: _content(folder, path))
        except BadDiff as error:
            return self.fail(f"no diff is read: {error}")
        return self.verdict(float(not reason), reason)


def _diff_of_output(trial: Trial) -> list[FileDiff]:
    text = diff_in(trial.output.text)
    if not text:
        raise BadDiff("the reply holds none")
    return read_diff(text)


def _gold_files(trial: Trial) -> set[str]:
    for answer in trial.case.expected or ():
        try:
            return touched_paths(read_diff(answer))
        except BadDiff:
            continue
    return set()


def _content(folder: Path, path: str) -> str | None:
    """The text of a file of the checkout; a path that leads out of it names no file."""
    try:
        found = (folder / path).resolve()
        inside = found.is_relative_to(folder.resolve()) and found.is_file()
        return found.read_text(encoding="utf-8", errors="surrogateescape") if inside else None
    except (OSError, ValueError):
        return None
