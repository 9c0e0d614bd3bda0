"""Texts to summarize."""

from __future__ import annotations

from context_bench.datasets._reading import Example, Row, examples
from context_bench.datasets._reading import require as _require_datasets


def multi_news(n: int | None = None, split: str = "test") -> list[Example]:
    """Sets of news articles."""
    question = "Summarize the news articles."
    rows = _require_datasets("multi-news").load_dataset("alexfabbri/multi_news", split=split)
    return examples(rows, n, lambda place, row: summary(place, row["document"], question, row["summary"]))


def dialogsum(n: int | None = None, split: str = "test") -> list[Example]:
    """Dialogues."""
    question = "Summarize the dialogue."
    rows = _require_datasets("dialogsum").load_dataset("knkarthick/dialogsum", split=split)
    return examples(rows, n, lambda _, row: summary(row["id"], row["dialogue"], question, row["summary"]))


def qmsum(n: int | None = None, split: str = "validation") -> list[Example]:
    """Meetings with a query, which is first in the published rows, or last after `Query:`."""

    def shape(place: int, row: Row) -> Example:
        transcript, query = parted(row["input"], ("Query:",))
        return summary(row["id"], transcript, query or "Summarize the meeting transcript.", row["output"])

    return examples(
        _require_datasets("qmsum").load_dataset("tau/scrolls", "qmsum", split=split, trust_remote_code=True), n, shape
    )


def summscreenfd(n: int | None = None, split: str = "validation") -> list[Example]:
    """Transcripts of TV episodes."""
    question = "Summarize the TV episode transcript."
    rows = _require_datasets("summscreenfd").load_dataset(
        "tau/scrolls", "summ_screen_fd", split=split, trust_remote_code=True
    )
    return examples(rows, n, lambda _, row: summary(row["id"], row["input"], question, row["output"]))


def summary(name: str | int, context: str, question: str, answer: str) -> Example:
    """An example that asks for a text about a text."""
    return {"id": name, "context": context, "question": question, "answer": answer}


def parted(text: str, marks: tuple[str, ...]) -> tuple[str, str]:
    """The long and the short part of a SCROLLS input: the short one after the last mark, else before a blank line."""
    for mark in marks:
        long, found, short = text.rpartition(f"\n{mark}")
        if found:
            return long.strip(), short.strip()
    short, found, long = text.partition("\n\n")
    return (long.strip(), short.strip()) if found else (text, "")
