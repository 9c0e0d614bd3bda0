"""The synthetic claim set, answered from its labels: nothing is lost, at a fraction of the public formula's cost."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks" / "claims"))

from claim_losses import Losses, compare, cost_of, public_cost, verified
from claim_set import Example, examples, fifteen

OPERATIONS = {
    *("intro", "copy", "paraphrase", "pronoun", "opinion", "number change", "entity swap", "merge", "forecast"),
    *("unsupported addition", "two antecedents", "conversion", "year change", "advice", "repetition", "conclusion"),
}
SETTINGS = [
    ("defaults", {}),
    ("one-by-one", {"sentences_per_call": 1, "claims_per_call": 1}),
    ("searched", {"max_source_tokens": 400, "claims_per_call": 6}),
    ("voted", {"votes": 3}),
]


@pytest.mark.parametrize("settings", [row[1] for row in SETTINGS], ids=[row[0] for row in SETTINGS])
def test_nothing_is_lost(settings: dict[str, int]) -> None:
    """Statuses, claims, verdicts, evidence and citations are those of the labels."""
    losses = Losses()
    made = [fifteen(), *examples(8, seed=5)]
    for example in made:
        claims, metrics, _ = asyncio.run(verified(example, **settings))
        assert metrics.status == "scored"
        compare(example, claims, metrics, losses)
    assert +losses.wrong == {}
    assert {sentence.operation for example in made for sentence in example.sentences} == OPERATIONS


def test_a_loss_would_be_seen() -> None:
    example = fifteen()
    claims, metrics, _ = asyncio.run(verified(example))
    losses = Losses()
    compare(example, claims[1:], metrics, losses)
    assert losses.wrong.total() > 0


def test_fifteen_sentences_cost_half_the_calls_and_a_quarter_of_the_tokens() -> None:
    """Against 15 + 12 + 12 + 36 calls, and against what they carry without a word of instructions."""
    example: Example = fifteen()
    _, metrics, requests = asyncio.run(verified(example))
    ours, public = cost_of(requests), public_cost(example)
    assert (len(example.sentences), metrics.total_claims, public.calls) == (15, 36, 75)
    assert ours.calls <= public.calls / 2
    assert ours.tokens <= public.tokens / 4
