"""Cases of multivon-eval from files, and back."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from multivon_eval import AgentStep, EvalCase, ToolCall, load, save_jsonl

CASES = [
    EvalCase("q", expected_output="a", context=["x", "y"], tags=["t"], metadata={"n": 1}, case_id="c1"),
    EvalCase(
        "日本", agent_trace=[AgentStep("why", [ToolCall("search", {"q": 1}, "found")], "so")], expected_tool_calls=[]
    ),
]


def test_what_was_saved_is_read(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "cases.jsonl"
    save_jsonl(CASES, path)
    assert load(path) == CASES
    assert [case.identity() for case in load(path)] == [case.identity() for case in CASES]
    packed = tmp_path / "cases.jsonl.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert load(packed) == CASES


@pytest.mark.parametrize(
    ("name", "data", "cases"),
    [
        pytest.param("c.jsonl", b'\xef\xbb\xbf{"input": "q"}\n\n', [EvalCase("q")], id="bom-and-blank-lines"),
        pytest.param("c.JSONL", b'{"input": "q", "id": 7}', [EvalCase("q", case_id="7")], id="capitals-and-id"),
        pytest.param("c.json", b'[{"input": "q"}, {"input": "r"}]', [EvalCase("q"), EvalCase("r")], id="array"),
        pytest.param(
            "c.csv",
            b"\xef\xbb\xbfinput,expected_output,tags,note\nq,a,\"x, y\",n\nr,,,\n",
            [EvalCase("q", expected_output="a", tags=["x", "y"]), EvalCase("r")],
            id="csv",
        ),
        pytest.param("c.tsv", b"input\texpected_output\nq\ta\n", [EvalCase("q", expected_output="a")], id="tsv"),
    ],
)  # fmt: skip
def test_formats(tmp_path: Path, name: str, data: bytes, cases: list[EvalCase]) -> None:
    (tmp_path / name).write_bytes(data)
    assert load(tmp_path / name) == cases


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        pytest.param("c.jsonl", '{"input": "q", "inputs": 1}', "row 1: a case has no field 'inputs'", id="unknown-key"),
        pytest.param("c.jsonl", '{"input": "q"}\n{"expected_output": "a"}', "row 2: input must be text", id="no-input"),
        pytest.param("c.jsonl", '{"input": 7}', "input must be text; got 7", id="a-number"),
        pytest.param("c.jsonl", '{"input": "q", "tags": "x"}', "tags must be a list", id="tags-as-text"),
        pytest.param("c.jsonl", '{"input": "q", "metadata": 3}', "metadata must be an object", id="metadata"),
        pytest.param("c.jsonl", '{"input": "q", "agent_trace": [{"x": 1}]}', "row 1: .*'x'", id="a-step"),
        pytest.param("c.jsonl", "{", "c.jsonl", id="no-json"),
        pytest.param("c.csv", "question\nq\n", "input must be text", id="no-column"),
    ],
)
def test_a_wrong_file_says_where(tmp_path: Path, name: str, data: str, words: str) -> None:
    (tmp_path / name).write_text(data)
    with pytest.raises(ValueError, match=words):
        load(tmp_path / name)


def test_a_missing_file_is_pythons_own_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.jsonl")


def test_a_function_cannot_be_saved(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="reference_output"):
        save_jsonl([EvalCase("q", reference_output=lambda case: "a")], tmp_path / "c.jsonl")
