"""The sentences of a comparison say which cases were gained and lost, and write a system as its user does."""

from __future__ import annotations

from dataclasses import replace

from ringtrue import compare
from ringtrue.records import Case, DatasetInfo, EvaluatorInfo, Made, Output, Row, Run, Score, SystemInfo, Trial
from ringtrue.reports.comparing.comparison_words import comparison_sentences
from ringtrue.reports.pages.comparison_page import comparison_page
from ringtrue.runner.run_from_rows import run_of


def _run(system: str, passed: dict[str, list[bool]]) -> Run:
    rows = [
        Row(
            Trial(Case(id=place, fields={"dataset": name}), Output(text="a")),
            {"m": Score(float(ok), passed=ok)},
            place,
            system,
        )
        for name, verdicts in passed.items()
        for place, ok in enumerate(verdicts)
    ]
    datasets = tuple(DatasetInfo(name, "", len(found), "m") for name, found in passed.items())
    evaluator = EvaluatorInfo("m", "m", keys={"m": "m"}, main="m")
    return run_of(Made(datasets=datasets, systems=(SystemInfo(system),), evaluators=(evaluator,)), rows)


def test_each_dataset_counts_its_own_cases() -> None:
    old = _run("old", {"nq": [True, False, False], "qa": [True] * 30})
    new = _run("new", {"nq": [False, True, True], "qa": [False] * 30})
    nq, qa = comparison_sentences(compare(old, new))
    assert nq.startswith("On nq: cannot tell whether new is better than old: ")
    assert ", 2 gained, 1 lost" in nq
    assert qa.startswith("On qa: new is worse than old: ")
    assert qa.endswith(", 0 gained, 30 lost")


def test_a_page_says_which_runs_it_compares_and_how_they_were_made() -> None:
    old, new = _run("old", {"nq": [True] * 9}), _run("new", {"nq": [False] * 9})
    page = comparison_page(compare(old, replace(new, id="7f3c2a")))
    made = page[page.index("How these numbers were made") :]
    assert "Run 7f3c2a" in made
    assert "data nq · systems new · checks m, passes at 0.5" in made
    assert "systems old" in made


def test_the_name_of_a_system_begins_a_sentence_as_it_is_written() -> None:
    (words,) = comparison_sentences(compare(_run("old", {"qa": [False] * 30}), _run("new", {"qa": [True] * 30})))
    assert words.startswith("new is better than old: ")
