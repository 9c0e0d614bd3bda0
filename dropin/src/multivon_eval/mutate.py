"""Cases made from cases, or from a template, without a model: ringtrue's variations and grids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

from ringtrue.reports.canonical import digest

from multivon_eval.case import EvalCase
from multivon_eval.case_gates import EXPECTATIONS, GenerationReport
from multivon_eval.case_manifest import case_from_dict, case_to_dict
from multivon_eval.provenance import read_provenance, stamp_metadata_inplace
from ringtrue.authoring import variants
from ringtrue.authoring.varied_cases import MOST_COMBINATIONS, filled_cases, named_variations, varied_cases

__all__ = [
    "FLIP_MUTATIONS", "MUTATIONS", "TEMPLATE_PRODUCT_CAP", "case_noise", "cases_from_template", "mutate_cases",
    "negation_flip", "punctuation_strip", "typo_noise", "unicode_confusable", "whitespace_noise",
]  # fmt: skip

TEMPLATE_PRODUCT_CAP = MOST_COMBINATIONS
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
    chosen = named_variations(MUTATIONS if mutations is None else mutations, MUTATIONS, "mutation")
    make: Any = partial(_mutant, seed)
    made, report = varied_cases(cases, chosen, seed=seed, per_case=per_case, make=make)
    return cast("list[EvalCase]", made), GenerationReport(**vars(report), kind="mutation")


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

    def make(text: str, row: Mapping[str, Any]) -> EvalCase:
        about = {"kind": "template", "template": template, "axes": row, "sample": sample, "seed": seed}
        metadata: dict[str, Any] = {"generation": about}
        if expected_behavior:
            metadata["expected_behavior"] = expected_behavior
        stamp_metadata_inplace(metadata, authored_by="generator:template", git={})
        return EvalCase(text, _filled(expected_output, row), context, metadata=metadata)

    made, report = filled_cases(template, axes, make, sample=sample, n=n, seed=seed)
    return cast("list[EvalCase]", made), GenerationReport(**vars(report), kind="template")


def _mutant(seed: int, case: EvalCase, name: str, text: str) -> EvalCase:
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
