"""`multivon-eval bootstrap`: a first suite for a product, from the command line."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

from ringtrue.reports.canonical import canonical_lines

from multivon_eval import auto, discover
from multivon_eval.case import EvalCase
from multivon_eval.dataset import save_jsonl
from multivon_eval.exceptions import MultivonError
from multivon_eval.judge import JudgeConfig
from multivon_eval.spoken import say
from multivon_eval.user_files import model_of
from ringtrue.atomic_file import write_whole
from ringtrue.errors import RingtrueError

_LATER = {"validate_cases": False, "baseline_model_file": None, "budget_usd": 2.0, "skip_input_gate": False}
"""Options that came later: who calls the command as a function may not know them."""
_UNKNOWING = "I have no information about that."


def bootstrap(args: Namespace) -> int:
    """Make the suite and say what was made; 1 if it was called off, 2 if it could not be made."""
    given = _LATER | vars(args)
    for name in ("product", "traces"):
        if not Path(given[name]).is_file():
            return _refused(f"--{name}: there is no file {given[name]!r}")
    if given["validate_cases"] and not given["baseline_model_file"]:
        return _refused("--validate-cases needs --baseline-model-file, a Python file with a function model_fn")
    if given["pii_policy"] == "allow" and not _agreed():
        return _refused("called off", 1)
    if given["skip_input_gate"]:
        say("input-quality gate skipped", sys.stderr)
    judge = JudgeConfig(given["judge_provider"], given["judge_model"], given.get("judge_base_url") or "")
    try:
        baseline = given["baseline_model_file"]
        found = discover.bootstrap(
            description_path=given["product"],
            traces_path=given["traces"],
            output_dir=given["output"],
            judge=judge,
            pii_policy=given["pii_policy"],
            skip_seed_cases=given["skip_seed_cases"],
            skip_calibration=given["skip_calibration"],
            n_seed_cases=given["n_seed_cases"],
            repo=given["repo"],
            validate_cases=given["validate_cases"],
            baseline_model_fn=model_of(baseline) if baseline else None,
            validate_n_shots=given["validate_n_shots"],
            budget_usd=given["budget_usd"],
            run_input_gate=not given["skip_input_gate"],
        )
        _told(found)
        if given["validate"] and found.seed_cases:
            _validated(found, given["validate_n_shots"], judge)
    except (ValueError, OSError, MultivonError, RingtrueError) as error:
        return _refused(str(error))
    return 0


def _agreed() -> bool:
    say("--pii-policy allow shows the judge personal data and keys as they are. Type 'yes' to go on:", sys.stderr)
    return sys.stdin.readline().strip().lower() == "yes"


def _told(found: discover.BootstrapResult) -> None:
    summary = found.summary
    say(f"{summary.count} traces, of the shape {found.shape}")
    if summary.pii_label_counts:
        say(f"personal data and keys: {', '.join(f'{k}={n}' for k, n in summary.pii_label_counts.items())}")
    excluded = discover.unconstructible_evaluators(found.evaluators)
    say(f"{len(found.evaluators)} checks, {len(found.evaluators) - len(excluded)} of them in eval_suite.py")
    if excluded:
        names = ", ".join(f"{name} (needs {', '.join(needed)})" for name, needed in excluded.items())
        say(f"recommended but NOT emitted: {names}")
    made = found.generation_report
    say(f"seed cases: {made.summary_line() if made else 'skipped'}")
    for path in found.artifacts.values():
        say(f"wrote {path}")
    say(f"about ${found.cost_usd:.4f} spent on the judge, calibration not counted")


def _validated(found: discover.BootstrapResult, shots: int, judge: JudgeConfig) -> None:
    """Keep the seed cases that a model which never knows anything fails, and write down how each of them did."""
    kept, reports = auto.validate_adversarial_cases(
        found.seed_cases, lambda question: _UNKNOWING, n_shots=shots, judge=judge
    )
    place = found.artifacts["seed_cases"]
    save_jsonl(kept, place)
    rows = [_hardness(report.case) | {name: getattr(report, name) for name in _SHOTS} for report in reports]
    write_whole(place.parent / "hardness_report.jsonl", canonical_lines(rows))
    say(f"hardness: {len(kept)} of {len(found.seed_cases)} seed cases kept, {shots} shots each")


_SHOTS = ("evaluator_name", "failure_rate", "in_hardness_band", "scores", "n_shots")


def _hardness(case: EvalCase) -> dict[str, Any]:
    named, found = case.identity()
    return {"input": case.input[:200], "case_id": named, "case_digest": found, "source_id": case.source_id}


def _refused(message: str, code: int = 2) -> int:
    say(f"multivon-eval: error: {message}", sys.stderr)
    return code
