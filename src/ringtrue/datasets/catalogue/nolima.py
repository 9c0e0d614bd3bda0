"""NoLiMa: a needle in a book that shares no words with the question; `nolima:8k` hides it in 8,000 tokens."""

import random
from collections.abc import Iterator
from itertools import accumulate, product

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import CONTEXT_BENCH
from ringtrue.datasets.catalogue.prompts import asking
from ringtrue.errors import InputError
from ringtrue.models.tokens import count

TOKENS = {"250": 250, "500": 500, "1k": 1_000, "2k": 2_000, "4k": 4_000, "8k": 8_000, "16k": 16_000, "32k": 32_000}
DEPTHS = 26
FORM = "Answer from the text, with the name alone."


def load(source: Source) -> Iterator[Case]:
    """A case per needle, test, question, book and depth, in an order the seed decides, as it does the characters."""
    books = source.matching("haystack/rand_shuffle/*.txt")
    if not books:
        raise InputError(f"nolima: {source.repository.source} has no book in haystack/rand_shuffle")
    starts = [beginning(source.text(book).split("\n"), TOKENS[str(source.config)]) for book in books]
    needles = list(source.rows(files="needlesets/needle_set.json"))
    tests = [(needle, test, hops) for needle in needles for test in needle["tests"] for hops in needle["questions"]]
    places = list(product(tests, range(len(books)), range(DEPTHS)))
    random.Random(f"{source.seed}:order").shuffle(places)
    for (needle, test, hops), book, step in places:
        name = f"{needle['id']}_{test}_{hops}"
        values = {"CHAR": random.Random(f"{source.seed}:{name}").choice(needle["character_set"])}
        values |= {str(place): value for place, value in enumerate(needle["tests"][test]["input_args"], 1)}
        (lines, tokens), depth = starts[book], step / (DEPTHS - 1)
        at = nearest(tokens, depth)
        yield {
            "id": f"{name}_{book + 1}_{100 * depth:.0f}",
            "question": asking(fill_placeholders(needle["questions"][hops], values), FORM),
            "context": "\n".join([*lines[:at], fill_placeholders(needle["needle"], values), *lines[at:]]),
            "answer": [values["CHAR"]],
            "book": books[book],
            "depth": depth,
        }


def fill_placeholders(template: str, values: dict[str, str]) -> str:
    """A template with its placeholders replaced; braces that hold nothing known stay."""
    for name, value in values.items():
        template = template.replace("{" + name + "}", value)
    return template


def beginning(lines: list[str], most: int) -> tuple[list[str], list[int]]:
    """The first lines of a book within the tokens, and the tokens before each of them and after the last."""
    before = [0, *accumulate(count(f"{line}\n").count for line in lines)]
    kept = sum(tokens <= most for tokens in before[1:])
    return lines[:kept], before[: kept + 1]


def nearest(before: list[int], depth: float) -> int:
    """The line before which this share of the tokens lies, as nearly as lines allow."""
    return min(range(len(before)), key=lambda line: abs(before[line] - depth * before[-1]))


AUTHORS = "github.com/adobe-research/NoLiMa@55966a385b44eab2a7442facf4c1657f671f6b41"
SHAPE = {"id": "string", "needle": "string", "questions": {}, "character_set": ["string"], "tests": {}}
BENCHMARK = Benchmark(name="nolima", task="long context, needle in a haystack", path="amodaresi/NoLiMa", split="test",
                      config="4k", configs=tuple(TOKENS), fields=SHAPE, load=load, metric="contains",
                      licence="Adobe Research License", citation="Modarressi et al. 2025, arXiv:2502.05167",
                      homepage="https://github.com/adobe-research/NoLiMa", drawn=True, size=7540,
                      sources=(f"{AUTHORS}/README.md: licence", f"{CONTEXT_BENCH}/longcontext.py: files, schema",
                               "arXiv:2502.05167, section 4.1: size"),
                      note="Tokens are those of o200k, where the authors take the model's own.")  # fmt: skip
