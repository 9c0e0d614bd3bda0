"""Cases that a judge makes of a text; each is gated, and carries where it comes from."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from multivon_eval.case import EvalCase
from multivon_eval.case_gates import GenerationReport, gate_duplicate, gate_well_formed
from multivon_eval.contrast import generate_contrast_pairs
from multivon_eval.evaluators.judging import Material
from multivon_eval.evaluators.llm_judge import _as_prompt, _call
from multivon_eval.exceptions import JudgeUnavailable
from multivon_eval.judge import JudgeConfig, resolve_judge
from multivon_eval.provenance import stamp_metadata_inplace
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.models.found_objects import found_objects
from ringtrue.reports.whole_file import Where

__all__ = ["generate_contrast_pairs", "generate_from_file", "generate_from_text", "generate_hallucination_pairs"]

TASKS = ("qa", "summarization", "hallucination")
OVERLAP = 200
"""So many characters of a chunk are in the next one, too."""
TOKENS = 3_000
EXCERPT_CHARS = 500
_UNANSWERABLE = "unanswerable from the text, on purpose: to say so is right"

Item = dict[str, Any]


def generate_from_text(
    text: str,
    n: int = 10,
    task: str = "qa",
    context_window: int = 3000,
    record_spans: bool = True,
    unanswerable_fraction: float = 0.0,
    return_report: bool = False,
) -> Any:
    """Up to n cases that a judge makes of a text, and with `return_report` what became of all it made.

    `qa`: questions with answers; `record_spans` says where in the text the answer stands, None where it does not, and a
    share of them may be unanswerable. `summarization`: a summary of each chunk. `hallucination`: questions with the
    faithful answer in the metadata. A judge that makes nothing at all counts as unavailable.
    """
    text = text.strip()
    if task not in TASKS:
        raise ValueError(f"Unknown task {task!r}; there are {', '.join(TASKS)}")
    if not 0.0 <= unanswerable_fraction <= 1.0:
        raise ValueError(f"unanswerable_fraction lies between 0 and 1; got {unanswerable_fraction!r}")
    if unanswerable_fraction and task != "qa":
        raise ValueError(f"unanswerable_fraction is for task='qa' only; got task={task!r}")
    chunks = chunks_of(text, context_window)
    report = GenerationReport(n, kind=f"doc_{task}")
    cases: list[EvalCase] = []
    unanswerable = round(n * unanswerable_fraction)
    make: dict[str, Callable[[int, str, Item], EvalCase]] = {
        "qa": partial(_question, record_spans),
        "summarization": _summary,
        "hallucination": _faithful,
    }
    name = "doc_summary" if task == "summarization" else "doc_questions"
    _fill(cases, report, name, chunks, n - unanswerable, make[task])
    _fill(cases, report, "doc_unanswerable", chunks, unanswerable, partial(_unanswerable, record_spans))
    if n and not report.generated:
        raise JudgeUnavailable("the judge made no cases: its replies are no lists of objects")
    report.accepted = len(cases)
    report.spans_missing = sum(
        case.metadata.get("source_span", ...) is None and not case.metadata["generation"]["unanswerable"]
        for case in cases
    )
    return (cases, report) if return_report else cases


def generate_from_file(path: Where, n: int = 10, task: str = "qa", **options: Any) -> Any:
    """`generate_from_text` of a file; options are the others of that function."""
    return generate_from_text(Path(path).read_text("utf-8", "replace"), n, task, **options)


def generate_hallucination_pairs(text: str, n: int = 10) -> list[Item]:
    """Up to n questions, each with its `context`, a `faithful_answer` and a `hallucinated_answer`."""
    names = ("question", "context", "faithful_answer", "hallucinated_answer")
    _, chunk = chunks_of(text.strip(), 3_000)[0]
    found = [{name: str(item.get(name) or "") for name in names} for item in _items("doc_pairs", chunk, n)]
    whole = [item for item in found if all(item.values())]
    if not whole:
        raise JudgeUnavailable("the judge made no pairs: its reply is no list of whole objects")
    return whole


def chunks_of(text: str, most_chars: int) -> list[tuple[int, str]]:
    """A text in overlapping pieces, each with its place."""
    if most_chars <= OVERLAP:
        raise ValueError(f"context_window must be above {OVERLAP} characters; got {most_chars!r}")
    if len(text) <= most_chars:
        return [(0, text)]
    found = [(at, text[at : at + most_chars]) for at in range(0, len(text), most_chars - OVERLAP)]
    return [(at, chunk) for at, chunk in found if chunk.strip()]


def span_of(offset: int, chunk: str, quote: str) -> Item | None:
    """Where a quote stands in the text that a chunk is of; None where it does not."""
    at = chunk.find(quote) if quote else -1
    if at < 0:
        return None
    digest = hashlib.sha256(chunk.encode("utf-8", "surrogatepass")).hexdigest()
    return {"start": offset + at, "end": offset + at + len(quote), "sha256_chunk": digest}


def _fill(
    cases: list[EvalCase],
    report: GenerationReport,
    name: str,
    chunks: list[tuple[int, str]],
    wanted: int,
    make: Callable[[int, str, Item], EvalCase],
) -> None:
    """Ask for so many cases, chunk by chunk, and keep those that pass the gates."""
    left = wanted
    for offset, chunk in chunks:
        count = min(max(1, wanted // len(chunks)), left)
        if count <= 0:
            return
        found = list(_items(name, chunk, count))
        left -= len(found)
        report.n_batches += 1
        for item in found:
            case = make(offset, chunk, item)
            report.generated += 1
            if not gate_well_formed(case).passed:
                report.dropped_malformed += 1
            elif name != "doc_summary" and not gate_duplicate(case, cases).passed:
                report.dropped_duplicate += 1
            else:
                cases.append(case)


def _items(name: str, text: str, count: int) -> Iterator[Item]:
    texts = Material(text=text, number=count).texts if name != "doc_summary" else Material(text=text).texts
    said = _judge_call(_as_prompt(prompt(name, "multivon_eval").question(texts, None)), max_tokens=TOKENS)
    yield from found_objects(said)[:count]


def _judge_call(words: str, max_tokens: int = TOKENS, judge: JudgeConfig | None = None) -> str:
    return _call(words, resolve_judge(judge), max_tokens)


def _question(spans: bool, offset: int, chunk: str, item: Item) -> EvalCase:
    quote = str(item.get("context_excerpt") or "")
    located = {"source_span": span_of(offset, chunk, quote)} if spans else {}
    about = _about("qa", located)
    return EvalCase(_said(item, "question"), _said(item, "answer"), quote or chunk[:EXCERPT_CHARS], metadata=about)


def _unanswerable(spans: bool, offset: int, chunk: str, item: Item) -> EvalCase:
    located = {"source_span": None} if spans else {}
    more = {"expected_behavior": "refusal", "note": _UNANSWERABLE, **located}
    about = _about("qa", more, unanswerable=True)
    return EvalCase(_said(item, "question"), context=chunk, metadata=about)


def _summary(offset: int, chunk: str, item: Item) -> EvalCase:
    about = _about("summarization", {})
    return EvalCase("Summarize the following text.", _said(item, "summary"), chunk, metadata=about)


def _faithful(offset: int, chunk: str, item: Item) -> EvalCase:
    about = _about("hallucination", {"faithful_answer": _said(item, "answer")})
    quote = str(item.get("context_excerpt") or "") or chunk[:EXCERPT_CHARS]
    return EvalCase(_said(item, "question"), "faithful", quote, metadata=about)


def _about(task: str, more: Item, *, unanswerable: bool = False) -> Item:
    made = {"kind": f"doc_{task}", "unanswerable": unanswerable}
    about = {"generated": True, "task": task, "generation": made, **more}
    stamp_metadata_inplace(about, authored_by=f"generator:doc_{task}", git={})
    return about


def _said(item: Item, name: str) -> str:
    value = item.get(name)
    return value if isinstance(value, str) else ""


_chunk_text_with_offsets = chunks_of
_locate_span = span_of
