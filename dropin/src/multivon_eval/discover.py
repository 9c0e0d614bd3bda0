"""`bootstrap`: a first suite for a product, made of what it is said to be and of what it was asked and answered."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import floor
from pathlib import Path
from random import Random
from typing import Any

from ringtrue.reports.canonical import canonical_lines

from multivon_eval.bootstrap_files import eval_suite_py, report_md, thresholds_yaml
from multivon_eval.case import EvalCase
from multivon_eval.case_gates import GenerationReport
from multivon_eval.case_manifest import case_to_dict
from multivon_eval.evaluators.judging import Material
from multivon_eval.evaluators.llm_judge import _call
from multivon_eval.input_gate import CALIBRATION_MIN_TRACES, assess_input
from multivon_eval.judge import JudgeConfig, resolve_judge
from multivon_eval.provenance import stamp_metadata_inplace
from multivon_eval.recommended import (
    CHECKS,
    RecommendedEvaluator,
    heuristic_recommendations,
    kind_of,
    merge_recommendations,
    needed,
    parse_proposal,
    unconstructible_evaluators,
)
from multivon_eval.running import Running
from multivon_eval.seed_cases import BATCH, BUDGET_USD, generate_seed_cases, require_budget
from multivon_eval.spending import Spending, estimated_cost
from multivon_eval.spoken import say_lines, warn
from multivon_eval.trace_files import load_traces
from multivon_eval.trace_summary import PIIPolicy, ProductShape, TraceSummary, infer_product_shape, summarize_traces
from ringtrue.atomic_file import Where, write_whole
from ringtrue.evaluators.judged.prompt import prompt

__all__ = [
    "CALIBRATION_MIN_TRACES", "BootstrapResult", "RecommendedEvaluator", "TraceSummary", "bootstrap",
    "calibrate_thresholds", "generate_seed_cases", "heuristic_recommendations", "infer_product_shape", "load_traces",
    "merge_recommendations", "propose_evaluators_via_llm", "summarize_traces", "unconstructible_evaluators",
]  # fmt: skip

TOKENS = 2_000
_EXAMPLES, _EXAMPLE_CHARS = 5, 400
_FILES = {
    "eval_suite": "eval_suite.py",
    "seed_cases": "seed_cases.jsonl",
    "thresholds": "thresholds.yaml",
    "report": "DISCOVERY_REPORT.md",
}
_SHOWN = ("input", "output", "context", "expected_output")
_FEWEST_SCORES, _LEAST_PRIMARY, _QUARTER = 3, 0.5, 0.25


@dataclass
class BootstrapResult:
    """What `bootstrap` found, chose and wrote; `artifacts` are the files by short names."""

    shape: ProductShape
    summary: TraceSummary
    evaluators: list[RecommendedEvaluator]
    seed_cases: list[EvalCase]
    cost_usd: float
    output_dir: Path
    artifacts: dict[str, Path]
    generation_report: GenerationReport | None = None


def bootstrap(
    description_path: Where,
    traces_path: Where,
    output_dir: Where,
    *,
    judge: JudgeConfig | None = None,
    pii_policy: PIIPolicy = "redact",
    skip_seed_cases: bool = False,
    skip_calibration: bool = False,
    n_seed_cases: int = 30,
    seed: int = 1729,
    repo: Where | None = None,
    validate_cases: bool = False,
    baseline_model_fn: Callable[[str], str] | None = None,
    validate_n_shots: int = 3,
    hardness_band: tuple[float, float] = (0.5, 1.0),
    budget_usd: float = BUDGET_USD,
    run_input_gate: bool = True,
) -> BootstrapResult:
    """Choose checks for a product, set their thresholds by its traces, have cases written, and write it all down.

    Written are `eval_suite.py`, `seed_cases.jsonl`, `thresholds.yaml` and `DISCOVERY_REPORT.md`, once all are made.
    What cannot be done, or would cost more than the budget, is a ValueError before the judge is asked anything.
    """
    description, folder = Path(description_path).read_text("utf-8"), Path(output_dir)
    if not skip_seed_cases:
        require_budget(resolve_judge(judge), n_seed_cases, BATCH, budget_usd)
    folder.mkdir(parents=True, exist_ok=True)
    summary, traces = _summarized(traces_path, pii_policy, gated=run_input_gate)
    shape = infer_product_shape(summary)
    proposed, discussion, cost = propose_evaluators_via_llm(description, shape, summary, traces, judge=judge)
    chosen = merge_recommendations(heuristic_recommendations(shape, summary), proposed)
    if not skip_calibration:
        chosen = calibrate_thresholds(chosen, traces, judge=judge, seed=seed)
    gates = {"validate_cases": validate_cases, "baseline_model_fn": baseline_model_fn, "hardness_band": hardness_band}
    wanted = {"n": n_seed_cases, "judge": judge, "budget_usd": budget_usd, "n_shots": validate_n_shots, **gates}
    cases, more, report = ([], 0.0, None) if skip_seed_cases else _seeds(description, shape, **wanted)
    baseline = {} if repo is None else _bound(Path(repo), cases)
    about: dict[str, Any] = {"description": description, "shape": shape, "summary": summary, "evaluators": chosen}
    made: dict[str, Any] = {"discussion": discussion, "seed_cases": cases, "generation_report": report}
    files = {**_emit_artifacts(out_dir=folder, **about, **made), **baseline}
    return BootstrapResult(shape, summary, chosen, cases, round(cost + more, 4), folder, files, report)


def _summarized(path: Where, pii_policy: PIIPolicy, *, gated: bool) -> tuple[TraceSummary, list[dict[str, Any]]]:
    """What the traces of a file are like, and those to be shown; on standard error, what speaks against using them."""
    raw = load_traces(path)
    told = assess_input(kind="bootstrap", traces=raw, pii_policy=pii_policy).render_text() if gated else ""
    if told:
        say_lines(told, sys.stderr)
    return summarize_traces(raw, pii_policy=pii_policy)


def _seeds(
    description: str, shape: ProductShape, **wanted: Any
) -> tuple[list[EvalCase], float, GenerationReport | None]:
    """Seed cases, what they cost, and what became of all that were made, where whoever makes them tells that."""
    cases, cost, *told = generate_seed_cases(description, shape, **wanted)
    return cases, cost, told[0] if told else None


def _bound(repo: Path, cases: Sequence[EvalCase]) -> dict[str, Path]:
    """Stamp the cases with the state of a repository, and keep which prompts it has; no case is bound to one."""
    from multivon_eval.provenance import git_info
    from multivon_eval.staleness import DEFAULT_BASELINE_NAME, write_baseline

    git = git_info(repo)
    for case in cases:
        stamp_metadata_inplace(case.metadata, authored_by="bootstrap", git=git)
    write_baseline(repo)
    return {"prompt_baseline": repo / DEFAULT_BASELINE_NAME}


def propose_evaluators_via_llm(
    description: str,
    shape: ProductShape,
    summary: TraceSummary,
    sample_traces: Sequence[Mapping[str, Any]],
    *,
    judge: JudgeConfig | None = None,
) -> tuple[list[RecommendedEvaluator], str, float]:
    """The checks that a judge would choose, what it says of them, and what it cost to ask."""
    told = {name: value for name, value in vars(summary).items() if name != "count"}
    rows = [{name: trace[name] for name in _SHOWN if name in trace} for trace in sample_traces[:_EXAMPLES]]
    texts = Material(
        product=description.strip(),
        shape=shape,
        traces=f"{summary.count} traces\n{json.dumps(told)}",
        examples="\n".join(json.dumps(row, default=str)[:_EXAMPLE_CHARS] for row in rows) or "none",
        checks="\n".join(f"{about}: {', '.join(names.split())}" for about, names in CHECKS.items()),
    ).texts
    system, user = prompt("proposal", "multivon_eval").question(texts, None).messages
    spending = Spending(float("inf"), _call_judge)
    said = spending.asked(resolve_judge(judge), str(system["content"]), str(user["content"]))
    return *parse_proposal(said), spending.total


def calibrate_thresholds(
    evaluators: Sequence[RecommendedEvaluator],
    traces: Sequence[Mapping[str, Any]],
    *,
    judge: JudgeConfig | None = None,
    deterministic_sample_size: int = 50,
    llm_judge_sample_size: int = 15,
    seed: int = 1729,
) -> list[RecommendedEvaluator]:
    """The checks with the thresholds that three quarters of the traces pass today; at least 0.5 for a primary one.

    A check that cannot be made, or that measures fewer than three traces, keeps its threshold.
    """
    answered = [trace for trace in traces if trace.get("output")]
    if not answered:
        return list(evaluators)
    if len(traces) < CALIBRATION_MIN_TRACES:
        warn(
            f"calibration warning: {len(traces)} traces are below {CALIBRATION_MIN_TRACES}: thresholds that are found "
            "on them may be chance; --skip-calibration keeps those that were proposed"
        )
    drawn = Random(seed).sample(answered, min(llm_judge_sample_size, len(answered)))
    found = []
    for one in evaluators:
        kind = kind_of(one.name)
        judged = bool(getattr(kind, "uses_llm_judge", False))
        if kind is None or needed(kind):
            found.append(one)
            continue
        scores = _scores(
            kind(judge=judge) if judged else kind(), drawn if judged else answered[:deterministic_sample_size]
        )
        found.append(_calibrated(one, scores) if len(scores) >= _FEWEST_SCORES else one)
    return found


def _scores(check: Any, traces: Sequence[Mapping[str, Any]]) -> list[float]:
    """What a check says of the traces' outputs, where it says something, the lowest first."""
    cases = [_trace_to_case(trace) for trace in traces]
    rows = Running("calibration", cases, [check]).given([str(trace["output"]) for trace in traces], None)
    return sorted(result.score for row in rows for result in row.measured)


