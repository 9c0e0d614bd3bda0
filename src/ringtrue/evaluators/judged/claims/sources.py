"""`Sources`: the sources of a text, cut into numbered passages; evidence is the number of a passage."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from ringtrue.evaluators.judged.claims.records import Citation, InputContext
from ringtrue.models.tokens import estimate
from ringtrue.scoring.facts.exact_facts import normal
from ringtrue.scoring.prose.bm25 import BM25, terms
from ringtrue.scoring.prose.passages import Passage, split_passages

LEFT_OUT = "- (text left out)"
_TITLE = 200
_PIECES = 50
_NUMBER_TOKENS = 3


class Spot(NamedTuple):
    """A passage and the source it is in."""

    source: int
    passage: Passage


class Sources:
    """The sources of one evaluation and the graph they form; passages are numbered from 1 through all of them."""

    def __init__(self, contexts: Sequence[InputContext], longest: int) -> None:
        self.contexts = list(contexts)
        self.spots = [
            Spot(source, passage)
            for source, context in enumerate(self.contexts)
            for passage in split_passages(context.content, longest)
        ]
        self._numbers: dict[int, list[int]] = {}
        for number, spot in enumerate(self.spots, 1):
            self._numbers.setdefault(spot.source, []).append(number)
        position = {context.source_id: at for at, context in enumerate(self.contexts)}
        self.inputs = [tuple(position[name] for name in context.inputs) for context in self.contexts]
        self._index = BM25(spot.passage.text for spot in self.spots)
        self._tokens = [estimate(spot.passage.text) + _NUMBER_TOKENS for spot in self.spots]
        self._normal: dict[frozenset[int], str] = {}

    @property
    def is_staged(self) -> bool:
        """Whether some source was made from others."""
        return any(self.inputs)

    def last(self) -> frozenset[int]:
        """The sources that no other source was made from: those the text was made from."""
        return frozenset(range(len(self.contexts))) - {one for inputs in self.inputs for one in inputs}

    def roots(self, some: Iterable[int]) -> frozenset[int]:
        """Those of some sources that were made from no other."""
        return frozenset(one for one in some if not self.inputs[one])

    def made_from(self, some: Iterable[int]) -> frozenset[int]:
        """The inputs of some sources."""
        return frozenset(one for source in some for one in self.inputs[source])

    def stage(self, source: int) -> str:
        """The stage of a source: as it was named, else its distance from the first sources."""
        return self.contexts[source].stage or str(self._depths[source])

    def numbers(self, some: Iterable[int]) -> list[int]:
        """The numbers of the passages of some sources, in order."""
        return [number for source in sorted(some) for number in self._numbers.get(source, ())]

    def sources_of(self, numbers: Iterable[int]) -> frozenset[int]:
        """The sources that some passages are in."""
        return frozenset(self.spots[number - 1].source for number in numbers)

    def tokens(self, numbers: Iterable[int]) -> int:
        """About how many tokens some passages take when they are shown."""
        return sum(self._tokens[number - 1] for number in numbers)

    def ranked_passages(self, query: str, numbers: Sequence[int]) -> list[int]:
        """The passages among some that share words with a query, the best first."""
        return [at + 1 for at in self._index.rank(query, [number - 1 for number in numbers])]

    def words(self, number: int) -> frozenset[str]:
        """The words by which a passage is found."""
        return frozenset(terms(self.spots[number - 1].passage.text))

    def around(self, numbers: Iterable[int]) -> list[int]:
        """Some passages with their neighbours in the same source."""
        found = {
            near
            for number in numbers
            for near in (number - 1, number, number + 1)
            if 1 <= near <= len(self.spots) and self.spots[near - 1].source == self.spots[number - 1].source
        }
        return sorted(found)

    def sentence(self, number: int) -> str:
        """The whole sentence that a passage is, or is a part of."""
        spot = self.spots[number - 1]
        near = self.spots[max(0, number - _PIECES) : number + _PIECES]
        parts = [
            one.passage for one in near if (one.source, one.passage.sentence) == (spot.source, spot.passage.sentence)
        ]
        if len(parts) == 1:
            return spot.passage.text
        return " ".join(self.contexts[spot.source].content[parts[0].start : parts[-1].end].split())

    def shown_passages(self, numbers: Iterable[int]) -> str:
        """Passages as a judge reads them: one on a line, after its number, below the title of its source."""
        lines: list[str] = []
        source, previous = -1, 0
        for number in numbers:
            spot = self.spots[number - 1]
            if spot.source != source:
                source = spot.source
                title = " ".join(self.contexts[source].title.split())[:_TITLE]
                lines.append(f"- (source: {title or 'without a title'})")
                previous = self._numbers[source][0] - 1
            if number != previous + 1:
                lines.append(LEFT_OUT)
            lines.append(f"{number}: {spot.passage.text}")
            previous = number
        return "\n".join(lines)

    def text(self, numbers: Iterable[int]) -> str:
        """Return the text of some passages, with the titles of their sources."""
        chosen = list(numbers)
        titles = [self.contexts[source].title for source in self.sources_of(chosen)]
        return "\n".join([*(self.spots[number - 1].passage.text for number in chosen), *titles])

    def whole(self, some: frozenset[int]) -> str:
        """All that some sources say, as texts are compared."""
        if some not in self._normal:
            self._normal[some] = normal("\n".join(self.contexts[one].content for one in sorted(some)))
        return self._normal[some]

    def citation(self, number: int) -> Citation:
        """A passage as it is cited: the words of the source, and where they are."""
        source, passage = self.spots[number - 1]
        context = self.contexts[source]
        return Citation(
            context.source_id,
            context.content[passage.start : passage.end],
            context.title,
            passage.first_line,
            passage.last_line,
            passage.start,
            passage.end,
            self.stage(source) if self.is_staged else "",
        )

    @cached_property
    def _depths(self) -> list[int]:
        depths: dict[int, int] = {}
        waiting = [(one, False) for one in range(len(self.contexts))]
        while waiting:
            one, entered = waiting.pop()
            if entered:
                depths[one] = 1 + max((depths[source] for source in self.inputs[one]), default=-1)
            elif one not in depths:
                waiting.append((one, True))
                waiting += [(source, False) for source in self.inputs[one]]
        return [depths[one] for one in range(len(self.contexts))]
