"""Cases made of cases, without a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random

from ringtrue.authoring import variants
from ringtrue.authoring.case_gates import MakingReport, lacking
from ringtrue.dialects.suite import EvalCase

VARIATIONS: Mapping[str, variants.Variation] = {
    "slip": variants.slip,
    "spacing": variants.spacing,
    "letter_case": variants.letter_case,
    "lookalikes": variants.lookalikes,
    "disguised": variants.disguise_letters,
    "zero_width": variants.zero_width,
    "right_to_left": variants.right_to_left,
    "unpunctuated": variants.drop_punctuation,
    "negated": variants.negate,
}
TURNING = frozenset({"negated"})
"""Those after which another answer may be right."""


def variant(case: EvalCase, name: str, text: str) -> EvalCase:
    """A case with its question written differently; what is expected stays, unless the variation may change it."""
    about = {**case.metadata, "generation": {"kind": "variant", "variation": name, "source_id": case.case_id}}
    changed = replace(case, input=text, metadata=about, case_id=None)
    return replace(changed, expected_output=None, expected_tool_calls=None) if name in TURNING else changed


def varied_cases(
    cases: Sequence[EvalCase],
    variations: Mapping[str, variants.Variation] | None = None,
    *,
    seed: int = 0,
    make: Callable[[EvalCase, str, str], EvalCase] | None = None,
) -> tuple[list[EvalCase], MakingReport]:
    """Each case with its input changed in each way, and what became of them; the same ones for the same seed.

    Without `variations` these are all of `VARIATIONS`; `make(case, name, text)` makes the case, else `variant`.
    """
    ways = VARIATIONS if variations is None else variations
    report = MakingReport(len(cases) * len(ways))
    made: dict[str, EvalCase] = {}
    for place, case in enumerate(cases):
        source = repr(replace(case, reference_output=None))
        for name, variation in ways.items():
            text = variation(case.input or "", Random(f"{seed}:{place}:{name}"))
            if text is None:
                continue
            report.generated += 1
            if not text.strip() or lacking(case):
                report.dropped_malformed += 1
            elif (key := f"{source}\n{text}") in made:
                report.dropped_duplicate += 1
            else:
                made[key] = (make or variant)(case, name, text)
    report.accepted = len(made)
    return list(made.values()), report
