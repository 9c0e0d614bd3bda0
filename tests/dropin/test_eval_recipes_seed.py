"""The example code of eval-recipes runs unchanged, against any endpoint that speaks one of two APIs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ringtrue.models.local.local_model import weights
from ringtrue.models.local.server import serve
from support.judge_endpoint import JudgeEndpoint

BLOCKS = re.findall(r"^```python\n(.*?)^```$", (Path(__file__).parent / "seeds" / "003.md").read_text(), re.M | re.S)
CLAIMS = [["Paris is the capital of France."], ["Paris has 12 million residents."]]
SAYS: dict[str, Any] = {
    "outcome": lambda schema, at: "whole" if "whole" in schema["enum"] else "clear",
    "claims": lambda schema, at: CLAIMS[at],
    "evidence": [1],
    "open_domain_probability": 5,
    "verdict": lambda schema, at: ("supported", "contradicted")[at],
    "probability": lambda schema, at: (schema["maximum"], 5)[at],
    "is_in_scope_probability": 5,
    "score": 90,
    "preferences": [{"start_line": 0, "end_line": 0, "preference": "Avoid emojis."}],
}

RUN = "python3 fibonacci.py"
FIBONACCI = """def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

print(*map(fibonacci, range(10)))
"""


@pytest.fixture(params=["chat", "responses"])
def judge(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[JudgeEndpoint]:
    with JudgeEndpoint(request.param, SAYS) as running:
        monkeypatch.setenv("OPENAI_BASE_URL", running.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback")
        yield running


def run(code: str, where: str = "seed 003") -> None:
    exec(compile(code, where, "exec"), {"__name__": "__main__"})


def test_check_criteria(judge: JudgeEndpoint, capsys: pytest.CaptureFixture[str]) -> None:
    run(BLOCKS[0])
    assert capsys.readouterr().out.splitlines() == [
        "Score: 100.0%",
        "Feedback: None",
        "- The response should be exactly one paragraph: 100%",
        "- The response should end with a question: 100%",
    ]
    assert {body["model"] for body in judge.asked} == {"gpt-5-mini"}


def test_claim_verification(judge: JudgeEndpoint, capsys: pytest.CaptureFixture[str]) -> None:
    run(BLOCKS[1])
    capital, residents, metrics = capsys.readouterr().out.splitlines()
    assert "claim='Paris is the capital of France.'" in capital
    assert "cited_text='Paris is the capital city of France with 2.1 million inhabitants.'" in capital
    assert "citations=[] verified_probability=5.0" in residents
    assert "closed_domain_supported=50.0" in metrics
    assert {body["model"] for body in judge.asked} == {"gpt-5", "gpt-5-mini"}


def test_guidance(judge: JudgeEndpoint, capsys: pytest.CaptureFixture[str]) -> None:
    run(BLOCKS[2])
    said = capsys.readouterr().out
    assert "applicable=True" in said
    assert "score=90.0" in said
    assert "is_in_scope_probability=5.0" in said
    assert len(judge.asked) == 2


def test_generate_capability_manifest(judge: JudgeEndpoint, capsys: pytest.CaptureFixture[str]) -> None:
    run(BLOCKS[3])
    assert capsys.readouterr().out == "## Can\n- read text\n"
    assert "Perform mathematical calculations" in str(judge.asked[-1])


def test_preference_adherence(judge: JudgeEndpoint, capsys: pytest.CaptureFixture[str]) -> None:
    run(BLOCKS[4])
    said = capsys.readouterr().out
    assert "preference='Avoid emojis.'" in said
    assert "determination='adhered'" in said
    assert "score=100.0" in said


def test_tool_usage(judge: JudgeEndpoint, capsys: pytest.CaptureFixture[str]) -> None:
    judge.says = {"probability": lambda schema, at: (5, 90)[at]}
    run(BLOCKS[5])
    said = capsys.readouterr().out
    assert "tool_name='calculator'" in said
    assert "score=100.0" in said


def test_semantic_test_of_a_folder_that_is_not_there(judge: JudgeEndpoint, capsys: pytest.CaptureFixture[str]) -> None:
    run(BLOCKS[6])
    said = capsys.readouterr().out
    assert said.startswith("Score: 0.0\n")
    assert "'error': \"there is no folder to audit: " in said
    assert judge.asked == []


def audited(body: dict[str, Any]) -> list[dict[str, Any]]:
    """Look at the program, run it, and have seen enough."""
    items = body.get("messages") or body["input"]
    seen = any(item.get("role") == "tool" or item.get("type") == "function_call_output" for item in items)
    steps = [{"name": "read", "arguments": {"path": "fibonacci.py"}}, {"name": "run", "arguments": {"command": RUN}}]
    return steps if not seen else [{"name": "finish", "arguments": {}}]


@pytest.fixture
def work(tmp_path: Path) -> Path:
    (tmp_path / "fibonacci.py").write_text(FIBONACCI)
    return tmp_path


def test_semantic_test_of_a_real_folder(judge: JudgeEndpoint, capsys: pytest.CaptureFixture[str], work: Path) -> None:
    judge.acting = audited
    judge.says = {"works_correctly": False}
    run(BLOCKS[6].replace("/path/to/agent/work", str(work)))
    said = capsys.readouterr().out
    assert said.startswith('Score: 60.0\nFeedback: {\n  "file_exists": true,')
    assert "0 1 1 2 3 5 8 13 21 34" in str(judge.asked[-1])
    assert [path.name for path in work.iterdir()] == ["fibonacci.py"]


PRINTED = {
    "check_criteria": r"Score: \d+\.\d%\nFeedback: ",
    "claim_verification": r"total_claims=\d+ closed_domain_supported=\d",
    "guidance": r"is_in_scope_reasoning=.* applicable=.* score=\d",
    "generate_capability_manifest": r"\w",
    "preference_adherence": r"extracted_user_preferences=.* score=\d",
    "tool_usage": r"tool_evaluations=.* score=\d",
    "semantic_test": r"Score: \d+\.\d\nFeedback: .*Metadata: ",
}


@pytest.mark.heavy
@pytest.mark.parametrize("name", PRINTED)
@pytest.mark.skipif(
    weights.embedded_path() is None or weights.installed_version(weights.ENGINE) is None,
    reason="the local model is not installed: run 'ringtrue local install'",
)
def test_on_the_embedded_model(
    name: str, work: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Real weights behind real HTTP: the code runs to its end; what a model of this size thinks does not matter."""
    # The context bounds how long such a model writes.
    with serve(context_tokens=2048 if name in ("claim_verification", "semantic_test") else 1024) as local:
        monkeypatch.setenv("OPENAI_BASE_URL", local.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        run(BLOCKS[list(PRINTED).index(name)].replace("/path/to/agent/work", str(work)))
    assert re.search(PRINTED[name], capsys.readouterr().out, re.S)
