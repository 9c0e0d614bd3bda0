"""multivon-eval's checks: the documented parameters, the documented verdicts, and the original's own numbers."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
from pathlib import Path
from typing import Any

import multivon_eval
import pytest
from hypothesis import given
from hypothesis import strategies as st
from multivon_eval import AgentStep, EvalCase, EvalResult, ToolCall
from multivon_eval.evaluators.base import Evaluator
from multivon_eval.evaluators.text_metrics import _char_ngrams, _levenshtein_distance
from pydantic import BaseModel

SEEDS = Path(__file__).parent / "seeds"
PARAMETERS = [json.loads(line) for line in (SEEDS / "004_parameters.jsonl").read_text().splitlines()]
SCORES = [json.loads(line) for line in (SEEDS / "multivon_scores.jsonl").read_text().splitlines()][1:]
DEFAULTS = {"re.IGNORECASE": re.IGNORECASE, "required": inspect.Parameter.empty}
OBJECT = {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}
TRACE = [AgentStep(tool_calls=[ToolCall("search"), ToolCall("read")])]


def check(evaluator: Any, output: Any, expected: str | None = None, **more: Any) -> EvalResult:
    result = evaluator.evaluate(EvalCase("q", expected_output=expected), output, **more)
    assert isinstance(result, EvalResult)
    return result


@pytest.mark.parametrize("row", PARAMETERS, ids=lambda row: f"{row['class']}.{row['parameter']}")
def test_every_documented_parameter_has_its_default(row: dict[str, str]) -> None:
    found = inspect.signature(getattr(multivon_eval, row["class"])).parameters[row["parameter"]]
    wanted = DEFAULTS.get(row["default"])
    assert found.default == (wanted if wanted is not None else json.loads(row["default"].lower()))
    assert found.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD


def test_the_documented_parameters_come_in_their_order() -> None:
    documented: dict[str, list[str]] = {}
    for row in PARAMETERS:
        documented.setdefault(row["class"], []).append(row["parameter"])
    assert len(documented) == 11
    for name, names in documented.items():
        assert list(inspect.signature(getattr(multivon_eval, name)).parameters)[: len(names)] == names


@pytest.mark.parametrize("name", sorted({row["evaluator"] for row in SCORES}))
def test_scores_are_the_originals(name: str) -> None:
    rows = [row for row in SCORES if row["evaluator"] == name]
    assert len(rows) >= 40
    for row in rows:
        more = {"latency_ms": row["latency_ms"]} if "latency_ms" in row else {}
        found = check(getattr(multivon_eval, name)(**row["settings"]), row["output"], row["expected"], **more)
        assert (found.score, found.passed) == (pytest.approx(row["score"], abs=1e-9), row["passed"]), row


@pytest.mark.parametrize(
    ("evaluator", "output", "expected", "score", "passed"),
    [
        pytest.param(multivon_eval.NotEmpty(), " \n", None, 0.0, False, id="only-white-space"),
        pytest.param(multivon_eval.ExactMatch(), " yes ", "Yes", 1.0, True, id="exact-ignores-case-and-ends"),
        pytest.param(multivon_eval.ExactMatch(case_sensitive=True), "yes", "Yes", 0.0, False, id="exact-with-case"),
        pytest.param(multivon_eval.Contains(["a", "b"]), "A", None, 0.5, False, id="contains-is-a-fraction"),
        pytest.param(
            multivon_eval.Contains(["a", "b", "c"], threshold=0.67), "a b", None, 2 / 3, True, id="two-thirds"
        ),
        pytest.param(multivon_eval.RegexMatch("^b", re.M), "a\nb", None, 1.0, True, id="regex-flags"),
        pytest.param(multivon_eval.JSONSchemaEval(OBJECT), "[" * 10_000, None, 0.0, False, id="deep-json-fails"),
        pytest.param(multivon_eval.WordCount(min=1, max=2), "a b c", None, 0.0, False, id="short-names"),
        pytest.param(multivon_eval.BLEU(), "anything", "", 0.0, False, id="bleu-of-an-empty-reference"),
        pytest.param(multivon_eval.ROUGE(), "", "a b", 0.0, False, id="rouge-of-nothing"),
        pytest.param(
            multivon_eval.StartsWith("```python\n"), "```python\nx = 1", None, 1.0, True, id="prefix-with-newline"
        ),
        pytest.param(multivon_eval.Levenshtein(), "", "", 1.0, True, id="two-empty-texts-are-equal"),
        pytest.param(multivon_eval.ChrfScore(), " ", "", 1.0, True, id="chrf-of-two-empty-texts"),
        pytest.param(multivon_eval.NotEmpty(), None, None, 0.0, False, id="none-is-a-failure"),
        pytest.param(multivon_eval.ExactMatch(), b"yes", "yes", 0.0, False, id="bytes-are-a-failure"),
    ],
)
def test_documented_verdicts(evaluator: Any, output: Any, expected: str | None, score: float, passed: bool) -> None:
    found = check(evaluator, output, expected)
    assert (found.evaluator, found.score, found.passed) == (evaluator.name, pytest.approx(score), passed)


@pytest.mark.parametrize("name", ["ExactMatch", "BLEU", "ROUGE", "Levenshtein", "ChrfScore"])
def test_without_a_reference_nothing_is_measured(name: str) -> None:
    found = check(getattr(multivon_eval, name)(), "x")
    assert found.metadata == {"skipped": True}
    assert found.reason.startswith("[skipped] ")
    assert (found.score, found.passed) == (0.0, False)


def test_a_latency_no_one_measured_is_skipped() -> None:
    assert check(multivon_eval.Latency(100), "x").metadata["skipped"]
    assert check(multivon_eval.MaxLatency(100), "x", latency_ms=150).score == 0.5


@pytest.mark.parametrize(
    ("make", "words"),
    [
        pytest.param(lambda: multivon_eval.Contains("Paris"), "list of texts", id="string-for-a-list"),
        pytest.param(lambda: multivon_eval.WordCount(5, 2), "must not exceed", id="min-above-max"),
        pytest.param(lambda: multivon_eval.Latency(0), "above 0", id="no-time"),
        pytest.param(lambda: multivon_eval.BLEU(n=0), "from 1 to 100", id="bleu-0"),
        pytest.param(lambda: multivon_eval.ChrfScore(max_n=0), "max_n must be >= 1", id="chrf-0"),
        pytest.param(lambda: multivon_eval.JSONSchemaEval({"type": "thing"}), "JSON Schema", id="bad-schema"),
        pytest.param(lambda: multivon_eval.SchemaEvaluator("object"), "dict or a pydantic model", id="no-schema"),
        pytest.param(lambda: multivon_eval.NotEmpty(threshold=-1), "threshold", id="threshold-outside"),
        pytest.param(lambda: multivon_eval.PIIEvaluator("hippa"), "did you mean 'hipaa'", id="unknown-law"),
        pytest.param(lambda: multivon_eval.PIIEvaluator(patterns={"a": "("}), "cannot be used", id="bad-own-pattern"),
    ],
)
def test_a_broken_configuration_raises_at_once(make: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make()


def test_a_bad_pattern_is_pythons_own_error() -> None:
    with pytest.raises(re.error):
        multivon_eval.RegexMatch("(")


@pytest.mark.parametrize(
    ("expected", "settings", "score"),
    [
        pytest.param(["search", "read"], {}, 1.0, id="all"),
        pytest.param(["search", "write"], {}, 0.5, id="one-missing"),
        pytest.param(["read", "search"], {"require_order": True}, 0.5, id="wrong-order"),
        pytest.param(["search"], {"penalize_unexpected": True}, 0.5, id="one-too-many"),
        pytest.param(["search"], {"require_order": True, "penalize_unexpected": True}, 0.5, id="ordered-one-too-many"),
        pytest.param([], {}, 0.0, id="none-expected"),
    ],
)
def test_tool_calls(expected: list[str], settings: dict[str, bool], score: float) -> None:
    case = EvalCase("q", expected_tool_calls=expected, agent_trace=TRACE)
    assert multivon_eval.ToolCallAccuracy(**settings).evaluate(case, "").score == score


def test_tool_calls_need_a_trace_and_an_expectation() -> None:
    accuracy = multivon_eval.ToolCallAccuracy()
    assert accuracy.evaluate(EvalCase("q", agent_trace=TRACE), "").metadata["skipped"]
    assert accuracy.evaluate(EvalCase("q", expected_tool_calls=[]), "").metadata["skipped"]
    assert accuracy.evaluate(EvalCase("q", expected_tool_calls=[], agent_trace=[]), "").passed


@pytest.mark.parametrize(
    ("settings", "output", "reason"),
    [
        pytest.param({}, "The sky is blue.", "No PII detected", id="clean"),
        pytest.param(
            {},
            "a@b.com, c@d.org, e@f.net, 555-123-4567",
            'PII detected (2 type(s)):\n  email: "a@b.com", "c@d.org" (3 match)\n  phone_us: "555-123-4567" (1 match)',
            id="two-samples-of-each",
        ),
        pytest.param(
            {"redact": True},
            "a@b.com",
            'PII detected (1 type(s)):\n  email: "[REDACTED-EMAIL]" (1 match)',
            id="redacted",
        ),
        pytest.param(
            {"redact": True},
            "a@b.com " * 150,
            'PII detected (1 type(s)):\n  email: "[REDACTED-EMAIL]", "[REDACTED-EMAIL]" (150 match)',
            id="all-are-counted",
        ),
        pytest.param({"jurisdiction": "gdpr"}, "MRN: 12345678", "No PII detected", id="another-law"),
        pytest.param(
            {"jurisdiction": "hipaa", "redact": True},
            "See https://portal.example/patient/123.",
            'PII detected (1 type(s)):\n  url: "[REDACTED-URL]" (1 match)',
            id="an-address-under-hipaa",
        ),
        pytest.param({}, "See https://portal.example/patient/123.", "No PII detected", id="an-address-elsewhere"),
        pytest.param(
            {"patterns": {"employee_id": r"EMP-\d{6}"}},
            "EMP-123456",
            'PII detected (1 type(s)):\n  employee_id: "EMP-123456" (1 match)',
            id="a-pattern-of-ones-own",
        ),
        pytest.param({}, "4111 1111 1111 1112", "No PII detected", id="wrong-check-digit"),
        pytest.param({"jurisdiction": "gdpr"}, "NPI: 1234567890", "No PII detected", id="of-another-law"),
        pytest.param(
            {"strict": False},
            "4111 1111 1111 1112",
            'PII detected (1 type(s)):\n  credit_card: "4111 1111 1111 1112" (1 match)',
            id="not-strict",
        ),
        pytest.param(
            {"jurisdiction": "dpdp"},
            "Refund processed to IFSC SBIN0001234 against PAN ABCDE1234F.",
            'PII detected (2 type(s)):\n  ifsc: "SBIN0001234" (1 match)\n  pan: "ABCDE1234F" (1 match)',
            id="the-documented-example",
        ),
    ],
)
def test_personal_data(settings: dict[str, Any], output: str, reason: str) -> None:
    found = check(multivon_eval.PIIEvaluator(**settings), output)
    clean = reason == "No PII detected"
    assert found == EvalResult("pii_detection", float(clean), clean, reason, {})


def test_personal_data_in_its_documented_order() -> None:
    parameters = inspect.signature(multivon_eval.PIIEvaluator).parameters
    assert [(name, parameters[name].default) for name in list(parameters)[:6]] == [
        ("jurisdiction", "all"), ("patterns", None), ("redact", False), ("threshold", 1.0), ("strict", True),
        ("use_ner", False),
    ]  # fmt: skip
    with pytest.raises(multivon_eval.EvaluatorPrereqMissing, match="recogniser of names"):
        multivon_eval.PIIEvaluator(use_ner=True)
    slow = multivon_eval.PIIEvaluator(patterns={"slow": "(x+x+)+y"})
    assert "given up" in check(slow, "x" * 50_000).reason


class Person(BaseModel):
    name: str
    age: int


@pytest.mark.parametrize(
    ("schema", "strict", "output", "score"),
    [
        pytest.param(OBJECT, False, '```json\n{"a": 1}\n```', 1.0, id="fenced"),
        pytest.param(OBJECT, False, '{"a": "x"}', 0.9, id="one-error-is-a-tenth"),
        pytest.param(OBJECT, False, "no JSON", 0.0, id="no-json"),
        pytest.param(OBJECT, False, '{"a": 1, "b": 2}', 1.0, id="more-is-allowed"),
        pytest.param(OBJECT, True, '{"a": 1, "b": 2}', 0.9, id="strict-refuses-more"),
        pytest.param(Person, False, '{"name": "Ada", "age": 36}', 1.0, id="model"),
        pytest.param(Person, False, '{"name": "Ada"}', 0.0, id="model-refuses"),
        pytest.param(Person, True, '{"name": "Ada", "age": 36, "x": 1}', 0.0, id="strict-model"),
    ],
)
def test_schemas(schema: Any, strict: bool, output: str, score: float) -> None:
    found = check(multivon_eval.SchemaEvaluator(schema, strict), output)
    assert (found.score, found.passed) == (score, score == 1.0)


def test_chrf_says_how_its_number_was_made() -> None:
    reason = check(multivon_eval.ChrfScore(max_n=2, beta=1.0), "the cat", "the cat sat").reason
    for words in ("orders=[1, 2]", "β=1.0", "avg_p=", "avg_r="):
        assert words in reason


def test_the_functions_that_tests_of_the_original_import() -> None:
    assert _levenshtein_distance("kitten", "sitting") == 3
    assert _char_ngrams("abcd", 3) == ["abc", "bcd"]
    assert _char_ngrams("ab", 3) == []


class Shouting(Evaluator):
    name = "shouting"

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        if case.expected_output is None:
            return self._skipped("nothing to shout")
        return self._result(float(output.isupper()), "loud", volume=11)


def test_an_evaluator_of_ones_own() -> None:
    found = Shouting(threshold=0.9).evaluate(EvalCase("q", expected_output="A"), "A")
    assert found == EvalResult("shouting", 1.0, True, "loud", {"volume": 11})
    assert Shouting().evaluate(EvalCase("q"), "a").metadata == {"skipped": True}
    assert asyncio.run(Shouting().aevaluate(EvalCase("q", expected_output="A"), "a")).passed is False
    with pytest.raises(TypeError):
        Evaluator()  # type: ignore[abstract]


def test_the_built_in_checks_are_evaluators() -> None:
    assert isinstance(multivon_eval.NotEmpty(), Evaluator)
    assert asyncio.run(multivon_eval.Latency(10).aevaluate(EvalCase("q"), "x", latency_ms=5)).passed


@given(st.text(st.characters()), st.none() | st.text(st.characters()))
def test_any_text_has_a_result(output: str, expected: str | None) -> None:
    for name in ("NotEmpty", "ExactMatch", "BLEU", "ROUGE", "Levenshtein", "ChrfScore"):
        found = check(getattr(multivon_eval, name)(), output, expected)
        assert 0.0 <= found.score <= 1.0


@pytest.mark.parametrize(
    ("evaluator", "reason"),
    [
        pytest.param(multivon_eval.Contains(["Mars", "x"]), "Missing: ['x']", id="missing"),
        pytest.param(multivon_eval.Contains(["mars"]), "All substrings found", id="all"),
        pytest.param(multivon_eval.Contains(["x", "MARS"], match_any=True), "Found: ['MARS']", id="any"),
        pytest.param(multivon_eval.Contains(["x", "y"], match_any=True), "None found of ['x', 'y']", id="none"),
        pytest.param(
            multivon_eval.ExactMatch(), "[skipped] the case has no expected_output to compare with", id="skip"
        ),
        pytest.param(multivon_eval.BLEU(), "[skipped] the case has no expected_output to compare with", id="skip-bleu"),
        pytest.param(multivon_eval.SchemaEvaluator({}), "Invalid JSON: ", id="no-json"),
    ],
)
def test_reasons_name_what_they_are_about(evaluator: Any, reason: str) -> None:
    assert check(evaluator, "Go to Mars.").reason.startswith(reason)


@pytest.mark.parametrize(
    ("case_sensitive", "output", "reason"),
    [
        (False, " PARIS", "Exact match"),
        (False, "Berlin ", "expected 'paris', got 'berlin'"),
        (True, "Berlin", "expected 'Paris', got 'Berlin'"),
        (False, "x" * 1_000, f"expected 'paris', got '{'x' * 80}'"),
    ],
)
def test_a_comparison_shows_what_was_compared(case_sensitive: bool, output: str, reason: str) -> None:
    found = multivon_eval.ExactMatch(case_sensitive).evaluate(EvalCase("q", "Paris"), output)
    assert found.reason == reason


def test_a_latency_in_time_shows_how_long_it_took() -> None:
    for kind in (multivon_eval.Latency, multivon_eval.MaxLatency):
        assert kind(1_000).evaluate(EvalCase("q"), "x", latency_ms=12.4).reason == "took 12 ms"


def test_of_two_names_of_a_bound_the_long_one_wins() -> None:
    both = multivon_eval.WordCount(min_words=5, max_words=50, min=1, max=30)
    assert (both.min_words, both.max_words) == (5, 50)


def test_unexpected_tools_that_count_are_called_so() -> None:
    case = EvalCase("q", expected_tool_calls=["a"], agent_trace=[AgentStep(tool_calls=[ToolCall("a"), ToolCall("b")])])
    for strict in (True, False):
        found = multivon_eval.ToolCallAccuracy(penalize_unexpected=strict).evaluate(case, "")
        assert ("strict mode" in found.reason) is strict
