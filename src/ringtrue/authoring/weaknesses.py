"""Cases that a model writes to show a weakness of a system."""

from __future__ import annotations

from functools import partial

from ringtrue.authoring.writing import CaseRequest, Item
from ringtrue.dialects.coercion import plain_text
from ringtrue.dialects.suite import EvalCase
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.judged.schemas import TEXT, several
from ringtrue.require import require_count

WEAKNESSES = (
    "ungrounded_claim", "off_topic", "format_violation", "jailbreak", "tool_misuse", "numeric_edge",
    "prompt_injection_direct", "prompt_injection_indirect", "tool_injection", "pii_leakage_invitation",
)  # fmt: skip
"""The weaknesses that cases can be written for; the prompt says what each of them is."""
_OF_TOOLS = ("tool_misuse", "tool_injection")


def attempts(domain: str, weakness: str, n: int, part: str = "") -> CaseRequest:
    """n cases about a domain that a system with a weakness gets wrong.

    `part` says the number in other words.
    """
    if weakness not in WEAKNESSES:
        known = ", ".join(sorted(WEAKNESSES))
        raise ConfigurationError(f"no weakness {weakness!r}; there are {known}", parameter="weakness", value=weakness)
    require_count("n", n)
    texts = {"domain": domain, "weakness": weakness, "number": part or str(n)}
    fields = {"input": TEXT, "expected_output": TEXT, "context": TEXT}
    if weakness in _OF_TOOLS:
        fields["expected_tool_calls"] = several(TEXT)
    return CaseRequest("weakness", texts, fields, n, make=partial(_case, weakness))


def _case(weakness: str, item: Item) -> EvalCase:
    calls = item.get("expected_tool_calls")
    expected, context = (item.get(name) for name in ("expected_output", "context"))
    return EvalCase(
        plain_text(item.get("input") or ""),
        None if expected is None else plain_text(expected),  # an example of a form may come as an object
        None if context is None else plain_text(context),
        expected_tool_calls=[call for call in calls if isinstance(call, str)] if isinstance(calls, list) else None,
        tags=[f"adversarial:{weakness}"],
        metadata={"generation": {"kind": "weakness", "weakness": weakness}},
    )
