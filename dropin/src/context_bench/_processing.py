"""A user's system in the runner's words; what it returns is kept whole, for evaluators that read all of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from ringtrue.sync_threads import in_thread

from context_bench.utils.tokens import count_tokens_dict
from ringtrue.dialects.coercion import output_text
from ringtrue.identity import name_of, origin
from ringtrue.records import Case, Output, Trial

_PROCESSED = "processed"
"""The key of the assistant's message under which the rest of the returned dict is."""


@dataclass(frozen=True)
class Processing:
    """Asks `process`, or `process_conversation` for an example of several turns that has it."""

    speaker: Any
    text_fields: Sequence[str] | None = None
    in_flight: int = 1
    case_seconds: float = 600.0

    @property
    def name(self) -> str:
        """The system's own name."""
        return name_of(self.speaker)

    async def answer(self, case: Case, repeat: int) -> Output:
        """The dict the system returns, its response as the text, its tokens before and after."""
        original = dict(case.fields)
        processed: dict[str, Any] = await in_thread(_processed, self.speaker, _copied(original))
        text, _ = output_text(processed.get("response"))
        message = {"role": "assistant", "content": text, _PROCESSED: _difference(original, processed)}
        return Output(
            text,
            messages=(message,),
            input_tokens=count_tokens_dict(original, self.text_fields),
            output_tokens=count_tokens_dict(processed, self.text_fields),
        )

    def signature(self) -> str:
        """The system's own signature where it has one, else where its code is, with a hash of code and attributes."""
        own = getattr(self.speaker, "signature", None)
        made = own() if callable(own) else f"{self.name}={origin(self.speaker)}"
        return f"{made}|tokens of {'all' if self.text_fields is None else ', '.join(self.text_fields)}"

    def request_key(self, case: Case, repeat: int) -> str | None:
        """Answers of equal code and settings to an equal example serve later runs, as a cache folder promises."""
        return "process"


def processed_of(trial: Trial) -> dict[str, Any]:
    """The dict the system returned for a trial."""
    original = dict(trial.case.fields)
    kept = next((message[_PROCESSED] for message in trial.output.messages if _PROCESSED in message), None)
    if kept is None:
        return {**original, "response": trial.output.text}
    left = {key: value for key, value in original.items() if key not in kept["dropped"]}
    return {**left, **kept["changed"]}


def by_processed(function: Callable[..., Any], trial: Trial) -> Any:
    """Calls `score(original, processed)` with both dicts as they were."""
    return function(dict(trial.case.fields), processed_of(trial))


def _processed(system: Any, example: dict[str, Any]) -> dict[str, Any]:
    converse = getattr(system, "process_conversation", None)
    if example.get("multi_turn") and "turns" in example and callable(converse):
        said = [message.get("content") or "" for message in converse(example["turns"])]
        return {**example, "response": said[-1] if said else "", "turn_responses": said}
    processed = system.process(example)
    if not isinstance(processed, Mapping):
        raise TypeError(f"process() must return a dict; {name_of(system)!r} returned {type(processed).__name__}")
    return dict(processed)


def _copied(example: dict[str, Any]) -> dict[str, Any]:
    try:
        return deepcopy(example)
    except TypeError:  # an example may hold an open file or a lock
        return example


def _difference(original: Mapping[str, Any], processed: Mapping[str, Any]) -> dict[str, Any]:
    changed = {key: value for key, value in processed.items() if key not in original or _differ(original[key], value)}
    return {"changed": changed, "dropped": [key for key in original if key not in processed]}


def _differ(one: Any, other: Any) -> bool:
    try:
        return one is not other and bool(one != other)
    except Exception:  # arrays have no single truth
        return True
