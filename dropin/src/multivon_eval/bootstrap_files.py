"""The files that `bootstrap` writes, as texts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from string import Template

from multivon_eval.case_gates import GenerationReport
from multivon_eval.recommended import RecommendedEvaluator
from multivon_eval.seed_cases import BATCH
from multivon_eval.trace_summary import ProductShape, TraceSummary
from ringtrue.reports.markdown import escaped

_MOST_CHARS = 600
_TOLD = ("output", "context", "expected_output", "expected_tool_calls", "conversation", "images", "schema")
_NO_CASES = "No seed cases were made: that was skipped."


def eval_suite_py(shape: ProductShape, evaluators: Sequence[RecommendedEvaluator]) -> str:
    """A program that runs these checks on the seed cases; why they were chosen stands behind each, as a comment."""
    lines = [
        f"        {one.name}(threshold={one.threshold}),  # {one.tier}: {_line(one.rationale)}" for one in evaluators
    ]
    names = ", ".join(sorted({"EvalCase", "EvalSuite", "load_jsonl", *(one.name for one in evaluators)}))
    return _filled("bootstrap_suite", shape=shape, names=names, checks="\n".join(lines))


def thresholds_yaml(evaluators: Sequence[RecommendedEvaluator]) -> str:
    """The thresholds, for people and for programs that read YAML."""
    rows = [
        f"{one.name}:\n  threshold: {one.threshold}\n  tier: {one.tier}\n  source: {one.source}\n"
        f"  rationale: {json.dumps(one.rationale)}\n"
        for one in evaluators
    ]
    return "\n".join(["# Where answers begin to pass; change what does not fit.\n", *rows])


def report_md(
    description: str,
    shape: ProductShape,
    summary: TraceSummary,
    evaluators: Sequence[RecommendedEvaluator],
    discussion: str,
    *,
    generation_report: GenerationReport | None = None,
    excluded: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """What was found and chosen, for people; what others wrote cannot break the page."""
    product = description.strip()
    rows = [
        f"| `{one.name}` | {one.tier} | {one.threshold:.2f} | {one.source} | {escaped(one.rationale)} |"
        for one in evaluators
    ]
    missing = [
        f"\n`{name}` is recommended but **not emitted** to `eval_suite.py`: it needs `{'`, `'.join(needed)}`, which "
        f"only you know; add it by `suite.add_evaluators({name}(...))`.\n"
        for name, needed in (excluded or {}).items()
    ]
    return _filled(
        "discovery_report",
        product=product[:_MOST_CHARS] + ("…" if len(product) > _MOST_CHARS else ""),
        traces=_traces(shape, summary),
        checks="\n".join(rows),
        excluded="".join(missing),
        discussion=escaped(discussion) or "The judge said nothing about it.",
        cases=_cases(generation_report),
    )


def _traces(shape: ProductShape, summary: TraceSummary) -> str:
    found = ", ".join(f"{label}={count}" for label, count in summary.pii_label_counts.items())
    shares = [f"- with {name}: {getattr(summary, f'has_{name}_pct'):.0f}%" for name in _TOLD]
    return "\n".join(
        [
            f"- traces: **{summary.count}**",
            f"- shape: **{shape}**",
            *shares,
            f"- mean characters: {summary.avg_input_chars} of input, {summary.avg_output_chars} of output",
            f"- personal data and keys: {found or 'none'}",
        ]
    )


def _cases(report: GenerationReport | None) -> str:
    if report is None:
        return _NO_CASES
    hard = f"- hardness gate skipped ({report.hardness_skip_reason})"
    if not report.hardness_skipped:
        hard = "- hardness gate: how often the baseline fails a case is in its `metadata.generation.hardness`"
    asked = f"- asked for: **{report.requested}**, in {report.n_batches} batches of at most {BATCH}"
    return "\n".join([asked, f"- {report.summary_line()}", hard])


def _line(text: str) -> str:
    """A text that stays in its line of a program."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def _filled(name: str, **values: str) -> str:
    text = files("multivon_eval.templates").joinpath(f"{name}.txt").read_text("utf-8")
    return Template(text).substitute(values)
