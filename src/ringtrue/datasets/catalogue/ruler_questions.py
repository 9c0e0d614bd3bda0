"""RULER's two question tasks: SQuAD (`qa_1`) and HotpotQA (`qa_2`) among many documents of their own."""

import random
from collections.abc import Callable, Iterator, Mapping

from ringtrue.datasets.catalogue import hotpotqa, squad_v2
from ringtrue.datasets.catalogue.benchmark import Case, Source
from ringtrue.datasets.synthetic.documents import DocumentQuestion, question_among
from ringtrue.errors import ConfigurationError


def squad(source: Source) -> list[DocumentQuestion]:
    """The answerable questions of SQuAD 2.0, each about a paragraph; near it are those of the same article."""
    other = Source(squad_v2.BENCHMARK, squad_v2.BENCHMARK.config, source.origin)
    rows = [dict(row) for row in other.rows(fields={**squad_v2.BENCHMARK.fields, "title": "string"})]
    source.read_from = other.read_from
    articles: dict[str, dict[str, None]] = {}
    for row in rows:
        articles.setdefault(row["title"], {})[row["context"]] = None
    return [
        DocumentQuestion(
            row["question"],
            list(dict.fromkeys(row["answers"]["text"])),
            [row["context"]],
            [text for text in articles[row["title"]] if text != row["context"]],
        )
        for row in rows
        if row["answers"]["text"]
    ]


def hotpot(source: Source) -> list[DocumentQuestion]:
    """The questions of HotpotQA, each about its ten passages."""
    other = Source(hotpotqa.BENCHMARK, "distractor", source.origin)
    found = []
    for row in other.rows():
        texts = ["".join(sentences) for sentences in row["context"]["sentences"]]
        about = [f"{title}\n{text}" for title, text in zip(row["context"]["title"], texts, strict=False)]
        found.append(DocumentQuestion(row["question"], [row["answer"]], about, []))
    source.read_from = other.read_from
    return found


QUESTIONS: Mapping[str, Callable[[Source], list[DocumentQuestion]]] = {"qa_1": squad, "qa_2": hotpot}


def question_cases(source: Source, task: str, tokens: int, count: int) -> Iterator[Case]:
    """`count` cases of a task, drawn by the seed; a question whose own documents do not fit is left out."""
    questions = QUESTIONS[task](source)
    documents = sorted({document for one in questions for document in (*one.about, *one.near)})
    order = random.Random(f"{source.seed}:{task}").sample(range(len(questions)), len(questions))
    made = 0
    for place in order:
        try:
            example = question_among(tokens, f"{source.seed}:{task}:{place}", questions[place], documents)
        except ConfigurationError:
            continue
        yield {
            "id": f"{task}_{place}",
            "context": example.context,
            "question": example.question,
            "answer": example.required,
            "accepted_answers": example.required,
            "subtask": task,
        }
        made += 1
        if made == count:
            return
    if not made:
        raise ConfigurationError(f"ruler: {tokens} tokens hold no question of {task} with its documents", value=tokens)