def _calibrated(one: RecommendedEvaluator, scores: Sequence[float]) -> RecommendedEvaluator:
    # Rounded down: the trace whose score this is still passes.
    quarter = floor(scores[int(_QUARTER * (len(scores) - 1))] * 100) / 100
    threshold = max(_LEAST_PRIMARY, quarter) if one.tier == "primary" else quarter
    told = f"{one.rationale} Three quarters of {len(scores)} traces reach {quarter:.2f} (it was {one.threshold:.2f})."
    return replace(one, threshold=threshold, rationale=told.strip(), source="merged")


def _trace_to_case(trace: Mapping[str, Any]) -> EvalCase:
    names = ("expected_output", "context", "expected_tool_calls", "conversation")
    about = trace.get("metadata")
    given: dict[str, Any] = {name: trace.get(name) for name in names}
    return EvalCase(str(trace.get("input") or ""), **given, metadata=about if isinstance(about, dict) else {})


def _emit_artifacts(
    *,
    out_dir: Path,
    description: str,
    shape: ProductShape,
    summary: TraceSummary,
    evaluators: Sequence[RecommendedEvaluator],
    discussion: str,
    seed_cases: Sequence[EvalCase],
    generation_report: GenerationReport | None = None,
) -> dict[str, Path]:
    """Write the files once all of them are made; each appears whole."""
    excluded = unconstructible_evaluators(evaluators)
    texts = {
        "eval_suite": eval_suite_py(shape, [one for one in evaluators if one.name not in excluded]),
        "seed_cases": canonical_lines(map(case_to_dict, seed_cases)).decode(),
        "thresholds": thresholds_yaml(evaluators),
        "report": _render_report_md(
            description,
            shape,
            summary,
            evaluators,
            discussion,
            generation_report=generation_report,
            excluded=excluded,
        ),
    }
    paths = {name: out_dir / file for name, file in _FILES.items()}
    for name, path in paths.items():
        write_whole(path, texts[name].encode("utf-8", "backslashreplace"))
    return paths


def _call_judge(judge: JudgeConfig, system: str, user: str) -> str:
    return _call(f"{system}\n\n{user}", judge, TOKENS)


_parse_proposal, _estimate_cost, _case_to_jsonl = parse_proposal, estimated_cost, case_to_dict
_render_eval_suite_py, _render_thresholds_yaml, _render_report_md = eval_suite_py, thresholds_yaml, report_md
