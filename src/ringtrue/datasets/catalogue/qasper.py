"""QASPER: questions about NLP papers, answered by spans, free text, yes or no, or not at all."""

from collections.abc import Iterator, Mapping

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import CARDS
from ringtrue.datasets.catalogue.prompts import asking
from ringtrue.records import Json

FORM = "Answer briefly from the paper, with yes or no where that is asked, with Unanswerable where it does not say."


def load(source: Source) -> Iterator[Case]:
    """A case per question of a paper; the answer of every annotator is a reference."""
    for paper in source.rows():
        context = text_of(paper)
        questions = paper["qas"]
        for place, question in enumerate(questions["question"]):
            answers = [answer_of(given) for given in questions["answers"][place]["answer"]]
            yield {
                "id": questions["question_id"][place],
                "question": asking(question, FORM),
                "context": context,
                "answer": list(dict.fromkeys(filter(None, answers))),
                "paper": paper["id"],
            }


def text_of(paper: Mapping[str, Json]) -> str:
    """Title, abstract, and each section under its own name."""
    sections = zip(paper["full_text"]["section_name"], paper["full_text"]["paragraphs"], strict=True)
    parts = [paper["title"], paper["abstract"]]
    for name, paragraphs in sections:
        parts += [name or "", *paragraphs]
    return "\n\n".join(part for part in parts if part.strip())


def answer_of(given: Mapping[str, Json]) -> str:
    """One annotator's answer as the authors' evaluator reads it: spans joined by commas, Yes, No or Unanswerable."""
    if given["unanswerable"]:
        return "Unanswerable"
    if given["yes_no"] is not None:
        return "Yes" if given["yes_no"] else "No"
    return ", ".join(given["extractive_spans"]) or str(given["free_form_answer"])


ANSWER = {"unanswerable": "boolean", "yes_no": "boolean?", "extractive_spans": ["string"], "free_form_answer": "string"}
BENCHMARK = Benchmark(
    name="qasper",
    task="question answering on papers",
    path="allenai/qasper",
    split="validation",
    script=True,
    size=1005,
    fields={
        "id": "string",
        "title": "string",
        "abstract": "string",
        "full_text": {"section_name": ["string?"], "paragraphs": [["string"]]},
        "qas": {"question": ["string"], "question_id": ["string"], "answers": [{"answer": [ANSWER]}]},
    },
    load=load,
    metric="f1",
    examples="train",
    licence="CC BY 4.0",
    citation="Dasigi et al. 2021, arXiv:2105.03011",
    homepage="https://allenai.org/data/qasper",
    sources=(f"{CARDS}/qasper/README.md: size, schema, licence",),
)
