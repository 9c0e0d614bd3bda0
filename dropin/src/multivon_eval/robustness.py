"""`validate_variant`: whether a changed case still has a known answer; only one that has may be scored."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from ringtrue.reports.canonical import plain_copy
from ringtrue.reports.sealed_record import SealedRecord

from multivon_eval.case import EvalCase
from multivon_eval.case_manifest import CaseManifest, case_from_dict, case_to_dict
from ringtrue.evaluators.judged.config import require_text

__all__ = ["OracleVerdict", "VariantValidation", "validate_variant"]

RELATIONS = ("invariant", "counterfactual")
_STATUS = {True: "valid", False: "invalid", None: "unknown"}


@dataclass(frozen=True)
class OracleVerdict:
    """What somebody other than the model under test says of a changed case: both right answers, and what shows it.

    `valid` is False where the change breaks the task, None where nobody can tell.
    """

    valid: bool | None
    reason: str
    base_expected: str | None = None
    variant_expected: str | None = None
    evidence: dict[str, Any] = field(default_factory=dict)


class VariantValidation(SealedRecord):
    """A case, its variant and the verdict on them; `status` is valid, invalid or unknown."""

    schema = "multivon.variant-validation/v1"

    def require(self, data: dict[str, Any]) -> None:
        """Raise ValueError unless the status is a known one."""
        if data["status"] not in _STATUS.values():
            raise ValueError(f"status is one of {', '.join(_STATUS.values())}; got {data['status']!r}")

    @property
    def status(self) -> str:
        """valid, invalid or unknown."""
        return str(self.data["status"])

    def manifest(self, name: str, *, split: str = "development") -> CaseManifest:
        """Both cases, the variant with its own answer, in one split: they come from one source."""
        data = self.data
        if data["status"] != "valid":
            raise ValueError(f"Only valid variants can be scored; this one is {data['status']}: {data['issues']}")
        base, variant = case_from_dict(data["base"]), case_from_dict(data["candidate"])
        variant.expected_output, variant.reference_output = data["verdict"]["variant_expected"], None
        variant.metadata["multivon_robustness"] = {
            "validation_digest": data["digest"],
            "relation": data["relation"],
            "parent_case_id": base.case_id,
            "contract": data["contract"],
        }
        made = variant.metadata.get("generation")
        if isinstance(made, dict) and made.get("kind") == "mutation":
            made["oracle_status"] = "validated"
        ids = [str(case.case_id) for case in (base, variant)]
        return CaseManifest(name, [base, variant], splits={split: ids}, provenance={"variant_validation": data})


def validate_variant(
    base: EvalCase,
    candidate: EvalCase,
    *,
    relation: str,
    contract: str,
    validator: Callable[[EvalCase, EvalCase], OracleVerdict],
) -> VariantValidation:
    """What a validator says of a variant: its answer must be the same (`invariant`), or another (`counterfactual`).

    The validator gets copies. One that raises, changes them or returns something else leaves the status unknown.
    """
    if relation not in RELATIONS:
        raise ValueError(f"relation is one of {', '.join(RELATIONS)}; got {relation!r}")
    require_text(contract=contract)
    ids, sources = {base.case_id, candidate.case_id}, {base.source_id, candidate.source_id}
    if len(ids) != 2 or len(sources) != 1 or not all(ids | sources):
        raise ValueError("give both cases distinct explicit case_ids, and the same explicit source_id")
    if not isinstance(base.expected_output, str):
        raise TypeError(f"the base needs an expected_output of text; got {base.expected_output!r}")
    given = [case_to_dict(base), case_to_dict(candidate)]
    content = {"relation": relation, "contract": contract, "base": given[0], "candidate": given[1]}
    try:
        verdict = _verdict(validator, given)
        issues = list(_issues(verdict, base, candidate, relation)) if verdict.valid else []
        status = "invalid" if issues else _STATUS[verdict.valid]
        found: dict[str, Any] = {"verdict": plain_copy(asdict(verdict)), "status": status, "issues": issues}
    except Exception as error:  # a function of the user's own: that it broke is what is known
        found = {"verdict": None, "status": "unknown", "issues": [str(error)], "error_type": type(error).__name__}
    return VariantValidation.of({**content, **found})


def _verdict(validator: Callable[[EvalCase, EvalCase], OracleVerdict], given: list[dict[str, Any]]) -> OracleVerdict:
    base, candidate = map(case_from_dict, given)
    found = validator(base, candidate)
    if [case_to_dict(base), case_to_dict(candidate)] != given:
        raise ValueError("the validator changed the cases it was given")
    if not isinstance(found, OracleVerdict) or not isinstance(found.evidence, dict):
        raise TypeError(f"a validator returns an OracleVerdict with an object as evidence; got {found!r}")
    if found.valid is not None and type(found.valid) is not bool:
        raise ValueError(f"valid is True, False or None; got {found.valid!r}")
    require_text(reason=found.reason)
    return found


def _issues(verdict: OracleVerdict, base: EvalCase, candidate: EvalCase, relation: str) -> Iterator[str]:
    """Why a verdict that calls a variant valid does not make it so."""
    if not verdict.evidence:
        yield "no evidence is given"
    answers = (verdict.base_expected, verdict.variant_expected)
    if not all(isinstance(answer, str) for answer in answers):
        yield "both answers are needed, as texts"
    elif answers[0] != base.expected_output:
        yield f"the base expects {base.expected_output!r}, the validator {answers[0]!r}"
    elif candidate.expected_output not in (None, answers[1]):
        yield f"Candidate label {candidate.expected_output!r} is not what the validator expects, {answers[1]!r}"
    elif (answers[0] == answers[1]) != (relation == "invariant"):
        yield f"the answers {answers[0]!r} and {answers[1]!r} are not those of a variant that is {relation}"
