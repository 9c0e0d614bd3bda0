"""context_bench: rows, results, metrics, the runner and the small parts, in their documented shape."""

from __future__ import annotations

import json
import sys
from math import inf
from pathlib import Path
from typing import Any

import context_bench
import pytest
from context_bench import EvalResult, EvalRow, evaluate
from context_bench.cache import ResultCache
from context_bench.evaluators import AnswerQuality, MultipleChoiceAccuracy
from context_bench.evaluators.math_equivalence import _normalize_latex, _try_parse_number
from context_bench.evaluators.rouge import rouge_l
from context_bench.metrics import (
    CompressionRatio,
    CostOfPass,
    Latency,
    MeanScore,
    ParetoRank,
    PassRate,
    PerDatasetBreakdown,
)
from context_bench.registry import Registry, get_metric, load_dataset, register_dataset, register_metric
from context_bench.reporters import to_json, to_markdown
from context_bench.reporters.html import to_html
from context_bench.runner import _has_rich, _process_example
from context_bench.types import Evaluator, Metric, System
from context_bench.utils.tokens import count_tokens, count_tokens_dict

from ringtrue.errors import ConfigurationError


class Shortening:
    """Returns a shorter context and no response, as a compressor does."""

    @property
    def name(self) -> str:
        return "shortening"

    def process(self, example: dict[str, Any]) -> dict[str, Any]:
        return {key: value[:40] if key == "context" else value for key, value in example.items() if key != "secret"}


class Same:
    name = "same"

    def process(self, example: dict[str, Any]) -> dict[str, Any]:
        return dict(example)


class Length:
    name = "length"

    def score(self, original: dict[str, Any], processed: dict[str, Any]) -> dict[str, float]:
        return {"score": len(processed["context"]) / len(original["context"]), "left_out": float("secret" in processed)}


DATASET = [{"id": name, "context": "some words " * 50, "answer": "x", "secret": "s"} for name in "abc"]


def test_an_evaluator_sees_the_dict_its_system_returned() -> None:
    result = evaluate([Shortening(), Same()], DATASET, [Length()], [MeanScore(), CompressionRatio()], progress=False)
    assert [row.system for row in result.rows] == ["shortening"] * 3 + ["same"] * 3
    assert result.rows[0].scores == {"score": 40 / 550, "left_out": 0.0}
    assert result.rows[3].scores == {"score": 1.0, "left_out": 1.0}
    assert result.summary["same"]["mean_score"] == 1.0
    assert result.summary["same"]["compression_ratio"] == 0.0
    assert result.summary["shortening"]["compression_ratio"] == pytest.approx(1 - 12 / 104, abs=0.2)
    assert isinstance(result, EvalResult)
    assert all(isinstance(row, EvalRow) for row in result.rows)


@pytest.mark.parametrize("workers", [None, 0, 1, 4])
def test_order_ids_and_configuration_do_not_depend_on_workers(workers: int | None) -> None:
    rows = [{"context": str(place), "dataset": "d"} for place in range(12)]
    result = evaluate([Same()], rows, [Length()], max_examples=10, progress=False, max_workers=workers)
    assert [row.example_id for row in result.rows] == list(range(10))
    assert {row.dataset for row in result.rows} == {"d"}
    assert result.config["max_workers"] == (workers or 1)
    assert result.config["num_examples"] == 10
    assert all(row.latency is not None and row.latency > 0 for row in result.rows)
    assert result.timing["same"] > 0


def test_an_endless_dataset_is_read_as_far_as_it_is_wanted() -> None:
    endless = iter(lambda: {"context": "x"}, None)
    assert len(evaluate([Same()], endless, [Length()], max_examples=2, progress=False).rows) == 2


class Counting:
    name = "counting"
    calls = 0

    def process(self, example: dict[str, Any]) -> dict[str, Any]:
        type(self).calls += 1
        return {**example, "response": "ok", "seen": example["context"].upper(), "api_usage": {"prompt_tokens": 3}}


class Seen:
    def score(self, original: dict[str, Any], processed: dict[str, Any]) -> dict[str, float]:
        return {"seen": float(processed["seen"] == original["context"].upper())}


def test_a_cache_folder_spares_every_call_and_keeps_every_row(tmp_path: Path) -> None:
    Counting.calls = 0
    rows = [{"id": number, "context": f"c{number}"} for number in range(5)]
    first = evaluate([Counting()], rows, [Seen()], progress=False, cache_dir=str(tmp_path))
    again = evaluate([Counting()], rows, [Seen()], progress=False, cache_dir=tmp_path, max_workers=3)
    assert Counting.calls == 5
    assert [row.scores for row in again.rows] == [row.scores for row in first.rows] == [{"seen": 1.0}] * 5
    assert again.rows[0].metadata == {"prompt_tokens": 3, "completion_tokens": 0, "total_tokens": 0}
    evaluate([Counting()], [{**rows[0], "context": "new"}], [Seen()], progress=False, cache_dir=tmp_path)
    assert Counting.calls == 6  # other content, another call


