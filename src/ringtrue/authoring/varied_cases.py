"""Cases made of cases, or of a template, without a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from string import Formatter
from typing import Any

from ringtrue.authoring import variants
from ringtrue.authoring.case_gates import MakingReport, Sieve, lacking
from ringtrue.authoring.grids import every_combination, every_pair
from ringtrue.dialects.suite import EvalCase
from ringtrue.errors import ConfigurationError
from ringtrue.require import require_count

MOST_COMBINATIONS = 2_000
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
    per_case: int = 1,
    make: Callable[[EvalCase, str, str], EvalCase] | None = None,
) -> tuple[list[EvalCase], MakingReport]:
    """Each case with its input changed in each way, and what became of them; the same ones for the same seed.

    Without `variations` these are all of `VARIATIONS`; `make(case, name, text)` makes the case, else `variant`.
    """
    ways = VARIATIONS if variations is None else variations
    require_count("per_case", per_case)
    report = MakingReport(len(cases) * len(ways) * per_case)
    made: dict[str, EvalCase] = {}
    for place, case in enumerate(cases):
        source = repr(replace(case, reference_output=None))
        for name, variation in ways.items():
            for turn in range(per_case):
                text = variation(case.input or "", Random(f"{seed}:{place}:{name}:{turn}"))
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


def filled_cases(
    template: str,
    axes: Mapping[str, Sequence[Any]],
    make: Callable[[str, Mapping[str, Any]], EvalCase] | None = None,
    *,
    sample: str = "all",
    n: int | None = None,
    seed: int = 0,
) -> tuple[list[EvalCase], MakingReport]:
    """The template filled with every combination of values (`all`), or so that every pair meets (`pairwise`).

    `n` is the number to draw; `make` gets the text and the values. A blank text counts as malformed, a repeated one as
    a duplicate.
    """
    try:
        wanted = {name for _, name, _, _ in Formatter().parse(template) if name is not None}
    except ValueError as error:
        raise ConfigurationError(
            f"the template cannot be read: {error}", parameter="template", value=template
        ) from error
    if missing := sorted(wanted - set(axes)):
        raise ConfigurationError(f"the placeholders {missing} have no axis values", parameter="axes", value=missing)
    if unused := sorted(set(axes) - wanted):
        raise ConfigurationError(f"the axes {unused} do not appear in the template", parameter="axes", value=unused)
    if sample not in ("all", "pairwise"):
        raise ConfigurationError(f"sample is 'all' or 'pairwise'; got {sample!r}", parameter="sample", value=sample)
    rows = every_pair(axes, seed) if sample == "pairwise" else every_combination(axes, limit=MOST_COMBINATIONS)
    if n is not None and 0 <= n < len(rows):
        rows = [rows[place] for place in sorted(Random(seed).sample(range(len(rows)), n))]
    sieve: Sieve[EvalCase] = Sieve(MakingReport(len(rows), len(rows)))
    for row in rows:
        text = _fill_template(template, row)
        case = EvalCase(text) if make is None else make(text, row)
        sieve.admit(case, malformed=not case.input.strip())
    return sieve.cases, sieve.report


def _fill_template(template: str, row: Mapping[str, Any]) -> str:
    try:
        return template.format(**row)
    except (LookupError, ValueError, TypeError) as error:
        words = f"the template cannot be filled with {dict(row)!r}: {error}"
        raise ConfigurationError(words, parameter="template", value=template) from error
