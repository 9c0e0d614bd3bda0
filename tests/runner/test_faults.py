"""Runs against an endpoint that fails on purpose: every case gets its answer, or a row that says why not."""

from __future__ import annotations

from typing import Any

import pytest

from ringtrue import evaluate
from ringtrue.evaluators import ExactMatch
from ringtrue.reports.eval_result import EvalResult
from ringtrue.systems.openai_proxy import OpenAIProxy
from support.endpoint import EndpointServer

FAULTS = {"429": 0.05, "500": 0.02, "hang": 0.01}


def rows(count: int) -> list[dict[str, Any]]:
    return [{"id": n, "question": f"Say [[city {n}]] please.", "answer": f"city {n}"} for n in range(count)]


def run(server: EndpointServer, count: int, in_flight: int, store: str, **settings: Any) -> EvalResult:
    settings = {"timeout": 5.0, "max_retries": 8, "retry_base_delay": 0.05, **settings}
    system = OpenAIProxy(server.base_url, "m", "proxy", max_in_flight=in_flight, **settings)
    return evaluate(system, rows(count), [ExactMatch()], max_workers=in_flight, store=store, progress=False)


def check_every_case_answered(server: EndpointServer, result: EvalResult, count: int) -> None:
    assert [row.response for row in result.rows] == [f"city {n}" for n in range(count)]
    summary = result.details["proxy"]["exact_match"]
    assert (summary.value, summary.n, summary.errors) == (1.0, count, 0)
    assert server.early() == []
    stats = server.stats()
    assert stats["answered"] == count
    # Each refusal, failure and silence costs one more request, and nothing else does.
    assert stats["requests"] == count + sum(stats["faults"].values())


def test_every_case_is_answered_in_spite_of_faults(server: EndpointServer, store: str) -> None:
    server.plan(shares=FAULTS, seed=3, retry_after=1, latency_seconds=0.01)
    result = run(server, 150, 30, store, timeout=5)
    check_every_case_answered(server, result, 150)
    assert {"429", "500", "hang"} <= set(server.stats()["faults"]), "the seed gives each fault"


def test_at_default_options_what_hangs_is_given_up_and_asked_again(server: EndpointServer, store: str) -> None:
    server.plan(sequence=["ok", "hang", "429", "500"], retry_after=1, latency_seconds=0.01)
    system = OpenAIProxy(server.base_url, "m", "proxy")
    result = evaluate(system, rows(80), [ExactMatch()], store=store, progress=False)
    check_every_case_answered(server, result, 80)
    (hung,) = [entry for entry in server.stats()["log"] if entry["fault"] == "hang"]
    assert 2 <= hung["left_at"] - hung["at"] < 28, "not the thirty seconds of its timeout"


@pytest.mark.heavy
def test_two_thousand_cases_at_default_options(server: EndpointServer, store: str) -> None:
    server.plan(shares=FAULTS, seed=1, retry_after=1, latency_seconds=0.05)
    system = OpenAIProxy(server.base_url, "m", "proxy")
    result = evaluate(system, rows(2_000), [ExactMatch()], store=store, progress=False, max_workers=100)
    check_every_case_answered(server, result, 2_000)
    log = server.stats()["log"]
    assert log[-1]["at"] - log[0]["at"] < 60, "it was 318 once"


@pytest.mark.heavy
def test_two_thousand_cases_are_answered_in_spite_of_faults(server: EndpointServer, store: str) -> None:
    server.plan(shares=FAULTS, seed=1, retry_after=1, latency_seconds=0.05)
    check_every_case_answered(server, run(server, 2_000, 100, store), 2_000)


BAD_ANSWERS = {
    "garbage": ("model_error", "not a JSON object"),
    "html": ("model_error", "HTML"),
    "empty-choices": ("model_error", "an empty list of choices"),
    "error-inside": ("model_error", "the upstream is away"),
    "half": ("model_error", "broke the connection"),
    "reset": ("model_error", "broke the connection"),
    "not-http": ("model_error", "broke the connection"),
    "redirect": ("model_error", "answered 307"),
    "429": ("model_error", "answered 429"),
    "500": ("model_error", "answered 500"),
    "401": ("model_error", "check the API key"),
    "hang": ("timeout", "gave no whole answer in 1 s"),
}


@pytest.mark.parametrize("fault", BAD_ANSWERS)
def test_a_bad_answer_is_an_error_row_and_stays_in_the_denominator(
    server: EndpointServer, store: str, fault: str
) -> None:
    server.plan(shares={fault: 0.5}, seed=2, retry_after=0)
    result = run(server, 12, 4, store, max_retries=0, timeout=1 if fault == "hang" else 60)
    status, words = BAD_ANSWERS[fault]
    bad = [row for row in result.rows if row.status != "ok"]
    assert 0 < len(bad) < 12
    for row in bad:
        assert row.status == status
        assert words in row.metadata["problem"]
        assert server.base_url in row.metadata["problem"]
        assert (row.scores, row.absent) == ({}, {"exact_match": "error"})
    good = 12 - len(bad)
    summary = result.details["proxy"]["exact_match"]
    assert (summary.value, summary.n, summary.errors) == (1.0, good, len(bad))
    assert summary.bounds == (pytest.approx(good / 12), 1.0)

    # Nothing that was answered is lost: the next run asks for the rest, and only for that.
    server.plan()
    again = run(server, 12, 4, store)
    assert [row.status for row in again.rows] == ["ok"] * 12
    assert sorted(server.asked()) == sorted(f"Say [[city {row.example_id}]] please." for row in bad)


