"""TriviaQA: trivia questions with the web pages and Wikipedia articles found for them."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import CARDS
from ringtrue.datasets.catalogue.prompts import SHORT, asking

PASSAGES = ("entity_pages", "wiki_context"), ("search_results", "search_context")


def load(source: Source) -> Iterator[Case]:
    """A case per question; the answer's value and all its aliases are references."""
    for row in source.rows():
        found = [text for pages, field in PASSAGES for text in row[pages][field] if text.strip()]
        case = {
            "id": row["question_id"],
            "question": asking(row["question"], SHORT),
            "answer": list(dict.fromkeys([row["answer"]["value"], *row["answer"]["aliases"]])),
        }
        yield {**case, "context": "\n\n".join(found)} if found else case


AUTHORS = "github.com/mandarjoshi90/triviaqa"
BENCHMARK = Benchmark(
    name="triviaqa",
    task="open-domain question answering",
    path="mandarjoshi/trivia_qa",
    config="rc",
    configs=(
        "rc",
        "rc.nocontext",
        "rc.web",
        "rc.web.nocontext",
        "rc.wikipedia",
        "rc.wikipedia.nocontext",
        "unfiltered",
        "unfiltered.nocontext",
    ),
    split="validation",
    revision="0f7faf33a3908546c6fd5b73a660e0f8ff173c2f",
    size=17944,
    fields={
        "question_id": "string",
        "question": "string",
        "entity_pages": {"wiki_context": ["string"]},
        "search_results": {"search_context": ["string"]},
        "answer": {"value": "string", "aliases": ["string"]},
    },
    load=load,
    metric="exact_match",
    proxy="Punctuation is dropped, as for SQuAD; the authors put a space in its place.",
    examples="train",
    licence="Apache-2.0",
    citation="Joshi et al. 2017, arXiv:1705.03551",
    homepage="https://nlp.cs.washington.edu/triviaqa",
    sources=(
        f"{CARDS}/trivia_qa/README.md: size, schema, configurations",
        "github.com/huggingface/smollm@c5525272e1183ba19ea3ab9d76f2498a3e00b729/text/evaluation/tasks.py: revision",
        f"{AUTHORS}@ca43b5820b107f3970cf4b7d67f7db7a98117b79/README.md: licence",
    ),
    note="The contexts are whole pages; triviaqa:rc.nocontext asks the question alone.",
)
