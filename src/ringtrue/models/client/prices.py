"""`Prices`: a dated table of what tokens cost; what is not in it has no price."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

from ringtrue.errors import ConfigurationError
from ringtrue.jsontext import parse_json
from ringtrue.models.reply import Reply
from ringtrue.records import Json
from ringtrue.require import is_number

VARIABLE = "RINGTRUE_PRICES"


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens, when they were read and where; a `host` bounds where they are charged."""

    input: float
    output: float
    cached_input: float | None = None
    date: str = ""
    source: str = ""
    host: str = ""

    def holds_at(self, endpoint: str) -> bool:
        """Whether this is charged at an address: everywhere without a host, else there and at hosts below it."""
        if not self.host or not endpoint:
            return True
        host = urlsplit(endpoint).hostname or ""
        return host == self.host or host.endswith(f".{self.host}")


@dataclass(frozen=True, slots=True)
class Prices:
    """The prices of models by their exact names; another server that answers to a vendor's name has no price here."""

    models: Mapping[str, Price]

    @classmethod
    def from_package(cls) -> Prices:
        """The table this version ships with."""
        return _packaged_prices()

    @classmethod
    def load(cls, path: str | Path) -> Prices:
        """The packaged table with the entries of a file added or put in their place."""
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            raise ConfigurationError(f"the price table {str(path)!r} cannot be read: {error}", value=path) from error
        return cls({**_packaged_prices().models, **_read(data, str(path))})

    @classmethod
    def from_env(cls) -> Prices:
        """The table of the file that RINGTRUE_PRICES names, or the packaged one."""
        path = os.environ.get(VARIABLE)
        return cls.load(path) if path else cls.from_package()

    def knows(self, model: str, endpoint: str = "") -> bool:
        """Whether a reply of this model, at this address where one is given, has a cost."""
        return model in self.models and self.models[model].holds_at(endpoint)

    def cost(self, reply: Reply, model: str = "", endpoint: str = "") -> float | None:
        """Return the price of a reply in US dollars; None for a model without a price or a reply without token counts.

        The name asked for decides, then the name the endpoint gave.
        """
        price = self.models.get(model) or self.models.get(reply.model)
        if price is None or not price.holds_at(endpoint) or reply.input_tokens is None or reply.output_tokens is None:
            return None
        cached = min(reply.cached_input_tokens or 0, reply.input_tokens) if price.cached_input is not None else 0
        cheap = cached * (price.cached_input or 0.0)
        return ((reply.input_tokens - cached) * price.input + cheap + reply.output_tokens * price.output) / 1e6


@cache
def _packaged_prices() -> Prices:
    return Prices(_read(files(__package__).joinpath("prices.json").read_bytes(), "the packaged price table"))


def _read(data: bytes, where: str) -> dict[str, Price]:
    try:
        table = parse_json(data)
    except ValueError as error:
        raise ConfigurationError(f"{where} is not JSON: {error}", value=where) from error
    models = table.get("models") if isinstance(table, dict) else None
    if not isinstance(models, dict):
        raise ConfigurationError(f"{where} has no object 'models'", value=where)
    return {name: _price(entry, f"{where}, model {name!r}") for name, entry in models.items()}


def _price(entry: Json, where: str) -> Price:
    if not isinstance(entry, dict):
        raise ConfigurationError(f"{where}: an entry is an object with 'input' and 'output'", value=entry)
    return Price(
        input=_dollars(entry, "input", where),
        output=_dollars(entry, "output", where),
        cached_input=None if entry.get("cached_input") is None else _dollars(entry, "cached_input", where),
        date=str(entry.get("date", "")),
        source=str(entry.get("source", "")),
        host=str(entry.get("host") or ""),
    )


def _dollars(entry: dict[str, Json], name: str, where: str) -> float:
    amount = entry.get(name)
    if not is_number(amount) or amount < 0:
        raise ConfigurationError(
            f"{where}: {name!r} must be US dollars per million tokens; got {amount!r}", parameter=name, value=amount
        )
    return float(amount)
