"""`Tokens`: how many tokens a trial sent and got back, and who counted them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ringtrue.models.tokens import ESTIMATE, TokenCount, count
from ringtrue.records import Trial

USAGE = "usage"


class Tokens(NamedTuple):
    """Tokens that were sent and that came; `source` is `usage`, `splintr:<encoding>` or `estimate`, the least sure."""

    sent: int
    came: int
    source: str

    @classmethod
    def of(cls, trial: Trial, text_fields: Sequence[str] | None = None) -> Tokens:
        """As the system reported them, else by a tokenizer; of a conversation, every turn and what was said to each."""
        output = trial.output
        sent = _reported(output.input_tokens) or _counted(_given(trial, text_fields))
        came = _reported(output.output_tokens) or _counted(_said(output.messages, "assistant") or [output.text])
        sources = {sent.source, came.source}
        source = next((one for one in (ESTIMATE, sent.source, came.source) if one in sources and one != USAGE), USAGE)
        return cls(sent.count, came.count, source)


def _reported(tokens: int | None) -> TokenCount | None:
    return None if tokens is None else TokenCount(tokens, USAGE)


def _counted(texts: Iterable[str]) -> TokenCount:
    counts = [count(text) for text in texts] or [count("")]
    unsure = next((one.source for one in counts if not one.exact), counts[0].source)
    return TokenCount(sum(one.count for one in counts), unsure)


def _given(trial: Trial, text_fields: Sequence[str] | None) -> list[str]:
    case = trial.case
    if text_fields:
        return [str(case.fields.get(name) or "") for name in text_fields]
    texts = [case.context, case.input]
    return texts if any(texts) else _said(case.fields.get("turns"), "user", "system")


def _said(messages: Any, *roles: str) -> list[str]:
    """What those in these roles say."""
    found = messages if isinstance(messages, (list, tuple)) else ()
    return [str(one.get("content") or "") for one in found if isinstance(one, Mapping) and one.get("role") in roles]
