"""What litellm's table says a captured request cost, and where it says nothing."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from multivon_eval.integrations.litellm_pricing import LOCAL, LiteLLMPricer

URLS = {"openai": "https://api.openai.com/v1/chat/completions", "anthropic": "https://api.anthropic.com/v1/messages"}


def priced(
    table: Any, *, provider: str = "openai", usage: Any = None, url: str = "", answer: Any = None, **body: Any
) -> Any:
    asked = {"model": "gpt-4o-mini", "messages": [], **body}
    sent = {"provider": provider, "request": {"url": url or URLS[provider], "body": {"value": asked}}}
    told = {"usage": usage, "body": None if answer is None else {"value": answer}}
    return LiteLLMPricer(table)(sent, {"response": told})


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LOCAL, "True")


TABLE = SimpleNamespace(model_cost={"gpt-4o-mini": {"input_cost_per_token": 1.5e-07, "output_cost_per_token": 6e-07}})
USED = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}


@pytest.mark.parametrize(
    "request_",
    [
        {"usage": None},
        {"usage": {}},
        {"usage": USED, "model": "unheard-of"},
        {"usage": USED, "model": None},
        {"usage": USED, "url": "https://proxy.example.org/v1/chat/completions"},
        {"usage": USED, "url": "http://api.openai.com/v1/chat/completions"},
        {"usage": USED, "url": "https://api.openai.com/v1/embeddings"},
        {"usage": {**USED, "service_tier": "priority"}},
        {"usage": USED, "service_tier": "auto"},
        {"usage": USED, "answer": {"usage": USED, "service_tier": "priority"}},
        {"usage": {**USED, "inference_geo": "us"}},
        {"usage": {**USED, "server_tool_use": {"web_search_requests": 1}}},
        {"usage": USED, "tools": [{"type": "web_search_preview"}]},
        {"usage": USED, "modalities": ["text", "audio"]},
    ],
    ids=[
        "unsaid", "empty", "model", "none", "proxy", "plain", "path", "tier", "asked tier", "served tier", "region",
        "server tool", "asked tool", "sound",
    ],
)  # fmt: skip
def test_what_the_table_does_not_cover_is_not_priced(local: None, request_: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"price|use|asked"):
        priced(TABLE, **request_)


def test_prices_come_from_the_shipped_table_and_stay_what_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(LOCAL, raising=False)
    with pytest.raises(ValueError, match=LOCAL):
        LiteLLMPricer(TABLE)
    monkeypatch.setenv(LOCAL, "True")
    table = SimpleNamespace(model_cost={"gpt-4o-mini": {"input_cost_per_token": 1.0}})
    pricer = LiteLLMPricer(table)
    table.model_cost["gpt-4o-mini"]["input_cost_per_token"] = 0.0
    sent = {"provider": "openai", "request": {"url": URLS["openai"], "body": {"value": {"model": "gpt-4o-mini"}}}}
    with pytest.raises(ValueError, match="changed"):
        pricer(sent, {"response": {"usage": USED, "body": None}})


def test_litellm_counts_what_was_cached(local: None) -> None:
    litellm = pytest.importorskip("litellm")
    used = {**USED, "prompt_tokens_details": {"cached_tokens": 4}}
    found = priced(litellm, usage=used)
    entry = found["provenance"]["catalog_entry"]
    cost = (
        6 * entry["input_cost_per_token"]
        + 4 * entry["cache_read_input_token_cost"]
        + 2 * entry["output_cost_per_token"]
    )
    assert found["cost_usd"] == pytest.approx(cost)
    own = {"input_tokens": 10, "output_tokens": 2, "cache_read_input_tokens": 4}
    found = priced(litellm, provider="anthropic", usage=own, model="claude-haiku-4-5")
    entry = found["provenance"]["catalog_entry"]
    cost = (
        10 * entry["input_cost_per_token"]
        + 4 * entry["cache_read_input_token_cost"]
        + 2 * entry["output_cost_per_token"]
    )
    assert found["cost_usd"] == pytest.approx(cost)
