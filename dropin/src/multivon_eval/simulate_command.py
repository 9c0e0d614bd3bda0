"""`multivon-eval simulate`: made-up people talk to a function of a file."""

from __future__ import annotations

import importlib
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ringtrue.reports.canonical import canonical_lines

from multivon_eval.dataset import save_jsonl
from multivon_eval.exceptions import MultivonError
from multivon_eval.judge import JudgeConfig
from multivon_eval.spoken import say
from multivon_eval.talk import SimulationResult
from multivon_eval.user_files import model_of
from ringtrue.atomic_file import write_whole
from ringtrue.errors import RingtrueError

Scored = Mapping[int, Mapping[str, Any]]
"""What the checks say of each conversation, by its place."""


def simulate(args: Namespace) -> int:
    """Hold the conversations, write them down with their scores, and say how they went; 2 if there are none to hold.

    How well they went does not change the exit code.
    """
    made = importlib.import_module("multivon_eval.simulate")
    judge = JudgeConfig(args.judge_provider, args.judge_model)
    try:
        if bool(args.personas) == bool(args.propose_from):
            raise ValueError("give --personas, a file of them, or --propose-from, a description of the product")
        model = model_of(args.model_cmd)
        if args.personas:
            people = made.personas_from_jsonl(args.personas)
        else:
            text = Path(args.propose_from).read_text("utf-8")
            people = made.propose_personas(text, n=args.n_personas, judge=judge, seed=args.seed)
        if not people:
            raise ValueError("there are no personas to simulate")
        results = made.simulate(
            model, people, max_turns=args.max_turns, judge=judge, seed=args.seed, budget_usd=args.budget
        )
        summary = made.score_simulations(results, judge=judge)
        scored = dict(enumerate(summary["per_persona"].values()))
        _written(Path(args.out), results, scored)
        say(made.SIMULATED_DISCLAIMER)
        _told(results, scored, summary)
        say(f"wrote {args.out}")
        if getattr(args, "export_cases", None):
            cases, report = made.results_to_cases(results)
            save_jsonl(cases, args.export_cases)
            say(f"exported cases to {args.export_cases}: {report.summary_line()}")
    except (ValueError, OSError, MultivonError, RingtrueError) as error:
        say(f"multivon-eval: error: {error}", sys.stderr)
        return 2
    return 0


def _written(path: Path, results: Sequence[SimulationResult], scored: Scored) -> None:
    rows = []
    for place, result in enumerate(results):
        told = {
            name: getattr(result, name) for name in ("transcript", "turns", "stop_reason", "goal_achieved", "cost_usd")
        }
        found = scored.get(place, {})
        more = {name: found.get(name, {}) for name in ("scores", "reasons")}
        rows.append({"persona": asdict(result.persona), **told, **more, "metadata": result.case.metadata})
    write_whole(path, canonical_lines(rows))


def _told(results: Sequence[SimulationResult], scored: Scored, summary: Mapping[str, Any]) -> None:
    for place, result in enumerate(results):
        found = scored.get(place, {})
        reasons = found.get("reasons", {})
        scores = [f"{name}={_shown(score, reasons.get(name, ''))}" for name, score in found.get("scores", {}).items()]
        head = (
            f"{result.persona.name}: {result.turns} turns, {result.stop_reason}, goal achieved: {result.goal_achieved}"
        )
        say(", ".join([head, *scores]))
    goals = summary["goal_completion"]
    say(f"goals: {goals['achieved']} of {goals['judged']} achieved; about ${summary['total_cost_usd']:.4f} spent")


def _shown(score: float | None, reason: str) -> str:
    if score is not None:
        return f"{score:.2f}"
    return "skipped" if reason.startswith("skipped:") else "error"
