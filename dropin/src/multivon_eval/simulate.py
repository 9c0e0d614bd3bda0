"""`simulate`: made-up people talk to a system, turn by turn, until they have what they want or give up."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ringtrue.prompts.commit import git_info

from multivon_eval.case import EvalCase
from multivon_eval.case_gates import GenerationReport, Sieve, gate_well_formed
from multivon_eval.discover import _call_judge
from multivon_eval.evaluators.conversation import ConversationRelevance, KnowledgeRetention, TurnConsistency
from multivon_eval.judge import JudgeConfig, resolve_judge
from multivon_eval.running import Running
from multivon_eval.spending import Spending, cost_of_tokens
from multivon_eval.spoken import say
from multivon_eval.talk import Persona, SimulationResult, held
from ringtrue.authoring.personas import people, persona_of, read_people
from ringtrue.authoring.simulation import numbered

__all__ = [
    "SIMULATED_DISCLAIMER", "STOP_REASONS", "Persona", "SimulationResult", "personas_from_jsonl", "propose_personas",
    "results_to_cases", "score_simulations", "simulate",
]  # fmt: skip

SIMULATED_DISCLAIMER = "simulated personas: what made-up people meet with says little about real traffic"
STOP_REASONS = ("goal_reached", "max_turns", "assistant_refused", "driver_error", "budget_exceeded")
personas_from_jsonl = read_people
_SENT, _RECEIVED = 1_200, 150
"""About so many tokens a turn takes, for the estimate that is printed before anything is spent."""


def simulate(
    model_fn: Callable[[str], str],
    personas: Sequence[Persona],
    *,
    max_turns: int = 8,
    judge: JudgeConfig | None = None,
    seed: int = 0,
    budget_usd: float = 1.00,
    verbose: bool = True,
) -> list[SimulationResult]:
    """One conversation for each persona, which the judge plays; the function gets the whole conversation as a text.

    Nothing raises: what breaks, and a budget that is spent, end a conversation, and say so. The judge is stochastic: a
    seed stands in what it is told, and there is no determinism claim.
    """
    resolved = resolve_judge(judge)
    spending = Spending(budget_usd, _call_judge)
    if verbose:
        calls = 2 * len(personas) * max_turns
        cost = calls * cost_of_tokens(resolved, _SENT, _RECEIVED)
        about = f"about ${cost:.4f}" if cost else "at an unknown price"
        _say(SIMULATED_DISCLAIMER)
        _say(f"spend estimate: up to {calls} calls of the judge, {about}; hard ceiling ${budget_usd:.2f}")
    git = git_info(".")
    results = []
    for persona in personas:
        found = held(model_fn, persona, resolved, max_turns, seed, spending, git)
        results.append(found)
        if verbose:
            _say(f"{persona.name}: {found.turns} turns, {found.stop_reason}, goal achieved: {found.goal_achieved}")
    return results


def propose_personas(description: str, n: int = 5, judge: JudgeConfig | None = None, seed: int = 0) -> list[Persona]:
    """Up to n personas that a judge makes up for a product; none where its reply cannot be read, twice.

    They are not deterministic: a seed stands in what the judge is told, no more.
    """
    wanted = people(description, n, seed)
    for _ in range(2):
        found = map(persona_of, wanted.read(_call_judge(resolve_judge(judge), *wanted.spelled())))
        if known := [persona for persona in found if persona is not None]:
            return known[:n]
    return []


def score_simulations(
    results: Sequence[SimulationResult], evaluators: Sequence[Any] | None = None, judge: JudgeConfig | None = None
) -> dict[str, Any]:
    """What checks of conversations say of each one, and how many goals were reached.

    A score is None where nothing was measured: nothing was said, the check was skipped, or it broke; `reasons` tells.
    """
    kinds = (ConversationRelevance, KnowledgeRetention, TurnConsistency)
    checks = [kind(judge=judge) for kind in kinds] if evaluators is None else list(evaluators)
    talked = [result for result in results if result.transcript]
    replies = [next((t["content"] for t in reversed(r.transcript) if t["role"] == "assistant"), "") for r in talked]
    rows = Running("simulations", [result.case for result in talked], checks).given(replies, None)
    found = {id(result): row.results for result, row in zip(talked, rows, strict=True)}
    names = numbered([result.persona.name for result in results])
    judged = [result.goal_achieved for result in results if result.goal_achieved is not None]
    return {
        "simulated": True,
        "disclaimer": SIMULATED_DISCLAIMER,
        "n_personas": len(results),
        "per_persona": {
            name: {
                **_scores(result, checks, found.get(id(result))),
                "turns": result.turns,
                "stop_reason": result.stop_reason,
                "goal_achieved": result.goal_achieved,
            }
            for name, result in zip(names, results, strict=True)
        },
        "goal_completion": {
            "achieved": sum(judged),
            "judged": len(judged),
            "rate": sum(judged) / len(judged) if judged else None,
        },
        "total_cost_usd": round(sum(result.cost_usd for result in results), 6),
    }


def _scores(result: SimulationResult, checks: Iterable[Any], found: Sequence[Any] | None) -> dict[str, Any]:
    if found is None:
        names = [getattr(check, "name", type(check).__name__) for check in checks]
        why = f"skipped: empty transcript ({result.stop_reason}): nothing was said"
        return {"scores": dict.fromkeys(names), "reasons": dict.fromkeys(names, why)}
    scores = {one.evaluator: one.score if one.status == "scored" else None for one in found}
    reasons = {
        one.evaluator: f"skipped: {one.reason.removeprefix('[skipped] ')}" if one.status == "skipped" else one.reason
        for one in found
    }
    return {"scores": scores, "reasons": reasons}


def results_to_cases(results: Sequence[SimulationResult]) -> tuple[list[EvalCase], GenerationReport]:
    """The conversations as cases, and what became of all; one in which nothing was said is none."""
    report = GenerationReport(len(results), generated=len(results), kind="simulate_export")
    sieve: Sieve[EvalCase] = Sieve(report)
    for result in results:
        about = {"expected_behavior": result.persona.success_criteria, **result.case.metadata}
        talk = [dict(turn) for turn in result.transcript]
        case = EvalCase(result.persona.goal, conversation=talk, metadata=about, tags=list(result.case.tags))
        sieve.admit(case, malformed=not talk or not gate_well_formed(case).passed)
    return sieve.cases, report


def _say(text: str) -> None:
    say(f"[simulate] {text}", sys.stderr)


class _Callable(ModuleType):
    """This module, which `multivon_eval.simulate` names as well as the function: it can be called like that."""

    if not TYPE_CHECKING:

        def __call__(self, *args: Any, **options: Any) -> list[SimulationResult]:
            return simulate(*args, **options)


sys.modules[__name__].__class__ = _Callable
