"""What a million tokens cost: ringtrue's table of prices, and those that are registered here."""

from __future__ import annotations

from dataclasses import dataclass

from ringtrue.evaluators.check import is_number
from ringtrue.models.client.prices import Price, Prices
from ringtrue.models.reply import Reply

__all__ = ["ModelPricing", "estimate_cost_usd", "get_pricing", "known_models", "register_pricing"]


@dataclass(frozen=True)
class ModelPricing:
    """US dollars for a million tokens, sent and received."""

    input_per_million: float
    output_per_million: float

    def __post_init__(self) -> None:
        for price in (self.input_per_million, self.output_per_million):
            if not is_number(price) or price < 0:
                raise ValueError(f"a price is a number of dollars, 0 or more; got {price!r}")


_REGISTERED: dict[str, Price] = {}


def register_pricing(model: str, pricing: ModelPricing) -> None:
    """Set what a model costs, until the process ends."""
    if not isinstance(model, str) or not model.strip() or not isinstance(pricing, ModelPricing):
        raise ValueError(f"register_pricing takes a model's name and a ModelPricing; got {model!r}, {pricing!r}")
    _REGISTERED[model] = Price(pricing.input_per_million, pricing.output_per_million)


def get_pricing(model: str) -> ModelPricing | None:
    """What a model costs; None where nobody knows."""
    price = _prices().models.get(model)
    return None if price is None else ModelPricing(price.input, price.output)


def estimate_cost_usd(model: str, *, input_tokens: int, output_tokens: int) -> float | None:
    """What so many tokens of a model cost; None where nobody knows."""
    if any(type(count) is not int or count < 0 for count in (input_tokens, output_tokens)):
        raise ValueError(f"tokens are counted in whole numbers, 0 or more; got {input_tokens!r}, {output_tokens!r}")
    return _prices().cost(Reply("", input_tokens=input_tokens, output_tokens=output_tokens), model)


def known_models() -> list[str]:
    """The models that have a price."""
    return sorted(_prices().models)


def _prices() -> Prices:
    return Prices({**Prices.from_env().models, **_REGISTERED})
