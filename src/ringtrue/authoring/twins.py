"""To a case with a true answer, its twin with a false one: what a judge of answers must tell apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from ringtrue.authoring.case_gates import one_line
from ringtrue.authoring.writing import CaseRequest, Item, item_text
from ringtrue.dialects.coercion import context_text
from ringtrue.dialects.suite import EvalCase
from ringtrue.evaluators.judged.schemas import TEXT
from ringtrue.identity import digest

FALSE = "fail: one fact of the answer is false, so that a check against the context must not pass it"


def can_have_twin(case: EvalCase) -> bool:
    """Whether a case has a context and one expected answer, which a twin needs."""
    return bool(case.context) and isinstance(case.expected_output, str) and bool(case.expected_output.strip())


def twins(cases: Iterable[EvalCase]) -> list[CaseRequest]:
    """For each case that can have one, its twin: the same question with an answer in which one fact is false."""
    fields = {"unfaithful_answer": TEXT, "changed_fact": TEXT}
    return [
        CaseRequest("twin", {"context": context_text(case.context), "answer": str(case.expected_output)}, fields, None,
               make=partial(twin_of, case), alone=False)
        for case in cases
        if can_have_twin(case)
    ]  # fmt: skip


def twin_of(case: EvalCase, item: Item) -> EvalCase:
    """The twin that a model wrote; one whose answer is empty or the true one asks nothing: no gate lets it in."""
    answer = item_text(item, "unfaithful_answer")
    line = one_line(answer)
    differs = bool(line) and line.casefold() != one_line(str(case.expected_output)).casefold()
    about: dict[str, Any] = {
        "pair_id": digest(repr((case.input, case.context, case.expected_output)))[:32],
        "unfaithful_answer": answer,
        "faithful_answer": case.expected_output,
        "changed_fact": item.get("changed_fact"),
        "expected_behavior": FALSE,
        "generation": {"kind": "twin"},
    }
    return EvalCase(case.input if differs else "", context=case.context, metadata=about)


def labelled_rows(
    pair_id: str, question: str, context: str, true: str, false: str, **more: object
) -> list[Mapping[str, object]]:
    """A true and a false answer as rows with human labels, 1 and 0, as `ringtrue calibrate` takes them."""
    known = {"pair_id": pair_id, "input": question, "context": context, **more}
    return [
        {"id": f"{pair_id}:{name}", **known, "response": answer, "label": label}
        for name, answer, label in (("a", true, 1), ("b", false, 0))
    ]
