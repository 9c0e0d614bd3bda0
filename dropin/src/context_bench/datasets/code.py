"""HumanEval and MBPP."""

from __future__ import annotations

from context_bench.datasets._reading import Example, Row, asked, examples
from context_bench.datasets._reading import require as _require_datasets


def humaneval(n: int | None = None, split: str = "test") -> list[Example]:
    """Functions to complete."""

    def shape(place: int, row: Row) -> Example:
        tests = {"test": row.get("test", ""), "entry_point": row.get("entry_point", "")}
        return asked(row["task_id"], row["prompt"], row["canonical_solution"], **tests)

    return examples(_require_datasets("humaneval").load_dataset("openai/openai_humaneval", split=split), n, shape)


def mbpp(n: int | None = None, split: str = "test") -> list[Example]:
    """Functions to write; the tests are shown, for they alone say how a function is called.

    The published rows have `test_imports`, which run before the tests.
    """

    def shape(place: int, row: Row) -> Example:
        setup = row.get("test_setup_code") or "\n".join(row.get("test_imports") or ())
        tests = {"test_list": list(row.get("test_list") or ()), "test_setup_code": setup}
        shown = "\n".join([row["prompt"], *tests["test_list"]])
        return {**asked(row["task_id"], row["prompt"], row["code"], **tests), "question": shown}

    rows = _require_datasets("mbpp").load_dataset("google-research-datasets/mbpp", "sanitized", split=split)
    return examples(rows, n, shape)
