"""Who judges, how it is reached, what is kept of its replies, and what they cost."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import multivon_eval
import pytest
from multivon_eval import (
    CacheError,
    CalibrationMissing,
    Costs,
    CostTracker,
    EvalCase,
    EvalResult,
    EvalStatus,
    EvalSuite,
    JudgeCache,
    JudgeConfig,
    JudgeRetry,
    JudgeUnavailable,
    ModelPricing,
    ProviderUsage,
    calibrated_threshold,
    configure,
    get_cache,
    load_calibration,
    register_pricing,
    set_cache,
    set_calibration_fallback_policy,
)
from multivon_eval.costs import active_tracker, record_call, reset_token, set_active_tracker
from multivon_eval.evaluators.base import Evaluator
from multivon_eval.evaluators.llm_judge import CustomRubric, _with_max_tokens
from multivon_eval.judge import (
    fresh_judgements,
    get_global_judge,
    make_judge_call,
    make_judge_call_async,
    resolve_judge,
)
from multivon_eval.judge_endpoints import looks_unset, ollama_address, parameters, unavailable
from multivon_eval.retry import should_retry

from ringtrue.errors import ModelError
from support.saying import SayingEndpoint

VARIABLES = [
    "JUDGE_PROVIDER", "JUDGE_MODEL", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "ANTHROPIC_API_KEY",
    "GOOGLE_API_KEY", "GEMINI_API_KEY", "OLLAMA_HOST", "MULTIVON_JUDGE_CACHE", "MULTIVON_CACHE_TTL",
    "MULTIVON_CALIBRATION_FILE", "MULTIVON_CALIBRATION_VERSION", "MULTIVON_CALIBRATION_FALLBACK",
]  # fmt: skip


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MULTIVON_CACHE_DIR", str(tmp_path / "cache"))
    configure(JudgeConfig())
    set_cache(None)
    set_calibration_fallback_policy("warn")
    yield
    configure(JudgeConfig())
    set_cache(None)


def at(endpoint: SayingEndpoint, **settings: Any) -> JudgeConfig:
    return JudgeConfig(**{"provider": "openai", "model": "m", "base_url": endpoint.base_url, **settings}).resolve()


def test_the_defaults() -> None:
    judge = resolve_judge(None)
    assert (judge.provider, judge.model, judge.base_url) == ("anthropic", "claude-haiku-4-5-20251001", "")
    assert (judge.temperature, judge.max_tokens, judge.timeout, judge.cache) == (0.0, 1024, 30, False)


def test_the_nearer_setting_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_PROVIDER", "OpenAI")
    monkeypatch.setenv("JUDGE_MODEL", "from-env")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://env/v1")
    assert (resolve_judge(None).provider, resolve_judge(None).model) == ("openai", "from-env")
    configure(JudgeConfig(model="configured", temperature=0.7, timeout=60, extra={"a": 1, "b": 1}))
    judge = resolve_judge(JudgeConfig(temperature=0.0, extra={"b": 2}))
    assert (judge.model, judge.temperature, judge.timeout, judge.extra) == ("configured", 0.0, 60, {"a": 1, "b": 2})
    assert judge.base_url == "http://env/v1"
    assert resolve_judge(JudgeConfig(model="own", base_url="http://own/v1")).base_url == "http://own/v1"
    assert get_global_judge().model == "configured"


def test_an_unknown_provider_is_refused() -> None:
    with pytest.raises(ValueError, match="anthropic, google, litellm, ollama, openai"):
        JudgeConfig(provider="openia")


@pytest.mark.parametrize(
    ("given", "host", "address"),
    [
        ("", None, "http://localhost:11434/v1"),
        ("", "box:1", "http://box:1/v1"),
        ("", "https://box/", "https://box/v1"),
        ("http://own/v1", "box", "http://own/v1"),
        ("http://own", None, "http://own/v1"),
    ],
)
def test_where_ollama_is(given: str, host: str | None, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if host is not None:
        monkeypatch.setenv("OLLAMA_HOST", host)
    assert ollama_address(given) == address


def test_ollama_is_asked_over_openais_api() -> None:
    with SayingEndpoint("Yes") as endpoint:
        judge = at(endpoint, provider="ollama", model="ollama/qwen2.5:7b", base_url=endpoint.base_url[: -len("/v1")])
        assert make_judge_call("Is it?", judge) == "Yes"
    assert endpoint.asked[0]["model"] == "qwen2.5:7b"


@pytest.mark.parametrize("provider", ["openai", "anthropic", "google"])
def test_every_named_provider_takes_an_address(provider: str) -> None:
    """Anthropic and Google answer the same API; a gateway may stand before each."""
    with SayingEndpoint("Yes") as endpoint:
        judge = at(endpoint, provider=provider, temperature=0.3, max_tokens=7)
        assert make_judge_call("Is it?", judge) == "Yes"
        assert asyncio.run(make_judge_call_async("Is it?", judge)) == "Yes"
    for body in endpoint.asked:
        assert (body["temperature"], body["max_tokens"]) == (0.3, 7)
        assert body["messages"] == [{"role": "user", "content": "Is it?"}]


@pytest.mark.parametrize(
    ("provider", "model", "told"),
    [
        ("openai", "gpt-4o-mini", {"max_completion_tokens": 1024, "temperature": 0.0}),
        ("openai", "gpt-5-mini", {"max_completion_tokens": 1024}),
        ("anthropic", "claude-opus-4-7", {"max_tokens": 1024}),
        ("anthropic", "claude-haiku-4-5", {"max_tokens": 1024, "temperature": 0.0}),
    ],
)
def test_what_a_model_is_told(provider: str, model: str, told: dict[str, Any]) -> None:
    assert parameters(JudgeConfig(provider=provider, model=model).resolve()) == told


@pytest.mark.parametrize(
    ("provider", "key"),
    [("openai", "OPENAI_API_KEY"), ("anthropic", "ANTHROPIC_API_KEY"), ("google", "GOOGLE_API_KEY")],
)
def test_a_missing_key_says_which(provider: str, key: str) -> None:
    with pytest.raises(JudgeUnavailable, match=key) as caught:
        make_judge_call("Is it?", JudgeConfig(provider=provider).resolve())
    assert caught.value.provider == provider
    assert caught.value.__cause__ is not None
    assert "ollama" in str(caught.value)
    with pytest.raises(JudgeUnavailable, match=key):
        asyncio.run(make_judge_call_async("Is it?", JudgeConfig(provider=provider).resolve()))


def test_an_endpoint_that_is_not_there_says_what_to_set_up() -> None:
    judge = JudgeConfig("openai", "m", "http://127.0.0.1:9/v1", timeout=1).resolve()
    with pytest.raises(JudgeUnavailable, match="run a model of your own"):
        make_judge_call("Is it?", judge)


def test_a_fault_of_the_request_gets_no_advice_on_keys() -> None:
    error = ModelError("answered 400: the prompt is too long", kind="http", status=400)
    assert not looks_unset(error)
    assert "OPENAI_API_KEY" not in str(unavailable("openai", "m", error))
    assert looks_unset(ModelError("answered 401", kind="http", status=401))


def test_litellm_says_what_to_install() -> None:
    with pytest.raises(JudgeUnavailable, match="pip install litellm"):
        make_judge_call("Is it?", JudgeConfig(provider="litellm", model="bedrock/x").resolve())


def test_litellm_is_told_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its functions are replaced: it is not installed here, and would ask the world."""
    told: list[dict[str, Any]] = []

    def completion(**settings: Any) -> Any:
        told.append(settings)
        message = SimpleNamespace(content="Yes")
        usage = SimpleNamespace(prompt_tokens=7, completion_tokens=1)
        return SimpleNamespace(choices=[SimpleNamespace(message=message)], usage=usage)

    async def acompletion(**settings: Any) -> Any:
        return completion(**settings)

    monkeypatch.setitem(sys.modules, "litellm", SimpleNamespace(completion=completion, acompletion=acompletion))
    judge = JudgeConfig("litellm", "bedrock/x", "http://gateway", temperature=0.2, extra={"top_p": 0.5}).resolve()
    tracker = CostTracker()
    token = set_active_tracker(tracker)
    assert make_judge_call("Is it?", judge) == "Yes"
    assert asyncio.run(make_judge_call_async("Is it?", judge)) == "Yes"
    reset_token(token)
    assert told[0] == told[1]
    known = {"model": "bedrock/x", "api_base": "http://gateway", "temperature": 0.2, "timeout": 30, "top_p": 0.5}
    assert known.items() <= told[0].items()
    assert tracker.snapshot().total_input_tokens == 14


