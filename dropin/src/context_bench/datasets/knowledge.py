"""Questions with options, and TruthfulQA."""

from __future__ import annotations

from random import Random

from context_bench.datasets._reading import Example, Row, asked, chosen, examples
from context_bench.datasets._reading import require as _require_datasets
from ringtrue.errors import InputError


def mmlu(n: int | None = None, config: str = "all", split: str = "test") -> list[Example]:
    """Exam questions; `config` is one subject."""
    rows = _require_datasets("mmlu").load_dataset("cais/mmlu", config, split=split)
    return examples(rows, n, lambda place, row: chosen(place, row["question"], list(row["choices"]), row["answer"]))


def mmlu_pro(n: int | None = None, split: str = "test") -> list[Example]:
    """Harder exam questions, of up to ten options."""
    rows = _require_datasets("mmlu-pro").load_dataset("TIGER-Lab/MMLU-Pro", split=split)
    return examples(
        rows, n, lambda place, row: chosen(place, row["question"], list(row["options"]), row["answer_index"])
    )


def arc_challenge(n: int | None = None, split: str = "test") -> list[Example]:
    """School science; a row whose key is none of its labels is left out."""

    def shape(place: int, row: Row) -> Example | None:
        labels, texts = list(row["choices"]["label"]), list(row["choices"]["text"])
        key = row["answerKey"]
        return chosen(row["id"], row["question"], texts, labels.index(key)) if key in labels else None

    rows = _require_datasets("arc-challenge").load_dataset("allenai/ai2_arc", "ARC-Challenge", split=split)
    return examples(rows, n, shape)


def truthfulqa(n: int | None = None, split: str = "validation") -> list[Example]:
    """Questions that many people answer wrongly."""
    rows = _require_datasets("truthfulqa").load_dataset("truthfulqa/truthful_qa", "generation", split=split)
    return examples(rows, n, lambda place, row: asked(place, row["question"], row["best_answer"]))


def gpqa(n: int | None = None, split: str = "train") -> list[Example]:
    """Graduate science; the file lists the correct answer first, so each question has an order of its own."""

    def shape(place: int, row: Row) -> Example:
        columns = ["Correct Answer", *(f"Incorrect Answer {number}" for number in (1, 2, 3))]
        order = Random(str(row.get("Record ID", row["Question"]))).sample(range(4), 4)
        options = [row[columns[at]].strip() for at in order]
        return chosen(place, row["Question"], options, order.index(0))

    return examples(_require_datasets("gpqa").load_dataset("Idavidrein/gpqa", "gpqa_diamond", split=split), n, shape)


def hellaswag(n: int | None = None, split: str = "validation") -> list[Example]:
    """Texts to continue."""

    def shape(place: int, row: Row) -> Example:
        endings, label = list(row["endings"]), str(row["label"])
        if not label.isdigit() or int(label) >= len(endings):
            raise InputError(f"hellaswag: row {place} has the label {label!r} for {len(endings)} endings")
        return chosen(row["ind"], row["ctx"], endings, int(label))

    return examples(_require_datasets("hellaswag").load_dataset("Rowan/hellaswag", split=split), n, shape)


def winogrande(n: int | None = None, split: str = "validation") -> list[Example]:
    """Sentences with a gap and two names."""

    def shape(place: int, row: Row) -> Example:
        if row["answer"] not in ("1", "2"):
            raise InputError(f"winogrande: row {place} has the answer {row['answer']!r}, neither 1 nor 2")
        return chosen(place, row["sentence"], [row["option1"], row["option2"]], int(row["answer"]) - 1)

    rows = _require_datasets("winogrande").load_dataset("allenai/winogrande", "winogrande_xl", split=split)
    return examples(rows, n, shape)
