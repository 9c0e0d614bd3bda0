"""Extraction: the claims that a text makes, after Claimify: selection, disambiguation, decomposition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ringtrue.evaluators.judged.claims.config import ClaimVerificationEvaluatorConfig
from ringtrue.evaluators.judged.claims.forms import Entry, Form, together
from ringtrue.evaluators.judged.claims.records import OutputSentence, SentenceStatus
from ringtrue.evaluators.judged.claims.sources import LEFT_OUT
from ringtrue.evaluators.judged.schemas import TEXT, choice, several
from ringtrue.evaluators.judged.session import JudgeSession, NoVerdict
from ringtrue.models.structured.structured_model import NoValue
from ringtrue.records import Json
from ringtrue.scoring.facts.exact_facts import normal, unmet
from ringtrue.scoring.prose.bm25 import terms
from ringtrue.scoring.prose.passages import Passage, split_passages

NO_QUESTION = "(none given)"
LONGEST_SENTENCE = 4_000
LONGEST_QUESTION = 4_000
MOST_CLAIMS = 40
_SILENT = {"heading": "a heading", "code": "code"}


def _needs_text(*outcomes: str) -> Mapping[str, Json]:
    return {"outcome": choice(*outcomes), "text": TEXT}


def _missing_text(entry: Json) -> str:
    named = entry["outcome"] in ("part", "resolved", "unresolvable")
    return f"'text' is empty although 'outcome' is {entry['outcome']!r}" if named and not entry["text"].strip() else ""


def _bad_claims(entry: Json) -> str:
    if any(not claim.strip() for claim in entry["claims"]):
        return "a claim is empty"
    return f"there are more than {MOST_CLAIMS} claims" if len(entry["claims"]) > MOST_CLAIMS else ""


SELECTION = Form("claim_selection", "sentence", _needs_text("none", "part", "whole"), _missing_text)
DISAMBIGUATION = Form(
    "claim_disambiguation", "sentence", _needs_text("clear", "resolved", "unresolvable"), _missing_text
)
DECOMPOSITION = Form("claim_decomposition", "sentence", {"claims": several(TEXT)}, _bad_claims)


class Vote(NamedTuple):
    """The outcome of a sentence at a stage with votes: an error, or whether it continues, and as which text."""

    is_kept: bool
    text: str
    agreement: float
    error: str = ""


class Extraction:
    """One text on its way to claims; `batches` are the sentences that share calls."""

    def __init__(
        self, text: str, question: str, config: ClaimVerificationEvaluatorConfig, session: JudgeSession
    ) -> None:
        self.passages = split_passages(text, LONGEST_SENTENCE)
        self.text, self.asked = text, _shortened_question(question)
        self.config, self.session = config, session
        self._everything = normal(f"{text}\n{question}")

    def silent(self) -> Iterator[OutputSentence]:
        """Yield the passages that make no claims: headings and code."""
        for number, passage in enumerate(self.passages, 1):
            if passage.kind in _SILENT:
                yield self._sentence(number, "no_claims", _SILENT[passage.kind])

    def batches(self) -> list[list[int]]:
        """The numbers of the other sentences, as many together as may share a call; a very long one is several."""
        spoken = [number for number, passage in enumerate(self.passages, 1) if passage.kind not in _SILENT]
        size = self.config.sentences_per_call
        return [spoken[at : at + size] for at in range(0, len(spoken), size)]

    async def extract(self, numbers: Sequence[int]) -> list[OutputSentence]:
        """Return the result for each sentence of one batch, in order."""
        found: dict[int, OutputSentence] = {}
        selected = await self._votes(SELECTION, numbers, self.config.selection_window, {}, ("part", "whole"))
        kept = self._going_on(selected, "no_claims", "nothing in it can be verified", found)
        parts = {number: vote.text for number, vote in kept.items() if vote.text}
        resolved = (
            await self._votes(DISAMBIGUATION, list(kept), self.config.context_window, parts, ("clear", "resolved"))
            if kept
            else {}
        )
        clear = self._going_on(resolved, "ambiguous", "it can be read in more than one way", found)
        if clear:
            readings = parts | {number: vote.text for number, vote in clear.items() if vote.text}
            agreement = {number: min(kept[number].agreement, vote.agreement) for number, vote in clear.items()}
            found |= await self._decompose(list(clear), readings, agreement)
        return [found[number] for number in numbers]

    def _going_on(
        self, votes: Mapping[int, Vote], status: SentenceStatus, reason: str, found: dict[int, OutputSentence]
    ) -> dict[int, Vote]:
        for number, vote in votes.items():
            if vote.error:
                found[number] = self._sentence(number, "error", vote.error, agreement=vote.agreement)
            elif not vote.is_kept:
                found[number] = self._sentence(number, status, vote.text or reason, agreement=vote.agreement)
        return {number: vote for number, vote in votes.items() if number not in found}

    async def _votes(
        self,
        form: Form,
        numbers: Sequence[int],
        window: tuple[int, int],
        said: Mapping[int, str],
        successes: tuple[str, ...],
    ) -> dict[int, Vote]:
        ballots = await together(
            form.fill(self.session, numbers, lambda some: self._material(some, window, said), f"vote {vote}")
            for vote in range(self.config.votes)
        )
        return {
            number: count_votes([ballot[number] for ballot in ballots], successes, self.config.successes)
            for number in numbers
        }

    async def _decompose(
        self, numbers: Sequence[int], said: Mapping[int, str], agreement: Mapping[int, float]
    ) -> dict[int, OutputSentence]:
        window = self.config.context_window
        entries = await DECOMPOSITION.fill(
            self.session, numbers, lambda some: self._material(some, window, said), "decomposition"
        )
        found = {}
        for number, entry in entries.items():
            if isinstance(entry, NoValue):
                found[number] = self._sentence(number, "error", str(NoVerdict(entry, "its claims")))
                continue
            claims = list(dict.fromkeys(" ".join(claim.split()) for claim in entry["claims"]))
            own = tuple(claim for claim in claims if self._follows(number, claim, said.get(number, "")))
            dropped = tuple(claim for claim in claims if claim not in own)
            status: SentenceStatus = "claims" if own else "error" if dropped else "no_claims"
            reason = "" if own else "its claims are not its own" if dropped else "it was decomposed into nothing"
            found[number] = self._sentence(number, status, reason, own, agreement[number], dropped)
        return found

    def _material(self, numbers: Sequence[int], window: tuple[int, int], said: Mapping[int, str]) -> dict[str, str]:
        return {"question": self.asked or NO_QUESTION, "text": excerpt(self.passages, numbers, window, said)}

    def _follows(self, number: int, claim: str, reading: str) -> bool:
        """Whether a claim has words of its sentence, and no quotation, date or amount that the text does not have."""
        own = self.passages[number - 1]
        before, after = self.config.selection_window
        near = self.passages[max(0, number - 1 - before) : number + after]
        context = "\n".join([*(passage.text for passage in near), *own.headings])
        if not set(terms(claim)) & set(terms(f"{own.text} {reading}")):
            return False
        return all(normal(missing) in self._everything for missing in unmet(claim, context))

    def _sentence(
        self,
        number: int,
        status: SentenceStatus,
        reason: str = "",
        claims: tuple[str, ...] = (),
        agreement: float = 1.0,
        dropped: tuple[str, ...] = (),
    ) -> OutputSentence:
        passage = self.passages[number - 1]
        words = self.text[passage.start : passage.end]
        return OutputSentence(words, passage.start, passage.end, status, reason, claims, agreement, dropped)


def count_votes(ballots: Sequence[Entry], successes: tuple[str, ...], needed: int) -> Vote:
    """The outcome of a vote: at least `needed` successes, too many failures, or an error that leaves it open."""
    usable = [ballot for ballot in ballots if not isinstance(ballot, NoValue)]
    broken = [ballot for ballot in ballots if isinstance(ballot, NoValue)]
    won = [ballot for ballot in usable if ballot["outcome"] in successes]
    lost = [ballot for ballot in usable if ballot["outcome"] not in successes]
    if len(won) >= needed:
        return Vote(True, _text(won[0]), len(won) / len(usable))
    if len(lost) > len(ballots) - needed:
        return Vote(False, _text(lost[0]), len(lost) / len(usable))
    return Vote(False, "", 0.0, str(NoVerdict(broken[0], f"{len(broken)} of {len(ballots)} votes")))


def _shortened_question(question: str) -> str:
    """A question's beginning and end: one that holds a whole document would travel with every batch."""
    if len(question) <= LONGEST_QUESTION:
        return question
    half = LONGEST_QUESTION // 2
    return f"{question[:half]}\n(text left out)\n{question[-half:]}"


