"""Two reports side by side: cases are paired by what they are, and chance is separated from change."""

from __future__ import annotations

import json
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
from ringtrue.reports.eval_report import EvalReport
from ringtrue.reports.row_file import write_rows
from ringtrue.reports.run_file import read_run
from ringtrue.stats.differences import paired_interval


def cases(*numbers: int, **more: Any) -> list[EvalCase]:
    return [EvalCase(f"q{number}", "a", **more) for number in numbers]


def report(given: list[EvalCase], *right: int, check: Any = None, runs: int = 1) -> EvalReport:
    suite = EvalSuite("s").add_cases(given).add_evaluators(check or ExactMatch())
    answers = {f"q{number}": "a" for number in right}
    return suite.run(lambda question: answers.get(question, "b"), verbose=False, store=None, runs=runs)


SIX = cases(*range(6))


def test_what_changed() -> None:
    found = report(SIX, 0, 1).compare(report(SIX, 1, 2, 3, 4))
    assert repr(found) == "ReportDiff('s' against 's': cannot tell, 1 lost, 3 gained)"
    assert "Lost: passed with A, failed with B" in found._repr_html_()
    assert [case.direction for case in found.paired] == [
        "regressed", "unchanged", "improved", "improved", "improved", "unchanged",
    ]  # fmt: skip
    assert ([case.case_input for case in found.regressions], len(found.improvements)) == (["q0"], 3)
    assert [(case.baseline_score, case.proposal_score) for case in found.improvements] == [(0.0, 1.0)] * 3
    assert (found.mcnemar_p, found.identity_issues, found.whole) == (0.625, [], True)
    assert found.change is not None
    assert (found.change.value, found.change.n, found.change.method) == (pytest.approx(1 / 3), 6, "Newcombe")
    assert found.change.interval == paired_interval([True] * 2 + [False] * 4, [False] + [True] * 4 + [False])
    assert json.loads(json.dumps(found.to_dict()))["deltas"]["pass_rate"] == pytest.approx(1 / 3)


def test_cases_without_ids_are_found_wherever_they_are() -> None:
    found = report(cases(0, 1, 2), 0).compare(report(cases(7, 2, 0), 0, 2))
    assert [(case.case_input, case.direction) for case in found.paired] == [("q0", "unchanged"), ("q2", "improved")]
    assert ([case.case_input for case in found.added], [case.case_input for case in found.removed]) == (["q7"], ["q1"])
    assert "cases added: 1" in str(found)
    assert not found.whole


def test_cases_that_say_the_same_are_paired_in_their_order() -> None:
    same = [EvalCase("q0", "a"), EvalCase("q0", "a")]
    assert [case.direction for case in report(same).compare(report(same, 0)).paired] == ["improved", "improved"]


def test_a_changed_case_is_another_case() -> None:
    one, other = (EvalCase("q0", expected, case_id="same") for expected in "ab")
    found = report([one], 0).compare(report([other], 0))
    assert (found.paired, found.mcnemar_p) == ([], None)
    assert found.identity_issues == ["1 case has another question or expected answer under the same id"]


def test_sources_are_not_taken_for_more_evidence_than_they_are() -> None:
    together = cases(*range(4), source_id="book") + cases(4, 5, source_id="page")
    found = report(together, 0).compare(report(together, 0, 1, 2))
    assert (found.mcnemar_p, found.identity_issues, found.whole, found.verdict) == (None, [], True, "cannot tell")
    assert found.change is not None
    assert (found.change.test, found.change.value) == ("t over sources", pytest.approx(1 / 3))
    assert "over 2 sources" in found.to_text()


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
    found = report(given, *before).compare(report(given, *after))
    assert (found.verdict, found.whole, found.mcnemar_p) == (verdict, True, None)


