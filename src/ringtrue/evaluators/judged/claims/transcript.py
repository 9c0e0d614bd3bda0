"""The text, the question and the sources that a trial holds."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ringtrue.dialects.coercion import plain_text
from ringtrue.dialects.transcripts import Turn, last_said, split_at_last_answer, turns_of_trial
from ringtrue.evaluators.judged.claims.records import InputClaimVerificationEvaluator, InputContext
from ringtrue.records import Json, Trial


def claim_input(trial: Trial, ignored_tools: Collection[str] = ()) -> InputClaimVerificationEvaluator:
    """The last answer, the user's last message, and what came before the answer but the assistant's own words.

    A row's `source_context`, a list of texts or of sources as InputContext has them, takes the place of the latter.
    """
    before, answer = split_at_last_answer(turns_of_trial(trial))
    listed = trial.case.fields.get("source_context")
    contexts = (
        [_context(at, one) for at, one in enumerate(listed)]
        if isinstance(listed, (list, tuple))
        else _contexts(before, ignored_tools)
    )
    return InputClaimVerificationEvaluator(answer, last_said(before, "user"), contexts)


def _contexts(before: Sequence[Turn], ignored_tools: Collection[str]) -> list[InputContext]:
    found = []
    for at, turn in enumerate(before):
        if turn.role == "assistant" or turn.kind == "omitted" or not turn.text.strip():
            continue
        if turn.kind == "result" and turn.tool in ignored_tools:
            continue
        title = f"function_call_output_{at}_{turn.tool}" if turn.kind == "result" else f"{turn.role}_{at}"
        found.append(InputContext(str(at), title, turn.text))
    return found


def _context(at: int, value: Json) -> InputContext:
    if not isinstance(value, Mapping):
        return InputContext(str(at), "", plain_text(value))
    content = value.get("content", value.get("text", ""))
    inputs = value.get("inputs") or ()
    return InputContext(
        plain_text(value.get("source_id", at)),
        plain_text(value.get("title") or ""),
        plain_text("" if content is None else content),
        plain_text(value.get("stage") or ""),
        [plain_text(one) for one in inputs] if isinstance(inputs, (list, tuple)) else (),
    )
