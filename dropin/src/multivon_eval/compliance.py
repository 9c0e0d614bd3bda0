"""`ComplianceReporter`: runs in a log whose records hold each other, and what of a framework their checks show."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib.metadata import distribution
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from _ringtrue_dropin import __version__
from ringtrue.reports.audit_package import safe_name
from ringtrue.reports.chained_log import GENESIS, ChainedLog, Fault
from ringtrue.reports.controls import CATALOGS, Control, CoverageReport, controls_for, coverage

from multivon_eval.case_result import CaseResult
from multivon_eval.exceptions import ComplianceError
from multivon_eval.report import EvalReport
from multivon_eval.spoken import say
from ringtrue.identity import name_of
from ringtrue.jsontext import plain_json

if TYPE_CHECKING:
    from multivon_eval.suite import EvalSuite

__all__ = ["ComplianceReporter", "Control", "CoverageReport", "github_actions_anchor"]

CHAIN_VERSION = 1
_COUNTS = (
    "total",
    "passed",
    "failed",
    "evaluated",
    "errors",
    "errors_by_kind",
    "skipped",
    "runs_per_case",
    "flaky_count",
)
_ROUNDED = ("pass_rate", "avg_score", "stability_score")
WORDS: Mapping[Fault, str] = {"": "OK", "changed": "TAMPERED", "broken": "CHAIN BROKEN", "unreadable": "UNREADABLE"}


class ComplianceReporter:
    """A log per suite in a folder, `<suite>.audit.ndjson`, that shows whether a record was changed or taken out.

    `anchor_fn` is given the last hash after each `record`, to be kept where the log's writer cannot reach it.
    """

    def __init__(
        self,
        output_dir: str | os.PathLike[str] = "./audit-logs",
        framework: str = "eu-ai-act",
        *,
        anchor_fn: Callable[[str], object] | None = None,
        verbose: bool = True,
    ) -> None:
        require_framework(framework)
        self.output_dir, self.framework = Path(output_dir), framework
        self.anchor_fn, self.verbose = anchor_fn, verbose
        self.output_dir.mkdir(parents=True, exist_ok=True)

    def record(
        self, report: EvalReport, tags: Mapping[str, str] | None = None, *, mode: str = "summary"
    ) -> str | list[str]:
        """Keep a run as one record, or, with `mode="case"`, as one for each case; the ids of the records."""
        if mode not in ("summary", "case"):
            raise ComplianceError(f"mode is 'summary' or 'case'; got {mode!r}")
        made = provenance(report)
        if mode == "summary":
            parts = {"summary": self._summary(report, tags), "evaluator_results": self._evaluators(report)}
            found = [self._append(report, "summary", {**parts, "provenance": made})]
        else:
            cases = [self._case(case, place, tags) for place, case in enumerate(report.case_results)]
            found = [self._append(report, "case", {"case": case, "provenance": made}) for case in cases]
        if found and self.anchor_fn is not None:
            try:
                self.anchor_fn(found[-1][1])
            except Exception as error:  # a user's own function: the record stands, and its anchor does not
                raise ComplianceError(f"the record is kept, but anchor_fn failed: {error}") from error
        return found[0][0] if mode == "summary" else [name for name, _ in found]

    def verify(self, suite_name: str) -> bool:
        """Whether every record of a suite is as it was written, and none is missing; prints a line for each."""
        log = self.log(suite_name)
        links = list(log.links())
        for link in links:
            told = f"{link.record.get('record_id', '?')}  {str(link.record.get('timestamp', ''))[:19]}"
            self._say(f"{WORDS[link.fault]}  {told}")
        if not links:
            self._say(f"there is no log {log.path.name}")
        return bool(links) and not any(link.fault for link in links)

    def coverage(self, suite: EvalSuite) -> CoverageReport:
        """What of the framework the checks of a suite show."""
        return coverage(self.framework, suite.name, map(name_of, suite.evaluators))

    def log(self, suite_name: str) -> ChainedLog:
        """The log of a suite."""
        return log_of(self.output_dir, suite_name)

    def _append(self, report: EvalReport, kind: str, parts: Mapping[str, Any]) -> tuple[str, str]:
        record_id, now = token_hex(6), datetime.now(UTC).isoformat()
        log = self.log(report.suite_name)
        about = {
            "record_id": record_id,
            "suite_name": report.suite_name,
            "model_id": report.model_id,
            "timestamp": now,
            "framework": self.framework,
            "chain_version": CHAIN_VERSION,
            "record_type": kind,
        }
        found = log.append(_plain({**about, **parts}))
        with log.path.with_suffix(".sha256").open("a", encoding="utf-8") as file:
            file.write(f"{found}  {record_id}  {now}\n")
        self._say(f"[compliance] {kind} record {record_id} in {log.path.name}")
        return record_id, found

    def _summary(self, report: EvalReport, tags: Mapping[str, str] | None) -> dict[str, Any]:
        rounded = {name: round(getattr(report, name), 4) for name in _ROUNDED}
        return {**{name: getattr(report, name) for name in _COUNTS}, **rounded, "tags": dict(tags or {})}

    def _evaluators(self, report: EvalReport) -> list[dict[str, Any]]:
        rates = report.passed_by_evaluator()
        return [
            {
                "evaluator": name,
                "avg_score": round(score, 4),
                "pass_rate": round(rates[name], 4),
                **self._controls(name),
            }
            for name, score in report.scores_by_evaluator().items()
        ]

    def _case(self, case: CaseResult, place: int, tags: Mapping[str, str] | None) -> dict[str, Any]:
        checks = [
            {"evaluator": r.evaluator, "score": round(r.score, 4), "passed": r.passed, "reason": r.reason,
             **self._controls(r.evaluator)}
            for r in case.results
        ]  # fmt: skip
        return {
            "case_index": place,
            "input": case.case_input,
            "output": case.actual_output,
            "status": case.status.value,
            "passed": case.passed,
            "score": round(case.score, 4),
            "latency_ms": round(case.latency_ms, 2),
            "tags": list(case.tags),
            "evaluators": checks,
            "runs": case.runs,
            "run_pass_rate": round(case.run_pass_rate, 4),
            "error": case.error,
            "record_tags": dict(tags or {}),
        }

    def _controls(self, evaluator: str) -> dict[str, Any]:
        found = [control.record() for control in controls_for(self.framework, evaluator)]
        return {"controls": found} if found else {}

    def _say(self, text: str) -> None:
        if self.verbose:
            say(f"  {text}")


def require_framework(framework: str) -> None:
    """Raise ComplianceError unless there is such a framework."""
    if framework not in CATALOGS:
        raise ComplianceError(f"framework is one of {', '.join(CATALOGS)}; got {framework!r}")


def log_of(folder: Path, suite_name: str) -> ChainedLog:
    """The log of a suite in a folder; its name leads nowhere else."""
    return ChainedLog(folder / f"{safe_name(suite_name)}.audit.ndjson")


def provenance(report: EvalReport) -> dict[str, Any]:
    """By what a report was made: versions, machine, and the suite's lock where there is one."""
    lock = report.suite_lock
    told = (
        {"suite_lock_status": "absent"} if lock is None else {"suite_lock": lock.to_dict(), "suite_lock_status": "ok"}
    )
    package = {"package_version": __version__, "package_git_sha": _package_git_sha()}
    known = {name: value for name, value in package.items() if value is not None}
    return {"schema_version": 1, **known, "host": _host_info(), **told}


