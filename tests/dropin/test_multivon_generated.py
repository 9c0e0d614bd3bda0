"""Cases made from cases and templates, the gates they pass, and which checks suit them; no model is asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from multivon_eval import (
    MUTATIONS,
    AgentStep,
    AmbiguousCaseShape,
    EvalCase,
    EvalResult,
    GenerationReport,
    assess_input,
    auto_evaluators,
    cases_from_template,
    generate_unicode_obfuscation_cases,
    load_jsonl,
    mutate_cases,
    save_jsonl,
    validate_adversarial_cases,
)
from multivon_eval.case_gates import digest_inputs, gate_duplicate, gate_hardness, gate_well_formed
from multivon_eval.evaluators.base import Evaluator
from multivon_eval.input_gate import _unique_fraction
from multivon_eval.provenance import read_provenance, stamp_metadata_inplace

CASES = [
    EvalCase("The refund window is 30 days, for returns.", "30 days", context="policy", case_id="a", source_id="doc"),
    EvalCase("Please cancel my subscription, thanks.", "cancelled", metadata={"expected_behavior": "polite", "k": [1]}),
]


def told(case: EvalCase) -> str:
    metadata = {name: value for name, value in case.metadata.items() if name != "_provenance"}
    return json.dumps([case.input, case.case_id, metadata], sort_keys=True)


def test_the_same_seed_makes_the_same_cases_and_every_one_is_accounted_for() -> None:
    (made, report), (again, _) = (mutate_cases(CASES, seed=4, per_case=2) for _ in range(2))
    assert [told(case) for case in made] == [told(case) for case in again]
    assert report.requested == len(CASES) * len(MUTATIONS) * 2
    dropped = report.dropped_malformed + report.dropped_duplicate + report.dropped_unverified
    assert (report.generated, report.kind) == (report.accepted + dropped, "mutation")
    assert len({case.case_id for case in made}) == len(made) == report.accepted


def test_nobody_knows_what_is_right_for_a_changed_question(tmp_path: Path) -> None:
    (case,), _ = mutate_cases(CASES[:1], ["negation_flip"])
    about = case.metadata["generation"]
    assert case.input == "The refund window is not 30 days, for returns."
    assert (case.expected_output, case.context, case.source_id) == (None, "policy", "doc")
    assert (about["expectation"], about["oracle_status"], about["source_case_id"]) == ("flip", "unknown", "a")
    (other,), _ = mutate_cases(CASES[1:], ["punctuation_strip"])
    assert (other.metadata["generation"]["expectation"], "expected_behavior" in other.metadata) == ("invariant", False)
    other.metadata["k"].append(2)
    assert CASES[1].metadata["k"] == [1]
    save_jsonl([case], tmp_path / "c.jsonl")
    assert load_jsonl(tmp_path / "c.jsonl") == [case]


def test_what_a_stamp_says_of_the_source_is_kept() -> None:
    source = EvalCase("Please cancel my order now.", "ok")
    stamp_metadata_inplace(source.metadata, authored_by="human", git={}, targets=[])
    (case,), _ = mutate_cases([source], ["typo_noise"])
    assert case.metadata["generation"]["source_case_uid"] == source.metadata["_provenance"]["case_uid"]
    assert read_provenance(case.metadata)[1]["authored_by"] == "generator:mutation"  # type: ignore[index]


@pytest.mark.parametrize(
    ("metadata", "status"),
    [
        (None, "unstamped"),
        ({}, "unstamped"),
        ({"_provenance": 7}, "unreadable"),
        ({"_provenance": {"schema_version": True}}, "unreadable"),
        ({"_provenance": {"schema_version": 1, "targets": 3}}, "unreadable"),
        ({"_provenance": {"schema_version": 9}}, "unreadable_newer"),
        ({"_provenance": {"schema_version": 1}}, "ok"),
    ],
    ids=["none", "empty", "number", "bool", "targets", "newer", "ok"],
)
def test_stamps(metadata: Any, status: str) -> None:
    assert read_provenance(metadata)[0] == status


def test_cases_that_expect_nothing_and_doubles_are_dropped() -> None:
    made, report = mutate_cases([EvalCase("Please refund my order.")], ["typo_noise"])
    assert (made, report.dropped_malformed) == ([], 1)
    made, report = mutate_cases([EvalCase("Hi there friend.", "hello")], ["punctuation_strip"], per_case=2)
    assert (len(made), report.dropped_duplicate) == (1, 1)
    with pytest.raises(ValueError, match="unknown mutation 'nope'; there are typo_noise"):
        mutate_cases(CASES, ["nope"])


AXES = {"item": ["a laptop", "some shoes"], "when": ["yesterday", "in March", "last year"]}


def test_a_template_is_filled_with_every_combination_or_every_pair() -> None:
    made, report = cases_from_template("Refund {item} bought {when}?", AXES, expected_output="on {item}", seed=3)
    assert (len(made), report.accepted, report.kind) == (6, 6, "template")
    assert (made[0].input, made[0].expected_output) == ("Refund a laptop bought yesterday?", "on a laptop")
    assert made[0].metadata["generation"]["axes"] == {"item": "a laptop", "when": "yesterday"}
    few, _ = cases_from_template("{a} {b} {c}", {name: ["1", "2", "3"] for name in "abc"}, "pairwise")
    assert len(few) < 27
    drawn, report = cases_from_template("Refund {item} bought {when}?", AXES, n=2, expected_output="{other}")
    assert (len(drawn), report.requested, drawn[0].expected_output) == (2, 2, "{other}")


def test_gates() -> None:
    assert gate_well_formed(EvalCase("q", "a")).passed
    assert "expected" in gate_well_formed(EvalCase("q", " ", metadata={"expected_behavior": ""})).reason
    known = [EvalCase("what is the standard refund window policy")]
    assert "Jaccard 0.86" in gate_duplicate(EvalCase("What is the refund-window policy?"), known).reason
    assert gate_duplicate(EvalCase("Do you ship to Brazil?"), known).passed
    assert digest_inputs([EvalCase("one two three"), EvalCase("four five six")], max_words=2, max_entries=1) == (
        "- four five …"
    )
    report = GenerationReport(9, 9, 5, 1, 2, 1, hardness_skipped=False, dropped_unverified=3)
    assert report.summary_line() == (
        "generated 9, accepted 5 — dropped 2 duplicates, 1 malformed, 3 unverified, "
        "1 outside hardness band [0.5, 1.0] or unmeasured"
    )


def test_hard_cases_are_those_a_model_fails() -> None:
    hard, easy, odd, broken = (
        EvalCase(text, metadata={"stress_tests": names})
        for text, names in (("hard", ["NotEmpty"]), ("easy", ["NotEmpty"]), ("odd", ["Nope"]), ("down", ["NotEmpty"]))
    )

    def model(question: str) -> str:
        if question == "down":
            raise RuntimeError("no answer")
        return "" if question == "hard" else "fine"

    kept, reports = gate_hardness([hard, easy, odd, broken], model)
    assert kept == [hard]
    assert [report.failure_rate for report in reports] == [1.0, 0.0, None, None]
    assert [report.shots[0]["status"] for report in reports] == ["failed_quality", "passed", "not_run", "model_error"]
    assert (reports[0].baseline_failed, reports[0].baseline_score, reports[3].baseline_score) == (True, 0.0, None)


@pytest.mark.parametrize(
    "wrong",
    [
        {"n_shots": 0},
        {"n_shots": True},
        {"hardness_band": (0.9, 0.1)},
        {"hardness_band": 3},
        {"hardness_band": (0, True)},
    ],
    ids=str,
)
def test_a_wrong_band_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"n_shots|hardness_band"):
        validate_adversarial_cases([], lambda question: "", **wrong)


@pytest.mark.parametrize(
    ("case", "checks"),
    [
        (EvalCase("q", context="c"), ["Faithfulness", "Hallucination", "ContextPrecision", "Relevance"]),
        (EvalCase("q", "a"), ["AnswerAccuracy", "Relevance"]),
        (EvalCase("q"), ["Relevance"]),
        (EvalCase("q", expected_tool_calls=["t"]), ["ToolCallAccuracy", "ToolCallNecessity"]),
        (EvalCase("q", agent_trace=[AgentStep("t")]), ["PlanQuality", "StepFaithfulness", "TaskCompletion"]),
        (EvalCase("q", metadata={"schema": {"type": "object"}}), ["Relevance", "SchemaEvaluator"]),
    ],
    ids=["rag", "qa", "bare", "tools", "trace", "schema"],
)
def test_checks_that_suit_a_case(case: EvalCase, checks: list[str]) -> None:
    found = auto_evaluators(case, include_safety=True, include_pii=True, pii_jurisdiction="dpdp")
    names = [item.evaluator.__name__ for item in found]
    assert names == [*checks, "NotEmpty", "PIIEvaluator", "Toxicity", "Bias"]
    assert all(issubclass(item.evaluator, Evaluator) for item in found)
    assert "dpdp" in repr(found[-3])


def test_the_more_a_case_could_be_the_less_is_known() -> None:
    talk = [{"role": "user", "content": "hi"}]
    everything = EvalCase("q", context="c", expected_tool_calls=["t"], conversation=talk)
    found = auto_evaluators(everything)
    assert found[0].evaluator.__name__ == "ConversationRelevance"
    assert {item.confidence for item in found if item.tier == "primary"} == {"low"}
    for case in (everything, EvalCase("")):
        with pytest.raises(AmbiguousCaseShape, match="task_type="):
            auto_evaluators(case, strict_mode=True)
    assert auto_evaluators(everything, task_type="rag")[0].evaluator.__name__ == "Faithfulness"
    assert auto_evaluators(EvalCase("q", context="c"), strict_mode=True)


def test_texts_that_hide() -> None:
    made = generate_unicode_obfuscation_cases(["secret"], ("homoglyph", "zero_width", "rtlo", "unknown"))
    assert [case.metadata["obfuscation_kind"] for case in made] == ["homoglyph", "zero_width", "rtlo"]
    assert all(case.expected_output == "secret" and "secret" not in case.input.removesuffix("secret") for case in made)
    assert made[1].input.endswith("\u200b".join("secret"))


def rows(count: int, **fields: str) -> list[dict[str, str]]:
    return [{"input": f"question {n} about topic {n}", "output": f"answer {n}", **fields} for n in range(count)]


@pytest.mark.parametrize(
    ("given", "signal", "words"),
    [
        ([], "trace_count", "nothing to bootstrap"),
        (rows(5), "trace_count", "below 20"),
        (rows(25, output=""), "field_completeness", "UNCALIBRATED"),
        ([*rows(18, output=""), *rows(2)], "field_completeness", "10% of traces have an output"),
        ([*rows(20, context=""), *rows(5, context="c")], "field_completeness", "context"),
        (rows(25, input="the same question"), "near_duplicate_ratio", "4% of inputs are distinct"),
        (rows(25, output="ask jane@example.com"), "pii_secret_density", "email=25"),
    ],
    ids=["none", "few", "no-output", "few-outputs", "few-contexts", "alike", "personal"],
)
def test_an_input_that_is_not_enough_warns(given: list[dict[str, str]], signal: str, words: str) -> None:
    report = assess_input(given)
    (found,) = [finding for finding in report.findings if finding.signal == signal]
    assert (report.verdict, found.tier) == ("WARN", "warn")
    assert words in found.message
    text = report.render_text()
    assert text.startswith(f"input quality: WARN: {len(report.flagged)} of 4 signals flagged")
    assert "not checked: semantic correctness of labels" in text


def test_an_input_that_is_enough_says_nothing() -> None:
    report = assess_input(traces=rows(25))
    assert (report.verdict, report.render_text(), report.measurable_total) == ("PROCEED", "", 4)
    assert assess_input("A sentence about many things. " * 20, "generate").verdict == "PROCEED"
    assert assess_input("", "generate").findings[0].message == "the document is empty"
    assert assess_input([EvalCase("q", "a"), {"input": "r", "expected_output": "b"}], "cases").verdict == "PROCEED"
    assert assess_input(cases=[{"input": ""}], kind="cases").flagged[0].signal == "well_formed_rate"
    with pytest.raises(ValueError, match="kind is one of"):
        assess_input([], "other")


def test_of_many_texts_a_sample_is_compared() -> None:
    share, seen = _unique_fraction([f"number {n} of topic {n}" for n in range(50_000)])
    assert (seen, 0 <= share <= 1) == (400, True)


def test_a_verdict_that_is_none_is_no_measurement() -> None:
    class Odd(Evaluator):
        name = "odd"

        def evaluate(self, case: EvalCase, output: str) -> EvalResult:
            return EvalResult(self.name, 0.5, None, "why")  # type: ignore[arg-type]

    from multivon_eval import EvalSuite

    report = EvalSuite("s").add_evaluator(Odd()).run_on_cases([(EvalCase("q"), "a")], verbose=False)
    assert "passed is True or False; got 0.5 and None: why" in (report.case_results[0].evaluator_error or "")
