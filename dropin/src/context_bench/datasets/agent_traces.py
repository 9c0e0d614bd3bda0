"""APIGen function calls and SWE-bench issues."""

from __future__ import annotations

from context_bench.datasets._reading import Example, Row, calls, examples
from context_bench.datasets._reading import require as _require_datasets


def apigen_mt(n: int | None = None) -> list[Example]:
    """Function calls, as ringtrue's catalogue asks for them."""
    return calls("apigen", n)


def swebench(n: int | None = None, split: str = "test") -> list[Example]:
    """Issues of repositories; the gold patch is the answer."""
    return _issues("swebench", "princeton-nlp/SWE-bench", n, split)


def swebench_verified(n: int | None = None, split: str = "test") -> list[Example]:
    """The 500 issues that people checked."""
    return _issues("swebench-verified", "princeton-nlp/SWE-bench_Verified", n, split)


def swebench_lite(n: int | None = None, split: str = "test") -> list[Example]:
    """300 of the issues."""
    return _issues("swebench-lite", "princeton-nlp/SWE-bench_Lite", n, split)


swe_agent_traces = swebench_lite


def _issues(name: str, path: str, n: int | None, split: str) -> list[Example]:
    def shape(place: int, row: Row) -> Example:
        return {
            "id": row["instance_id"],
            "context": f"Repository: {row['repo']}\n\nIssue:\n{row['problem_statement']}",
            "repo": row["repo"],
            "answer": row["patch"],
            "base_commit": row["base_commit"],
        }

    return examples(_require_datasets(name).load_dataset(path, split=split), n, shape)
