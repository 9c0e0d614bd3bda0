"""HotpotQA, GSM8K and BFCL."""

from __future__ import annotations

from context_bench.datasets._reading import Example, Row, asked, calls, examples
from context_bench.datasets._reading import require as _require_datasets


def hotpotqa(n: int | None = None, split: str = "validation") -> list[Example]:
    """Questions over several passages."""

    def shape(place: int, row: Row) -> Example:
        titled = zip(row["context"]["title"], row["context"]["sentences"], strict=True)
        context = "\n".join(f"{title}: {''.join(sentences)}" for title, sentences in titled)
        return {"id": row["id"], "context": context, **{name: row[name] for name in ("question", "answer", "type")}}

    return examples(_require_datasets("hotpotqa").load_dataset("hotpot_qa", "fullwiki", split=split), n, shape)


def gsm8k(n: int | None = None, split: str = "test") -> list[Example]:
    """Word problems; the answer is what follows the last `####`."""

    def shape(place: int, row: Row) -> Example:
        return asked(place, row["question"], row["answer"].rpartition("####")[2].strip(), reasoning=row["answer"])

    return examples(_require_datasets("gsm8k").load_dataset("gsm8k", "main", split=split), n, shape)


def bfcl_simple(n: int | None = None) -> list[Example]:
    """Function calls, as ringtrue's catalogue asks for them."""
    return calls("bfcl", n)