def test_nothing_is_kept_without_a_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    evaluate([Same()], DATASET, [Length()], progress=False)
    assert not list(tmp_path.iterdir())


class Talking:
    name = "talking"

    def process_conversation(self, turns: list[dict[str, str]]) -> list[dict[str, str]]:
        return [{"role": "assistant", "content": f"to {turn['content']}"} for turn in turns]


class Last:
    def score(self, original: dict[str, Any], processed: dict[str, Any]) -> dict[str, float]:
        return {
            "turns": float(len(processed.get("turn_responses", ()))),
            "last": float(processed["response"] == "to b"),
        }


def test_an_example_of_several_turns_is_a_conversation() -> None:
    turns = [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]
    row = _process_example(Talking(), {"multi_turn": True, "turns": turns}, 7, [Last()], None)
    assert row.example_id == 7
    assert row.scores == {"turns": 2.0, "last": 1.0}
    assert "prompt_tokens" not in row.metadata


def test_a_system_without_conversations_gets_the_example() -> None:
    class Single:
        name = "single"

        def process(self, example: dict[str, Any]) -> dict[str, Any]:
            return {**example, "response": "to b"}

    row = _process_example(Single(), {"id": 0, "multi_turn": True, "turns": []}, 0, [Last()], None)
    assert row.scores == {"turns": 0.0, "last": 1.0}


def test_a_system_that_fails_costs_its_own_row() -> None:
    class Failing:
        name = "failing"

        def process(self, example: dict[str, Any]) -> Any:
            if example["id"] == "b":
                raise ValueError("no b")
            return None if example["id"] == "c" else {**example, "response": "x"}

    result = evaluate([Failing()], DATASET, [AnswerQuality()], [MeanScore("f1")], progress=False)
    assert [row.status for row in result.rows] == ["ok", "system_error", "ok"]
    assert "no b" in result.rows[1].metadata["problem"]
    assert "None" in result.rows[2].metadata["problem"]  # no answer is a wrong answer
    assert result.summary["failing"]["mean_score"] == 0.5
    assert result.details["failing"]["f1"].errors == 1


def test_a_system_cannot_rewrite_the_gold_answer() -> None:
    class Cheating:
        name = "cheating"

        def process(self, example: dict[str, Any]) -> dict[str, Any]:
            example["answer"] = example["response"] = "mine"
            return example

    rows = [{"id": 0, "answer": "yours"}]
    result = evaluate([Cheating()], rows, [AnswerQuality()], progress=False)
    assert result.rows[0].scores["f1"] == 0.0
    assert rows == [{"id": 0, "answer": "yours"}]


def test_an_evaluator_with_a_score_of_its_own_is_asked_for_it() -> None:
    class Doubting(AnswerQuality):
        def score(self, original: Any, processed: Any) -> dict[str, float]:
            return {"doubt": super().score(original, processed)["f1"] / 2}

    class Answering:
        name = "answering"

        def process(self, example: dict[str, Any]) -> dict[str, Any]:
            return {**example, "response": "x"}

    result = evaluate([Answering()], DATASET[:1], [Doubting()], progress=False)
    assert result.rows[0].scores == {"doubt": 0.5}


def test_evaluators_follow_from_the_dataset_where_none_are_given() -> None:
    class Choosing:
        name = "choosing"

        def process(self, example: dict[str, Any]) -> dict[str, Any]:
            return {**example, "response": "The answer is B."}

    rows = [
        {"id": 0, "dataset": "mmlu:anatomy", "correct_letter": "B", "answer": "B"},
        {"id": 1, "dataset": "hotpotqa", "answer": "B"},
    ]
    result = evaluate([Choosing()], rows, progress=False)
    assert result.rows[0].scores["mc_accuracy"] == 1.0
    assert "mc_accuracy" not in result.rows[1].scores
    assert "f1" in result.rows[1].scores


def test_what_cannot_be_measured_is_not_a_number_in_a_run() -> None:
    metrics = [MeanScore("mc_accuracy")]
    rows = [{"id": 0, "context": "c", "answer": "x"}]
    result = evaluate([Counting()], rows, [MultipleChoiceAccuracy()], metrics, progress=False)
    assert result.rows[0].scores == {}
    assert result.rows[0].absent == {"mc_accuracy": "skipped"}