def test_a_model_that_thinks_gets_room_for_it() -> None:
    plain, thinking = JudgeConfig(model="gpt-4o", max_tokens=50), JudgeConfig(model="qwen3-8b", base_url="http://h")
    assert _with_max_tokens(plain, 100).max_tokens == 100
    assert _with_max_tokens(plain, None).max_tokens == 50
    assert [_with_max_tokens(thinking, most).max_tokens for most in (100, 512, 9_000, None)] == [2048, 4096, 9000, 2048]
    assert _with_max_tokens(thinking, 100).base_url == "http://h"


# -- what is kept ------------------------------------------------------------------------------------------------------


def test_a_kept_reply_is_not_asked_for_again(tmp_path: Path) -> None:
    with SayingEndpoint(["Yes", "No"]) as endpoint:
        judge = at(endpoint, cache=True)
        assert [make_judge_call("Is it?", judge) for _ in range(3)] == ["Yes"] * 3
        assert asyncio.run(make_judge_call_async("Is it?", judge)) == "Yes"
        with fresh_judgements():
            assert make_judge_call("Is it?", judge) == "No"
        assert make_judge_call("Is it?", judge) == "Yes"
    assert len(endpoint.asked) == 2
    assert (get_cache().stats.hits, get_cache().stats.writes) == (4, 1)
    assert get_cache().db_path == tmp_path / "cache" / "judge.db"
    set_cache(None)
    again = JudgeCache()
    assert again.get("Is it?", judge) == "Yes"
    assert (again.size(), again.clear(), again.size()) == (1, 1, 0)


