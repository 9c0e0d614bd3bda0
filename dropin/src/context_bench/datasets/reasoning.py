"""DROP, MATH and MGSM."""

from __future__ import annotations

from context_bench.datasets._reading import Example, Row, asked, examples, first
from context_bench.datasets._reading import require as _require_datasets
from ringtrue.datasets.catalogue.competition_math import last_box as _extract_boxed
from ringtrue.datasets.catalogue.drop import answer_of


def drop(n: int | None = None, split: str = "validation") -> list[Example]:
    """Questions that need arithmetic on a passage."""

    def shape(place: int, row: Row) -> Example:
        spans = row.get("answers_spans")
        answer = answer_of(row["answer"]) if spans is None else first(spans["spans"])
        return {"id": row["query_id"], "context": row["passage"], "question": row["question"], "answer": answer}

    return examples(_require_datasets("drop").load_dataset("ucinlp/drop", split=split), n, shape)


def math_dataset(n: int | None = None, split: str = "test") -> list[Example]:
    """Competition problems; the answer is what the last box of the solution holds, else the solution."""

    def shape(place: int, row: Row) -> Example:
        return asked(place, row["problem"], _extract_boxed(row["solution"]) or row["solution"])

    return examples(_require_datasets("math").load_dataset("hendrycks/competition_math", split=split), n, shape)


def mgsm(n: int | None = None, split: str = "test", config: str = "en") -> list[Example]:
    """Word problems in eleven languages; `config` is one."""

    def shape(place: int, row: Row) -> Example:
        number = row["answer_number"]
        return asked(
            place, row["question"], "" if number is None else f"{number:g}" if number % 1 else str(int(number))
        )

    return examples(_require_datasets("mgsm").load_dataset("juletxara/mgsm", config, split=split), n, shape)
