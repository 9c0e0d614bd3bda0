"""`simulate_users`: people made up by the judge try out a system, and its answers are checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from multivon_eval.case import EvalCase
from multivon_eval.case_result import CaseResult
from multivon_eval.evaluators.agent import TaskCompletion
from multivon_eval.evaluators.deterministic import NotEmpty
from multivon_eval.evaluators.judging import Material
from multivon_eval.evaluators.llm_judge import _as_prompt, _call, _extract_json_array
from multivon_eval.exceptions import JudgeUnavailable
from multivon_eval.judge import resolve_judge
from multivon_eval.spoken import say
from multivon_eval.suite import EvalSuite
from ringtrue.evaluators.judged.config import require_count
from ringtrue.evaluators.judged.prompt import prompt

PERSONA_TYPES = ("confused_user", "power_user", "angry_user", "adversarial", "edge_case")
TOKENS = 1_500
TEXT_CHARS = 300
REASON_CHARS = 200


@dataclass(frozen=True)
class _Person:
    kind: str
    name: str
    description: str
    message: str


def simulate_users(
    target: Callable[[str], str],
    system_prompt: str,
    n_personas: int = 10,
    evaluators: Sequence[Any] | None = None,
    persona_types: Sequence[str] | None = None,
    verbose: bool = True,
) -> list[dict[str, Any]]:
    """What so many people get from a system, as the checks see it.

    The checks are `NotEmpty` and `TaskCompletion`, unless others are given. Where the judge makes up nobody, it counts
    as unavailable.
    """
    require_count("n_personas", n_personas)
    people = list(_people(system_prompt, n_personas, list(persona_types or PERSONA_TYPES), verbose))[:n_personas]
    if not people:
        raise JudgeUnavailable("the judge made up nobody: its replies are no lists of people")
    checks = [NotEmpty(), TaskCompletion()] if evaluators is None else evaluators
    suite = EvalSuite("simulated users").add_cases([EvalCase(person.message) for person in people])
    found = suite.add_evaluators(*checks).run(target, verbose=False)
    results = [_record(person, case) for person, case in zip(people, found.case_results, strict=True)]
    if verbose:
        for result in results:
            say(f"{'PASS' if result['passed'] else 'FAIL'} {result['type']}: {result['persona']}")
        say(f"{sum(result['passed'] for result in results)} of {len(results)} passed")
    return results


def _people(system: str, count: int, kinds: Sequence[str], verbose: bool) -> Iterator[_Person]:
    """So many people of each kind that there are enough."""
    judge = resolve_judge(None)
    each = -(-count // len(kinds))
    for kind in kinds:
        texts = Material(system=system, kind=kind, number=each).texts
        said = _call(_as_prompt(prompt("personas", "multivon_eval").question(texts, None)), judge, TOKENS)
        found = [person for person in _extract_json_array(said) or () if _is_person(person)]
        if not found and verbose:
            say(f"nobody was made up as {kind}")
        for person in found[:each]:
            told = [str(person.get(name) or "") for name in ("name", "description", "opening_message")]
            yield _Person(kind, *told)


def _is_person(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("opening_message"), str) and bool(value["opening_message"])


def _record(person: _Person, case: CaseResult) -> dict[str, Any]:
    return {
        "persona": person.name,
        "type": person.kind,
        "description": person.description,
        "input": person.message,
        "output": str(case.actual_output)[:TEXT_CHARS],
        "scores": [
            {
                "evaluator": result.evaluator,
                "score": round(result.score, 3) if result.status == "scored" else None,
                "passed": result.passed,
                "reason": result.reason[:REASON_CHARS],
            }
            for result in case.results
        ],
        "passed": case.passed,
    }
