"""SciFact: does an abstract support a scientific claim, contradict it, or not say?"""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import CARDS, HUB
from ringtrue.datasets.catalogue.prompts import asking

FORM = "Answer with one of: SUPPORT, CONTRADICT, NOT ENOUGH INFO."
CORPUS = {"doc_id": "integer", "title": "string", "abstract": ["string"]}


def load(source: Source) -> Iterator[Case]:
    """A case per claim and abstract that it cites; an abstract without evidence for or against it says not enough.

    A row names one piece of evidence, so that a claim has one row or several.
    """
    abstracts = {
        str(row["doc_id"]): "\n".join([row["title"], *row["abstract"]])
        for row in source.rows(config="corpus", split="train", fields=CORPUS)
    }
    rows = list(source.rows())
    verdicts = {(row["id"], row["evidence_doc_id"]): row["evidence_label"] for row in rows}
    for row in {row["id"]: row for row in rows}.values():
        for document in dict.fromkeys(map(str, row["cited_doc_ids"])):
            if document in abstracts:
                yield {
                    "id": f"{row['id']}_{document}",
                    "question": asking(f"What does this abstract say about the claim?\n\n{row['claim']}", FORM),
                    "context": abstracts[document],
                    "answer": [verdicts.get((row["id"], document), "NOT ENOUGH INFO")],
                }


BENCHMARK = Benchmark(
    name="scifact",
    task="natural language inference",
    path="allenai/scifact",
    config="claims",
    split="validation",
    revision="f2576c50e6c0a751265f541f28113b26f68781f0",
    size=340,
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
    examples="train",
    licence="CC BY-NC 2.0",
    citation="Wadden et al. 2020, arXiv:2004.14974",
    homepage="https://github.com/allenai/scifact",
    sources=(
        f"{CARDS}/scifact/README.md: schema, configurations, licence",
        f"{HUB}/allenai/scifact_entailment/blob/main/README.md: size, rules",
        f"{HUB}/allenai/scifact/commit/f2576c50e6c0a751265f541f28113b26f68781f0: revision, files",
    ),
)