@pytest.mark.parametrize(
    ("systems", "evaluators", "metrics", "words"),
    [
        ([Same(), Same()], [Length()], [], "two systems are named 'same'"),
        ([Same()], [AnswerQuality()], [MeanScore("f2")], "reads the score 'f2', which no evaluator gives"),
        ([Same()], [AnswerQuality(), AnswerQuality()], [], "two evaluators are named"),
        ([Same], [Length()], [], "Same is a class"),
        ([Same()], [], [], "no evaluator"),
    ],
    ids=["systems", "score_field", "evaluators", "class", "none"],
)
def test_a_wrong_plan_raises_before_the_first_call(systems: Any, evaluators: Any, metrics: Any, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        evaluate(systems, DATASET, evaluators, metrics, progress=False)


def rows(*scores: float) -> list[EvalRow]:
    return [EvalRow("s", number, {"score": score}, 100, 50) for number, score in enumerate(scores)]


def test_a_row_is_positional_and_was_never_timed() -> None:
    row = EvalRow("s", 1, {"f1": 0.5}, 10, 5, {"k": 1}, 0.25, "d")
    assert (row.metadata, row.latency, row.dataset) == ({"k": 1}, 0.25, "d")
    assert (EvalRow("s", 0, {}, 1, 2).latency, EvalRow("s", 0, {}, 1, 2).dataset) == (0.0, "")


@pytest.mark.parametrize(
    ("metric", "given", "numbers"),
    [
        (MeanScore(), rows(0.9, 0.3, 0.6), {"mean_score": 0.6}),
        (MeanScore(), [], {"mean_score": 0.0}),
        (PassRate(0.6), rows(0.9, 0.3, 0.6), {"pass_rate": 2 / 3}),
        (PassRate(), [], {"pass_rate": 0.0}),
        (CompressionRatio(), rows(1), {"compression_ratio": 0.5, "mean_input_tokens": 100, "mean_output_tokens": 50}),
        (CompressionRatio(), [], {"compression_ratio": 0.0, "mean_input_tokens": 0.0, "mean_output_tokens": 0.0}),
        (CostOfPass(), rows(0.9, 0.3), {"cost_of_pass": 100.0, "num_passing": 1.0}),
        (CostOfPass(), rows(0.1), {"cost_of_pass": inf, "num_passing": 0.0}),
        (Latency(), [], dict.fromkeys(("latency_mean", "latency_median", "latency_p95", "latency_p99"), 0.0)),
        (PerDatasetBreakdown("score"), rows(0.5), {"dataset:unknown": 0.5}),
        (PerDatasetBreakdown(), [], {}),
    ],
    ids=["mean", "mean_none", "rate", "rate_none", "ratio", "ratio_none", "cost", "cost_inf", "latency", "data",
         "no_data"],
)  # fmt: skip
def test_metrics_give_floats(metric: Any, given: list[EvalRow], numbers: dict[str, float]) -> None:
    assert metric.compute(given) == pytest.approx(numbers)
    assert isinstance(metric, Metric)


def test_metric_defaults_and_names() -> None:
    assert (MeanScore().score_field, PassRate().threshold, PerDatasetBreakdown().score_field) == ("score", 0.7, "f1")
    assert (ParetoRank().quality_field, ParetoRank().cost_field) == ("score", "cost_of_pass")
    kinds = (MeanScore, PassRate, CompressionRatio, CostOfPass, Latency, PerDatasetBreakdown, ParetoRank)
    named = ["mean_score", "pass_rate", "compression_ratio", "cost_of_pass", "latency", "per_dataset", "pareto_rank"]
    assert [kind().name for kind in kinds] == named


def test_pareto_rank_compares_the_mean_score() -> None:
    summary = {
        "dear": {"mean_score": 0.9, "cost_of_pass": 100.0},
        "cheap": {"mean_score": 0.8, "cost_of_pass": 50.0},
        "bad": {"mean_score": 0.7, "cost_of_pass": 200.0},
    }
    assert ParetoRank.rank_systems(summary) == ParetoRank().rank(summary) == {"dear": 1, "cheap": 1, "bad": 2}


def test_a_result_that_was_made_by_hand_keeps_its_summary() -> None:
    summary = {"a": {"mean_score": 0.9}, "b": {"mean_score": 0.1}}
    result = EvalResult([EvalRow("a", 0, {"f1": 0.9}, 1, 1), EvalRow("b", 0, {"f1": 0.1}, 1, 1)], summary)
    kept = result.filter(system="a")
    assert isinstance(kept, EvalResult)
    assert (len(kept.rows), kept.summary) == (1, {"a": {"mean_score": 0.9}})
    with pytest.raises(ConfigurationError, match="no attribute 'sytem'"):
        result.filter(sytem="a")


def test_a_filtered_run_is_summed_up_again() -> None:
    data = [{"id": 0, "answer": "x", "dataset": "p"}, {"id": 1, "answer": "y", "dataset": "q"}]

    class Saying:
        name = "saying"

        def process(self, example: dict[str, Any]) -> dict[str, Any]:
            return {**example, "response": "x"}

    result = evaluate([Saying()], data, [AnswerQuality()], [MeanScore("f1")], progress=False)
    assert result.summary["saying"]["mean_score"] == 0.5
    assert result.filter(dataset="p").summary == {"saying": {"mean_score": 1.0}}


HOSTILE = "</script><script>alert(1)</script>\ud800"


def test_reports() -> None:
    row = EvalRow(HOSTILE, HOSTILE, {"f1": 0.9}, 100, 50, latency=0.1, dataset="<img src=x onerror=alert(1)>")
    summary: dict[str, dict[str, float | None]] = {HOSTILE: {"mean_score": 0.9, "cost_of_pass": inf}}
    result = EvalResult([row], summary, {HOSTILE: 1.5}, {"num_examples": 1})
    page = to_html(result)
    assert page.encode()
    for words in ("<!DOCTYPE html>", "context-bench", "0.9000", "rowData", "filterRows"):
        assert words in page
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "mean_score" in to_markdown(result)
    assert json.loads(to_json(result))["rows"][0]["latency"] == 0.1
    assert "Infinity" not in to_json(result)


def test_reports_of_nothing() -> None:
    assert "No results" in to_html(EvalResult([], {}))
    assert to_markdown(EvalResult([], {})) == "No results to report."
    assert to_markdown(EvalResult([], {"a": {}})) == "No metrics computed."


def test_the_cache_of_rows_outlives_a_torn_line_and_shows_ids_apart(tmp_path: Path) -> None:
    names = (["s"], ["d"], ["e"])
    cache = ResultCache(tmp_path, *names)
    cache.put(EvalRow("s", 1, {"f1": 1.0}, 10, 5, dataset="d", latency=0.1))
    cache.put(EvalRow("s", "1", {"f1": 0.0}, 10, 5, dataset="d"))
    with cache.cache_path.open("a") as file:
        file.write('123\n{"system": "s"}\n{"system": "s", "example')
    again = ResultCache(cache_dir=tmp_path, systems=["s"], datasets=["d"], evaluators=["e"])
    again.put(EvalRow("s", 2, {"f1": 0.5}, 10, 5, dataset="d"))
    found = ResultCache(tmp_path, *names)
    assert found.cached_count == 3
    assert [found.get("s", "d", name).scores["f1"] for name in (1, "1", 2)] == [1.0, 0.0, 0.5]  # type: ignore[union-attr]
    assert found.get("s", "d", 1).latency == 0.1  # type: ignore[union-attr]
    assert found.get("s", "d", "missing") is None
    assert ResultCache(tmp_path, ["other"], ["d"], ["e"]).cached_count == 0


def test_the_registry() -> None:
    own = Registry()
    own.register("dataset", "mine", list)
    assert own.get("dataset", "mine") is list
    assert (own.list("dataset"), own.list("metric")) == (["mine"], [])
    with pytest.raises(KeyError, match="No dataset registered with name 'other'; there are mine"):
        own.get("dataset", "other")
    register_dataset("dropin-test", lambda n=None: list(range(n or 5)))
    register_metric("dropin-test", Latency)
    assert load_dataset("dropin-test", n=3) == [0, 1, 2]
    assert get_metric("dropin-test") is Latency


def test_tokens() -> None:
    assert count_tokens("hello world") == 2
    assert count_tokens("hello <|endoftext|>") > 2  # the name of a special token is text
    assert count_tokens("a b c", lambda text: len(text.split())) == 3
    given = {"context": "hello world", "answer": "hello", "turns": ["hello"], "none": None}
    assert count_tokens_dict(given) == 3
    assert count_tokens_dict(given, ["context"]) == 2
    row = evaluate([Same()], [{"id": 0, "context": "hello world"}], [Length()], progress=False).rows[0]
    assert (row.input_tokens, row.output_tokens) == (2, 2)


def test_private_names_of_the_original() -> None:
    assert _normalize_latex(r"\text{cm}") == "cm"
    assert "\\," not in _normalize_latex(r"1\,000")
    assert [_try_parse_number(text) for text in ("42", "1/2", "(1)/(2)", "25%", "no number")] == [
        42,
        0.5,
        0.5,
        0.25,
        None,
    ]
    assert _has_rich()
    assert rouge_l("the cat sat on the mat", "the cat on the mat")["rouge_l_precision"] == pytest.approx(5 / 6)
    assert rouge_l("x", "")["rouge_l_f1"] == 0.0


def test_rich_is_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rich", None)
    assert not _has_rich()


def test_public_names() -> None:
    assert set(context_bench.__all__) == {"ClaudeCLI", "EvalResult", "EvalRow", "OpenAIProxy", "evaluate"}
    assert all(getattr(context_bench, name) for name in context_bench.__all__)
    assert isinstance(Same(), System)
    assert isinstance(Length(), Evaluator)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        context_bench.nothing  # noqa: B018
