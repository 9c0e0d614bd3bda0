"""How rows of a run ended, which of them match, and in what order they come."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.records import (
    Case,
    DatasetInfo,
    EvaluatorInfo,
    Made,
    Output,
    Row,
    RowFilter,
    Score,
    SystemInfo,
    Trial,
)
from ringtrue.stats.row_pages import ListRows, page_of
from ringtrue.stats.row_status import Headline, RowVerdicts, headline_of

QUALITY = EvaluatorInfo("quality", keys={"f1": "f1", "recall": "recall"}, main="f1", threshold=0.5)
EXACT = EvaluatorInfo("exact", keys={"exact": "exact"}, main="exact", threshold=1.0)


def made(job: str = "run", headline: str = "f1", **more: Any) -> Made:
    return Made(
        job=job,  # type: ignore[arg-type]
        datasets=(DatasetInfo("d", headline=headline),),
        systems=(SystemInfo("s"),),
        evaluators=(QUALITY, EXACT),
        **more,
    )


def quality(f1: float, recall: float = 1.0) -> Score:
    return Score(f1, passed=f1 >= 0.5, parts={"f1": f1, "recall": recall})


def row(position: int = 0, output: Output | None = None, dataset: str = "d", **scores: Score) -> Row:
    case = Case(position, f"question {position}", fields={"dataset": dataset})
    return Row(Trial(case, output or Output("Answer")), scores, position, "s")


YES, NO = Score(1.0, passed=True), Score(0.0, passed=False)
SKIP, ERROR = Score.skipped("no gold"), Score.error("away")


@pytest.mark.parametrize(
    ("found", "run", "suite"),
    [
        pytest.param(row(quality=quality(0.9), exact=NO), "passed", "failed", id="one-fails"),
        pytest.param(row(quality=quality(0.9), exact=SKIP), "passed", "passed", id="one-skips"),
        pytest.param(row(quality=quality(0.9), exact=ERROR), "passed", "error", id="one-breaks"),
        pytest.param(row(quality=quality(0.2), exact=YES), "failed", "failed", id="the-headline-fails"),
        pytest.param(row(quality=SKIP, exact=YES), "skipped", "passed", id="the-headline-skips"),
        pytest.param(row(quality=ERROR, exact=YES), "error", "error", id="the-headline-breaks"),
        pytest.param(row(quality=SKIP, exact=SKIP), "skipped", "skipped", id="all-skip"),
        pytest.param(row(), "skipped", "skipped", id="no-scores"),
        pytest.param(row(output=Output(problem="late", error="timeout"), exact=YES), "error", "error", id="no-answer"),
        pytest.param(row(exact=YES), "passed", "passed", id="another-evaluator-alone"),
    ],
)
def test_how_a_row_ended(found: Row, run: str, suite: str) -> None:
    assert RowVerdicts(made()).status(found) == run
    assert RowVerdicts(made("suite")).status(found) == suite


@pytest.mark.parametrize(("recall", "status"), [(0.5, "passed"), (0.4, "failed")])
def test_a_headline_that_is_not_the_main_part_passes_at_the_evaluators_threshold(recall: float, status: str) -> None:
    verdicts = RowVerdicts(made(headline="recall"))
    found = row(quality=quality(0.0 if status == "passed" else 1.0, recall))
    assert (verdicts.status(found), verdicts.value(found)) == (status, recall)


def test_a_dataset_that_the_run_does_not_name_has_the_headline_of_the_only_one() -> None:
    assert RowVerdicts(made(headline="exact")).value(row(dataset="other", quality=quality(0.4), exact=YES)) == 1.0


def test_keys_stand_for_parts_of_evaluators() -> None:
    assert headline_of("recall", (QUALITY, EXACT)) == Headline("quality", "recall", False, 0.5)
    assert headline_of("quality.f1", (QUALITY, EXACT)) == Headline("quality", "f1", True, 0.5)
    assert headline_of("own", (EvaluatorInfo("own", threshold=0.7),)) == Headline("own", "own", True, 0.7)
    assert headline_of("nothing", (QUALITY, EXACT)) is None


ROWS = [
    row(0, quality=quality(0.9)),
    row(1, quality=quality(0.1)),
    row(2, quality=SKIP),
    row(3, output=Output(problem="late", error="timeout")),
    row(4, Output("STRASSE"), quality=quality(0.3, 0.2)),
    row(5, dataset="e", quality=quality(0.6)),
]


@pytest.mark.parametrize(
    ("wanted", "places"),
    [
        (None, [0, 1, 2, 3, 4, 5]),
        (RowFilter(), [0, 1, 2, 3, 4, 5]),
        (RowFilter(dataset="e"), [5]),
        (RowFilter(system="t"), []),
        (RowFilter(case_id="3"), [3]),
        (RowFilter(status="failed"), [1, 4]),
        (RowFilter(status="error"), [3]),
        (RowFilter(text="straße"), [4]),
        (RowFilter(text="QUESTION 5"), [5]),
        (RowFilter(scores=(("f1", "<", 0.3),)), [1]),
        (RowFilter(scores=(("f1", "<=", 0.3),)), [1, 4]),
        (RowFilter(scores=(("f1", ">", 0.6),)), [0]),
        (RowFilter(scores=(("f1", ">=", 0.6), ("quality.recall", "=", 1.0))), [0, 5]),
        (RowFilter(scores=(("recall", "=", 0.2),)), [4]),
        (RowFilter(scores=(("nothing", ">=", 0.0),)), []),
    ],
    ids=str,
)
def test_which_rows_match(wanted: RowFilter | None, places: list[int]) -> None:
    assert [found.position for found in ListRows(ROWS, made()).page(wanted)] == places


def test_the_worst_come_first() -> None:
    assert [found.position for found in ListRows(ROWS, made()).page(order="worst")] == [3, 1, 4, 2, 5, 0]


any_row = st.builds(
    row,
    position=st.integers(0, 9),
    output=st.sampled_from([Output("a"), Output(problem="late", error="timeout")]),
    quality=st.one_of(st.just(SKIP), st.just(ERROR), st.floats(0, 1).map(quality)),
)


@given(
    st.lists(any_row, max_size=12),
    st.sampled_from([None, RowFilter(status="failed"), RowFilter(scores=(("f1", "<", 0.5),))]),
    st.sampled_from(["position", "worst"]),
    st.integers(0, 6),
    st.none() | st.integers(0, 6),
)
def test_a_page_is_a_piece_of_the_whole(
    rows: list[Row], wanted: RowFilter | None, order: Any, offset: int, limit: int | None
) -> None:
    whole = page_of(rows, made(), wanted, order)
    assert page_of(iter(rows), made(), wanted, order, offset, limit) == (
        whole[offset:] if limit is None else whole[offset : offset + limit]
    )
    if wanted is None:
        assert sorted(map(id, whole)) == sorted(map(id, rows))
