"""Cases of multivon-eval as plain values, sets of cases that do not change, and where secrets come from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multivon_eval import (
    AgentStep,
    CaseManifest,
    ChainedResolver,
    EnvResolver,
    EvalCase,
    SecretsError,
    StaticResolver,
    ToolCall,
    case_from_dict,
    case_to_dict,
    get_resolver,
    get_secret,
    reset_resolver,
    set_resolver,
)

TEXT = st.text(st.characters(exclude_categories=("Cs",)))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT, lambda x: st.lists(x) | st.dictionaries(TEXT, x), max_leaves=5
)


@given(
    st.builds(
        EvalCase,
        TEXT,
        st.none() | TEXT,
        st.none() | TEXT | st.lists(TEXT),
        metadata=st.dictionaries(TEXT, JSON),
        tags=st.lists(TEXT),
        agent_trace=st.none() | st.lists(st.builds(AgentStep, TEXT, st.lists(st.builds(ToolCall, TEXT)), TEXT)),
    )
)
def test_a_case_survives_being_written(case: EvalCase) -> None:
    again = case_from_dict(case_to_dict(case))
    assert again == case
    assert again.identity() == case.identity()


def test_a_case_as_plain_values_is_a_copy() -> None:
    case = EvalCase("q", metadata={"a": {"b": 1}})
    case_to_dict(case)["metadata"]["a"]["b"] = 2
    assert case.metadata == {"a": {"b": 1}}


@pytest.mark.parametrize(
    "data",
    [
        {"input": "x", "expectd": "typo"}, {"input": 2}, {}, {"input": "x", "tags": "t"}, {"input": "x", "case_id": ""},
        {"input": "x", "metadata": {1: "x"}}, {"input": "x", "metadata": {"a": float("nan")}},
        {"input": "x", "context": [1]}, {"input": "x", "conversation": [{"role": "user"}]},
        {"input": "x", "agent_trace": [{"tool_calls": [{"name": 4}]}]}, {"input": "x", "agent_trace": [7]},
        {"input": "x", "agent_trace": [{"x": 1}]},
    ],
    ids=[
        "unknown", "number", "nothing", "tags", "no-id", "key", "nan", "context", "talk", "tool", "no-step", "step",
    ],
)  # fmt: skip
def test_what_is_no_case_is_refused(data: dict[Any, Any]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        case_from_dict(data)


CASES = [EvalCase("a", case_id="a", source_id="s"), EvalCase("b", case_id="b", source_id="t")]
SPLITS = {"dev": ["a"], "test": ["b"]}


def test_a_manifest_does_not_change(tmp_path: Path) -> None:
    made = CaseManifest("m", CASES, splits=SPLITS)
    assert made.digest == CaseManifest("m", CASES[::-1], splits=SPLITS).digest
    made.cases[0].input = "changed"
    made.manifest["cases"].clear()
    assert ([case.input for case in made.cases], [case.input for case in made.split("test")]) == (["a", "b"], ["b"])
    made.save(tmp_path / "deep" / "m.json")
    assert CaseManifest.load(tmp_path / "deep" / "m.json").manifest == made.manifest
    forged = made.manifest
    forged["cases"][0]["case"]["expected_output"] = "forged"
    with pytest.raises(ValueError, match="digest"):
        CaseManifest.from_dict(forged)


@pytest.mark.parametrize(
    ("cases", "splits", "words"),
    [
        ([CASES[0], EvalCase("b", case_id="b", source_id="s")], SPLITS, "Source leakage"),
        (CASES, {"dev": ["a"]}, "every case; left out: b"),
        (CASES, {"dev": ["a", "b"], "test": ["a"]}, "more than once"),
        (CASES, {"dev": ["a", "b", "c"]}, "Unknown case 'c'"),
        (CASES, {"": ["a", "b"]}, "a split has a name"),
        ([EvalCase("a"), EvalCase("a")], None, "Duplicate"),
    ],
    ids=["leak", "left-out", "twice", "unknown", "no-name", "duplicate"],
)
def test_splits_hold_every_case_once_and_keep_sources_apart(
    cases: list[EvalCase], splits: dict[str, list[str]] | None, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        CaseManifest("m", cases, splits=splits)


def test_secrets_come_from_whoever_knows_them_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MULTIVON_TEST_SECRET", "environment")
    assert get_secret("MULTIVON_TEST_SECRET") == "environment"
    chain = ChainedResolver([StaticResolver({"MULTIVON_TEST_SECRET": "first"}), EnvResolver()])
    try:
        set_resolver(chain)
        assert (get_secret("MULTIVON_TEST_SECRET"), get_resolver().get("none"), chain.name) == (
            "first", None, "chain[static,env]",
        )  # fmt: skip
        assert get_secret("none", "default") == "default"
        with pytest.raises(SecretsError, match=r"'none' is not found by the resolver 'chain\[static,env\]'"):
            get_secret("none", required=True)
    finally:
        reset_resolver()
    assert isinstance(get_resolver(), EnvResolver)
    with pytest.raises(TypeError, match="get"):
        set_resolver("text")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at least one"):
        ChainedResolver([])
