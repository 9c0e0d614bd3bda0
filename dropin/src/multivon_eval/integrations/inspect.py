"""Inspect: cases as its samples, checks as its scorers, and its logs as reports; Inspect runs, and keeps the logs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from math import nan
from statistics import fmean
from typing import Any

from multivon_eval.case import AgentStep, EvalCase, ToolCall
from multivon_eval.case_manifest import CaseManifest, case_from_dict, case_to_dict
from multivon_eval.integrations.inspect_contract import GRADING_KEY, bind_inspect_task, grader_snapshot
from multivon_eval.integrations.inspect_media import media_message, verify_media
from multivon_eval.media import Resolver
from multivon_eval.report import EvalReport
from multivon_eval.values import required
from ringtrue.identity import name_of

__all__ = ["as_inspect_scorer", "bind_inspect_task", "from_inspect_log", "to_inspect_dataset"]

CASE_KEY = "multivon_case_v1"
RESULT_KEY = "multivon_result_v1"
SEEN_KEY = "multivon_evaluation_case_v1"


def to_inspect_dataset(
    manifest: CaseManifest, *, split: str | None = None, media_resolver: Resolver | None = None
) -> Any:
    """The cases of a manifest, or of one of its splits, as a dataset: a case's id is its sample's.

    The context is a message of the system, the conversation stands before the input, media beside it.
    """
    dataset = required("inspect_ai.dataset", "to_inspect_dataset", "inspect_ai")
    cases = manifest.cases if split is None else manifest.split(split)
    samples = [_sample(dataset, case, manifest, media_resolver) for case in cases]
    return dataset.MemoryDataset(samples, name=manifest.manifest["name"])


def as_inspect_scorer(evaluator: Any, *, name: str | None = None) -> Any:
    """A check as a scorer: its value has `score` and `passed`, both None where nothing was measured."""
    scorers = required("inspect_ai.scorer", "as_inspect_scorer", "inspect_ai")
    measured = scorers.metric(name="measured_mean")(lambda: _mean)()
    ready = False

    async def score(state: Any, target: Any) -> Any:
        nonlocal ready
        case = _case_from_metadata(state.metadata, state.sample_id)
        verify_media(case, state.metadata[CASE_KEY].get("input_message_index"), state.messages)
        seen = _execution_case(case, state.messages)
        prepare = getattr(evaluator, "prepare", None)
        if callable(prepare) and not ready:
            await asyncio.to_thread(prepare)
        ready = True
        before = grader_snapshot(evaluator)
        result = await evaluator.aevaluate(seen, state.output.completion)
        graded = {"evaluator": result.evaluator, "before": before, "after": grader_snapshot(evaluator)}
        state.metadata[GRADING_KEY] = [*state.metadata.get(GRADING_KEY, ()), graded]
        known = result.status == "scored"
        return scorers.Score(
            value={"score": result.score if known else None, "passed": result.passed if known else None},
            explanation=result.reason,
            metadata={RESULT_KEY: result.record(), SEEN_KEY: case_to_dict(seen, include_reference=False)},
        )

    score._multivon_evaluator = evaluator  # type: ignore[attr-defined]
    metrics = {"score": [measured], "passed": [measured]}
    return scorers.scorer(metrics=metrics, name=name or f"multivon_{name_of(evaluator)}")(lambda: score)()


def from_inspect_log(
    log: Any, *, previous_logs: Sequence[Any] | None = None, accepted_limits: tuple[str, ...] = ()
) -> EvalReport:
    """The report of a log; with the logs of earlier attempts, the oldest first, every attempt counts, and once.

    A sample that broke, was invalidated, or was stopped by a limit that `accepted_limits` does not name is an error.
    """
    from multivon_eval.integrations.inspect_history import imported  # which reads what this module writes

    return imported(log, previous_logs or [], accepted_limits)


def _sample(dataset: Any, case: EvalCase, manifest: CaseManifest, resolver: Resolver | None) -> Any:
    model = required("inspect_ai.model", "to_inspect_dataset", "inspect_ai")
    kinds = {"system": model.ChatMessageSystem, "assistant": model.ChatMessageAssistant}
    messages = [model.ChatMessageSystem(content=case.context_str())] if case.context else []
    for turn in case.conversation or ():
        messages.append(kinds.get(turn["role"], model.ChatMessageUser)(content=turn["content"]))
    named, found = case.identity()
    about = {
        "case": case_to_dict(case, include_reference=False),
        "case_id": named,
        "case_digest": found,
        "manifest_digest": manifest.digest,
        "input_message_index": len(messages),
    }
    target = case.expected_output if case.expected_output is not None else ""
    messages.append(media_message(case, resolver))
    return dataset.Sample(input=messages, target=target, id=named, metadata={CASE_KEY: about})


def _case_from_metadata(metadata: Any, sample_id: Any) -> EvalCase:
    """The case of a sample."""
    about = (metadata or {}).get(CASE_KEY)
    if not isinstance(about, dict):
        raise ValueError(f"the sample {sample_id!r} was not made by to_inspect_dataset")
    case = case_from_dict(about["case"])
    if case.identity() != (about["case_id"], about["case_digest"]):
        raise ValueError(f"the case of the sample {sample_id!r} was changed")
    if about["case_id"] != str(sample_id):
        raise ValueError(f"the sample's ID differs from its case's: {sample_id!r}, {about['case_id']!r}")
    return case


def _execution_case(case: EvalCase, messages: Sequence[Any]) -> EvalCase:
    """The case with what was done in these messages as its trace, and nothing else."""
    answers = {message.tool_call_id: message for message in messages if message.role == "tool"}
    steps = []
    for message in messages:
        if message.role == "assistant" and message.tool_calls:
            calls = [ToolCall(c.function, dict(c.arguments), _result(answers.get(c.id))) for c in message.tool_calls]
            steps.append(AgentStep(tool_calls=calls, output=message.text))
    return replace(case, agent_trace=steps)


def _result(message: Any) -> Any:
    """What a tool said; where it failed, how."""
    if message is None or message.error is None:
        return None if message is None else message.text
    return {"error": {"type": message.error.type, "message": message.error.message}, "text": message.text}


def _mean(scores: Sequence[Any]) -> float:
    """The mean of what was measured."""
    known = [float(one.score.value) for one in scores if isinstance(one.score.value, (int, float))]
    return fmean(known) if known else nan
