"""What tokens cost, where that is known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ringtrue.errors import ConfigurationError
from ringtrue.models.client.prices import Price, Prices
from ringtrue.models.reply import Reply

TABLE = Prices({"m": Price(2.0, 8.0, 0.5), "n": Price(2.0, 8.0)})


@pytest.mark.parametrize(
    ("reply", "asked", "cost"),
    [
        (Reply("", input_tokens=1_000_000, output_tokens=0), "m", 2.0),
        (Reply("", input_tokens=0, output_tokens=500_000), "m", 4.0),
        (Reply("", input_tokens=1_000_000, output_tokens=0, cached_input_tokens=400_000), "m", 1.4),
        (Reply("", input_tokens=1_000_000, output_tokens=0, cached_input_tokens=400_000), "n", 2.0),
        (Reply("", input_tokens=1_000_000, output_tokens=0, cached_input_tokens=9_000_000), "m", 0.5),
        (Reply("", input_tokens=1_000_000, output_tokens=0, model="m"), "an alias", 2.0),
        (Reply("", input_tokens=0, output_tokens=0), "m", 0.0),
        (Reply("", input_tokens=1, output_tokens=1, model="unknown"), "unknown", None),
        (Reply("", input_tokens=None, output_tokens=1), "m", None),
        (Reply("", input_tokens=1, output_tokens=None), "m", None),
    ],
)
def test_cost(reply: Reply, asked: str, cost: float | None) -> None:
    assert TABLE.cost(reply, asked) == (None if cost is None else pytest.approx(cost))


@pytest.mark.parametrize(
    ("endpoint", "charged"),
    [
        ("https://api.openai.com/v1", True),
        ("https://eu.api.openai.com/v1", True),
        ("", True),
        ("http://127.0.0.1:8000/v1", False),
        ("https://api.openai.com.evil.example/v1", False),
        ("https://notapi.openai.com/v1", False),
        ("https://mine.openai.azure.com/openai/v1", False),
        ("scripted", False),
    ],
)
def test_a_list_price_holds_where_the_vendor_charges_it(endpoint: str, charged: bool) -> None:
    """A local server that answers to the name gpt-5 does not cost what OpenAI asks for it."""
    reply = Reply("", input_tokens=1_000_000, output_tokens=0, model="gpt-5")
    assert Prices.from_package().knows("gpt-5", endpoint) is charged
    assert Prices.from_package().cost(reply, "gpt-5", endpoint) == (1.25 if charged else None)
    assert Prices.from_package().cost(reply, "an alias", endpoint) == (1.25 if charged else None)
    assert TABLE.cost(reply, "m", endpoint) == 2.0


def test_every_packaged_price_says_when_and_where() -> None:
    models = Prices.from_package().models
    assert models
    for name, price in models.items():
        assert price.date, name
        assert "https://" in price.source, name
        assert price.host, name
        assert price.cached_input is None or price.cached_input < price.input < price.output, name
    assert not Prices.from_package().knows("gpt-4o-my-own-finetune")


def test_a_file_adds_and_replaces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "prices.json"
    path.write_text(json.dumps({"models": {"mine": {"input": 1, "output": 2}, "gpt-4o": {"input": 0, "output": 0}}}))
    monkeypatch.setenv("RINGTRUE_PRICES", str(path))
    prices = Prices.from_env()
    assert prices.models["mine"] == Price(1.0, 2.0)
    assert prices.models["gpt-4o"].input == 0.0
    assert prices.knows("gpt-4.1")
    monkeypatch.delenv("RINGTRUE_PRICES")
    assert Prices.from_env() == Prices.from_package()


@pytest.mark.parametrize(
    "content",
    [
        "not json",
        "[]",
        "{}",
        {"models": {"m": 5}},
        {"models": {"m": {"input": 1}}},
        {"models": {"m": {"input": "1", "output": 1}}},
        {"models": {"m": {"input": -1, "output": 1}}},
        {"models": {"m": {"input": True, "output": 1}}},
        {"models": {"m": {"input": 1, "output": 1, "cached_input": "x"}}},
    ],
    ids=str,
)
def test_a_broken_table_is_refused(tmp_path: Path, content: Any) -> None:
    path = tmp_path / "prices.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    with pytest.raises(ConfigurationError, match=r"prices\.json"):
        Prices.load(path)


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="nowhere"):
        Prices.load(tmp_path / "nowhere.json")
