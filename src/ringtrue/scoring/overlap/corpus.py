"""Common parts of corpus scores: texts with their references, and a value with its signature."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from ringtrue._version import __version__
from ringtrue.errors import ConfigurationError

References: TypeAlias = str | Sequence[str]
"""One reference, or several for the same hypothesis."""


class CorpusScore(NamedTuple):
    """A score in [0, 1] and how it was made, in sacreBLEU's notation."""

    value: float
    signature: str


def reference_list(references: References) -> Sequence[str]:
    """The references of one hypothesis as a sequence that is not empty."""
    if isinstance(references, str):
        return (references,)
    if not references:
        raise ConfigurationError(
            "a hypothesis needs at least one reference; pass a string or a list of strings",
            parameter="references",
            value=references,
        )
    return references


def pair_references(hypotheses: Sequence[str], references: Sequence[References]) -> list[tuple[str, Sequence[str]]]:
    """Each hypothesis with its references; the two sequences are equally long and not empty."""
    if isinstance(hypotheses, str) or isinstance(references, str):
        raise ConfigurationError(
            "a corpus is a list of hypotheses and a list with one entry of references for each; got a string",
            parameter="hypotheses",
        )
    if not hypotheses or len(hypotheses) != len(references):
        raise ConfigurationError(
            "a corpus needs at least one hypothesis and one entry of references for each; "
            f"got {len(hypotheses)} hypotheses and {len(references)} entries",
            parameter="references",
        )
    return list(zip(hypotheses, map(reference_list, references), strict=True))


def signature(pairs: Sequence[tuple[str, Sequence[str]]], **fields: object) -> str:
    """`nrefs:1|case:mixed|…|version:ringtrue-x`: all but the version reads as sacreBLEU writes it."""
    counts = {len(references) for _, references in pairs}
    shown = {"nrefs": counts.pop() if len(counts) == 1 else "var", **fields, "version": f"ringtrue-{__version__}"}
    return "|".join(f"{name}:{_word(value)}" for name, value in shown.items())


def _word(value: object) -> object:
    return ("yes" if value else "no") if isinstance(value, bool) else value
