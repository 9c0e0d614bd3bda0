"""NoLiMa: a needle in a book that shares no words with the question; `nolima:8k` hides it in 8,000 words."""

import random
from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import CONTEXT_BENCH
from ringtrue.datasets.catalogue.prompts import asking
from ringtrue.errors import InputError

WORDS = {"1k": 1_000, "2k": 2_000, "4k": 4_000, "8k": 8_000, "16k": 16_000, "32k": 32_000}
FORM = "Answer from the text, with the name alone."


def load(source: Source) -> Iterator[Case]:
    """A case per needle, test and question; the seed decides the character, the book and where the needle lies."""
    books = source.matching("haystack/rand_shuffle/*.txt")
    if not books:
        raise InputError(f"nolima: {source.repository.source} has no book in haystack/rand_shuffle")
    texts = {book: source.text(book).split("\n") for book in books}
    for needle in source.rows(files="needlesets/needle_set.json"):
        for test, given in needle["tests"].items():
            for hops, question in needle["questions"].items():
                name = f"{needle['id']}_{test}_{hops}"
                chance = random.Random(f"{source.seed}:{name}")
                values = {"CHAR": chance.choice(needle["character_set"])}
                values |= {str(place): value for place, value in enumerate(given["input_args"], 1)}
                book = chance.choice(books)
                yield {
                    "id": name,
                    "question": asking(filled(question, values), FORM),
                    "context": hidden(filled(needle["needle"], values), texts[book], WORDS[str(source.config)], chance),
                    "answer": [values["CHAR"]],
                    "book": book,
                }


def filled(template: str, values: dict[str, str]) -> str:
    """A template with its placeholders replaced; braces that hold nothing known stay."""
    for name, value in values.items():
        template = template.replace("{" + name + "}", value)
    return template


def hidden(needle: str, lines: list[str], words: int, chance: random.Random) -> str:
    """The first lines of a book, up to so many words, with the needle between two of them."""
    kept, count = 0, 0
    while kept < len(lines) and count < words:
        count += len(lines[kept].split())
        kept += 1
    place = chance.randint(0, kept)
    return "\n".join([*lines[:place], needle, *lines[place:kept]])


AUTHORS = "github.com/adobe-research/NoLiMa"
SHAPE = {"id": "string", "needle": "string", "questions": {}, "character_set": ["string"], "tests": {}}
BENCHMARK = Benchmark(name="nolima", task="long context, needle in a haystack", path="amodaresi/NoLiMa", split="test",
                      config="4k", configs=tuple(WORDS), fields=SHAPE, load=load, metric="contains",
                      licence="Adobe Research License", citation="Modarressi et al. 2025, arXiv:2502.05167",
                      homepage=f"https://{AUTHORS}",
                      sources=(f"{AUTHORS}@55966a385b44eab2a7442facf4c1657f671f6b41/README.md: licence",
                               f"{CONTEXT_BENCH}/longcontext.py: files, schema"),
                      note="Lengths are counted in words, and books start at their first line.")  # fmt: skip
