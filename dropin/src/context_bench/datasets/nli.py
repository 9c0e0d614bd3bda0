"""Datasets on what a text implies about a statement."""

from __future__ import annotations

from collections.abc import Mapping

from context_bench.datasets._reading import Example, Row, examples
from context_bench.datasets._reading import require as _require_datasets
from context_bench.datasets.summarization import parted, summary


def contract_nli(n: int | None = None, split: str = "validation") -> list[Example]:
    """Contracts with a hypothesis, which is first in the published rows, or last after `Hypothesis:`."""

    def shape(place: int, row: Row) -> Example:
        contract, hypothesis = parted(row["input"], ("Hypothesis:", "Statement:"))
        asked = f"Does the contract entail, contradict or not mention this hypothesis?\n{hypothesis}".strip()
        return summary(row["id"], contract, asked, row["output"])

    rows = _require_datasets("contract-nli").load_dataset(
        "tau/scrolls", "contract_nli", split=split, trust_remote_code=True
    )
    return examples(rows, n, shape)


def scifact(n: int | None = None, split: str = "validation") -> list[Example]:
    """Claims with the abstracts they cite; a claim none of whose abstracts is known is left out."""
    reader = _require_datasets("scifact")
    claims = list(reader.load_dataset("allenai/scifact", "claims", split=split))
    corpus = reader.load_dataset("allenai/scifact", "corpus", split="train")
    abstracts = {str(row["doc_id"]): " ".join(row["abstract"]) for row in corpus}

    def shape(place: int, row: Row) -> Example | None:
        cited = [abstracts[str(name)] for name in row["cited_doc_ids"] if str(name) in abstracts]
        return summary(row["id"], "\n\n".join(cited), row["claim"], _label(row)) if cited else None

    return examples(claims, n, shape)


def _label(row: Row) -> str:
    """The verdict: of the published columns, or of evidence by document; without either there is not enough."""
    evidence = row.get("evidence")
    if isinstance(evidence, Mapping):
        found = [item["label"] for items in evidence.values() for item in items]
        return found[0] if found else "NOT ENOUGH INFO"
    return row.get("evidence_label") or "NOT ENOUGH INFO"
