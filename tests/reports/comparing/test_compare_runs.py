"""Comparing runs: pairing, verdicts in words, refusals, flips; through the public API and the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ringtrue.api.compare import compare
from ringtrue.api.score_file import score_file
from ringtrue.cli import invoke
from ringtrue.errors import ConfigurationError
from ringtrue.records import (
    Case,
    DatasetInfo,
    EvaluatorInfo,
    Made,
    Output,
    Row,
    Run,
    Score,
    SystemInfo,
    Trial,
)
from ringtrue.reports.comparing.compare_runs import compare_systems
from ringtrue.reports.comparing.comparison import PartDifference, SystemPair
from ringtrue.reports.comparing.comparison_text import comparison_markdown, comparison_text
from ringtrue.reports.comparing.comparison_words import comparison_sentences
from ringtrue.reports.comparing.headline_comparison import compare_headlines, headlines_of
from ringtrue.reports.comparing.paired_values import MOST_CHANGES
from ringtrue.reports.comparing.row_spool import HELD_ROWS
from ringtrue.reports.row_file import write_rows
from ringtrue.runner.run_from_rows import run_of
from ringtrue.stats.paired_difference import DifferenceSums
from ringtrue.store.row_verdicts import stored_verdicts
from ringtrue.store.run_copies import copy_run
from ringtrue.store.runs import RunStore

CHECK = EvaluatorInfo("found", "found=Found()", 0.5, {"found": "found"}, "found")
F1 = EvaluatorInfo("f1", "f1=F1()", 0.5, {"f1": "f1"}, "f1")


def score(value: float | str | None) -> Score:
    if value is None:
        return Score.skipped("no answer expected")
    if isinstance(value, str):
        return Score.error(value)
    return Score(value, passed=value >= 0.5)


def rows_of(
    system: str,
    values: Sequence[float | str | None],
    *,
    dataset: str = "nq",
    fields: Sequence[dict[str, Any]] = (),
    other: Sequence[float] = (),
    ids: Sequence[str] = (),
    repeat: int = 0,
) -> list[Row]:
    found = []
    for place, value in enumerate(values):
        own = fields[place] if fields else {}
        case = Case(
            id=ids[place] if ids else f"c{place}",
            input=f"question {place}",
            expected=("yes",),
            fields={"dataset": dataset, **own},
        )
        scores = {"found": score(value)} | ({"f1": score(other[place])} if other else {})
        found.append(Row(Trial(case, Output(f"{system} says {value}")), scores, place, system, repeat))
    return found


def run_with(*rows: Row, evaluators: Sequence[EvaluatorInfo] = (CHECK,), revision: str = "r1", id: str = "") -> Run:
    datasets = dict.fromkeys(row.dataset for row in rows)
    made = Made(
        datasets=tuple(DatasetInfo(name, revision, len(rows), "found") for name in datasets),
        systems=tuple(SystemInfo(name) for name in dict.fromkeys(row.system for row in rows)),
        evaluators=tuple(evaluators),
    )
    return replace(run_of(made, list(rows)), id=id)


def verdicts(lost: int, gained: int, both: int = 100, neither: int = 40) -> tuple[list[float], list[float]]:
    before = [1.0] * lost + [0.0] * gained + [1.0] * both + [0.0] * neither
    return before, [0.0] * lost + [1.0] * gained + [1.0] * both + [0.0] * neither


def pair_of(before: Run, after: Run, **options: Any) -> SystemPair:
    (found,) = compare(before, after, **options).pairs
    return found


def two(lost: int, gained: int, both: int = 100, neither: int = 40) -> tuple[Run, Run]:
    before, after = verdicts(lost, gained, both, neither)
    return run_with(*rows_of("old", before), id="aa"), run_with(*rows_of("new", after), id="bb")


@pytest.mark.parametrize(
    ("lost", "gained", "both", "verdict", "words"),
    [
        pytest.param(5, 25, 145, "better", "new is better than old: +9.3 points (95 % interval", id="better"),
        pytest.param(25, 5, 145, "worse", "new is worse than old: −9.3 points (95 % interval", id="worse"),
        pytest.param(0, 0, 900, "equivalent", "new and old are equivalent within 2.0 points: +0.0 points", id="same"),
        pytest.param(6, 9, 100, "cannot tell", "Cannot tell whether new is better than old: +1.9 points", id="open"),
    ],
)
def test_the_verdict_in_words(lost: int, gained: int, both: int, verdict: str, words: str) -> None:
    found = compare(*two(lost, gained, both))
    (pair,) = found.pairs
    (sentence,) = comparison_sentences(found)
    assert pair.verdict == verdict
    assert sentence.startswith(words)
    assert f"{gained} gained, {lost} lost" in sentence
    assert ("more cases would settle it" in sentence) is (verdict == "cannot tell")
    assert (len(pair.gained), len(pair.lost), pair.both_passed) == (gained, lost, both)


def test_the_example_of_the_look() -> None:
    """175 pairs, 25 gained and 5 lost; Newcombe's method 10 corrects the correlation for continuity."""
    (sentence,) = comparison_sentences(compare(*two(5, 25, 114, 31)))
    assert sentence == "new is better than old: +11.4 points (95 % interval 5.4 to 17.5), 25 gained, 5 lost"


