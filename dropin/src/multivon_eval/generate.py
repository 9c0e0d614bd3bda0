"""Cases that a judge makes of a text: ringtrue's, with multivon-eval's words around them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from multivon_eval.case import EvalCase
from multivon_eval.case_gates import GenerationReport
from multivon_eval.contrast import generate_contrast_pairs
from multivon_eval.evaluators.llm_judge import _call
from multivon_eval.exceptions import JudgeUnavailable
from multivon_eval.judge import JudgeConfig, resolve_judge
from multivon_eval.provenance import stamp_metadata_inplace
from ringtrue.atomic_file import Where
from ringtrue.authoring.text_cases import REFUSAL, Source, pairs, places, questions, summaries, whole_pairs
from ringtrue.authoring.text_pieces import pieces, span_of
from ringtrue.authoring.writing import Writing, collected
from ringtrue.dialects import suite

__all__ = ["generate_contrast_pairs", "generate_from_file", "generate_from_text", "generate_hallucination_pairs"]

TASKS = ("qa", "summarization", "hallucination")
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
    if task not in TASKS:
        raise ValueError(f"Unknown task {task!r}; there are {', '.join(TASKS)}")
    if not 0.0 <= unanswerable_fraction <= 1.0:
        raise ValueError(f"unanswerable_fraction lies between 0 and 1; got {unanswerable_fraction!r}")
    if unanswerable_fraction and task != "qa":
        raise ValueError(f"unanswerable_fraction is for task='qa' only; got task={task!r}")
    where = places([Source("", text.strip())], context_window)
    wanted = summaries(where, n) if task == "summarization" else questions(where, n, unanswerable_fraction)
    report = GenerationReport(n, kind=f"doc_{task}", n_batches=len(wanted))
    made = collected(wanted, map(_items, wanted), report)
    if not report.generated:
        raise JudgeUnavailable("the judge made no cases: its replies are no lists of objects")
    spans = record_spans and task == "qa"
    report.spans_missing *= spans
    cases = [_case(case, task, spans=spans) for case in made]
    return (cases, report) if return_report else cases


def generate_from_file(path: Where, n: int = 10, task: str = "qa", **options: Any) -> Any:
    """`generate_from_text` of a file; options are the others of that function."""
    return generate_from_text(Path(path).read_text("utf-8", "replace"), n, task, **options)


def generate_hallucination_pairs(text: str, n: int = 10) -> list[dict[str, str]]:
    """Up to n questions, each with its `context`, a `faithful_answer` and a `hallucinated_answer`."""
    asked = pairs(places([Source("", text.strip())]), n)
    whole = whole_pairs(item for one in asked for item in _items(one))
    if not whole:
        raise JudgeUnavailable("the judge made no pairs: its reply is no list of whole objects")
    return whole


def _items(writing: Writing) -> Any:
    return writing.read(_judge_call("\n\n".join(writing.spelled()), max_tokens=TOKENS))


def _judge_call(words: str, max_tokens: int = TOKENS, judge: JudgeConfig | None = None) -> str:
    return _call(words, resolve_judge(judge), max_tokens)


def _case(made: suite.EvalCase, task: str, *, spans: bool) -> EvalCase:
    """A case with multivon-eval's metadata; its context is the excerpt that holds the answer, where that is known."""
    unanswerable = made.metadata["generation"]["kind"] == "unanswerable"
    span, expected, context = made.metadata.get("source_span"), made.expected_output, made.context
    kind = f"doc_{task}"
    about: Item = {"generated": True, "task": task, "generation": {"kind": kind, "unanswerable": unanswerable}}
    if unanswerable:
        about |= {"expected_behavior": REFUSAL, "note": _UNANSWERABLE}
    elif task != "summarization":
        context = made.metadata["excerpt"] if span else str(context)[:EXCERPT_CHARS]
    if spans:
        about["source_span"] = span
    if task == "hallucination":
        about["faithful_answer"], expected = expected, "faithful"
    stamp_metadata_inplace(about, authored_by=f"generator:{kind}", git={})
    return EvalCase(made.input, expected, context, metadata=about)


_chunk_text_with_offsets, _locate_span = pieces, span_of
