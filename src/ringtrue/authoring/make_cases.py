"""`make_cases`: cases that a model makes of texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from ringtrue.authoring.author import Author, author_of, keeping
from ringtrue.authoring.case_gates import MakingReport
from ringtrue.authoring.text_cases import PIECE_CHARS, TextSource, places, questions, spread
from ringtrue.authoring.weaknesses import attempts
from ringtrue.authoring.writing import CaseRequest, Item, WritingTask, collect_cases, empty_report
from ringtrue.dialects.suite import EvalCase
from ringtrue.errors import ConfigurationError
from ringtrue.identity import digest
from ringtrue.records import DEFAULT_STORE
from ringtrue.runner.judges import JudgeModel
from ringtrue.sync import run_sync


def make_cases(
    text: str | Sequence[TextSource],
    n: int = 10,
    *,
    unanswerable: float = 0.0,
    weakness: str = "",
    piece_chars: int = PIECE_CHARS,
    author: JudgeModel | Author | None = None,
    model: str = "",
    store: str | None = DEFAULT_STORE,
) -> tuple[list[EvalCase], MakingReport]:
    """Let a model write up to n cases from a text; return them with a report of what was kept and dropped.

    `unanswerable` is the share of questions that the text does not answer. With a `weakness`, the text describes the
    purpose of a system, and the cases are those that a system with this weakness gets wrong. `author` is a model,
    `local`, a URL, or by default what the environment names; its replies are kept in the store. If nothing can be
    used, a ModelError is raised.
    """
    sources = [TextSource("", text)] if isinstance(text, str) else list(text)
    wanted = plan_writings(sources, n, unanswerable=unanswerable, weakness=weakness, piece_chars=piece_chars)
    writing = author if isinstance(author, Author) else author_of(author, model)
    report = empty_report(wanted)
    return collect_cases(wanted, ask_author(wanted, writing, store), report), report


def plan_writings(
    sources: Sequence[TextSource],
    n: int,
    *,
    unanswerable: float = 0.0,
    weakness: str = "",
    piece_chars: int = PIECE_CHARS,
) -> list[CaseRequest]:
    """Return the requests for cases about texts; a wrong setting raises here, before the first call."""
    if unanswerable and weakness:
        raise ConfigurationError(
            f"unanswerable is for questions only; got weakness={weakness!r}", parameter="unanswerable"
        )
    where = places(sources, piece_chars)
    if weakness:
        return [attempts(place.text, weakness, count, part=part) for place, count, part in spread(where, n)]
    return questions(where, n, unanswerable)


def ask_author(some: Sequence[WritingTask], author: Author, store: str | None) -> list[list[Item]]:
    """Return what an author writes; a store keeps its replies, so that no request is sent twice."""

    async def all_of_them() -> list[list[Item]]:
        async with keeping(author, store):
            return await author.write(some)

    return run_sync(all_of_them())


def case_rows(cases: Iterable[EvalCase]) -> list[dict[str, Any]]:
    """Cases as rows of a file that `ringtrue run -d` and a suite's `cases` take; each has an id that its text makes."""
    rows = []
    for case in cases:
        known = {name: value for name, value in asdict(case).items() if value not in (None, [], {})}
        content = repr((case.input, case.expected_output, case.context, case.metadata))
        rows.append({"id": known.pop("case_id", f"made:{digest(content)[:16]}"), **known})
    return rows
