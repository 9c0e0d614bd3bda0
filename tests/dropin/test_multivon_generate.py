"""Cases that a judge makes of a text, and false twins of true answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from multivon_eval import (
    EvalCase,
    JudgeUnavailable,
    ModelPricing,
    generate_contrast_pairs,
    generate_from_file,
    generate_from_text,
    generate_hallucination_pairs,
    register_pricing,
    save_jsonl,
)
from multivon_eval.cli import main

from support.saying import Judge

TEXT = "The museum opens at ten. A ticket costs 12 euros. Children pay nothing. Dogs must wait outside the gate."
ASKED = [
    {"question": "When does one get in?", "answer": "at ten", "context_excerpt": "The museum opens at ten."},
    {"question": "What do children pay?", "answer": "nothing", "context_excerpt": "Kids are free."},
    {"question": "When does one get in?", "answer": "at ten", "context_excerpt": "The museum opens at ten."},
    {"question": "", "answer": "?"},
]


def test_questions_are_gated_and_say_where_they_come_from(judge: Judge) -> None:
    endpoint = judge(json.dumps(ASKED))
    cases, report = generate_from_text(TEXT, n=4, return_report=True)
    assert [case.input for case in cases] == ["When does one get in?", "What do children pay?"]
    assert (report.generated, report.accepted, report.dropped_duplicate, report.dropped_malformed) == (4, 2, 1, 1)
    first, second = cases
    span = first.metadata["source_span"]
    assert TEXT[span["start"] : span["end"]] == first.context == "The museum opens at ten."
    assert (second.metadata["source_span"], report.spans_missing) == (None, 1)
    assert first.expected_output == "at ten"
    assert first.metadata["_provenance"]["authored_by"] == "generator:doc_qa"
    assert "A ticket costs 12 euros." in endpoint.prompts[0]
    assert "[[[text " in endpoint.prompts[0]


def test_some_questions_cannot_be_answered(judge: Judge) -> None:
    def replied(prompt: str) -> str:
        made = [{"question": "Who built it?"}, {"question": "How old is the oldest picture here?"}]
        return json.dumps(made if "does not answer" in prompt else ASKED[:2])

    judge(replied)
    cases = generate_from_text(TEXT, n=4, unanswerable_fraction=0.5)
    refused = [case for case in cases if case.metadata["generation"]["unanswerable"]]
    assert [case.input for case in refused] == ["Who built it?", "How old is the oldest picture here?"]
    assert all(case.expected_output is None and case.context == TEXT for case in refused)
    assert {case.metadata["expected_behavior"] for case in refused} == {"refusal"}


def test_summaries_and_faithful_answers(judge: Judge, tmp_path: Path) -> None:
    judge('```json\n{"summary": "A museum with prices."}\n```')
    long = " ".join([TEXT] * 5)
    summaries, report = generate_from_text(long, n=2, task="summarization", context_window=300, return_report=True)
    assert [case.expected_output for case in summaries] == ["A museum with prices."] * 2
    assert report.kind == "doc_summarization"
    judge(json.dumps(ASKED[:1]))
    (tmp_path / "t.txt").write_bytes(TEXT.encode() + b"\xff")
    [case] = generate_from_file(tmp_path / "t.txt", n=1, task="hallucination")
    assert (case.expected_output, case.metadata["faithful_answer"]) == ("faithful", "at ten")


def test_pairs_of_true_and_false_answers(judge: Judge) -> None:
    whole = {"question": "q", "context": "c", "faithful_answer": "f", "hallucinated_answer": "h"}
    judge(json.dumps([whole, {**whole, "context": ""}, 7]))
    assert generate_hallucination_pairs(TEXT, 3) == [whole]
    judge("I would rather not.")
    with pytest.raises(JudgeUnavailable, match="no pairs"):
        generate_hallucination_pairs(TEXT)


def test_a_judge_that_makes_nothing_is_not_an_empty_set(judge: Judge) -> None:
    judge("I would rather not.")
    with pytest.raises(JudgeUnavailable, match="made no cases"):
        generate_from_text(TEXT)


@pytest.mark.parametrize(
    "settings",
    [{"task": "poetry"}, {"unanswerable_fraction": 2}, {"task": "summarization", "unanswerable_fraction": 0.5},
     {"context_window": 200}],
    ids=range(4),
)  # fmt: skip
def test_a_wrong_setting_costs_no_call(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"task|fraction|piece"):
        generate_from_text(TEXT, **settings)


SOURCES = [
    EvalCase("When does the museum open?", "At ten.", "The museum opens at ten."),
    EvalCase("What do children have to pay?", "Nothing.", "Children pay nothing."),
    EvalCase("no context", "a"),
    EvalCase("no answer", context="c"),
]


def judging(grounded: str) -> Callable[[str], str]:
    """A judge that writes twins, finds one claim in each, and says whether the context bears it out."""

    def replied(prompt: str) -> str:
        if "false twin" in prompt:
            return '{"unfaithful_answer": "At nine.", "changed_fact": "ten -> nine"}'
        return grounded if "Claim: " in prompt else '["It opens at nine."]'

    return replied


def fresh() -> list[EvalCase]:
    return [EvalCase(case.input, case.expected_output, case.context) for case in SOURCES]


def test_a_twin_is_false_or_it_is_none(judge: Judge) -> None:
    cases = fresh()
    judge(judging("No"))
    twins, report = generate_contrast_pairs(cases)
    assert (report.requested, report.generated, report.accepted) == (2, 2, 2)
    for source, twin in zip(cases, twins, strict=False):
        assert source.metadata["pair_id"] == twin.metadata["pair_id"]
        assert (twin.input, twin.expected_output) == (source.input, None)
        assert twin.metadata["unfaithful_answer"] == "At nine."
        assert (twin.metadata["generation"]["verified"], twin.metadata["generation"]["judge_score"]) == (True, 0.0)
    cases = fresh()
    judge(judging("Yes"))
    assert generate_contrast_pairs(cases)[0] == []
    assert all("pair_id" not in case.metadata for case in cases)


def test_a_twin_nobody_verified_says_so(judge: Judge) -> None:
    endpoint = judge(judging("Yes"))
    twins, _ = generate_contrast_pairs(fresh(), verify=False)
    assert [twin.metadata["generation"]["verified"] for twin in twins] == [False, False]
    assert len(endpoint.asked) == 2


@pytest.mark.parametrize("reply", ["nothing", "{}", '{"unfaithful_answer": 7}'], ids=range(3))
def test_what_is_no_twin_is_not_counted_as_made(judge: Judge, reply: str) -> None:
    judge(reply)
    twins, report = generate_contrast_pairs(fresh())
    assert (twins, report.requested, report.generated) == ([], 2, 0)


def test_a_budget_ends_it(judge: Judge, capsys: pytest.CaptureFixture[str]) -> None:
    register_pricing("dear-model", ModelPricing(1_000_000.0, 1_000_000.0))
    judge(judging("No"), "dear-model")
    twins, report = generate_contrast_pairs(fresh(), budget_usd=0.5)
    assert (len(twins), report.generated) == (1, 1)
    assert "1 cases have no twin" in capsys.readouterr().err


def test_the_command_line_makes_cases(judge: Judge, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judge(json.dumps(ASKED))
    main(["generate", "--text", TEXT, "--n", "2", "-o", str(tmp_path / "made.jsonl")])
    assert "accepted 2" in capsys.readouterr().out
    assert len((tmp_path / "made.jsonl").read_text().splitlines()) == 2
    save_jsonl(fresh(), tmp_path / "given.jsonl")
    judge(judging("No"))
    main(["generate", "--contrast", str(tmp_path / "given.jsonl")])
    assert "accepted 2" in capsys.readouterr().out