@pytest.mark.parametrize(
    ("before", "after", "verdict", "words"),
    [
        pytest.param([], range(5), "cannot tell", "about 2 more cases would settle it", id="too-few"),
        pytest.param([], range(3), "cannot tell", "about 8 more cases would settle it", id="six-have-to-turn"),
        pytest.param([], range(6), "better", "proposal is better than baseline: +75.0 points", id="better"),
        pytest.param(range(6), [], "worse", "proposal is worse than baseline: −75.0 points", id="worse"),
        pytest.param([0, 1], range(1, 8), "cannot tell", "p = 0.12", id="may-be-chance"),
    ],
)
def test_chance_is_not_taken_for_change(before: list[int], after: list[int], verdict: str, words: str) -> None:
    given = cases(*range(8))
    found = report(given, *before).compare(report(given, *after))
    assert (found.verdict, found.to_dict()["verdict"]) == (verdict, verdict)
    assert words in found.to_text()


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
    assert (found.verdict, len(found.unmeasured_cases), found.to_dict()["unmeasured_count"]) == (
        verdict,
        broken,
        broken,
    )
    assert (found.mcnemar_p or 1) < 0.05
    for text in (found.to_text(), found.to_markdown()):
        assert f"without a verdict: {broken} error" in text
        assert ("could turn that" in text) is (verdict == "cannot tell")


def test_a_part_of_a_suite_is_found_in_the_whole() -> None:
    given = [EvalCase("q0", "a"), EvalCase("q1", "a", tags=["x"])]
    suite = EvalSuite("s").add_cases(given).add_evaluators(ExactMatch())
    part = suite.run(lambda question: "a", verbose=False, store=None, tags=["x"])
    found = report(given).compare(part)
    assert ([case.case_input for case in found.paired], len(found.removed), len(found.added)) == (["q1"], 1, 0)


def test_markdown_says_as_much_as_text() -> None:
    found = report(cases(0, 1, 2), 0).compare(report(cases(7, 2, 0), 0, 2)).to_markdown()
    for words in ("+50.0 points", "- cases added: 1", "- cases removed: 1"):
        assert words in found


def test_signatures_from_outside_are_only_text() -> None:
    old = report(SIX)
    odd = replace(old.run.made, evaluators=(EvaluatorInfo("exact_match", "\x1b[31mred|\ud800"),))
    found = old.compare(EvalReport(replace(old.run, made=odd)))
    assert "red|" in found.identity_issues[0]
    assert "\x1b" not in found.to_text() + found.to_markdown()


@pytest.mark.parametrize(
    ("other", "words"),
    [
        pytest.param({"check": Contains(["a"])}, "contains is in B alone", id="check"),
        pytest.param({"check": ExactMatch(case_sensitive=True)}, "exact_match measures otherwise", id="setting"),
    ],
)
def test_numbers_that_cannot_be_compared_are_not_tested(other: dict[str, Any], words: str) -> None:
    found = report(SIX, 0).compare(report(SIX, 0, **other))
    assert found.mcnemar_p is None
    assert words in found.identity_issues[0]
    assert f"proposal and baseline cannot be compared: {words}" in found.to_text()


def test_errors_are_no_verdicts() -> None:
    def down(question: str) -> str:
        raise ValueError("down")

    broken = EvalSuite("s").add_cases(SIX).add_evaluators(ExactMatch()).run(down, verbose=False, store=None)
    found = report(SIX, 0).compare(broken)
    assert {case.direction for case in found.paired} == {"unchanged"}
    assert {case.proposal_score for case in found.paired} == {None}
    assert (found.mcnemar_p, found.change, found.errors_delta, found.whole) == (None, None, 6, False)
    assert "Pass rate: 16.7 % -> – (–)" in found.to_text()


def test_text_from_outside_is_code_in_markdown() -> None:
    odd = [EvalCase("a``b|c\x1b[31m", "a")]
    old, new = (EvalSuite("s").add_cases(odd).add_evaluators(ExactMatch()).run(
        lambda question, said=said: said, verbose=False, store=None) for said in "ba")  # fmt: skip
    found = old.compare(new)
    assert "- ``` a``b|c" in found.to_markdown()
    assert "\x1b" not in found.to_markdown() + found.to_text()


def test_a_report_says_what_the_command_says() -> None:
    """One comparison: the view has no number of its own."""
    old, new = report(SIX, 0, 1), report(SIX, 1, 2, 3, 4)
    found, pair = old.compare(new), compare_sides([Side(one.run, one.system, "x") for one in (old, new)]).pairs[0]
    assert (found.change, found.verdict) == (pair.headlines[0].difference, pair.verdict)


def test_repeats_are_averaged_as_in_every_comparison() -> None:
    found = report(SIX, 0).compare(report(SIX, 0, 1, runs=2))
    assert (found.identity_issues, found.verdict, len(found.improvements)) == ([], "cannot tell", 1)


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
