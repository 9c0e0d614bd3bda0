"""Pages of a stored run are the pages that reading every row would give, from any place and in both directions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from ringtrue.records import (
    Case,
    DatasetInfo,
    EvaluatorInfo,
    Made,
    Output,
    Row,
    RowFilter,
    Run,
    Score,
    SystemInfo,
    Trial,
)
from ringtrue.stats.row_pages import ListRows, matches
from ringtrue.stats.row_status import RowVerdicts
from ringtrue.store import schema
from ringtrue.store.case_pages import STATUSES, CaseOrder, CasePages, CasePlace
from ringtrue.store.pruning import Pruning
from ringtrue.store.run_copies import copy_run
from ringtrue.store.runs import RunStore
from ringtrue.store.search_query import MOST_COMPLETIONS

MADE = Made(
    datasets=(DatasetInfo("nq", headline="f1"), DatasetInfo("gsm", headline="f1")),
    systems=(SystemInfo("small"), SystemInfo("large")),
    evaluators=(EvaluatorInfo("f1", "f1 1.0", 0.5),),
)


def row(position: int, system: str, value: float | None, dataset: str = "nq", words: str = "", repeat: int = 0) -> Row:
    case = Case(f"c{position}", f"question {position} {words}", ("gold",), fields={"dataset": dataset})
    if value is None:
        return Row(Trial(case, Output("?")), {"f1": Score.error("lost")}, position, system, repeat)
    score = Score(value, passed=value >= 0.5, reason="so")
    cost, seconds = value if value < 1 else None, round(1 - value, 2)
    output = Output(f"answer {value:g}", latency_seconds=seconds, cost=cost)
    return Row(Trial(case, output), {"f1": score}, position, system, repeat)


def keep(store: str, rows: list[Row], status: str = "finished") -> CasePages:
    run = Run(MADE, ListRows(rows, MADE), {}, status=status)  # type: ignore[arg-type]
    return CasePages(copy_run(RunStore.open(store), run, "abc").rows)  # type: ignore[arg-type]


values = st.sampled_from([None, 0.0, 0.25, 0.25, 0.5, 1.0])
tables = st.lists(st.tuples(values, values, st.sampled_from(["nq", "gsm"])), min_size=1, max_size=40)
filters = st.builds(
    RowFilter,
    dataset=st.sampled_from([None, "nq", "gsm"]),
    system=st.sampled_from([None, "small", "large"]),
    status=st.sampled_from([None, "error", "failed", "passed"]),
)


def key_of(row: Row, order: CaseOrder) -> Any:
    keys = {
        "score": RowVerdicts(MADE).value(row),
        "cost": row.trial.output.cost,
        "seconds": row.trial.output.latency_seconds,
        "name": row.position,
    }
    return keys[order.lstrip("-")]


def positions_by_key(rows: list[Row], wanted: RowFilter, order: CaseOrder) -> list[int]:
    found: dict[int, list[Any]] = {}
    for one in rows:
        if matches(one, wanted, RowVerdicts(MADE)):
            found.setdefault(one.position, []).extend([] if key_of(one, order) is None else [key_of(one, order)])
    end, sign = (max, -1) if order.startswith("-") else (min, 1)
    places = {position: (not keys, sign * end(keys) if keys else 0) for position, keys in found.items()}
    absent_up = {position: position if places[position][0] else sign * position for position in places}
    return sorted(places, key=lambda position: (*places[position], absent_up[position]))


def expected_positions(rows: list[Row], wanted: RowFilter, order: CaseOrder) -> list[int]:
    if order not in ("worst", "position"):
        return positions_by_key(rows, wanted, order)
    verdicts = RowVerdicts(MADE)
    worst: dict[int, tuple[object, ...]] = {}
    for one in rows:
        if matches(one, wanted, verdicts):
            value = verdicts.value(one)
            place = (STATUSES.index(verdicts.status(one)), value is None, value or 0.0, one.position)
            key = place if order == "worst" else (one.position,)
            worst[one.position] = min(key, worst.get(one.position, key))  # type: ignore[type-var]
    return sorted(worst, key=lambda position: worst[position])  # type: ignore[arg-type, return-value]


def forwards(pages: CasePages, wanted: RowFilter, order: CaseOrder, limit: int) -> Iterator[list[int]]:
    after: CasePlace | None = None
    while True:
        page = pages.page(wanted, order, after=after, limit=limit)
        assert [case[0].position for case in page.cases] == [place.position for place in page.places]
        yield [place.position for place in page.places]
        if not page.has_next:
            return
        after = CasePlace.parse(str(page.places[-1]))


@settings(max_examples=60)
@given(tables, filters, st.sampled_from(get_args(CaseOrder)), st.integers(1, 7))
def test_pages_are_those_of_reading_every_row(
    tmp_path_factory: pytest.TempPathFactory,
    table: list[tuple[float | None, float | None, str]],
    wanted: RowFilter,
    order: CaseOrder,
    limit: int,
) -> None:
    rows = [
        row(position, system, value, dataset)
        for position, (*pair, dataset) in enumerate(table)
        for system, value in zip(("small", "large"), pair, strict=True)
    ]
    pages = keep(str(tmp_path_factory.mktemp("store") / "s.db"), rows)
    pages.search.prepare()
    expected = expected_positions(rows, wanted, order)
    found = list(forwards(pages, wanted, order, limit))
    assert [position for page in found for position in page] == expected
    if len(found) > 1:
        place = pages.place_of(expected[-1], wanted, order)
        assert place is not None
        back = pages.page(wanted, order, before=place, limit=limit)
        assert [place.position for place in back.places] == expected[:-1][-limit:]
        assert back.has_previous == (len(expected) - 1 > limit)
    pages.database.close()


def test_a_page_shows_all_rows_of_a_case_and_counts_are_those_of_the_rows(store: str) -> None:
    pages = keep(
        store, [row(0, "small", 1.0), row(0, "large", 0.0), row(1, "small", None), row(0, "small", 1.0, repeat=1)]
    )
    found = pages.page(RowFilter(status="failed"))
    assert [(one.system, one.repeat) for one in found.cases[0]] == [("small", 0), ("small", 1), ("large", 0)]
    assert pages.counts == {
        ("nq", "small", "passed"): 2,
        ("nq", "large", "failed"): 1,
        ("nq", "small", "error"): 1,
    }
    assert pages.case(7) == ()
    assert CasePlace.parse("nonsense") is None
    pages.database.close()


SEARCHES = [
    ("magic", [3]),
    ("MAGIC", [3]),
    ("mag", [3]),
    ("magic trick", [3]),
    ("trick question", [3]),
    ("agic", []),
    ("東京", [4]),
    ("cafe", [5]),
    ("c3", [3]),
    ("answer", [0, 1, 2, 3, 4, 5]),
    ('" OR "x', []),
    ("words : magic", []),
    ("NEAR(", []),
    ("*", []),
    ("\0\ud800 magic", [3]),
    ("snake_case", [5]),
    ("trick snake_case", []),
    ("STRASSE", [5]),
    ("straße", [5]),
    ("οδος", [5]),
    ("istanbul", [5]),
    ("café", [5]),
    ("3.14", [5]),
    ("me@example.org", [5]),
    ("lots", [2]),
    ("lots10", [2]),
    ("lotsa", []),
]


def test_the_pages_of_both_databases_are_the_same(store: str) -> None:
    values = [None, 0.25, 1.0, 0.25, 0.0, None, 0.5]
    rows = [row(position, system, value) for position, value in enumerate(values) for system in ("small", "large")]
    rows[3] = row(1, "large", 1.0)
    pages = keep(store, rows)
    pages.search.prepare()
    for order in get_args(CaseOrder):
        found = [position for page in forwards(pages, RowFilter(), order, 2) for position in page]
        assert found == expected_positions(rows, RowFilter(), order)
    assert pages.last_position() == 6
    pages.database.close()


@pytest.mark.parametrize("status", ["finished", "running"])
def test_a_search_finds_rows_that_hold_every_word(store: str, status: str) -> None:
    many = " ".join(f"lots{number}" for number in range(MOST_COMPLETIONS + 1))
    words = [
        "",
        "",
        many,
        "a Magic trick",
        "彼は東京に住む",
        "cafe snake_case Straße ΟΔΌΣ İstanbul 3.14 me@example.org",
    ]
    rows = [row(position, system, 0.0 if system == "large" else 1.0, words=text)
            for position, text in enumerate(words) for system in ("small", "large")]  # fmt: skip
    pages = keep(store, rows, status)
    for text, expected in SEARCHES:
        found = pages.page(RowFilter(text=text))
        assert [place.position for place in found.places] == expected, text
    assert pages.page(RowFilter(text="magic", status="failed", system="small")).cases == ()
    assert len(pages.page(RowFilter(text="magic", status="failed", system="large", dataset="nq")).cases) == 1
    first = pages.page(RowFilter(text="answer"), limit=2)
    assert first.has_next
    then = pages.page(RowFilter(text="answer"), after=first.places[-1], limit=2)
    assert [place.position for place in then.places] == [2, 3]
    back = pages.page(RowFilter(text="answer"), before=then.places[0], limit=2)
    assert [place.position for place in back.places] == [0, 1]
    pages.database.close()


@pytest.mark.parametrize("text", ["every targ", "every target", "seldom ever", "every ever"])
def test_a_beginning_beside_whole_words_is_found_wherever_it_lies(
    store: str, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr("ringtrue.store.text_search.FEW", 70)
    held = {position: ["every", *(["target"] if position > 90 else []), *(["seldom"] if position % 60 == 0 else [])]
            for position in range(200)}  # fmt: skip
    pages = keep(store, [row(position, "small", 1.0, words=" ".join(words)) for position, words in held.items()])
    whole, beginning = text.split()
    expected = [at for at, words in held.items() if whole in words and any(one.startswith(beginning) for one in words)]
    wanted = RowFilter(text=text, system="small")
    found = [position for page in forwards(pages, wanted, "position", 7) for position in page]
    back = pages.page(wanted, before=CasePlace(0, 0, 0.0, 200), limit=500)
    assert found == [place.position for place in back.places] == expected
    pages.database.close()


def test_a_run_whose_index_is_not_complete_is_searched_as_far_as_it_goes(
    store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ringtrue.store.text_search.INDEXED_AT_ONCE", 0)
    pages = keep(store, [row(position, "small", 1.0) for position in range(5)])
    assert pages.page(RowFilter(text="question")).cases == ()
    assert (pages.search.is_prepared(), pages.search.progress()) == (False, (0, 5))
    pages.search.prepare()
    with pages.database.writing() as connection:  # as if it had been stopped after three rows
        connection.execute(schema.searches.delete())
        connection.execute(schema.searched_rows.delete().where(schema.searched_rows.c.position > 2))
    assert [place.position for place in pages.page(RowFilter(text="question")).places] == [0, 1, 2]
    assert (pages.search.is_prepared(), pages.search.progress()) == (False, (3, 5))
    pages.search.prepare()
    assert len(pages.page(RowFilter(text="question")).cases) == 5
    pages.database.close()


def test_a_run_that_went_on_is_indexed_again(store: str) -> None:
    pages = keep(store, [row(0, "small", 1.0, words="before")])
    assert len(pages.page(RowFilter(text="before")).cases) == 1
    rows = [row(0, "small", 1.0, words="later"), row(1, "small", 0.0, words="later")]
    run = Run(MADE, ListRows(rows, MADE), {})
    again = CasePages(copy_run(RunStore(pages.database), run, "abc").rows)  # type: ignore[arg-type]
    assert len(again.page(RowFilter(text="later")).cases) == 2
    assert again.page(RowFilter(text="before")).cases == ()
    pages.database.close()


def test_pruning_leaves_no_words_of_a_run_and_the_others_are_searched_as_before(store: str) -> None:
    with RunStore.open(store) as runs:
        old, new = (
            CasePages(copy_run(runs, Run(MADE, ListRows([row(0, "small", 1.0, words=word)], MADE), {}), word).rows)  # type: ignore[arg-type]
            for word in ("secret", "public")
        )
        assert all(len(pages.page(RowFilter(text="question")).cases) == 1 for pages in (old, new))
        stored = [run for run in runs.database.runs() if run.id == "secret"]
        Pruning(tuple(stored), ()).apply(runs.database)
        with runs.database.reading() as connection:
            assert connection.scalar(select(func.count()).select_from(schema.searched_rows)) == 0
        assert len(new.page(RowFilter(text="public")).cases) == 1
        assert new.page(RowFilter(), order="cost").cases