def test_a_margin_of_nothing_is_never_equivalent() -> None:
    assert pair_of(*two(0, 0, 900), margin=0.0).verdict == "cannot tell"


def test_cases_are_paired_by_id_whatever_their_order() -> None:
    before = rows_of("old", [1.0, 0.0, 1.0])
    after = [replace(row, position=2 - row.position) for row in reversed(rows_of("new", [1.0, 0.0, 0.0]))]
    pair = pair_of(run_with(*before), run_with(*after))
    assert [flip.case.id for flip in pair.lost] == ["c2"]
    assert (pair.lost[0].before.trial.output.text, pair.lost[0].after.trial.output.text) == (
        "old says 1.0",
        "new says 0.0",
    )


def test_repeated_ids_are_told_apart_by_their_order() -> None:
    before = run_with(*rows_of("old", [1.0, 0.0, 1.0], ids=["x", "x", "y"]))
    after = run_with(*rows_of("new", [1.0, 1.0, 1.0], ids=["x", "x", "y"]))
    pair = pair_of(before, after)
    assert (pair.cases, [flip.case.input for flip in pair.gained]) == (3, ["question 1"])


def test_another_content_under_an_id_is_refused_and_said() -> None:
    before = rows_of("old", [1.0, 0.0, 1.0])
    odd = replace(before[0].trial.case, expected=("no",))
    after = rows_of("new", [1.0, 0.0, 1.0])
    changed = replace(after[0], trial=Trial(odd, after[0].trial.output))
    pair = pair_of(run_with(*before), run_with(changed, *after[1:]))
    assert (pair.cases, pair.changed, pair.whole) == (2, 1, False)
    assert pair.refused == ["1 case has another question or expected answer under the same id"]


def test_cases_of_one_side_alone_are_counted() -> None:
    before, after = rows_of("old", [1.0] * 5), rows_of("new", [1.0] * 3)
    pair = pair_of(run_with(*before), run_with(*after))
    assert (pair.cases, pair.only_before, pair.only_after, pair.whole) == (3, 2, 0, False)
    assert "cases that are not paired: 2 in A alone" in comparison_text(compare(run_with(*before), run_with(*after)))


def test_a_file_that_moved_is_the_same_dataset() -> None:
    before, after = rows_of("old", [1.0, 0.0], dataset="a/q.jsonl"), rows_of("new", [1.0, 1.0], dataset="q.jsonl")
    assert pair_of(run_with(*before), run_with(*after)).cases == 2


def test_another_revision_is_refused() -> None:
    before, after = two(5, 25)
    other = run_with(*after.rows, revision="r2")
    pair = pair_of(before, other)
    assert (pair.cases, list(pair.parts), pair.verdict) == (0, [], "cannot tell")
    assert pair.refused[0] == "nq has another revision: r1 in A, r2 in B"


def test_another_signature_refuses_its_numbers_and_no_others() -> None:
    before, after = verdicts(5, 25)
    numbers = [0.5] * len(before)
    first = run_with(*rows_of("old", before, other=numbers), evaluators=(CHECK, F1))
    second = run_with(
        *rows_of("new", after, other=numbers), evaluators=(replace(CHECK, signature="found=Found(case=True)"), F1)
    )
    pair = pair_of(first, second)
    assert [part.key for part in pair.parts] == ["f1"]
    assert pair.refused[0] == "found measures otherwise: found=Found() in A, found=Found(case=True) in B"
    assert not pair.lost