def test_a_cache_is_used_where_it_was_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not JudgeConfig().resolve().cache
    set_cache(JudgeCache(tmp_path / "own.db"))
    assert JudgeConfig().resolve().cache
    set_cache(None)
    monkeypatch.setenv("MULTIVON_JUDGE_CACHE", "1")
    assert JudgeConfig().resolve().cache


def test_what_decides_a_reply_decides_the_key(tmp_path: Path) -> None:
    cache, judge = JudgeCache(tmp_path / "c.db"), JudgeConfig("openai", "m").resolve()
    cache.put("p", judge, "kept")
    cache.put("p", judge, "kept later")
    others = [
        {"provider": "google"}, {"model": "n"}, {"base_url": "http://h"}, {"temperature": 0.5}, {"max_tokens": 9},
        {"extra": {"top_p": 1}},
    ]  # fmt: skip
    told = {"provider": "openai", "model": "m"}
    assert [cache.get("p", JudgeConfig(**{**told, **other}).resolve()) for other in others] == [None] * len(others)
    assert cache.get("p", JudgeConfig("openai", "m", timeout=5).resolve()) == "kept later"
    assert cache.get("q", judge) is None
    assert cache.stats.as_dict() == {"hits": 1, "misses": 7, "writes": 2, "errors": 0}


def test_an_old_reply_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge = JudgeConfig("openai", "m").resolve()
    cache = JudgeCache(tmp_path / "c.db", ttl=60)
    cache.put("p", judge, "kept")
    assert cache.get("p", judge) == "kept"
    cache.ttl = -1
    assert cache.get("p", judge) is None


