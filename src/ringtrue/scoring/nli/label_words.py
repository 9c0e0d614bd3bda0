"""The words by which a reply says how a claim relates to its evidence, in lower case."""

from __future__ import annotations

ENTAILMENT, CONTRADICTION, NEUTRAL = "entailment", "contradiction", "neutral"


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _table(**families: str) -> dict[str, str]:
    return {word: family for family, words in families.items() for word in words.split()}


RELATIONS = _table(
    entailment="""entailment entail entails entailed entailing entailments support supports supported supporting
    supportive imply implies implied confirm confirms confirmed corroborate corroborates corroborated verified
    substantiated substantiates attested infer inferred inferable follows proves proven entailement""",
    contradiction="""contradiction contradict contradicts contradicted contradicting contradictory contradictions refute
    refutes refuted refuting refutation refutable disproves disproved disproven disprove rebuts rebutted negates
    conflicts conflict conflicting inconsistent incompatible unsupported debunked debunks contrary disputes disputed
    opposes denied denies deny rejected rejects disconfirmed""",
    neutral="""neutral unknown neither undetermined indeterminate inconclusive unclear unverifiable unrelated nei
    neutrality undecidable unproven unverified insufficient unanswerable unsubstantiated irrelevant""",
)
"""Words that name the relation itself."""

TRUTH = _table(
    entailment="""true correct right accurate valid factual wahr richtig verdadero verdadera vrai vraie vero верно
    правда truthful""",
    contradiction="""false incorrect wrong inaccurate untrue invalid falsch falso falsa faux fausse неверно ложь
    erroneous""",
)
"""Adjectives that judge the claim."""

_ITS_OBJECT = r"(?= (?:the|this|that) (?:hypothesis|claim|statement|conclusion|assertion)\b)"
MEANINGS = {
    "entails": rf"\b(?:guarantees|backs(?: up)?|affirms|validates|establishes|justifies|warrants){_ITS_OBJECT}",
    "contradicts": rf"\b(?:rules out|precludes|excludes|invalidates){_ITS_OBJECT}",
    "contradictory": r"\bmutually exclusive\b",
}
"""What means a word of `RELATIONS` only in such company."""

POLAR = _table(
    entailment="yes yeah yep yup ja oui sí si sim да はい",
    contradiction="no nope nah nein non não нет いいえ",
)
"""Words that answer the question whether the claim holds; elsewhere "no" is a determiner."""

ASSENTS = {
    **dict.fromkeys(("absolutely", "certainly", "definitely", "of course", "indeed", "exactly"), ENTAILMENT),
    **{f"{word} not": CONTRADICTION for word in ("absolutely", "certainly", "definitely", "of course", "surely")},
}
"""What answers the question only as the whole of a reply; elsewhere it is a figure of speech."""

COMPATIBLE = _set("consistent compatible agrees agree matches")
"""Words that deny a contradiction without claiming entailment, unless they are the whole label."""

NEGATORS = _set(
    """not never no cannot can't couldn't isn't aren't wasn't weren't don't doesn't didn't won't wouldn't shouldn't
    hasn't haven't hadn't ain't without neither nor fails fail failed failing unable lack lacks lacking hardly
    scarcely barely nothing none nowhere far nicht kein keine ne pas non isnt doesnt cant absence anything doubt
    doubtful unlikely"""
)
BEFORE = _set(
    """the a an any this that it is are was were be been being to of in by from with for at all as which , there there's
    has have had does do did would could can seem seems appear appears mean say think believe found deemed judged
    considered classified labeled labelled label constitute constitutes provide provides provided give gives offer
    offers contain contains hold holds
    really actually directly fully explicitly entirely strictly quite completely logically logical clearly indeed either
    exactly necessarily conclusively definitively factually technically remotely inherently simply just also even so
    therefore then both here anywhere outright such enough means rather than instead anything one case call conclude see
    how strong direct clear explicit evidence information text premise statement passage document context claim
    hypothesis"""
)
"""Words that may come between a negation and the word it denies."""

CUE_NOUNS = _set(
    """label answer verdict classification judgment judgement relation relationship prediction conclusion category
    stance decision final output inference veracity rating result assessment determination status class ans response
    evaluation etiqueta respuesta antwort réponse"""
)
SEPARATORS = frozenset(":=>→-–—|")
LINKS = _set("is was as be are would should must remains seems appears becomes it's")
CUE_FILLERS = _set(
    """the a an that this it in of to between and here my one therefore thus hence overall almost certainly definitely
    clearly most likely probably simply just obviously best final correct right fact case type class label answer
    relationship option word statement hypothesis premise evidence claim example"""
)
CONCLUSIONS = _set(
    """therefore thus hence so consequently overall finally ultimately accordingly conclusion summary short ergo
    result"""
)
CORRECTIONS = _set("actually wait correction rather instead sorry oops reflection however")
RESUMING = _set("but however yet so therefore thus hence nevertheless still")
"""Words that begin a clause of its own after a phrase of silence."""

HEDGES = _set("might may could maybe perhaps possibly potentially")
CONDITIONS = _set("if whether unless suppose supposing assuming when were had")
PARTIAL = _set("partially partly half somewhat partial")
DEFINING = _set("means occurs requires refers arises happens denotes describes applies")
JOINS = frozenset(
    [
        ",",
        "/",
        "|",
        "or",
        "and",
        "nor",
        '"',
        "'",
        "a",
        "an",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "either",
        "vs",
        "versus",
        "-",
        "&",
        "the",
        "both",
    ]
)
"""What may come between two labels of a list."""

PREDICATED = _set(
    """because since as based given according and but in for that to by with if when or nor here from under at on per
    due then so only regarding while although though not is are was the it this we too also either which rather instead
    of statement statements claim claims hypothesis assertion sentence proposition summary inference overall than
    therefore thus hence about indeed yes no enough again now there"""
)
"""Words that may follow an adjective which judges the claim; before any other word it describes something else."""

REPORTED = _set("wrong incorrect false untrue inaccurate misleading mistaken mistake error hard difficult")
"""Words that deny what follows them: "it is wrong to say that", "it is hard to see how"."""
