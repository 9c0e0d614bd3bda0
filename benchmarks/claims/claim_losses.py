"""Claim verification on a synthetic set with exact labels: what is lost, and what it costs against the public formula.

    python benchmarks/claims/claim_losses.py [--examples 50]

The judge is scripted from the labels, so every loss is this code's. The public implementation asks one question for
each sentence, for each kept sentence, for each clear sentence and for each claim, the last with all sources. Its tokens
are counted from what it sends (questions, windows, sentences, sources, claims), without its instructions; ours are
counted with everything. A second column gives it our instructions. Schemas are counted on neither side.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from dataclasses import dataclass, field

from claim_set import Example, GoldSentence, examples, fifteen
from label_judge import labelled

from ringtrue.evaluators.judged.claim_verification import (
    ClaimVerificationEvaluator,
    InputClaimVerificationEvaluator,
    InputContext,
    OutputClaimVerificationEvaluator,
    OutputClaimVerificationEvaluatorMetrics,
)
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.models.request import Request
from ringtrue.models.tokens import count
from ringtrue.scoring.facts.exact_facts import normal


@dataclass
class Cost:
    """Calls and prompt tokens; `instructed` adds instructions to what carries none."""

    calls: int = 0
    tokens: int = 0
    instructed: int = 0


@dataclass
class Losses:
    """How often the outcome differs from the labels, of how many, by what is compared."""

    wrong: Counter[str] = field(default_factory=Counter)
    total: Counter[str] = field(default_factory=Counter)

    def note(self, what: str, right: bool) -> None:
        self.total[what] += 1
        self.wrong[what] += not right


def tokens(text: str) -> int:
    return count(text).count


def cost_of(requests: list[Request]) -> Cost:
    """What requests took: every message, instructions and all."""
    total = sum(tokens(str(message["content"])) for request in requests for message in request.messages)
    return Cost(len(requests), total, total)


def public_cost(example: Example) -> Cost:
    """What the public implementation sends for an answer with these sentences and claims."""
    question = tokens(example.question)
    sentences = [one.text for one in example.sentences]
    kept = [one for one in example.sentences if one.status != "no_claims"]
    clear = [one for one in kept if one.status == "claims"]
    claims = [claim.text for one in clear for claim in one.claims]
    sources = tokens("\n".join(_numbered(title, text) for title, text in example.sources.items()))
    material = sum(
        question + tokens(" ".join(sentences[max(0, at - 2) : at + 3])) + tokens(sentence)
        for at, sentence in enumerate(sentences)
    )
    material += sum(question + 2 * tokens(one.text) for one in (*kept, *clear))
    material += sum(question + sources + tokens(claim) for claim in claims)
    stages = {
        "claim_selection": len(sentences),
        "claim_disambiguation": len(kept),
        "claim_decomposition": len(clear),
        "claim_verdict": len(claims),
    }
    instructions = sum(tokens(prompt(name).system) * times for name, times in stages.items())
    return Cost(sum(stages.values()), material, material + instructions)


def _numbered(title: str, text: str) -> str:
    lines = "\n".join(f"{at:>4}→{line}" for at, line in enumerate(text.splitlines()))
    return f"<source><title>{title}</title>\n{lines}\n</source>"


async def verified(
    example: Example, **settings: int
) -> tuple[list[OutputClaimVerificationEvaluator], OutputClaimVerificationEvaluatorMetrics, list[Request]]:
    """The claims and metrics of an example, and what was asked."""
    model = labelled(example)
    evaluator = ClaimVerificationEvaluator(model=model, order="text", **settings)
    contexts = [InputContext(str(at), title, text) for at, (title, text) in enumerate(example.sources.items())]
    claims: list[OutputClaimVerificationEvaluator] = []
    async for one in evaluator.run(InputClaimVerificationEvaluator(example.text, example.question, contexts)):
        if isinstance(one, OutputClaimVerificationEvaluatorMetrics):
            return claims, one, model.asked
        claims.append(one)
    raise AssertionError("the metrics come last")


def compare(
    example: Example,
    claims: list[OutputClaimVerificationEvaluator],
    metrics: OutputClaimVerificationEvaluatorMetrics,
    losses: Losses,
) -> None:
    """Count what differs from the labels."""
    status = {one.sentence: one.status for one in metrics.sentences}
    by_text = {normal(one.claim): one for one in claims}
    for gold in example.sentences:
        losses.note("sentence status", status.get(gold.text) == gold.status)
        losses.note(f"  {gold.operation}", _right(gold, by_text))
    wanted = {normal(claim.text) for one in example.sentences for claim in one.claims}
    losses.note("no claim added, none counted twice", {*by_text} == wanted and len(claims) == len(wanted))
    contents = {str(at): text for at, text in enumerate(example.sources.values())}
    for claim in claims:
        for cite in claim.citations:
            exact = contents[cite.source_id][cite.start_index : cite.end_index] == cite.cited_text != ""
            losses.note("citation is the source's words", exact)
        losses.note("supported has a citation", claim.verdict != "supported" or bool(claim.citations))


def _right(gold: GoldSentence, by_text: dict[str, OutputClaimVerificationEvaluator]) -> bool:
    for claim in gold.claims:
        found = by_text.get(normal(claim.text))
        if found is None or (found.verdict, found.is_open_domain) != (claim.verdict, claim.open_domain):
            return False
        if {one.cited_text for one in found.citations} != set(claim.evidence):
            return False
    return True


def show(name: str, ours: Cost, public: Cost) -> None:
    print(
        f"| {name} | {public.calls} | {ours.calls} | {ours.calls / public.calls:.0%} | {public.tokens:,} |"
        f" {public.instructed:,} | {ours.tokens:,} | {ours.tokens / public.tokens:.0%} |"
        f" {ours.tokens / public.instructed:.0%} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--examples", type=int, default=50)
    options = parser.parse_args()
    print("| answer | public calls | ours | share | public tokens, bare | with instructions | ours | share | share |")
    print("|---|---|---|---|---|---|---|---|---|")
    losses = Losses()
    for name, some in (("15 sentences, 36 claims", [fifteen()]), ("mixed", examples(options.examples))):
        ours, public = Cost(), Cost()
        for example in some:
            claims, metrics, requests = asyncio.run(verified(example))
            compare(example, claims, metrics, losses)
            for total, one in ((ours, cost_of(requests)), (public, public_cost(example))):
                total.calls += one.calls
                total.tokens += one.tokens
                total.instructed += one.instructed
        show(name, ours, public)
    print("\n| compared with the labels | n | wrong |\n|---|---|---|")
    for what, total in losses.total.items():
        print(f"| {what} | {total} | {losses.wrong[what]} |")


if __name__ == "__main__":
    main()
