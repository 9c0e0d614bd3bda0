"""A synthetic set of answers about invented companies and bridges, with exact labels by construction.

Documents are written from structured facts; answers are written from the same facts by known operations. So it is
known of every sentence whether it can be verified, whether it is ambiguous, which claims it makes, what the verdict on
each is and which sentences of the source decide.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Literal

Status = Literal["no_claims", "ambiguous", "claims"]


@dataclass(frozen=True)
class GoldClaim:
    """A claim, its verdict, the source sentences that decide, and whether it needs no source."""

    text: str
    verdict: str
    evidence: tuple[str, ...] = ()
    open_domain: bool = False


@dataclass(frozen=True)
class GoldSentence:
    """A sentence of an answer: how it was made, what it is, and as what it is to be read."""

    text: str
    operation: str
    status: Status
    claims: tuple[GoldClaim, ...] = ()
    resolved: str = ""
    line: str = "{}"
    """How it is in the answer: as prose, as a list item …"""


@dataclass(frozen=True)
class Example:
    """A question, its sources (title -> text), and the answer with its labels."""

    question: str
    sources: dict[str, str]
    sentences: tuple[GoldSentence, ...]
    text: str


@dataclass(frozen=True)
class Fact:
    """One attribute of one thing, in the words of the source, of claims, and of answers."""

    thing: str
    attribute: str
    value: str
    source: str
    claim: str
    paraphrases: tuple[str, ...]
    wrong: str
    """The same claim with another value."""


@dataclass(frozen=True)
class _Kind:
    noun: str
    attributes: dict[str, tuple[str, str, tuple[str, ...]]]
    """Attribute -> source, claim, paraphrases."""


COMPANY = _Kind(
    "company",
    {
        "year": (
            "{x} opened its doors in {v}.",
            "{x} was founded in {v}.",
            ("The founding of {x} dates to {v}.", "{x} has existed since {v}."),
        ),
        "founder": (
            "The founder of {x} is {v}.",
            "{v} founded {x}.",
            ("{x} was started by {v}.", "{v} is the person who founded {x}."),
        ),
        "city": (
            "{x} has its head office in {v}.",
            "{x} is based in {v}.",
            ("The headquarters of {x} are in {v}.", "{v} is home to {x}."),
        ),
        "staff": (
            "{x} employs {v} people.",
            "{x} employs {v} people.",
            ("{v} people work at {x}.", "The staff of {x} numbers {v}."),
        ),
        "revenue": (
            "{x} earned ${v} million last year.",
            "{x} earned ${v} million last year.",
            ("Last year {x} took in ${v} million.", "Revenue at {x} came to ${v} million last year."),
        ),
        "product": (
            "{x} makes {v}.",
            "{x} makes {v}.",
            ("{v} are what {x} produces.", "The main products of {x} are {v}."),
        ),
    },
)
BRIDGE = _Kind(
    "bridge",
    {
        "year": (
            "{x} was opened to traffic in {v}.",
            "{x} was opened in {v}.",
            ("Traffic has crossed {x} since {v}.", "{x} dates from {v}."),
        ),
        "founder": (
            "{x} was designed by {v}.",
            "{v} designed {x}.",
            ("The designer of {x} is {v}.", "{v} drew up the plans for {x}."),
        ),
        "city": (
            "{x} stands in {v}.",
            "{x} is located in {v}.",
            ("{v} is where {x} can be found.", "You can find {x} in {v}."),
        ),
        "length": (
            "{x} is {v} m long.",
            "{x} is {v} m long.",
            ("The length of {x} is {v} m.", "{x} measures {v} m from end to end."),
        ),
        "cost": (
            "Building {x} cost ${v} million.",
            "Building {x} cost ${v} million.",
            ("${v} million was spent on building {x}.", "The price of {x} was ${v} million."),
        ),
        "product": (
            "The deck of {x} rests on {v}.",
            "The deck of {x} rests on {v}.",
            ("{v} carry the deck of {x}.", "What bears the deck of {x} are {v}."),
        ),
    },
)
_FIRST = (
    *("Aldra", "Borvik", "Celdon", "Dremont", "Elvany", "Farnow", "Galtrum"),
    *("Hestia", "Ilmora", "Jorvane", "Kelmer", "Lundby", "Marvo", "Nessel"),
)
_LAST = {"company": ["Works", "Foods", "Optics", "Mills", "Labs"], "bridge": ["Bridge", "Viaduct", "Crossing"]}
_PEOPLE = ["Ana Holt", "Ben Ruiz", "Cleo Marsh", "Dana Voss", "Emil Krantz", "Fay Ocampo", "Gus Lindqvist", "Hana Ito"]
_CITIES = ["Tarnholm", "Velport", "Ostrava", "Quillby", "Redmere", "Santillo", "Umbral", "Wexmoor"]
_PRODUCTS = {
    "company": ["wooden clocks", "ski boots", "glass lenses", "rye crackers", "copper kettles"],
    "bridge": ["steel cables", "stone arches", "concrete piers", "oak beams", "iron trusses"],
}
_OPINIONS = ["It is a story worth telling.", "Many visitors may find this charming.", "In my view that is impressive."]
_FRAMES = ["Here is what the documents say.", "Let me know if you need more.", "To sum up, there is much to explore."]
_ADVICE = ["You should read the reports yourself before deciding.", "Consider asking an expert first."]
_ADDITIONS = [
    "{x} won the Silver Lantern prize.",
    "{x} appears on a postage stamp.",
    "{x} has a sister city programme.",
    "{x} was visited by the king of Norway.",
]
_FILLER = [
    "The archive keeps several boxes of letters.",
    "Records before that are incomplete.",
    "A clerk copied the older entries by hand and signed every page.",
    "Visitors are asked to call ahead, since the reading room is small.",
    "The photographs were taken on a rainy morning in spring.",
    "Nobody could say who had drawn the map on the back of the cover.",
    "Two later volumes were lost when the cellar flooded.",
    "The editors thank everybody who answered their letters.",
]
_FORECASTS = ["{x} will probably double in size.", "{x} might one day be famous."]


def examples(count: int, seed: int = 1) -> list[Example]:
    """`count` different examples, each with every operation."""
    drawn = random.Random(seed)
    return [_example(drawn) for _ in range(count)]


def fifteen(seed: int = 7) -> Example:
    """An answer of fifteen sentences: three say nothing, twelve make three claims each; thirty-six claims in all."""
    drawn = random.Random(seed)
    things = _things(drawn, 8)
    facts = [fact for thing in things for fact in thing]
    drawn.shuffle(facts)
    sentences = [GoldSentence(_FRAMES[0], "intro", "no_claims")]
    for at in range(12):
        trio = facts[3 * at : 3 * at + 3]
        wrong = at % 3 == 2
        claims = [_gold(fact, wrong and place == 0) for place, fact in enumerate(trio)]
        text = "; ".join(claim.text.rstrip(".") for claim in claims) + "."
        sentences.append(GoldSentence(text, "merge", "claims", tuple(claims)))
    sentences.insert(7, GoldSentence(_OPINIONS[0], "opinion", "no_claims"))
    sentences.append(GoldSentence(_FRAMES[2], "conclusion", "no_claims"))
    return _written("Tell me about these companies and bridges.", _sources(drawn, things, 8), sentences)


def _example(drawn: random.Random) -> Example:
    things = _things(drawn, 4)
    one, two, three, four = things
    sentences = [
        GoldSentence(drawn.choice(_FRAMES[:2]), "intro", "no_claims"),
        _plain(one[0], one[0].source, "copy"),
        _plain(one[1], drawn.choice(one[1].paraphrases), "paraphrase"),
        _pronoun(one[3]),
        GoldSentence(drawn.choice(_OPINIONS), "opinion", "no_claims"),
        _changed(two[3], "number change"),
        _changed(two[1], "entity swap"),
        _merged(two[2], two[5]),
        _added(two[0].thing, drawn),
        _two_antecedents(three, four),
        _plain(three[3], three[3].claim, "copy", "- {}"),
        _converted(three[4], "- {}"),
        _plain(three[2], drawn.choice(three[2].paraphrases), "paraphrase", "- {}"),
        _changed(four[0], "year change", "- {}"),
        GoldSentence(drawn.choice(_ADVICE), "advice", "no_claims"),
        _forecast(four[0].thing, drawn),
        _plain(one[1], one[1].claim, "repetition"),
        GoldSentence(_FRAMES[2], "conclusion", "no_claims"),
    ]
    return _written(f"What is known about {one[0].thing}?", _sources(drawn, things), sentences)


def _things(drawn: random.Random, count: int) -> list[list[Fact]]:
    names = drawn.sample(_FIRST, count)
    found = []
    for at, name in enumerate(names):
        kind = COMPANY if at % 2 == 0 else BRIDGE
        found.append(_facts(drawn, kind, f"{name} {drawn.choice(_LAST[kind.noun])}"))
    return found


def _facts(drawn: random.Random, kind: _Kind, thing: str) -> list[Fact]:
    found = []
    for attribute, (source, claim, paraphrases) in kind.attributes.items():
        value, other = _values(drawn, kind, attribute)
        found.append(
            Fact(
                thing,
                attribute,
                value,
                _said(source, thing, value),
                _said(claim, thing, value),
                tuple(_said(one, thing, value) for one in paraphrases),
                _said(claim, thing, other),
            )
        )
    return found


def _said(template: str, thing: str, value: str) -> str:
    text = template.format(x=thing, v=value)
    return text[0].upper() + text[1:]


def _values(drawn: random.Random, kind: _Kind, attribute: str) -> tuple[str, str]:
    """A value and a wrong one."""
    if attribute == "year":
        one, other = drawn.sample(range(1802, 2015), 2)
        return str(one), str(other)
    if attribute in ("staff", "length"):
        one, other = drawn.sample(range(1_013, 9_990, 7), 2)
        return f"{one:,}", f"{other:,}"
    if attribute in ("revenue", "cost"):
        one, other = drawn.sample(range(113, 989), 2)
        return f"{one / 10:.1f}", f"{other / 10:.1f}"
    pool = {"founder": _PEOPLE, "city": _CITIES, "product": _PRODUCTS[kind.noun]}[attribute]
    one, other = drawn.sample(pool, 2)
    return one, other


def _gold(fact: Fact, wrong: bool = False) -> GoldClaim:
    text, verdict = (fact.wrong, "contradicted") if wrong else (fact.claim, "supported")
    return GoldClaim(text, verdict, (fact.source,))


def _plain(fact: Fact, text: str, operation: str, line: str = "{}") -> GoldSentence:
    return GoldSentence(text, operation, "claims", (_gold(fact),), line=line)


def _changed(fact: Fact, operation: str, line: str = "{}") -> GoldSentence:
    return GoldSentence(fact.wrong, operation, "claims", (_gold(fact, wrong=True),), line=line)


def _merged(one: Fact, other: Fact) -> GoldSentence:
    text = f"{one.claim.rstrip('.')}, and {other.claim}"
    return GoldSentence(text, "merge", "claims", (_gold(one), _gold(other)))


def _pronoun(fact: Fact) -> GoldSentence:
    """One antecedent: the thing that the sentences before speak of."""
    return GoldSentence(fact.claim.replace(fact.thing, "It"), "pronoun", "claims", (_gold(fact),), fact.claim)


def _two_antecedents(one: list[Fact], other: list[Fact]) -> GoldSentence:
    names = f"{one[0].thing} and {other[0].thing}"
    return GoldSentence(f"Of {names}, the older one is also the larger.", "two antecedents", "ambiguous")


def _converted(fact: Fact, line: str) -> GoldSentence:
    """The same amount written in full."""
    full = f"{round(float(fact.value) * 1_000_000):,}"
    text = fact.claim.replace(f"{fact.value} million", full)
    return GoldSentence(text, "conversion", "claims", (GoldClaim(text, "supported", (fact.source,)),), line=line)


def _added(thing: str, drawn: random.Random) -> GoldSentence:
    text = drawn.choice(_ADDITIONS).format(x=thing)
    return GoldSentence(text, "unsupported addition", "claims", (GoldClaim(text, "not_found"),))


def _forecast(thing: str, drawn: random.Random) -> GoldSentence:
    text = drawn.choice(_FORECASTS).format(x=thing)
    return GoldSentence(text, "forecast", "claims", (GoldClaim(text, "not_found", (), True),))


def _sources(drawn: random.Random, things: list[list[Fact]], filler: int = 1) -> dict[str, str]:
    found = {}
    for facts in things:
        sentences = [fact.source for fact in facts] + drawn.sample(_FILLER, filler)
        drawn.shuffle(sentences)
        found[f"File on {facts[0].thing}"] = " ".join(sentences)
    return found


def _written(question: str, sources: dict[str, str], sentences: list[GoldSentence]) -> Example:
    """The answer: prose in paragraphs, with items on lines of their own below a heading."""
    parts: list[str] = []
    for sentence in sentences:
        line = sentence.line.format(sentence.text)
        listed = bool(parts) and parts[-1].startswith("- ")
        if line.startswith("- ") and not listed:
            parts += ["", "## Details", ""]
        elif listed and not line.startswith("- "):
            parts.append("")
        parts.append(line)
    return Example(question, sources, tuple(sentences), "\n".join(parts).replace("\n\n\n", "\n\n"))