def test_a_cache_that_cannot_be_used_costs_no_judgement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("")
    with pytest.raises(CacheError, match="cannot open"):
        JudgeCache(blocked / "judge.db")
    monkeypatch.setenv("MULTIVON_CACHE_DIR", str(blocked))
    monkeypatch.setattr("multivon_eval.judge._CACHE_DEGRADATION_WARNED", False)
    with SayingEndpoint("Yes") as endpoint:
        assert [make_judge_call("Is it?", at(endpoint, cache=True)) for _ in range(2)] == ["Yes"] * 2
    assert capsys.readouterr().err.count("cannot read the judge cache") == 1


# -- what it costs -----------------------------------------------------------------------------------------------------


def suite_of(judge: JudgeConfig, cases: int = 2) -> EvalSuite:
    rubric = CustomRubric([("Is it short?", True), ("Is it rude?", False)], judge=judge, threshold=0.5)
    return EvalSuite("s").add_cases([EvalCase(f"q{number}") for number in range(cases)]).add_evaluator(rubric)


@pytest.mark.parametrize("awaited", [False, True], ids=["run", "run_async"])
def test_a_report_tells_what_its_judges_took(awaited: bool) -> None:
    register_pricing("priced", ModelPricing(1.0, 2.0))

    async def answer(question: str) -> str:
        return "Short."

    with SayingEndpoint("Yes") as endpoint:
        suite = suite_of(at(endpoint, model="priced"))
        if awaited:
            report = asyncio.run(suite.run_async(answer, verbose=False))
        else:
            report = suite.run(lambda _: "Short.", verbose=False)
    costs = report.costs
    assert isinstance(costs, Costs)
    assert (costs.total_calls, costs.total_input_tokens, costs.total_output_tokens) == (4, 40, 20)
    assert costs.recorded_cost_usd == pytest.approx(80e-6)
    assert costs.total_cost_usd is None
    assert json.loads(report.to_json())["summary"]["costs"]["by_model"][0]["model"] == "priced"
    assert "4 calls, 40 tokens sent, 20 received" in str(costs)
    assert active_tracker() is None


def test_a_cost_nobody_knows_is_not_zero() -> None:
    tracker = CostTracker()
    tracker.record(provider="p", model="gpt-4o-mini", input_tokens=1_000_000, output_tokens=0)
    assert tracker.snapshot().recorded_cost_usd == pytest.approx(0.15)
    tracker.record(provider="p", model="nobody", input_tokens=1, output_tokens=1)
    costs = tracker.snapshot()
    assert [one.cost_usd for one in costs.by_model] == [pytest.approx(0.15), None]
    assert costs.recorded_cost_usd is None
    assert "cost unknown" in str(costs)
    assert Costs.from_dict(costs.to_dict()) == costs


def test_the_whole_cost_needs_somebody_who_says_that_nothing_is_missing() -> None:
    used = [ProviderUsage("p", "m", 1, 1, 1, 1e-9)]
    assert Costs(used).total_cost_usd is None
    whole = Costs(used, "run_provider_usage", "two calls, both here")
    assert whole.total_cost_usd == 1e-9
    assert Costs(used, "run_provider_usage", "two calls, both here", ["one is not"]).total_cost_usd is None
    with pytest.raises(ValueError, match="coverage_declaration"):
        Costs(coverage_declaration=" ")


@pytest.mark.parametrize("wrong", [-1, float("nan"), True, "1"])
def test_a_wrong_price_or_count_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match="price"):
        ModelPricing(wrong, 1)
    with pytest.raises(ValueError, match="cost_usd"):
        ProviderUsage("p", "m", cost_usd=wrong)
    with pytest.raises(ValueError, match="counted"):
        ProviderUsage("p", "m", calls=wrong)


def test_a_tracker_counts_only_while_it_is_set() -> None:
    tracker = CostTracker()
    told = {"provider": "p", "model": "m", "input_tokens": 1, "output_tokens": 1}
    record_call(**told)  # type: ignore[arg-type]
    token = set_active_tracker(tracker)
    record_call(**told)  # type: ignore[arg-type]
    reset_token(token)
    record_call(**told)  # type: ignore[arg-type]
    assert tracker.snapshot().total_calls == 1
    tracker.reset()
    assert tracker.snapshot() == Costs()


