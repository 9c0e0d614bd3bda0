"""What a judge was asked and said about an agent, kept as evidence; only a reply that is a yes or a no counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from multivon_eval.exceptions import JudgeUnavailable
from ringtrue.scoring.prose.reply import visible

PROTOCOL = "agent-judgments/v2"

_LIMITS = "what the judge was asked and replied; not what a provider did to answer"
_VERDICT = re.compile(r"\W{0,20}(yes|no)\W{0,20}", re.IGNORECASE)
_RECORDS: ContextVar[list[dict[str, Any]] | None] = ContextVar("multivon_agent_judgments", default=None)


@contextmanager
def evidence() -> Iterator[dict[str, Any]]:
    """The judgments that are made within; an error that leaves takes them along as `evaluation_evidence`."""
    found: dict[str, Any] = {"protocol": PROTOCOL, "judgments": [], "limits": _LIMITS}
    token = _RECORDS.set(found["judgments"])
    try:
        yield found
    except Exception as error:
        error.evaluation_evidence = found  # type: ignore[attr-defined]  # as documented
        raise
    finally:
        _RECORDS.reset(token)


def judge_binary(prompt: str, call: Callable[[str], Any], *, expected: bool = True) -> bool:
    """What a judge says to a prompt; a reply that is more, less or something else than a yes or a no is no verdict."""
    record: dict[str, Any] = {
        "prompt": prompt,
        "response": None,
        "verdict": None,
        "expected_verdict": expected,
        "status": "started",
    }
    records = _RECORDS.get()
    if records is not None:
        records.append(record)
    try:
        said = call(prompt)
        record["response"] = said if isinstance(said, str) else repr(said)
        found = _VERDICT.fullmatch(visible(said).strip()) if isinstance(said, str) else None
        if found is None:
            raise JudgeUnavailable(f"the judge's reply is neither yes nor no: {record['response'][:100]!r}")
    except Exception as error:
        record |= {"status": "error", "error_type": type(error).__name__, "error": str(error)}
        raise
    verdict = found[1].lower() == "yes"
    record |= {"status": "measured", "verdict": verdict}
    return verdict