def _text(ballot: Mapping[str, Json]) -> str:
    return " ".join(ballot["text"].split()) if ballot["outcome"] not in ("none", "whole", "clear") else ""


def excerpt(
    passages: Sequence[Passage],
    numbers: Sequence[int],
    window: tuple[int, int],
    said: Mapping[int, str] | None = None,
) -> str:
    """The sentences of these numbers, each a line that begins with its number, and their neighbours after a dash.

    A sentence's number is its position in the text, from 1. `window` is how many come before and after each. `said`
    adds a reading to some of them. A mark shows where text is left out; headings are named where they change.
    """
    before, after = window
    wanted = set(numbers)
    shown = sorted(
        {at for number in numbers for at in range(max(1, number - before), min(len(passages), number + after) + 1)}
    )
    lines: list[str] = []
    previous = 0
    headings: tuple[str, ...] = ()
    for number in shown:
        passage = passages[number - 1]
        if number != previous + 1:
            lines.append(LEFT_OUT)
        if passage.headings != headings and passage.headings:
            lines.append(f"- (under the heading: {' > '.join(passage.headings)})")
        lines.append(f"{number}: {passage.text}" if number in wanted else f"- {passage.text}")
        if number in wanted and said and number in said:
            lines.append(f"- (sentence {number}, as it is to be read: {said[number]})")
        previous, headings = number, passage.headings
    if previous < len(passages):
        lines.append(LEFT_OUT)
    return "\n".join(lines)