# -- how steady, how often ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("second", "steady"), [("Yes", 1.0), ("No", 0.0)])
def test_reliability_is_measured_by_asking_again(second: str, steady: float) -> None:
    with SayingEndpoint(["Yes", second]) as endpoint:
        judge = at(endpoint, cache=True)
        configure(JudgeConfig(reliability_check=True, reliability_sample=1))
        rubric = CustomRubric([("Is it short?", True)], judge=judge, threshold=0.5)
        report = EvalSuite("s").add_case(EvalCase("q")).add_evaluator(rubric).run(lambda _: "a", verbose=False)
    assert report.judge_reliability == steady
    assert len(endpoint.asked) == 2


class Flaky(Evaluator):
    """A judge that fails so many times for each input."""

    name = "flaky"
    uses_llm_judge = True

    def __init__(self, failures: int) -> None:
        super().__init__()
        self.failures, self.asked = failures, dict[str, int]()

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        self.asked[case.input] = self.asked.get(case.input, 0) + 1
        if self.asked[case.input] <= self.failures:
            raise JudgeUnavailable(f"busy {self.asked[case.input]}")
        return self._result(1.0)


@pytest.mark.parametrize(
    ("failures", "attempts", "status"), [(0, 1, "passed"), (2, 3, "passed"), (9, 3, "judge_error")]
)
def test_a_case_whose_judge_failed_is_asked_again(failures: int, attempts: int, status: str) -> None:
    flaky = Flaky(failures)
    suite = EvalSuite("s").add_cases([EvalCase("a"), EvalCase("b")]).add_evaluator(flaky)
    report = suite.run(lambda _: "x", verbose=False, judge_retry=JudgeRetry(base_backoff=0))
    for case in report.case_results:
        assert (case.status, case.retry_attempts) == (status, attempts - 1)
        assert case.retry_errors == [f"busy {number}" for number in range(1, attempts)]
        assert flaky.asked[case.case_input] == attempts