def test_another_threshold_refuses_verdicts_and_not_numbers() -> None:
    before, after = two(5, 25)
    other = replace(after, made=replace(after.made, evaluators=(replace(CHECK, threshold=0.9),)))
    pair = pair_of(before, other)
    assert [(part.key, part.is_headline) for part in pair.parts] == [("found", False)]
    assert "found passes at 0.5 in A, at 0.9 in B" in pair.refused


def test_errors_and_skips_are_counted_and_are_no_numbers() -> None:
    before = rows_of("old", [1.0, 1.0, "down", None, 0.0])
    after = rows_of("new", [1.0, "down", 1.0, None, 0.0])
    found = compare(run_with(*before), run_with(*after))
    (part,) = found.pairs[0].parts
    assert part.difference is not None
    assert (part.difference.n, part.errors, part.skipped) == (2, (1, 1), (1, 1))
    text = comparison_text(found)
    assert "without a verdict: 1 error in A, 1 error in B, 1 skipped case in A, 1" in text


def test_more_rows_than_are_held_in_any_order() -> None:
    """Rows that lie on disk are paired, counted and shown like those in memory."""
    lost, gained, both, neither = 1_500, 2_500, 3_000, 3_000
    before, after = verdicts(lost, gained, both, neither)
    turned = list(reversed(rows_of("new", after, other=[0.25 * one for one in after])))
    old = rows_of("old", before, other=[0.5] * len(before))
    pair = pair_of(run_with(*old, evaluators=(CHECK, F1)), run_with(*turned, evaluators=(CHECK, F1)))
    assert len(old) + len(turned) > HELD_ROWS
    assert (len(pair.lost), len(pair.gained), pair.both_passed, pair.both_failed) == (lost, gained, both, neither)
    assert (pair.cases, pair.only_before, pair.only_after, pair.changed) == (10_000, 0, 0, 0)
    last = pair.gained[-1]
    assert (last.case.id, last.before.trial.output.text) == (f"c{lost + gained - 1}", "old says 0.0")
    assert [flip.case.id for flip in pair.lost[:2]] == ["c0", "c1"]
    headline, f1 = pair.parts
    sums = DifferenceSums()
    for pair in zip(before, after, strict=True):
        sums.add(*pair)
    assert headline.difference == sums.difference()
    assert f1.difference is not None
    assert f1.difference.value == pytest.approx(0.25 * (gained + both) / 10_000 - 0.5)
    assert len(f1.changes) == MOST_CHANGES


@pytest.mark.parametrize(("errors", "verdict"), [(2, "better"), (9, "cannot tell")])
def test_errors_that_could_turn_the_verdict_leave_it_open(errors: int, verdict: str) -> None:
    before, after = verdicts(5, 25)
    first = run_with(*rows_of("old", [*before, *[0.0] * errors]))
    second = run_with(*rows_of("new", [*after, *["down"] * errors]))
    broken = run_with(*rows_of("old", [*before, *[1.0] * errors]))
    assert pair_of(first, second).verdict == "better", "a case that failed before cannot be lost"
    found = compare(broken, second)
    assert found.pairs[0].verdict == verdict
    assert ("9 errors could turn that" in " ".join(comparison_sentences(found))) is (verdict != "better")


def numbers_run(system: str, shift: float, n: int = 120, **options: Any) -> Run:
    random = Random(3)
    values = [random.betavariate(2, 2) for _ in range(n)]
    noise = Random(system)
    other = [min(1.0, max(0.0, one + noise.gauss(shift, 0.1))) for one in values]
    return run_with(*rows_of(system, [1.0] * n, other=other, **options), evaluators=(CHECK, F1))


def part_named(pair: SystemPair, key: str) -> PartDifference:
    return next(part for part in pair.parts if part.key == key)


def test_numbers_are_compared_too() -> None:
    pair = pair_of(numbers_run("old", 0.0), numbers_run("new", 0.1))
    part = part_named(pair, "f1")
    assert part.difference is not None
    assert (part.verdict, part.unit, part.difference.method) == ("better", "score", "BCa bootstrap")
    assert part.difference.agrees
    assert len(part.changes) == 120
    assert [one.key for one in pair.parts] == ["found", "f1"], "a headline of zeros and ones is told once"