def github_actions_anchor(tip_hash: str) -> None:
    """Keep the last hash as an output of the GitHub workflow; nothing happens outside of one."""
    place = os.environ.get("GITHUB_OUTPUT")
    if place:
        with open(place, "a", encoding="utf-8") as file:
            file.write(f"multivon_audit_tip={tip_hash}\n")


def _package_git_sha() -> str | None:
    """The commit that ringtrue was installed from, where the installer wrote it down."""
    told = distribution("ringtrue").read_text("direct_url.json")
    commit = (json.loads(told).get("vcs_info") or {}).get("commit_id") if told else None
    return commit if isinstance(commit, str) else None


def _host_info() -> dict[str, str]:
    """Python and the machine's kind; nothing that tells whose it is."""
    return {
        "python": platform.python_version(),
        "platform": platform.system().lower(),
        "machine": platform.machine(),
    }


def _plain(value: Any) -> Any:
    return json.loads(plain_json(value))  # what is no JSON becomes text, so that a record can always be kept


_GENESIS_HASH, _CHAIN_VERSION = GENESIS, CHAIN_VERSION
_EU_AI_ACT_CONTROLS, _EU_AI_ACT_BY_EVALUATOR = CATALOGS["eu-ai-act"].measurable, CATALOGS["eu-ai-act"].by_evaluator
_HIPAA_CONTROLS, _HIPAA_BY_EVALUATOR = CATALOGS["hipaa"].measurable, CATALOGS["hipaa"].by_evaluator
_HIPAA_PROCESS_CONTROLS = CATALOGS["hipaa"].process
_CATALOGS = {name: {"measurable": each.measurable, "process": each.process} for name, each in CATALOGS.items()}
