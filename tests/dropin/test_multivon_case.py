"""multivon-eval's cases: text of context and conversation, and an identity that survives."""

from __future__ import annotations

import pytest
from multivon_eval import AgentStep, EvalCase, ToolCall

FULL_CASE = EvalCase(
    "q",
    expected_output="a",
    context=["c"],
    conversation=[{"role": "user", "content": "hi"}],
    agent_trace=[AgentStep("t", [ToolCall("n", {"a": 1}, "r")], "o")],
    metadata={"k": [1, 2]},
    tags=["x"],
    case_id="z",
)


def test_context_and_conversation_as_text() -> None:
    assert EvalCase("q", context=["a", "b"]).context_str() == "a\n\nb"
    assert EvalCase("q", context="a").context_str() == "a"
    assert EvalCase("q").context_str() == ""
    turns = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "yes?"}]
    assert EvalCase("q", conversation=turns).conversation_str() == "USER: hi\nASSISTANT: yes?"


@pytest.mark.parametrize(
    ("case", "name", "digest"),
    # multivon-eval 0.20.0, EvalCase.identity()
    [
        pytest.param(
            EvalCase("q"), None, "a3835e080618321f0d88892568a3d4aa9c45c6f95362e4a00d3691f2d6ddcbb9", id="bare"
        ),
        pytest.param(FULL_CASE, "z", "dd33057aff1760ca0fed246622e1339457b432dcadab0036c60ccd0da07a71bb", id="full"),
    ],
)
def test_identity_is_the_originals(case: EvalCase, name: str | None, digest: str) -> None:
    assert case.identity() == (name or f"sha256:{digest}", digest)


def test_identity_leaves_out_the_reference_output_and_nothing_else() -> None:
    assert EvalCase("q", reference_output="r").identity() == EvalCase("q").identity()
    assert EvalCase("q", source_id="s").identity() != EvalCase("q").identity()


@pytest.mark.parametrize("metadata", [{"x": float("nan")}, {1: "x"}, {"x": [{2: 3}]}], ids=["nan", "key", "inner-key"])
def test_what_json_cannot_hold_has_no_identity(metadata: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        EvalCase("q", metadata=metadata).identity()
