"""`Tokens`: how many tokens a case has, how many of them a model was sent, how many came back, and who counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ringtrue.models.tokens import ESTIMATE, TokenCount, count
from ringtrue.records import Trial

USAGE = "usage"
_PROCESSED = ("context", "question")
"""The fields of an example that a system may shorten before a model sees them."""


class Tokens(NamedTuple):
    """Tokens of the case as counted here, of what was sent, and of what came.

    `source` is `usage`, `splintr:<encoding>` or `estimate`, the least sure of what was sent and what came.
    """

    case: int
    sent: int
    came: int
    source: str

    @classmethod
    def of(cls, trial: Trial, text_fields: Sequence[str] | None = None) -> Tokens:
        """Return the tokens sent and received as the system reported them, else by a tokenizer; of all turns.

        A system that hands on a shortened example has sent what that holds.
        """
        output = trial.output
        case = _counted_tokens(_given_texts(trial, text_fields))
        processed = _processed_texts(trial, text_fields)
        sent = _reported_count(output.input_tokens) or (case if processed is None else _counted_tokens(processed))
        came = _reported_count(output.output_tokens) or _counted_tokens(
            _said_texts(output.messages, "assistant") or [output.text]
        )
        sources = {sent.source, came.source}
        source = next((one for one in (ESTIMATE, sent.source, came.source) if one in sources and one != USAGE), USAGE)
        return cls(case.count, sent.count, came.count, source)


def _reported_count(tokens: int | None) -> TokenCount | None:
    return None if tokens is None else TokenCount(tokens, USAGE)


def _counted_tokens(texts: Iterable[str]) -> TokenCount:
    counts = [count(text) for text in texts if text] or [count("")]
    unsure = next((one.source for one in counts if not one.exact), counts[0].source)
    return TokenCount(sum(one.count for one in counts), unsure)


def _given_texts(trial: Trial, text_fields: Sequence[str] | None) -> list[str]:
    case = trial.case
    if text_fields:
        return [str(case.fields.get(name) or "") for name in text_fields]
    texts = [case.context, case.input]
    return texts if any(texts) else _said_texts(case.fields.get("turns"), "user", "system")


def _processed_texts(trial: Trial, text_fields: Sequence[str] | None) -> list[str] | None:
    """The texts of the example that a system handed on, where it changed one of them."""
    changed = trial.output.fields
    if text_fields:
        return [str(changed.get(name, trial.case.fields.get(name)) or "") for name in text_fields] if changed else None
    if not any(name in changed for name in _PROCESSED):
        return None
    case = trial.case
    return [str(changed.get("context", case.context) or ""), str(changed.get("question", case.input) or "")]


def _said_texts(messages: Any, *roles: str) -> list[str]:
    """Return the texts of the messages with these roles."""
    found = messages if isinstance(messages, (list, tuple)) else ()
    return [str(one.get("content") or "") for one in found if isinstance(one, Mapping) and one.get("role") in roles]
