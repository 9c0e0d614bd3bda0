"""Two reports side by side: cases are paired by what they are, and chance is separated from change."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click import UsageError

from ringtrue import EvalCase, EvalSuite
from ringtrue.cli import invoke
from ringtrue.errors import InputError
from ringtrue.evaluators import Contains, ExactMatch
from ringtrue.records import EvaluatorInfo
from ringtrue.reports.comparing.case_pairs import Side
from ringtrue.reports.comparing.compare_runs import compare_sides
from ringtrue.reports.comparing.comparison import Flip, SystemPair
from ringtrue.reports.eval_report import EvalReport
from ringtrue.reports.row_file import write_rows
from ringtrue.reports.run_file import read_run
from ringtrue.stats.differences import paired_interval
from ringtrue.stats.paired_difference import MCNEMAR, PairedDifference


def cases(*numbers: int, **more: Any) -> list[EvalCase]:
    return [EvalCase(f"q{number}", "a", **more) for number in numbers]


def report(given: list[EvalCase], *right: int, check: Any = None, runs: int = 1) -> EvalReport:
    suite = EvalSuite("s").add_cases(given).add_evaluators(check or ExactMatch())
    answers = {f"q{number}": "a" for number in right}
    return suite.run(lambda question: answers.get(question, "b"), verbose=False, store=None, runs=runs)


SIX = cases(*range(6))


def compared(old: EvalReport, new: EvalReport) -> SystemPair:
    (pair,) = old.compare(new).pairs
    return pair


def change_of(pair: SystemPair) -> PairedDifference:
    (headline,) = pair.headlines
    assert headline.difference is not None
    return headline.difference


def inputs(flips: Sequence[Flip]) -> list[str]:
    return [flip.case.input for flip in flips]


def test_what_changed() -> None:
    pair = compared(report(SIX, 0, 1), report(SIX, 1, 2, 3, 4))
    assert (inputs(pair.lost), inputs(pair.gained)) == (["q0"], ["q2", "q3", "q4"])
    assert (pair.both_passed, pair.both_failed, pair.refused, pair.whole) == (1, 1, [], True)
    change = change_of(pair)
    assert (change.value, change.n, change.method) == (pytest.approx(1 / 3), 6, "Newcombe")
    assert (change.test, change.p) == ("McNemar exact", 0.625)
    assert change.interval == paired_interval([True] * 2 + [False] * 4, [False] + [True] * 4 + [False])


def test_a_report_says_what_the_command_says() -> None:
    """One comparison: the view has no number of its own."""
    old, new = report(SIX, 0, 1), report(SIX, 1, 2, 3, 4)
    (pair,) = compare_sides([Side(one.run, one.system, "x") for one in (old, new)]).pairs
    assert compared(old, new).parts == pair.parts


def test_cases_without_ids_are_found_wherever_they_are() -> None:
    found = report(cases(0, 1, 2), 0).compare(report(cases(7, 2, 0), 0, 2))
    (pair,) = found.pairs
    assert (pair.cases, inputs(pair.gained), inputs(pair.lost)) == (2, ["q2"], [])
    assert (pair.only_before, pair.only_after, pair.whole) == (1, 1, False)
    assert "cases that are not paired: 1 in A alone, 1 in B alone" in str(found)


def test_cases_that_say_the_same_are_paired_in_their_order() -> None:
    same = [EvalCase("q0", "a"), EvalCase("q0", "a")]
    assert len(compared(report(same), report(same, 0)).gained) == 2


def test_a_changed_case_is_another_case() -> None:
    one, other = (EvalCase("q0", expected, case_id="same") for expected in "ab")
    pair = compared(report([one], 0), report([other], 0))
    assert (pair.cases, pair.changed) == (0, 1)
    assert pair.refused == ["1 case has another question or expected answer under the same id"]


def test_sources_are_not_taken_for_more_evidence_than_they_are() -> None:
    together = cases(*range(4), source_id="book") + cases(4, 5, source_id="page")
    found = report(together, 0).compare(report(together, 0, 1, 2))
    (pair,) = found.pairs
    assert (pair.refused, pair.whole, pair.verdict) == ([], True, "cannot tell")
    assert (change_of(pair).test, change_of(pair).value) == ("t over sources", pytest.approx(1 / 3))
    assert "over 2 sources" in " ".join(str(found).split())


def by_source(*sizes: int) -> list[EvalCase]:
    sources = [source for source, size in enumerate(sizes) for _ in range(size)]
    return [EvalCase(f"q{number}", "a", source_id=f"s{source}") for number, source in enumerate(sources)]


@pytest.mark.parametrize(
    ("sizes", "before", "after", "verdict"),
    [
        pytest.param((2, 2), [], [], "cannot tell", id="no-change-is-no-proof"),
        pytest.param((2,), [], [0, 1], "cannot tell", id="one-source-is-one"),
        pytest.param((2,) * 5, [], range(10), "cannot tell", id="too-few-sources"),
        pytest.param((2,) * 9, [], range(18), "better", id="all-better"),
        pytest.param((2,) * 9, range(18), [], "worse", id="all-worse"),
        pytest.param((2, 2), [0, 2], [1, 3], "cannot tell", id="what-cancels-out-is-no-certainty"),
    ],
)
def test_sources_are_the_evidence(sizes: tuple[int, ...], before: list[int], after: list[int], verdict: str) -> None:
    given = by_source(*sizes)
    pair = compared(report(given, *before), report(given, *after))
    assert (pair.verdict, pair.whole, change_of(pair).test == MCNEMAR) == (verdict, True, False)


@pytest.mark.parametrize(
    ("before", "after", "verdict", "words"),
    [
        pytest.param([], range(5), "cannot tell", "about 2 more cases would settle it", id="too-few"),
        pytest.param([], range(3), "cannot tell", "about 8 more cases would settle it", id="six-have-to-turn"),
        pytest.param([], range(6), "better", "proposal is better than baseline: +75.0 points", id="better"),
        pytest.param(range(6), [], "worse", "proposal is worse than baseline: −75.0 points", id="worse"),
        pytest.param([0, 1], range(1, 8), "cannot tell", "p 0.12", id="may-be-chance"),
    ],
)
def test_chance_is_not_taken_for_change(before: list[int], after: list[int], verdict: str, words: str) -> None:
    given = cases(*range(8))
    found = report(given, *before).compare(report(given, *after))
    assert found.pairs[0].verdict == verdict
    assert words in " ".join(str(found).split())


@pytest.mark.parametrize(
    ("better", "broken", "verdict"),
    [(6, 1, "cannot tell"), (8, 1, "better"), (6, 40, "cannot tell"), (20, 6, "better")],
)
def test_what_broke_may_have_turned_it(better: int, broken: int, verdict: str) -> None:
    """Cases that passed and broke are counted as if all of them had failed."""
    given = cases(*range(better + broken))

    def half_down(question: str) -> str:
        if int(question[1:]) >= better:
            raise ValueError("down")
        return "a"

    suite = EvalSuite("s").add_cases(given).add_evaluators(ExactMatch())
    found = report(given, *range(better, better + broken)).compare(suite.run(half_down, verbose=False, store=None))
    (pair,) = found.pairs
    assert (pair.verdict, pair.headlines[0].errors) == (verdict, (0, broken))
    assert (change_of(pair).p or 1) < 0.05
    assert f"without a verdict: {broken} error" in str(found)
    assert ("could turn that" in " ".join(str(found).split())) is (verdict == "cannot tell")


def test_a_part_of_a_suite_is_found_in_the_whole() -> None:
    given = [EvalCase("q0", "a"), EvalCase("q1", "a", tags=["x"])]
    suite = EvalSuite("s").add_cases(given).add_evaluators(ExactMatch())
    part = suite.run(lambda question: "a", verbose=False, store=None, tags=["x"])
    pair = compared(report(given), part)
    assert (pair.cases, inputs(pair.gained), pair.only_before, pair.only_after) == (1, ["q1"], 1, 0)


def test_signatures_from_outside_are_only_text() -> None:
    old = report(SIX)
    odd = replace(old.run.made, evaluators=(EvaluatorInfo("exact_match", "\x1b[31mred|\ud800"),))
    found = old.compare(EvalReport(replace(old.run, made=odd)))
    assert "red|" in found.pairs[0].refused[0]
    assert "\x1b" not in str(found)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        pytest.param({"check": Contains(["a"])}, "contains is in B alone", id="check"),
        pytest.param({"check": ExactMatch(case_sensitive=True)}, "exact_match measures otherwise", id="setting"),
    ],
)
def test_numbers_that_cannot_be_compared_are_not_tested(other: dict[str, Any], words: str) -> None:
    found = report(SIX, 0).compare(report(SIX, 0, **other))
    assert not found.pairs[0].headlines
    assert words in found.pairs[0].refused[0]
    assert f"proposal and baseline cannot be compared: {words}" in " ".join(str(found).split())


def test_errors_are_no_verdicts() -> None:
    def down(question: str) -> str:
        raise ValueError("down")

    broken = EvalSuite("s").add_cases(SIX).add_evaluators(ExactMatch()).run(down, verbose=False, store=None)
    pair = compared(report(SIX, 0), broken)
    assert (pair.headlines[0].difference, pair.headlines[0].errors, pair.whole) == (None, (0, 6), False)
    assert (inputs(pair.lost), inputs(pair.gained)) == ([], [])


def test_repeats_are_averaged_as_in_every_comparison() -> None:
    pair = compared(report(SIX, 0), report(SIX, 0, 1, runs=2))
    assert (pair.refused, pair.verdict, inputs(pair.gained)) == ([], "cannot tell", ["q1"])


def save(report: EvalReport, path: str) -> None:
    write_rows(path, report.run.rows, report.run.made)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new, fewer = (str(tmp_path / name) for name in ("old.jsonl", "new.jsonl", "fewer.parquet"))
    save(report(SIX, 0, 1), old)
    save(report(SIX, 1, 2), new)
    save(report(SIX[:3], 0, 1), fewer)
    assert invoke(["compare", old, new]) == 0
    assert (
        "Lost (1): passed in A, failed in B\n  #1  q0\n    expected  a\n    A  a\n    B  b" in capsys.readouterr().out
    )
    assert invoke(["compare", old, new, "--json", "--fail-on-regression"]) == 1
    assert json.loads(capsys.readouterr().out)["pairs"][0]["lost"][0]["input"] == "q0"
    assert invoke(["compare", old, old, "--markdown", "--fail-on-regression"]) == 0
    assert "| every check | 33.3 % | 33.3 % | +0.0 |" in capsys.readouterr().out
    assert invoke(["compare", old, fewer, "--fail-on-regression"]) == 2
    assert "undecided" in capsys.readouterr().err
    assert invoke(["compare", old, new, "--fail-if-worse"]) == 0
    assert invoke(["compare", old, fewer, "--fail-if-worse"]) == 2
    save(report(SIX, *range(6)), old)
    save(report(SIX), new)
    assert invoke(["compare", old, new, "--fail-if-worse"]) == 1
    assert invoke(["compare", new, old, "--fail-if-worse"]) == 0
    save(report(SIX, check=Contains(["z"])), new)
    assert invoke(["compare", old, new, "--fail-on-regression"]) == 2
    assert "undecided: nothing could be compared" in capsys.readouterr().err
    with pytest.raises(UsageError, match="choose one"):
        invoke(["compare", old, new, "--json", "--markdown"])


def test_stored_runs_are_compared_by_their_ids(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = f"sqlite:///{tmp_path}/x.db"
    suite = EvalSuite("s").add_cases(SIX).add_evaluators(ExactMatch())
    first, second = (suite.run(answer, verbose=False, store=store).run.id for answer in (str.title, lambda q: "a"))
    assert invoke(["compare", first[:8], "last", "--store", store]) == 0
    assert "Gained (6):" in capsys.readouterr().out
    assert invoke(["compare", second, first, "--store", store, "--fail-if-worse"]) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[]", "not a row but list"),
        ("{}", "is not a row that ringtrue wrote: it has no 'scores'"),
        ('{"response": "x", "scores": [1]}', "is not a row that ringtrue wrote"),
        ("[" * 100_000, "not JSON"),
        ('{"run": {"job": 5}, "scores": {}}', "this does not say how a run was made"),
    ],
    ids=["list", "no-scores", "no-score", "deep", "no-run"],
)
def test_a_file_that_holds_no_run_is_refused(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(text)
    with pytest.raises(InputError, match=words):
        read_run(path)
