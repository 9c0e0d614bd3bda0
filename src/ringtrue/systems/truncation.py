"""`Truncation`: the system that keeps as much of a context as a budget of tokens allows, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ringtrue.identity import NamedByClass
from ringtrue.models.tokens import count
from ringtrue.require import require_choice, require_count

Keep = Literal["start", "end", "both"]


@dataclass(frozen=True)
class Truncation(NamedByClass):
    """Cuts the context of an example to `tokens` tokens of o200k; question and everything else stay.

    `keep` says which end stays: the start, the end, or half of the budget at both with the middle cut out.
    """

    tokens: int
    keep: Keep = "start"
    name: str = ""

    def __post_init__(self) -> None:
        require_count("tokens", self.tokens)
        require_choice("keep", self.keep, ("start", "end", "both"))
        suffix = "" if self.keep == "start" else f"-{self.keep}"
        self.take_name(vars(self).get("name"), f"truncate-{self.tokens}{suffix}")

    def process(self, example: dict[str, Any]) -> dict[str, Any]:
        """The example with its context cut; one that has no context stays as it is."""
        context = example.get("context")
        return {**example, "context": self.cut(context)} if isinstance(context, str) and context else dict(example)

    def cut(self, text: str) -> str:
        """The part of a text that stays."""
        if count(text).count <= self.tokens:
            return text
        if self.keep == "end":
            return _start(text[::-1], self.tokens, backwards=True)[::-1]
        if self.keep == "start" or self.tokens < 2:
            return _start(text, self.tokens)
        half = self.tokens // 2
        return _start(text, half) + _start(text[::-1], self.tokens - half, backwards=True)[::-1]


def _start(text: str, tokens: int, *, backwards: bool = False) -> str:
    """The longest beginning within `tokens` tokens, cut at a blank where there is one near."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        piece = text[:middle][::-1] if backwards else text[:middle]
        if count(piece).count <= tokens:
            low = middle
        else:
            high = middle - 1
    cut = text[:low]
    blank = max(cut.rfind(" "), cut.rfind("\n"))
    return cut[:blank] if blank > 0.9 * low else cut
