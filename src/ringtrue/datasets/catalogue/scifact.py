"""SciFact: does an abstract support a scientific claim, contradict it, or not say?"""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import CARDS, HUB
from ringtrue.datasets.catalogue.prompts import asking

FORM = "Answer with one of: SUPPORT, CONTRADICT, NOT ENOUGH INFO."
CORPUS = {"doc_id": "integer", "title": "string", "abstract": ["string"]}


def load(source: Source) -> Iterator[Case]:
    """A case per claim and abstract; rows that repeat both name further evidence sentences of the same verdict.

    A claim without evidence is asked of every abstract it cites, and none of them says enough.
    """
    abstracts = {
        str(row["doc_id"]): "\n".join([row["title"], *row["abstract"]])
        for row in source.rows(config="corpus", split="train", fields=CORPUS)
    }
    seen: set[str] = set()
    for row in source.rows():
        found = row["evidence_doc_id"]
        for document in [found] if found else map(str, row["cited_doc_ids"]):
            name = f"{row['id']}_{document}"
            if name not in seen and document in abstracts:
                seen.add(name)
                yield {
                    "id": name,
                    "question": asking(f"What does this abstract say about the claim?\n\n{row['claim']}", FORM),
                    "context": abstracts[document],
                    "answer": [row["evidence_label"] or "NOT ENOUGH INFO"],
                }


BENCHMARK = Benchmark(
    name="scifact",
    task="natural language inference",
    path="allenai/scifact",
    config="claims",
    split="validation",
    revision="f2576c50e6c0a751265f541f28113b26f68781f0",
    fields={
        "id": "integer",
        "claim": "string",
        "evidence_doc_id": "string",
        "evidence_label": "string",
        "cited_doc_ids": ["integer"],
    },
    load=load,
    evaluators=("answer_quality", "nli_label_match"),
    metric="nli_accuracy",
    proxy="Accuracy of the label, abstract by abstract; the authors also let systems find abstracts and sentences, and "
    "report F1 of both.",
    licence="CC BY-NC 2.0",
    citation="Wadden et al. 2020, arXiv:2004.14974",
    homepage="https://github.com/allenai/scifact",
    sources=(
        f"{CARDS}/scifact/README.md: schema, configurations, licence",
        f"{HUB}/allenai/scifact/commit/f2576c50e6c0a751265f541f28113b26f68781f0: revision, files",
    ),
)
