"""AIME and HMMT: the problems of one year's contest; of AIME the answers are integers from 0 to 999."""

from collections.abc import Callable, Iterator
from typing import Any

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import EVALSCOPE, HUB, INSPECT
from ringtrue.datasets.catalogue.competition_math import FORM
from ringtrue.datasets.catalogue.prompts import asking


def reading(problem: str, answer: str, name: str) -> Callable[[Source], Iterator[Case]]:
    """A loader of rows with these fields; the answer is text or a number."""

    def load(source: Source) -> Iterator[Case]:
        """A case per problem."""
        for row in source.rows():
            yield {"id": row[name], "question": asking(row[problem], FORM), "answer": [str(row[answer]).strip()]}

    return load


COMMON: dict[str, Any] = {
    "task": "mathematics, competitions",
    "evaluators": ("answer_quality", "math_equivalence"),
    "metric": "math_equiv",
    "note": "Thirty problems are few: ask each several times (--repeats).",
}
LOWER: dict[str, Any] = {
    "fields": {"id": "any", "problem": "string", "answer": "any"},
    "load": reading("problem", "answer", "id"),
}
ARENA: dict[str, Any] = {
    "fields": {"problem_idx": "integer", "problem": "string", "answer": "any"},
    "load": reading("problem", "answer", "problem_idx"),
    "split": "train",
    "citation": "HMMT, https://www.hmmt.org; Balunović et al. 2025, arXiv:2505.23281",
    "homepage": "https://matharena.ai",
}
MAA: dict[str, Any] = {"citation": "Mathematical Association of America", "homepage": "https://maa.org", "size": 30}


def aime(year: int) -> tuple[str, ...]:
    """Return the sources of the facts about a year's AIME."""
    return (f"{INSPECT}/aime{year}/aime{year}.py: revision, schema", f"{INSPECT}/aime{year}/eval.yaml: size")


def hmmt(short: str, page: str = "") -> dict[str, Any]:
    """Return the sources of the facts about an HMMT, and its licence if a page of the hub states one."""
    stated = (f"{EVALSCOPE}/hmmt/{short}_adapter.py: schema", f"{EVALSCOPE}/_meta/{short}.json: size")
    licence = (f"{HUB}/MathArena/{page}: licence, files",) if page else ()
    return {"sources": (*stated, *licence), "licence": "CC BY-NC-SA 4.0" if page else "unknown"}


COPIED = COMMON | {"note": f"{COMMON['note']} The licence is that of copies of its card; the card itself was not seen."}
CARD_2025 = "github.com/red-Flowerr/codeGuidance@a61cb2a0be5394123608008bf53aa4d237cde159/aime25/README.md"
CARD_2026 = f"{HUB}/wytro/AnytimeReasoner"
"""Copies of the cards that Math-AI publishes with its sets."""
AT = "6ea1138c788ec83451c58820b585e18a2a366270"
AIME_2024 = Benchmark(name="aime-2024", path="Maxwell-Jia/AIME_2024", split="train", licence="MIT",
                      sources=(*aime(2024), f"{HUB}/Maxwell-Jia/AIME_2024/commits/{AT}: licence"),
                      revision="8d88b2876a82a080e2f172cc9b25d0d9d2cb4792", load=reading("Problem", "Answer", "ID"),
                      fields={"ID": "string", "Problem": "string", "Answer": "any"}, **MAA, **COMMON)  # fmt: skip
AIME_2025 = Benchmark(name="aime-2025", path="math-ai/aime25", split="test", licence="Apache-2.0",
                      sources=(*aime(2025), f"{CARD_2025}: licence"),
                      revision="563bb8404243c5f09de6ec262f2db674fe5bce9b", **LOWER, **MAA, **COPIED)  # fmt: skip
AIME_2026 = Benchmark(name="aime-2026", path="math-ai/aime26", split="test", licence="Apache-2.0",
                      sources=(*aime(2026), f"{CARD_2026}: licence"),
                      revision="79037aebdb6580008fb960d17cb21fd3099083e3", **LOWER, **MAA, **COPIED)  # fmt: skip
HMMT_FEB_2025 = Benchmark(name="hmmt-feb-2025", path="MathArena/hmmt_feb_2025", size=30,
                          **hmmt("hmmt25", "hmmt_feb_2025/tree/main/data"), **ARENA, **COMMON)  # fmt: skip
HMMT_NOV_2025 = Benchmark(name="hmmt-nov-2025", path="MathArena/hmmt_nov_2025", size=30, **hmmt("hmmt_nov25"),
                          **ARENA, **COMMON)  # fmt: skip
HMMT_FEB_2026 = Benchmark(name="hmmt-feb-2026", path="MathArena/hmmt_feb_2026", size=33,
                          **hmmt("hmmt26", "hmmt_feb_2026/blob/main/README.md"), **ARENA, **COMMON)  # fmt: skip