@pytest.mark.parametrize("awaited", [False, True], ids=["run", "run_async"])
def test_a_run_waits_in_its_own_way(awaited: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """`run` waits in the thread that called it, where Ctrl-C ends it; `run_async` leaves the event loop to others."""
    slept: list[tuple[bool, float]] = []
    caller = threading.current_thread()

    async def waited(seconds: float) -> None:
        slept.append((True, seconds))

    monkeypatch.setattr(
        "multivon_eval.retry.time",
        SimpleNamespace(sleep=lambda seconds: slept.append((threading.current_thread() is not caller, seconds))),
    )
    monkeypatch.setattr("multivon_eval.retry.asyncio", SimpleNamespace(sleep=waited))
    suite = EvalSuite("s").add_cases([EvalCase("a"), EvalCase("b")]).add_evaluator(Flaky(9))
    policy = JudgeRetry(max_attempts=3, base_backoff=1, jitter=0)

    async def answer(question: str) -> str:
        return "x"

    if awaited:
        asyncio.run(suite.run_async(answer, verbose=False, judge_retry=policy))
    else:
        suite.run(lambda _: "x", verbose=False, judge_retry=policy)
    assert slept == [(awaited, 1.0), (awaited, 2.0)]


def test_pauses_grow_up_to_a_bound() -> None:
    policy = JudgeRetry(base_backoff=2, factor=3, jitter=0, max_backoff=10)
    assert [policy.backoff_for(attempt) for attempt in (1, 2, 3, 4)] == [0, 2, 6, 10]
    noisy = JudgeRetry(base_backoff=10, jitter=0.5, max_backoff=12)
    assert all(5 <= noisy.backoff_for(2) <= 12 for _ in range(50))


def test_statuses_are_named_either_way() -> None:
    policy = JudgeRetry(retry_on=("judge_error", EvalStatus.MODEL_ERROR))
    assert [should_retry(status, policy) for status in (EvalStatus.MODEL_ERROR, EvalStatus.FAILED_QUALITY)] == [
        True,
        False,
    ]
    for wrong in ({"max_attempts": 0}, {"base_backoff": -1}, {"factor": 0.5}, {"jitter": -1}, {"max_backoff": -1}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            JudgeRetry(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("named", ["http://proxy", "http://proxy/", "http://proxy/v1", "http://proxy/v1/"])
def test_a_proxy_that_the_environment_names_is_asked(monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", named)
    assert JudgeConfig("anthropic").resolve().base_url == "http://proxy/v1"
    assert JudgeConfig("anthropic", base_url="http://own/v1").resolve().base_url == "http://own/v1"
    assert JudgeConfig("google").resolve().base_url == ""


# -- thresholds --------------------------------------------------------------------------------------------------------

MEASURED = {
    "schema_version": 3,
    "methodology": "by hand",
    "entries": [{"evaluator": "relevance", "judge_model": "big", "judge_aliases": ["b"], "threshold": 0.4, "n": 9}],
}


def test_thresholds_come_from_a_file_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.json").write_text(json.dumps(MEASURED))
    monkeypatch.setenv("MULTIVON_CALIBRATION_FILE", str(tmp_path / "mine.json"))
    assert load_calibration().version_label == "mine"
    assert multivon_eval.threshold_table() == {("relevance", "big"): 0.4, ("relevance", "b"): 0.4}
    judge = JudgeConfig("openai", "b")
    found = multivon_eval.calibration_provenance("relevance", judge)
    assert found is not None
    assert (calibrated_threshold("relevance", judge, strict=True), found.n) == (0.4, 9)
    with SayingEndpoint("Yes") as endpoint:
        result = multivon_eval.Relevance(judge=at(endpoint, model="b")).evaluate(EvalCase("q"), "a")
    assert (result.score, result.passed, result.metadata["threshold"]) == (0.75, True, 0.4)


def test_published_thresholds_name_their_source(monkeypatch: pytest.MonkeyPatch) -> None:
    assert multivon_eval.calibration_versions() == ["v1", "v2"]
    assert load_calibration() is load_calibration(version="v2")
    old, new = (load_calibration(version=version) for version in ("v1", "v2"))
    assert {entry.judge_model for entry in new.entries} - {entry.judge_model for entry in old.entries} >= {"gpt-5.5"}
    for table in (old, new):
        assert "multivon-eval" in table.source
        assert all("other words" in entry.notes and 0 < entry.threshold < 1 and entry.n for entry in table.entries)
        assert len(dict(table.iter_thresholds())) == sum(len(entry.all_judge_keys()) for entry in table.entries)
    for version in ("v9", ""):
        with pytest.raises(FileNotFoundError, match="not shipped"):
            load_calibration(version=version)
    monkeypatch.setenv("MULTIVON_CALIBRATION_VERSION", "v1")
    assert multivon_eval.effective_calibration_version() == "v1"
    assert load_calibration(reload=True).schema_version == 1
    monkeypatch.setenv("MULTIVON_CALIBRATION_VERSION", "v9")
    with pytest.raises(FileNotFoundError):
        load_calibration()


def test_a_borrowed_threshold_is_told_once() -> None:
    judge = JudgeConfig("anthropic", "claude-haiku-4-5")
    with pytest.warns(UserWarning, match=r"0\.55 for 'hallucination'.*asks in other words"):
        assert calibrated_threshold("hallucination", judge) == 0.55
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert calibrated_threshold("hallucination", judge, strict=True) == 0.55


def test_the_policy_decides_what_a_missing_threshold_is(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = JudgeConfig("openai", "some-judge")
    with pytest.warns(UserWarning, match="some-judge"):
        assert calibrated_threshold("bias", judge) == 0.7
    set_calibration_fallback_policy("strict")
    with pytest.raises(CalibrationMissing, match="some-judge"):
        calibrated_threshold("bias", judge)
    monkeypatch.setenv("MULTIVON_CALIBRATION_FALLBACK", "silent")
    assert calibrated_threshold("other", judge) == 0.7
    with pytest.raises(CalibrationMissing):
        calibrated_threshold("other", judge, strict=True)
    with pytest.raises(ValueError, match="policy"):
        set_calibration_fallback_policy("loud")  # type: ignore[arg-type]
