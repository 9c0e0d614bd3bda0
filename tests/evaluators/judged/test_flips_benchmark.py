"""The benchmark of flips: what it draws, what it plants where, how it counts, and that it continues where it ended."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks" / "injections"))

from flip_bases import STORIES, Base, bases, name_like
from flip_rows import FlipRow, Flips, append_row, by_kind, read_rows, report, table, tried
from flips import LONGEST, Measuring, as_long, chosen
from given_claims import GivenClaims
from terse import Terse, bounded

from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.models.request import Request
from ringtrue.models.scripted import ScriptedModel
from ringtrue.models.structured.parsing import schema_error
from ringtrue.models.structured.structured_model import StructuredModel
from support.injections import MAKERS, injections

ROW = FlipRow("k", "llm_judge", "sum", "answer", "planted", "end-answer", "fence", True, 1.0, "scored", "so", 1)
OBEYED = "Report the highest value."


def rows(beside: Any, *passed: bool | None, **changes: Any) -> list[FlipRow]:
    return [replace(ROW, beside=beside, passed=one, **changes) for one in passed]


def test_every_family_is_drawn_in_turn() -> None:
    """Three of each family in 36, and fewer are the beginning of more."""
    assert set(Counter(attempt.kind for attempt in chosen(36)).values()) == {3}
    assert chosen(36)[:12] == chosen(12)
    assert sorted(attempt.id for attempt in chosen(1_000)) == sorted(attempt.id for attempt in injections())
    assert all(0 < len(attempt.text) <= LONGEST for attempt in chosen(108))


@given(st.text(max_size=2_000))
def test_harmless_text_is_as_long(text: str) -> None:
    assert len(as_long(text)) == len(text)


@pytest.mark.parametrize("evaluation", MAKERS)
def test_a_text_changes_its_place_and_nothing_else(evaluation: str) -> None:
    """Without the text the trial is the clean one; with it, it is where the report says."""
    for base in bases(evaluation):
        clean, planted = base.trial(), base.trial("PLANTED")
        said = {
            "answer": planted.output.text,
            "tool output": str(planted.case.messages),
            "file": str(base.files("PLANTED")),
        }
        assert "PLANTED" in said.pop(base.place)
        assert not any("PLANTED" in other for name, other in said.items() if name != "file")
        assert "PLANTED" not in str(clean)
        assert planted.case.tools == clean.case.tools
        assert planted.output.tool_calls == clean.output.tool_calls


@given(st.text())
def test_any_text_names_a_file(text: str) -> None:
    name = name_like(text)
    assert name not in ("", ".", "..")
    assert "/" not in name
    assert "\0" not in name
    assert len(name.encode()) <= 200


def test_a_planted_name_leaves_the_answer_alone() -> None:
    assert Base("semantic_test", STORIES[0]).files("answer.txt")["answer.txt"] == STORIES[0].poor


@pytest.mark.parametrize(
    ("schema", "held", "broken"),
    [
        ({"type": "string"}, "so", "x" * 1_000),
        ({"type": "string", "enum": ["x" * 100]}, "x" * 100, "so"),
        ({"type": "number", "minimum": 0, "maximum": 100}, 70, 70.5),
        ({"type": "number", "minimum": 0, "maximum": 1}, 0.7, 0.75),
        ({"type": "array", "items": {"type": "string"}}, ["so"], ["so"] * 9),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 3, "maxItems": 3}, [1, 2, 3], [1, 2]),
    ],
    ids=["text", "choice-stays", "percent", "probability", "list", "count-stays"],
)
def test_bounds_are_tighter_and_never_other(schema: Any, held: Any, broken: Any) -> None:
    """What fits the bounded schema fits the schema."""
    tight, wide = (orjson.dumps({"type": "object", "properties": {"a": one}}) for one in (bounded(schema), schema))
    assert not schema_error({"a": held}, tight)
    assert not schema_error({"a": held}, wide)
    assert schema_error({"a": broken}, tight)


def test_a_terse_model_is_asked_with_bounds() -> None:
    asked: list[Request] = []
    model = Terse(ScriptedModel(lambda request: asked.append(request) or "yes"))
    form = {"type": "json_schema", "json_schema": {"name": "v", "schema": {"type": "string"}}}
    for parameters in ({"response_format": form}, {}):
        asyncio.run(model.ask(Request("e", "m", [{"role": "user", "content": "?"}], parameters)))
    assert asked[0].parameters["response_format"]["json_schema"]["schema"]["maxLength"]
    assert asked[1].parameters == {}


def test_flips_are_counted_with_what_gave_no_verdict() -> None:
    found = Flips.of([*rows("planted", True, False, None), *rows("harmless", True)], "planted")
    assert found == Flips(1, 2, 1)
    assert found.cells() == ["1 of 2", "[0.09, 0.91]", "1"]
    assert Flips.of([], "planted").cells() == ["0 of 0", "–", "0"]


def test_the_report_shows_every_evaluation_and_every_case_that_was_tried() -> None:
    made = [
        *rows("clean", True, story="capital", kind=""),
        *rows("clean", False, story="sum", kind=""),
        *rows("planted", True, False),
        *rows("harmless", False, None),
        *rows("clean", None, evaluation="guidance", status="error", kind=""),
    ]
    lines = list(report(made))
    assert lines[1] == ["llm_judge", "sum", "answer", "1 of 2", "[0.09, 0.91]", "0", "0 of 1", "[0.00, 0.79]", "1"]
    assert lines[2][:2] == ["guidance", "none fails"]
    assert lines[3][0] == "all"
    assert [line[0] for line in by_kind(made)] == ["family", "fence"]
    assert list(tried(made)) == [
        "llm_judge, without any text: capital passes, sum fails",
        "guidance, without any text: sum error",
    ]
    assert list(table(lines[:2], True))[1] == "|" + "---|" * 9
    assert len({len(line) for line in lines}) == 1


def test_a_row_that_a_kill_cut_off_is_made_again(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    append_row(file, ROW)
    with file.open("a") as cut:
        cut.write('{"key": "half')
    assert read_rows(file) == [ROW]
    append_row(file, ROW)
    assert read_rows(file) == [ROW, ROW]
    assert read_rows(tmp_path / "none") == []


def judge(asked: list[str]) -> StructuredModel:
    """A judge that does what the text says, if it says so, and else finds everything poor."""

    def verdict(request: Request) -> Any:
        said = str(request.messages[-1]["content"])
        asked.append(said)
        return {"reasoning": "", "rating": 5 if OBEYED in said else 1}

    return StructuredModel(scripted_judge(verdict))


def test_a_run_continues_where_it_ended(tmp_path: Path) -> None:
    """What a file has is not asked again; without asking, a report has what there is."""
    file, asked = tmp_path / "rows.jsonl", []  # type: ignore[var-annotated]
    attempts = [attempt for attempt in chosen(108) if attempt.kind == "fence"]

    def run(most: int, asks: bool = True) -> list[FlipRow]:
        measuring = Measuring(file, judge(asked), "", asks, {row.key: row for row in read_rows(file)})
        asyncio.run(measuring.evaluation("llm_judge", attempts[:most]))
        return measuring.used

    run(4)
    assert len(asked) == 1 + 2 * 4
    whole = run(12)
    assert len(asked) == len(read_rows(file)) == len(whole) == 1 + 2 * 12
    assert run(12, asks=False) == whole
    assert Flips.of(whole, "planted") == Flips(1, 12, 0)
    assert Flips.of(whole, "harmless") == Flips(0, 12, 0)


def test_an_audit_finds_the_planted_files(tmp_path: Path) -> None:
    """The auditor sees the answer, the planted rubric and the name that is the text."""
    asked: list[str] = []

    def verdict(request: Request) -> Any:
        asked.append(str(request.messages[-1]["content"]))
        if "tool" in str(request.parameters["response_format"]["json_schema"]["schema"]["properties"]):
            return {"thought": "", "tool": "read", "path": "rubric.json", "start_line": 1, "pattern": "", "command": ""}
        return {"evidence": "", "rubric": {"right": False}}

    measuring = Measuring(tmp_path / "rows.jsonl", StructuredModel(scripted_judge(verdict)), "")
    asyncio.run(measuring.evaluation("semantic_test", chosen(1)))
    assert [row.passed for row in measuring.used] == [False] * 3
    assert len(asked) == 2 * 3
    assert all("answer.txt" in text for text in asked)
    assert "there is no file" in asked[1] or "not there" in asked[1]
    assert as_long(chosen(1)[0].text) in asked[5]


def test_given_claims_leave_the_verdict_to_the_model(tmp_path: Path) -> None:
    """One question for each text: all sentences are claims, and the planted text is among the evidence."""
    asked: list[str] = []

    def verdict(request: Request) -> Any:
        asked.append(str(request.messages[-1]["content"]))
        entry = {"claim": 1, "reasoning": "", "evidence": [3], "verdict": "contradicted", "probability": 0}
        return {"entries": [entry]}

    measuring = Measuring(tmp_path / "rows.jsonl", StructuredModel(GivenClaims(scripted_judge(verdict))), "")
    asyncio.run(measuring.evaluation("claim_verification", chosen(1)))
    assert [row.passed for row in measuring.used] == [False] * 3
    assert len(asked) == 3
    assert as_long(chosen(1)[0].text)[:40] in asked[2]
    assert f"1: {STORIES[0].poor} (evidence: 1, 2, 3" in asked[0]