def test_an_answer_without_content_is_an_empty_answer(server: EndpointServer, store: str) -> None:
    server.plan(shares={"null-content": 1.0})
    result = run(server, 3, 3, store)
    assert [(row.status, row.response) for row in result.rows] == [("ok", "")] * 3
    summary = result.details["proxy"]["exact_match"]
    assert (summary.value, summary.n) == (0.0, 3)


def test_an_endpoint_that_is_not_there(store: str) -> None:
    system = OpenAIProxy("http://127.0.0.1:9", "m", "nobody", max_retries=1, retry_base_delay=0.0)
    result = evaluate(system, rows(3), [ExactMatch()], store=store, progress=False)
    assert [row.status for row in result.rows] == ["model_error"] * 3
    assert result.details["nobody"]["exact_match"].bounds == (0.0, 1.0)


def test_a_case_has_a_deadline_of_its_own(server: EndpointServer, store: str) -> None:
    server.plan(shares={"hang": 1.0})
    system = OpenAIProxy(server.base_url, "m", "proxy", timeout=30.0)
    result = evaluate(system, rows(4), [ExactMatch()], store=store, progress=False, timeout=0.3)
    assert [row.status for row in result.rows] == ["timeout"] * 4
    assert result.rows[0].metadata["problem"] == "no answer within 0.3 s"


def test_budgets_stop_a_run_and_what_is_finished_stays(server: EndpointServer, store: str) -> None:
    server.plan()
    first = evaluate(
        OpenAIProxy(server.base_url, "m", "proxy"), rows(60), [ExactMatch()], store=store, progress=False,
        max_workers=2, max_tokens=50,
    )  # fmt: skip
    assert "--max-tokens 50 is used up" in first.config["stopped_by"]
    assert first.config["status"] == "stopped"
    finished = len(first.rows)
    assert 0 < finished < 60
    assert finished == server.stats()["requests"]
    second = run(server, 60, 2, store)
    assert second.config["run"] == first.config["run"]
    assert len(second.rows) == 60
    assert server.stats()["requests"] == 60


@pytest.mark.parametrize("fault", ["401", "404"])
def test_a_refused_key_or_model_stops_a_run(server: EndpointServer, store: str, fault: str) -> None:
    server.plan(shares={fault: 1.0})
    system = OpenAIProxy(server.base_url, "m", "proxy")
    result = evaluate(system, rows(300), [ExactMatch()], store=store, progress=False)
    assert f"answered {fault}: 'a failure on purpose'" in result.config["stopped_by"]
    assert "the rest was not asked" in result.config["stopped_by"]
    assert 5 <= server.stats()["requests"] < 50, "not three hundred"

    server.plan()
    other = evaluate(system, rows(300), [ExactMatch()], store=store, progress=False)
    assert other.details["proxy"]["exact_match"].n == 300, "the rest is asked once the key is right"


def test_an_address_where_no_one_is_stops_a_run_and_another_system_continues(
    server: EndpointServer, store: str
) -> None:
    server.plan()
    unreachable = OpenAIProxy("http://127.0.0.1:9", "m", "nobody", max_retries=1, retry_base_delay=0.0)
    systems = [unreachable, OpenAIProxy(server.base_url, "m", "proxy")]
    result = evaluate(systems, rows(100), [ExactMatch()], store=store, progress=False)
    assert "cannot be reached" in result.config["stopped_by"]
    assert len([row for row in result.rows if row.system == "nobody"]) < 70
    assert result.details["proxy"]["exact_match"].n == 100


def test_too_many_errors_stop_a_run(server: EndpointServer, store: str) -> None:
    server.plan(shares={"400": 1.0})
    system = OpenAIProxy(server.base_url, "m", "proxy")
    result = evaluate(system, rows(200), [ExactMatch()], store=store, progress=False, max_workers=4, max_errors=5)
    assert "--max-errors 5 is used up" in result.config["stopped_by"]
    assert 6 <= server.stats()["requests"] <= 10


def test_the_key_is_sent_and_never_kept(server: EndpointServer, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-1234")
    server.plan(shares={"401": 0.5})
    folder = tmp_path / "kept"
    system = OpenAIProxy(server.base_url, "m", "proxy", max_retries=0)
    result = evaluate(system, rows(8), [ExactMatch()], cache_dir=folder, progress=False)
    assert server.stats()["log"][0]["authorization"] == "Bearer sk-very-secret-1234"
    kept = b"".join(path.read_bytes() for path in folder.iterdir())
    assert b"sk-very-secret" not in kept
    assert "sk-very-secret" not in result.to_json() + repr(system)
