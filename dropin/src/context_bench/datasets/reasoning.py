"""DROP, MATH and MGSM."""

from __future__ import annotations

from context_bench.datasets._reading import Example, Row, asked, examples, first
from context_bench.datasets._reading import require as _require_datasets


def drop(n: int | None = None, split: str = "validation") -> list[Example]:
    """Questions that need arithmetic on a passage."""

    def shape(place: int, row: Row) -> Example:
        spans = row.get("answers_spans")
        answer = _stated(row["answer"]) if spans is None else first(spans["spans"])
        return {"id": row["query_id"], "context": row["passage"], "question": row["question"], "answer": answer}

    return examples(_require_datasets("drop").load_dataset("ucinlp/drop", split=split), n, shape)


def math_dataset(n: int | None = None, split: str = "test") -> list[Example]:
    """Competition problems; the answer is what the last box of the solution holds, else the solution."""

    def shape(place: int, row: Row) -> Example:
        return asked(place, row["problem"], _extract_boxed(row["solution"]) or row["solution"])

    return examples(_require_datasets("math").load_dataset("hendrycks/competition_math", split=split), n, shape)


def mgsm(n: int | None = None, config: str = "en", split: str = "test") -> list[Example]:
    """Word problems in eleven languages; `config` is one."""

    def shape(place: int, row: Row) -> Example:
        number = row["answer_number"]
        return asked(
            place, row["question"], "" if number is None else f"{number:g}" if number % 1 else str(int(number))
        )

    return examples(_require_datasets("mgsm").load_dataset("juletxara/mgsm", config, split=split), n, shape)


def _stated(answer: Row) -> str:
    """The number, else the spans, else the date."""
    date = [answer["date"][part] for part in ("day", "month", "year")]
    return str(answer["number"] or ", ".join(answer["spans"]) or " ".join(filter(None, date)))


def _extract_boxed(solution: str) -> str:
    """Return the content of the last box, braces matched; of a box without braces, the next word."""
    start = max(solution.rfind(mark) for mark in (r"\boxed", r"\fbox"))
    rest = solution[start:].removeprefix(r"\boxed").removeprefix(r"\fbox").lstrip() if start >= 0 else ""
    if not rest.startswith("{"):
        return rest.partition("$")[0].split()[0] if rest.strip("$ ") else ""
    depth = 0
    for place, character in enumerate(rest):
        depth += (character == "{") - (character == "}")
        if depth == 0:
            return rest[1:place].strip()
    return ""
