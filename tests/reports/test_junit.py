"""JUnit XML: every check has its own verdict, every text survives, no two testcases share a name."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.records import Case, DatasetInfo, EvaluatorInfo, Made, Output, Row, Score, Trial
from ringtrue.reports.junit import Entry, case_label, junit_document, junit_title, junit_xml
from ringtrue.safetext import xml_text

ANY_TEXT = st.text(st.characters(), max_size=200)


def row(
    text: str = "out", position: int = 0, *, id: str | int = "", system: str = "", repeat: int = 0, **scores: Score
) -> Row:
    trial = Trial(Case(id, "What?", ("gold",)), Output(text, latency_seconds=0.25))
    return Row(trial, scores, position, system, repeat)


def parsed(*rows: Row) -> ElementTree.Element:
    return ElementTree.fromstring(junit_xml(rows, "suite"))


def marks(root: ElementTree.Element) -> dict[str, list[str]]:
    return {
        case.attrib["name"]: [child.tag for child in case if child.tag != "properties"]
        for case in root.iter("testcase")
    }


def test_a_testcase_with_a_verdict_names_its_threshold() -> None:
    """A part of a score that gives no verdict has none."""
    rows = [row(own=Score(0.7, passed=True), free=Score(0.7), unknown=Score(0.7, passed=True))]
    evaluators = [EvaluatorInfo(name, "", threshold=0.7) for name in ("own", "free")]
    root = ElementTree.fromstring(junit_xml(rows, "suite", evaluators))
    found = {
        case.attrib["name"]: {one.attrib["name"]: one.attrib["value"] for one in case.iter("property")}
        for case in root.iter("testcase")
    }
    assert found == {
        "own :: What?": {"score": "0.7", "threshold": "0.7"},
        "free :: What?": {"score": "0.7"},
        "unknown :: What?": {"score": "0.7"},
    }


def test_a_reused_answer_took_no_time() -> None:
    root = parsed(row(position=0, check=Score(1.0)), replace(row(position=1, check=Score(1.0)), reused=True))
    assert [case.attrib["time"] for case in root.iter("testcase")] == ["0.250", "0.000"]


def test_each_check_has_its_own_verdict() -> None:
    """One failing check of four leaves the other three as they are."""
    root = parsed(
        row(
            good=Score(1.0, passed=True),
            bad=Score(0.25, passed=False, reason="missing: 'Paris'"),
            absent=Score.skipped("nothing to compare with"),
            broken=Score.error("the judge is away", kind="judge_error"),
        )
    )
    assert marks(root) == {
        "good :: What?": [],
        "bad :: What?": ["failure"],
        "absent :: What?": ["skipped"],
        "broken :: What?": ["error"],
    }
    suite = root.find("testsuite")
    assert suite is not None
    counted = {name: suite.attrib[name] for name in ("tests", "failures", "errors", "skipped")}
    assert counted == {"tests": "4", "failures": "1", "errors": "1", "skipped": "1"}
    failure = root.find(".//failure")
    assert failure is not None
    assert failure.attrib == {"message": "missing: 'Paris'", "type": "quality"}
    assert failure.text == "input: What?\nexpected: gold\noutput: out"
    assert root.find(".//error").attrib["type"] == "judge_error"  # type: ignore[union-attr]


def test_times_add_up_to_the_time_of_the_answers() -> None:
    root = parsed(row(a=Score(1.0, passed=True), b=Score(1.0, passed=True)), row(position=1, a=Score(1.0, passed=True)))
    assert sum(float(case.attrib["time"]) for case in root.iter("testcase")) == 0.5
    assert root.attrib["time"] == "0.500"


def test_a_score_without_a_verdict_claims_no_pass() -> None:
    root = parsed(row(f1=Score(0.4)))
    assert root.find(".//skipped").attrib["message"] == "scored 0.4; the evaluator gives no verdict"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("output", "scores"),
    [
        (Output(problem="KeyError", error="system_error", traceback="its lines"), {"a": Score.error("no answer")}),
        (Output(problem="KeyError", error="system_error", traceback="its lines"), {}),
        (Output("fine"), {"a": Score.error("KeyError", kind="evaluator_error", traceback="its lines")}),
    ],
    ids=["system", "system-without-checks", "evaluator"],
)
def test_an_error_of_user_code_has_its_traceback(output: Output, scores: dict[str, Score]) -> None:
    assert [one.text for one in parsed(Row(Trial(Case("x", "in"), output), scores)).iter("error")] == ["its lines"]


@pytest.mark.parametrize(
    ("output", "mark"),
    [(Output(problem="refused", error="model_error"), "error"), (Output("fine"), "skipped")],
    ids=["no-answer", "no-check"],
)
def test_a_row_without_scores_is_not_lost(output: Output, mark: str) -> None:
    root = parsed(Row(Trial(Case("x", "in"), output), {}))
    assert marks(root) == {"(no check) :: x: in": [mark]}


def test_names_never_collide() -> None:
    rows = [
        row(position=n, system=s, repeat=r, a=Score(1.0, passed=True)) for n in (0, 1) for s in "xy" for r in (0, 1)
    ]
    cases = [(case.attrib["classname"], case.attrib["name"]) for case in parsed(*rows).iter("testcase")]
    assert len(set(cases)) == len(rows)
    assert ("suite.x", "a :: What? #1 (repeat 1)") in cases


@pytest.mark.parametrize(
    ("made", "title"),
    [
        (Made(name="nightly", datasets=(DatasetInfo("nq"),)), "nightly"),
        (Made(job="suite", datasets=(DatasetInfo("capitals"),)), "capitals"),
        (Made(job="run", datasets=(DatasetInfo("nq"), DatasetInfo("drop"))), "run"),
        (Made(job="score", datasets=(DatasetInfo(""),)), "score"),
    ],
)
def test_the_title_is_the_same_for_every_run_of_the_same_thing(made: Made, title: str) -> None:
    assert junit_title(made) == title


def test_datasets_are_told_apart() -> None:
    """Cases of two files may have one id and one question."""
    first = row(a=Score(1.0, passed=True))
    rows = [
        replace(first, trial=replace(first.trial, case=replace(first.trial.case, fields={"dataset": name})))
        for name in ("nq", "drop")
    ]
    assert [case.attrib["classname"] for case in parsed(*rows).iter("testcase")] == ["suite.nq", "suite.drop"]


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_any_text_makes_xml_that_can_be_read(name: str, message: str, detail: str) -> None:
    text = junit_document([Entry(name, name, "failed", message, name, detail)], name)
    failure = ElementTree.fromstring(text.encode()).find(".//failure")
    assert failure is not None
    assert failure.attrib["message"] == xml_text(message)
    assert (failure.text or "") == xml_text(detail).replace("\r\n", "\n").replace("\r", "\n")


@pytest.mark.parametrize(
    ("given_text", "wanted"),
    [
        ("a\x00b", "a\\x00b"),
        ("\ud800", "\\ud800"),
        ("\ufffe", "\\ufffe"),
        ("\x1b[31m", "\\x1b[31m"),
        ("ok\n\té", "ok\n\té"),
    ],
    ids=["nul", "surrogate", "not-a-character", "escape", "legal"],
)
def test_illegal_characters_are_escaped(given_text: str, wanted: str) -> None:
    assert xml_text(given_text) == wanted


def test_labels_are_short_and_never_empty() -> None:
    assert case_label("", "") == "(empty input)"
    assert case_label(0, " a \n b ") == "0: a b"
    assert len(case_label("", "word " * 1_000_000)) <= 80
