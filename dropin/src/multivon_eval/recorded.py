"""`Experiment`: the numbers of runs, kept in a file, and two of them side by side."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import Any

from multivon_eval.report import EvalReport
from multivon_eval.spoken import say
from ringtrue.jsontext import plain_json
from ringtrue.stats.differences import benjamini_hochberg, cohens_h, two_proportions
from ringtrue.stats.intervals import wilson
from ringtrue.stats.power import detectable_effect

SIGNIFICANT = 0.05
_COMPARED = ("pass_rate", "avg_score", "total", "evaluated", "errors", "passed", "failed")
_KEPT = ("suite_name", "model_id", "total", "passed", "failed", "runs_per_case", "flaky_count", "evaluated", "errors")


@dataclass
class RunRecord:
    """The numbers of one recorded run."""

    run_id: str
    suite_name: str
    model_id: str
    timestamp: str
    pass_rate: float
    avg_score: float
    total: int
    passed: int
    failed: int
    scores_by_evaluator: dict[str, float] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    runs_per_case: int = 1
    flaky_count: int = 0
    stability_score: float = 1.0
    pass_by_evaluator: dict[str, float] = field(default_factory=dict)
    evaluated: int = 0
    errors: int = 0


class Experiment:
    """Runs under a name, one line each in `$MULTIVON_HOME` (else `~/.multivon`), `experiments/<name>.jsonl`."""

    def __init__(self, name: str) -> None:
        if not name or name in (".", "..") or any(sign in name for sign in "/\\\0"):
            raise ValueError(f"an experiment's name is the name of a file, without folders; got {name!r}")
        self.name = name

    @property
    def path(self) -> Path:
        """The file of the runs."""
        return experiments_folder() / f"{self.name}.jsonl"

    def record(self, report: EvalReport, tags: Mapping[str, str] | None = None, run_id: str | None = None) -> str:
        """Keep a report's numbers, and return the id of the run."""
        found = RunRecord(
            run_id=run_id or token_hex(4),
            timestamp=datetime.now(UTC).isoformat(),
            pass_rate=round(report.pass_rate, 4),
            avg_score=round(report.avg_score, 4),
            scores_by_evaluator=_rounded(report.scores_by_evaluator()),
            pass_by_evaluator=_rounded(report.passed_by_evaluator()),
            tags=dict(tags or {}),
            stability_score=round(report.stability_score, 4),
            **{name: getattr(report, name) for name in _KEPT},
        )
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as file:
            file.write((plain_json(asdict(found), indent=None) + "\n").encode())
        return found.run_id

    def history(self, n: int = 20) -> list[RunRecord]:
        """The last n runs, the newest first."""
        return self._runs()[::-1][:n]

    def print_history(self, n: int = 10) -> None:
        """Print the last n runs."""
        lines = [
            f"{run.run_id}  {run.timestamp[:19]}  {run.model_id}  {run.pass_rate:.1%}  {run.avg_score:.4f}  {run.tags}"
            for run in self.history(n)
        ]
        for line in (f"Experiment: {self.name}", *lines):
            say(line)

    def compare(self, run_id_a: str, run_id_b: str) -> None:
        """Print two runs side by side, and whether the pass rate differs by more than chance would make it."""
        for line in (f"Experiment: {self.name}", *compared(self._run(run_id_a), self._run(run_id_b))):
            say(line)

    def _runs(self) -> list[RunRecord]:
        if not self.path.exists():
            return []
        known = {item.name for item in fields(RunRecord)}
        rows: list[dict[str, Any]] = [json.loads(line) for line in self.path.read_text("utf-8").splitlines() if line]
        return [RunRecord(**{name: value for name, value in row.items() if name in known}) for row in rows]

    def _run(self, run_id: str) -> RunRecord:
        found = [run for run in self._runs() if run.run_id == run_id]
        if not found:
            raise ValueError(f"no run {run_id!r} in the experiment {self.name!r}; history() shows what there is")
        return found[-1]


def list_experiments() -> list[str]:
    """The names of the experiments that have runs."""
    return sorted(path.stem for path in experiments_folder().glob("*.jsonl"))


def experiments_folder() -> Path:
    """Where runs are kept."""
    from multivon_eval import experiments  # which imports this module

    return experiments._experiments_dir()


def compared(before: RunRecord, after: RunRecord) -> list[str]:
    """Two runs in lines, the verdict last."""
    (old, old_n), (new, new_n) = ((run.passed, run.evaluated or run.passed + run.failed) for run in (before, after))
    shares = [old / old_n if old_n else 0.0, new / new_n if new_n else 0.0]
    p = two_proportions(shares[0], old_n, shares[1], new_n)
    shared = [name for name in before.scores_by_evaluator if name in after.scores_by_evaluator]
    rates = [[run.pass_by_evaluator.get(name, 0.0) for run in (before, after)] for name in shared]
    tests = benjamini_hochberg([two_proportions(first, old_n, second, new_n) for first, second in rates])
    changed = "IMPROVED" if shares[1] > shares[0] else "REGRESSION"
    return [
        f"{before.run_id} -> {after.run_id}",
        *(_change(name, getattr(before, name), getattr(after, name)) for name in _COMPARED),
        *(
            _change(name, before.scores_by_evaluator[name], after.scores_by_evaluator[name])
            + f", adjusted p = {test:.3f}"
            for name, test in zip(shared, tests, strict=True)
        ),
        f"tags: {before.tags} -> {after.tags}",
        "95% intervals: [{:.1%}, {:.1%}] -> [{:.1%}, {:.1%}]".format(*wilson(old, old_n), *wilson(new, new_n)),
        f"p = {p:.3f}, Cohen's h = {cohens_h(*shares):+.3f}",
        f"smallest change that so many cases show: {detectable_effect(min(old_n, new_n)):.1%}",
        "Verdict: " + (changed if p < SIGNIFICANT else "NO MEANINGFUL CHANGE"),
    ]


def _change(name: str, before: float, after: float) -> str:
    return f"{name}: {before:g} -> {after:g} ({after - before:+.4g})"


def _rounded(numbers: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in numbers.items()}