def test_repeats_are_averaged() -> None:
    before = [*rows_of("old", [1.0, 0.0, 0.0]), *rows_of("old", [0.0, 0.0, 0.0], repeat=1)]
    after = [*rows_of("new", [1.0, 1.0, 0.0]), *rows_of("new", [1.0, 1.0, 0.0], repeat=1)]
    pair = pair_of(run_with(*before), run_with(*after))
    (headline, *_) = pair.parts
    assert headline.difference is not None
    assert (headline.difference.n, headline.difference.value) == (3, pytest.approx(0.5))
    assert [flip.case.id for flip in pair.gained] == ["c0", "c1"]


@pytest.mark.parametrize("field", ["source_id", "subject"])
def test_cases_of_one_source_are_one_piece_of_evidence(field: str) -> None:
    before, after = verdicts(0, 20, 20, 0)
    fields = [{field: f"s{place % 12}"} for place in range(40)]
    pair = pair_of(run_with(*rows_of("old", before, fields=fields)), run_with(*rows_of("new", after, fields=fields)))
    found = pair.parts[0].difference
    assert found is not None
    assert (found.sources, found.test) == (12, "t over sources")


def test_a_few_subjects_are_no_sources() -> None:
    before, after = verdicts(0, 20, 20, 0)
    fields = [{"subject": f"s{place % 3}"} for place in range(40)]
    pair = pair_of(run_with(*rows_of("old", before, fields=fields)), run_with(*rows_of("new", after, fields=fields)))
    assert pair.parts[0].difference is not None
    assert pair.parts[0].difference.test == "McNemar exact"


def test_datasets_are_never_pooled() -> None:
    before, after = verdicts(0, 12, 40, 0)
    first = [*rows_of("old", before), *rows_of("old", after, dataset="gsm8k")]
    second = [*rows_of("new", after), *rows_of("new", before, dataset="gsm8k")]
    found = compare(run_with(*first), run_with(*second))
    assert [part.verdict for part in found.pairs[0].headlines] == ["better", "worse"]
    assert found.pairs[0].verdict == "cannot tell"
    sentences = list(comparison_sentences(found))
    assert sentences[0].startswith("On nq: new is better than old")
    assert sentences[1].startswith("On gsm8k: new is worse than old")
    assert found.tests == 2


def test_the_best_system_of_a_run_is_compared_with_the_others() -> None:
    worst, best = verdicts(2, 30)
    run = run_with(*rows_of("a", worst), *rows_of("b", best), *rows_of("c", worst))
    found = compare_systems(run)
    assert [(pair.before.name, pair.after.name) for pair in found.pairs] == [("c", "b"), ("a", "b")]
    assert found.tests == 3, "the best was chosen among three pairs"
    raw = found.pairs[0].parts[0].difference
    assert raw is not None
    assert found.pairs[0].parts[0].p == pytest.approx(3 * raw.p)


def test_a_pair_of_a_run_says_the_same_alone_and_among_the_others(tmp_path: Path) -> None:
    """Its own page corrected for itself alone, and said "better" where the run's sentence left it open."""
    some, more = [1.0] * 4 + [0.0] * 36, [0.0] * 4 + [1.0] * 14 + [0.0] * 22
    run = run_with(*rows_of("a", [0.0] * 40), *rows_of("b", some), *rows_of("c", more))
    with RunStore.open(str(tmp_path / "s.db")) as store:
        stored = replace(copy_run(store, run, "abc"), summaries=run.summaries)
        among = compare_systems(stored).pairs
        alone = compare("abc:b", "abc:c", store=str(tmp_path / "s.db"))
        assert [pair.after.name for pair in among] == ["c", "c"]
        assert alone.pairs[0].parts[0].p == among[0].parts[0].p == compare_headlines(stored).pairs[0].parts[0].p
        assert alone.looks == alone.tests == 3
        assert "(Holm, times the 3 pairs of the run's systems)" in " ".join(comparison_text(alone).split())
        assert alone.pairs[0].verdict == among[0].verdict == "cannot tell"
        raw = alone.pairs[0].parts[0].difference
        assert raw is not None
        assert raw.p < 0.05


