"""IFEval."""

from __future__ import annotations

from context_bench.datasets._reading import Example, Row, asked, examples
from context_bench.datasets._reading import require as _require_datasets


def ifeval(n: int | None = None, split: str = "train") -> list[Example]:
    """Prompts whose instructions a program can check; there is no answer to compare with."""

    def shape(place: int, row: Row) -> Example:
        checks = {"instruction_id_list": list(row["instruction_id_list"]), "kwargs": list(row["kwargs"])}
        return asked(place, row["prompt"], "", **checks)

    return examples(_require_datasets("ifeval").load_dataset("google/IFEval", split=split), n, shape)
