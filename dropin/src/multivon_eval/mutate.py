"""Cases made from cases, or from a template, without a model: ringtrue's variations and grids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from string import Formatter
from typing import Any

from multivon_eval.canonical import digest
from multivon_eval.case import EvalCase
from multivon_eval.case_gates import EXPECTATIONS, GenerationReport, admit, gate_well_formed
from multivon_eval.case_manifest import case_from_dict, case_to_dict
from multivon_eval.provenance import read_provenance, stamp_metadata_inplace
from ringtrue.datasets import variants
from ringtrue.datasets.grids import every_combination, every_pair

__all__ = [
    "FLIP_MUTATIONS", "MUTATIONS", "TEMPLATE_PRODUCT_CAP", "case_noise", "cases_from_template", "mutate_cases",
    "negation_flip", "punctuation_strip", "typo_noise", "unicode_confusable", "whitespace_noise",
]  # fmt: skip

TEMPLATE_PRODUCT_CAP = 2000
typo_noise = variants.slip
whitespace_noise = variants.spacing
case_noise = variants.letter_case
unicode_confusable = variants.lookalikes
punctuation_strip = variants.unpunctuated
negation_flip = variants.negated

MUTATIONS: dict[str, variants.Variation] = {
    "typo_noise": typo_noise,
    "whitespace_noise": whitespace_noise,
    "case_noise": case_noise,
    "unicode_confusable": unicode_confusable,
    "punctuation_strip": punctuation_strip,
    "negation_flip": negation_flip,
}
FLIP_MUTATIONS = frozenset({"negation_flip"})
"""Those after which another answer may be right."""


def mutate_cases(
    cases: Sequence[EvalCase], mutations: Sequence[str] | None = None, seed: int = 0, per_case: int = 1
) -> tuple[list[EvalCase], GenerationReport]:
    """Each case with its input changed in each way, and what became of them; the same ones for the same seed.

    Nobody knows what is right for a changed input: its case expects nothing until someone says so.
    """
    names = list(MUTATIONS) if mutations is None else list(mutations)
    if unknown := [name for name in names if name not in MUTATIONS]:
        raise ValueError(f"unknown mutation {unknown[0]!r}; there are {', '.join(MUTATIONS)}")
    if per_case < 1:
        raise ValueError(f"per_case must be at least 1; got {per_case!r}")
    report = GenerationReport(len(cases) * len(names) * per_case, kind="mutation")
    made: dict[str, EvalCase] = {}
    for place, case in enumerate(cases):
        for name in names:
            for turn in range(per_case):
                text = MUTATIONS[name](case.input or "", Random(f"{seed}:{place}:{name}:{turn}"))
                if text is None:
                    continue
                report.generated += 1
                mutant = _mutant(case, name, text, seed)
                key = digest(
                    [mutant.metadata["generation"]["source_case_digest"], mutant.source_id, case.case_id, text]
                )
                if not text.strip() or not gate_well_formed(case).passed:
                    report.dropped_malformed += 1
                elif key in made:
                    report.dropped_duplicate += 1
                else:
                    made[key] = mutant
    report.accepted = len(made)
    return list(made.values()), report


def cases_from_template(
    template: str,
    axes: Mapping[str, Sequence[Any]],
    sample: str = "all",
    n: int | None = None,
    seed: int = 0,
    expected_output: str | None = None,
    context: str | list[str] | None = None,
    expected_behavior: str | None = None,
) -> tuple[list[EvalCase], GenerationReport]:
    """The template filled with every combination of values (`all`), or so that every pair meets (`pairwise`).

    `n` draws so many of them. The same placeholders in `expected_output` are filled as well.
    """
    wanted = {name for _, name, _, _ in Formatter().parse(template) if name}
    if missing := sorted(wanted - set(axes)):
        raise ValueError(f"the placeholders {missing} have no axis values")
    if unused := sorted(set(axes) - wanted):
        raise ValueError(f"the axes {unused} do not appear in the template")
    if sample not in ("all", "pairwise"):
        raise ValueError(f"sample is 'all' or 'pairwise'; got {sample!r}")
    rows = every_pair(axes, seed) if sample == "pairwise" else every_combination(axes, limit=TEMPLATE_PRODUCT_CAP)
    if n is not None and 0 <= n < len(rows):
        rows = [rows[place] for place in sorted(Random(seed).sample(range(len(rows)), n))]
    report = GenerationReport(len(rows), len(rows), kind="template")
    accepted: list[EvalCase] = []
    for row in rows:
        about = {"kind": "template", "template": template, "axes": row, "sample": sample, "seed": seed}
        metadata: dict[str, Any] = {"generation": about}
        if expected_behavior:
            metadata["expected_behavior"] = expected_behavior
        stamp_metadata_inplace(metadata, authored_by="generator:template", git={})
        case = EvalCase(template.format(**row), _filled(expected_output, row), context, metadata=metadata)
        admit(case, accepted, report, malformed=not case.input.strip())
    report.accepted = len(accepted)
    return accepted, report


def _mutant(case: EvalCase, name: str, text: str, seed: int) -> EvalCase:
    """A copy with another input, that names its source and expects nothing."""
    source, content = case.identity()
    status, stamp = read_provenance(case.metadata)
    copy = case_from_dict(case_to_dict(case, include_reference=False))
    metadata = {key: value for key, value in copy.metadata.items() if key not in EXPECTATIONS}
    metadata["generation"] = {
        "kind": "mutation",
        "mutation": name,
        "expectation": "flip" if name in FLIP_MUTATIONS else "invariant",
        "oracle_status": "unknown",
        "seed": seed,
        "source_case_uid": stamp.get("case_uid") if status == "ok" and stamp else None,
        "source_case_id": source,
        "source_case_digest": content,
    }
    stamp_metadata_inplace(metadata, authored_by="generator:mutation", git={})
    return replace(
        copy,
        input=text,
        expected_output=None,
        expected_tool_calls=None,
        metadata=metadata,
        case_id=f"mutation:{digest([source, content, name, text, seed])}",
        revision=None,
        source_id=case.source_id or source,
    )


def _filled(text: str | None, row: Mapping[str, Any]) -> str | None:
    try:
        return None if text is None else text.format(**row)
    except (KeyError, IndexError, ValueError):  # braces of the text's own
        return text
