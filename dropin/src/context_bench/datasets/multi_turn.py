"""MT-Bench."""

from __future__ import annotations

from context_bench.datasets._reading import Example, Row, examples
from context_bench.datasets._reading import require as _require_datasets


def mt_bench(n: int | None = None, split: str = "train") -> list[Example]:
    """Conversations of two user turns, which the published rows have in the column `prompt`."""

    def shape(place: int, row: Row) -> Example:
        turns = list(row.get("turns") or row["prompt"])
        return {
            "id": row["prompt_id"],
            "context": turns[0],
            "question": turns[-1],
            "answer": "",
            "multi_turn": True,
            "turns": [{"role": "user", "content": turn} for turn in turns],
            "category": row["category"],
        }

    return examples(_require_datasets("mt-bench").load_dataset("HuggingFaceH4/mt_bench_prompts", split=split), n, shape)
