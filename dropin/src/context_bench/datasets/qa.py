"""Questions, with or without something to read."""

from __future__ import annotations

from collections.abc import Iterator

from context_bench.datasets._reading import Example, Row, asked, examples, first, lettered
from context_bench.datasets._reading import require as _require_datasets


def natural_questions(n: int | None = None, split: str = "validation") -> list[Example]:
    """Questions people asked a search engine."""
    rows = _require_datasets("natural-questions").load_dataset("google-research-datasets/nq_open", split=split)
    return examples(rows, n, lambda place, row: asked(place, row["question"], first(row["answer"])))


def musique(n: int | None = None, split: str = "validation") -> list[Example]:
    """Questions over several paragraphs."""

    def shape(place: int, row: Row) -> Example:
        context = "\n".join(f"{item['title']}: {item['paragraph_text']}" for item in row["paragraphs"])
        return {"id": row["id"], "context": context, "question": row["question"], "answer": row["answer"]}

    return examples(_require_datasets("musique").load_dataset("bdsaglam/musique", "answerable", split=split), n, shape)


def narrativeqa(n: int | None = None, split: str = "test") -> list[Example]:
    """Questions about the summary of a story."""

    def shape(place: int, row: Row) -> Example:
        question = row["question"]
        return {
            "id": place,
            "context": row["document"]["summary"]["text"],
            "question": question if isinstance(question, str) else question["text"],
            "answer": first([answer["text"] for answer in row["answers"]]),
        }

    return examples(_require_datasets("narrativeqa").load_dataset("deepmind/narrativeqa", split=split), n, shape)


def triviaqa(n: int | None = None, split: str = "validation") -> list[Example]:
    """Trivia with pages a search found, where it found any."""

    def shape(place: int, row: Row) -> Example:
        found = [text for text in row["search_results"]["search_context"] if text]
        example = asked(row["question_id"], row["question"], row["answer"]["value"])
        return {**example, "context": "\n".join(found) or row["question"]}

    return examples(_require_datasets("triviaqa").load_dataset("mandarjoshi/trivia_qa", "rc", split=split), n, shape)


def frames(n: int | None = None, split: str = "test") -> list[Example]:
    """Questions over several articles."""
    rows = _require_datasets("frames").load_dataset("google/frames-benchmark", split=split)
    return examples(rows, n, lambda place, row: asked(place, row["Prompt"], row["Answer"]))


def quality(n: int | None = None, split: str = "validation") -> list[Example]:
    """Questions about long articles, their options shown; labels count from 1."""

    def shape(place: int, row: Row) -> Example:
        options, label = list(row["options"]), max(0, row["gold_label"] - 1)
        answer = options[label] if label < len(options) else ""
        return {
            "id": place,
            "context": row["article"],
            "question": lettered(row["question"], options),
            "choices": options,
            "answer": answer,
        }

    return examples(_require_datasets("quality").load_dataset("tasksource/QuALITY", split=split), n, shape)


def qasper(n: int | None = None, split: str = "validation") -> list[Example]:
    """Every question about every paper; `n` counts questions."""
    papers = _require_datasets("qasper").load_dataset("allenai/qasper", split=split)
    return examples((row for paper in papers for row in _questions(paper)), n, lambda _, row: dict(row))


def _questions(paper: Row) -> Iterator[Row]:
    sections = [text for texts in paper["full_text"]["paragraphs"] for text in texts]
    parts = [paper["title"], paper["abstract"], *paper["full_text"]["section_name"], *sections]
    context = "\n\n".join(part for part in parts if part)
    for place, question in enumerate(paper["qas"]["question"]):
        given = paper["qas"]["answers"][place]["answer"]
        answer = next(filter(None, map(_stated, given)), "")
        yield {"id": f"{paper['id']}_{place}", "context": context, "question": question, "answer": answer}


def _stated(answer: Row) -> str:
    """One annotator's answer: free text, the first span, Yes or No, or that there is none."""
    if answer.get("yes_no") is not None:
        return "Yes" if answer["yes_no"] else "No"
    stated: str = answer["free_form_answer"] or first(answer["extractive_spans"])
    return stated or ("Unanswerable" if answer.get("unanswerable") else "")