def test_more_comparisons_need_more_cases_to_settle_one() -> None:
    """The number was that of a comparison made alone."""
    some, more = [1.0] * 4 + [0.0] * 36, [0.0] * 4 + [1.0] * 14 + [0.0] * 22
    rows = [*rows_of("b", some), *rows_of("c", more)]
    alone = replace(compare_systems(run_with(*rows)).pairs[0].parts[0], p=1.0)
    among = compare_systems(run_with(*rows_of("a", [0.0] * 40), *rows)).pairs[0].parts[0]
    assert among.level == pytest.approx(alone.level / 3)
    assert alone.cases_missing is not None
    assert among.cases_missing is not None
    assert among.cases_missing > alone.cases_missing


def test_a_number_that_a_dataset_does_not_have_is_not_a_line() -> None:
    """A case that ended in an error made a line "no case has this number" of every check of the other datasets."""
    checks = (CHECK, replace(CHECK, name="other"))
    rows = [*rows_of("a", [1.0, "down", 0.0]), *rows_of("b", [1.0, 1.0, 0.0])]
    absent = {"error": Score.error("down"), "scored": Score.skipped("no answer to compare with")}
    failed = [replace(row, scores={**row.scores, "other": absent[row.scores["found"].status]}) for row in rows]
    found = compare_systems(run_with(*failed, evaluators=checks))
    assert [part.key for part in found.pairs[0].parts if "other" in part.key] == []


def test_p_values_of_further_numbers_are_corrected_among_themselves() -> None:
    run, other = numbers_run("old", 0.0), numbers_run("new", 0.02)
    pair = compare(run, other, numbers_run("third", 0.02)).pairs[0]
    part = part_named(pair, "f1")
    assert part.difference is not None
    assert part.p is not None
    assert part.p > part.difference.p


