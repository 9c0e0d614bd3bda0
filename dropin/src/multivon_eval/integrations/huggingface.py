"""`from_huggingface`: the rows of a dataset of Hugging Face's library as a manifest of cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from multivon_eval.case import EvalCase
from multivon_eval.case_manifest import CaseManifest, case_from_dict
from multivon_eval.values import part, required
from ringtrue.evaluators.judged.config import require_count

__all__ = ["from_huggingface"]


def from_huggingface(
    dataset: Any,
    *,
    name: str,
    record_to_case: Callable[[dict[str, Any]], EvalCase] | None = None,
    provenance: Mapping[str, Any] | None = None,
    max_cases: int = 10_000,
) -> CaseManifest:
    """The cases of a dataset, or of a dictionary of them, each of which is a split; more than `max_cases` are refused.

    A row holds the fields of a case, unless `record_to_case` makes one of it. Reading a stream may fetch data.
    """
    require_count("max_cases", max_cases)
    library = required("datasets", "from_huggingface", "datasets")
    whole = isinstance(dataset, (library.Dataset, library.IterableDataset))
    if not whole and not isinstance(dataset, (library.DatasetDict, library.IterableDatasetDict)):
        raise TypeError(f"Expected a Hugging Face dataset, or a dictionary of them; got {type(dataset).__name__}")
    parts = {str(dataset.split): dataset} if whole else {str(split): rows for split, rows in dataset.items()}
    cases: list[EvalCase] = []
    splits: dict[str, list[str]] = {}
    for split, rows in parts.items():
        splits[split] = []
        for row in rows:
            if len(cases) == max_cases:
                raise ValueError(f"the dataset exceeds max_cases={max_cases}; none is left out unsaid")
            case = case_from_dict(dict(row)) if record_to_case is None else record_to_case(dict(row))
            if not isinstance(case, EvalCase):
                raise TypeError(f"record_to_case must return EvalCase; got {type(case).__name__}")
            cases.append(case)
            splits[split].append(case.identity()[0])
    # What a stream holds is known only when it is read, so that it has no fingerprint.
    known = {split: part(rows, "_fingerprint") for split, rows in parts.items()}
    return CaseManifest(name, cases, splits=splits, provenance={**(provenance or {}), "upstream_fingerprints": known})
