"""AlpacaEval."""

from __future__ import annotations

from context_bench.datasets._reading import Example, asked, examples
from context_bench.datasets._reading import require as _require_datasets


def alpaca_eval(n: int | None = None, split: str = "eval") -> list[Example]:
    """Instructions with a reference model's reply."""
    rows = _require_datasets("alpaca-eval").load_dataset("tatsu-lab/alpaca_eval", split=split)
    return examples(rows, n, lambda place, row: asked(place, row["instruction"], row["output"]))