def test_systems_inside_one_run_are_chosen_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    worst, best = verdicts(2, 30)
    run = run_with(*rows_of("a", worst), *rows_of("b", best), *rows_of("c", worst))
    path = str(tmp_path / "rows.jsonl")
    write_rows(path, run.rows, run.made)
    assert invoke(["compare", f"{path}:a", f"{path}:b"]) == 0
    assert "b is better than a: +16.3 points" in capsys.readouterr().out
    assert invoke(["compare", path, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["pairs"]) == 2
    with pytest.raises(ConfigurationError, match="has no system 'z'; there are a, b, c"):
        invoke(["compare", f"{path}:a", f"{path}:z"])
    with pytest.raises(ConfigurationError, match=r"has 3 systems: write rows\.jsonl:SYSTEM"):
        invoke(["compare", path, path])
    assert invoke(["compare", path, path, "--system", "b"]) == 0
    assert "rows.jsonl (2) and rows.jsonl (1) are equivalent within 2.0 points" in capsys.readouterr().out


def test_one_system_alone_is_nothing_to_compare() -> None:
    with pytest.raises(ConfigurationError, match="name a second run"):
        compare(run_with(*rows_of("a", [1.0])))


def test_nothing_in_common_leaves_it_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, ids in (("a.jsonl", ["x"]), ("b.jsonl", ["y"])):
        run = run_with(*rows_of(name, [1.0], ids=ids))
        write_rows(tmp_path / name, run.rows, run.made)
    assert invoke(["compare", str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl")]) == 2
    assert "nothing could be compared" in capsys.readouterr().err


HOSTILE = "\x1b[31m|**x**\n<script>`\ud800\u202e" + "w" * 500


def test_text_from_outside_is_only_text() -> None:
    before, after = rows_of("old", [1.0]), rows_of(HOSTILE, [0.0])
    case = Case(id=HOSTILE, input=HOSTILE, expected=(HOSTILE,), fields={"dataset": "nq"})
    first, second = (
        replace(row, trial=Trial(case, Output(HOSTILE))) for row in (*before, *after)
    )  # fmt: skip
    found = compare(run_with(first), run_with(second))
    for text in (comparison_text(found), comparison_text(found, width=40), comparison_markdown(found)):
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert "lost" in text.lower()
    assert "<script>" not in comparison_markdown(found)


def test_every_number_has_its_unit_and_every_verdict_its_threshold() -> None:
    """A column holds shares and scores: each says which it is, in a terminal and in a pull request."""
    before, after = (rows_of(name, [1.0, last], other=[0.25, last]) for name, last in (("old", 0.0), ("new", 1.0)))
    found = compare(*(run_with(*rows, evaluators=(CHECK, F1)) for rows in (before, after)))
    for text in (comparison_text(found), comparison_text(found, width=40), comparison_markdown(found)):
        assert "found, passes at 0.50" in text
        assert re.search(r"50\.0 %[ |B]+100\.0 %", text)
        assert re.search(r"0\.12[ |B]+0\.62", text)


@pytest.mark.parametrize("width", [40, 80])
def test_lines_fit_the_terminal(width: int) -> None:
    found = compare(numbers_run("a-system-with-a-long-name", 0.0), numbers_run("another", 0.05))
    assert max(map(len, comparison_text(found, width=width).splitlines())) <= width


def test_the_page_and_the_notebook_escape_what_they_show(tmp_path: Path) -> None:
    before, after = rows_of("old", [1.0, 1.0]), rows_of("<b>new", [0.0, 1.0])
    paths = []
    for name, rows in (("a.jsonl", before), ("b.jsonl", after)):
        run = run_with(*rows)
        write_rows(tmp_path / name, run.rows, run.made)
        paths.append(str(tmp_path / name))
    page = tmp_path / "compare.html"
    assert invoke(["compare", *paths, "--html", str(page)]) == 0
    text = page.read_text()
    assert "Content-Security-Policy" in text
    assert "<b>new" not in text
    assert "&lt;b&gt;new" in text
    found = compare(*paths)
    assert "rt-run" in found._repr_html_()
    assert repr(found) == "Comparison(<b>new against old: cannot tell)"


RUNS_OF_TWO: dict[str, list[Row]] = {
    "verdicts": [*rows_of("a", verdicts(2, 30)[0]), *rows_of("b", verdicts(2, 30)[1])],
    "absent": [*rows_of("a", [1.0, 0.0, None, "down", 0.0]), *rows_of("b", [1.0, "down", 1.0, 0.0, 1.0])],
    "repeats": [
        *rows_of("a", [1.0, 0.0, 0.0] * 6),
        *rows_of("a", [0.0, 0.0, 1.0] * 6, repeat=1),
        *rows_of("b", [1.0, 1.0, 1.0] * 6),
        *rows_of("b", [1.0, 0.0, 1.0] * 6, repeat=1),
    ],
    "half": [*rows_of("a", [1.0, 0.0, 0.0, 1.0]), *rows_of("b", [1.0, 1.0])],
    "apart": [*rows_of("a", [1.0]), replace(rows_of("b", [0.0, 1.0])[1])],
    "sources": [
        *rows_of("a", [1.0, 0.0] * 8, fields=[{"source_id": place // 2} for place in range(16)]),
        *rows_of("b", [1.0, 1.0] * 8, fields=[{"source_id": place // 2} for place in range(16)]),
    ],
    "datasets": [
        *(row for name in "ab" for row in rows_of(name, verdicts(0, 9)["ab".index(name)])),
        *(
            replace(row, position=row.position + 1_000)
            for name in "ab"
            for row in rows_of(name, verdicts(9, 0)["ab".index(name)], dataset="gsm8k")
        ),
    ],
}


@pytest.mark.parametrize("named", [True, False], ids=["by id", "by content"])
def test_systems_whose_answers_are_in_one_file_are_compared_case_by_case(named: bool, tmp_path: Path) -> None:
    """Each answer has a place of its own there, whatever its case."""
    path = tmp_path / "answers.jsonl"
    rows = [
        {"question": f"{place}?", "answer": "Lima", "response": "Lima" if system == "b" else "Rome", "system": system}
        | ({"id": f"q{place}"} if named else {})
        for system in "ab"
        for place in range(8)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    run = score_file(path, "exact_match")
    (said,) = comparison_sentences(compare_headlines(run))
    assert said.startswith("b is better than a: +100.0 points (95 % interval")
    assert "8 gained, 0 lost" in said
    assert [said] == list(comparison_sentences(compare_systems(run)))


@pytest.mark.parametrize("kind", RUNS_OF_TWO)
def test_a_run_is_compared_in_one_look_as_it_is_with_all_rows_at_hand(kind: str, tmp_path: Path) -> None:
    run = run_with(*RUNS_OF_TWO[kind])
    with RunStore.open(str(tmp_path / "s.db")) as store:
        stored = replace(copy_run(store, run, "abc"), summaries=run.summaries)
        wanted = list(comparison_sentences(compare_systems(run)))
        assert list(comparison_sentences(compare_headlines(run))) == wanted
        light = stored_verdicts(stored.rows)
        assert light is not None
        assert list(comparison_sentences(headlines_of(stored, light))) == wanted
