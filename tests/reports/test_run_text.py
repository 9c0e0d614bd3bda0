"""A run in a terminal: a block for each dataset, no line beyond the width, nothing that a terminal would obey."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ringtrue.records import Case, DatasetInfo, EvaluatorInfo, Made, Output, Row, Run, Score, SystemInfo, Trial
from ringtrue.reports.headline_table import headline_table
from ringtrue.reports.run_text import print_run, run_text
from ringtrue.runner.run_from_rows import run_of

HOSTILE = [
    "[red]x[/red]",
    "\x1b[2J\x1b[31m",
    "\u202eevil",
    "\ud800\x00\r\n\t",
    "x" * 300,
    "",
    "a b " * 60,
    "\x9b31m",
    "日本語の名前" * 20,
]
any_text = st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(), max_size=100))


def run_with(
    dataset: str = "nq",
    systems: tuple[str, ...] = ("large", "small"),
    names: tuple[str, ...] = ("found", "f1"),
    text: str = "what?",
    *,
    job: Any = "run",
    title: str = "",
) -> Run:
    evaluators = tuple(EvaluatorInfo(name, threshold=0.5) for name in dict.fromkeys(names))
    made = Made(
        job=job,
        name=title,
        datasets=(DatasetInfo(dataset, headline=names[0]),),
        systems=tuple(SystemInfo(name) for name in dict.fromkeys(systems)),
        evaluators=evaluators,
        options={"repeats": 2},
    )
    rows = []
    for system in made.systems:
        for place, value in enumerate((1.0, 0.25, None, 0.0)):
            score = Score.skipped(text or "no") if value is None else Score(value, passed=value >= 0.5, reason=text)
            case = Case(text, text, fields={"dataset": dataset} if dataset else {})
            output = Output(text, latency_seconds=0.5, input_tokens=1_000, output_tokens=10, cost=0.25)
            if place == 3:
                output, score = Output(problem=text or "no", error="timeout"), Score.error("no answer")
            rows.append(Row(Trial(case, output), {one.name: score for one in evaluators}, place, system.name))
    run = run_of(made, rows)
    spent = {"calls": 12_000, "tokens": 1_234_567, "cache_hits": 10, "cost": None}
    return Run(**{**fields_of(run), "id": "7f3c2a", "seconds": {"large": 401.0}, "spent": spent, "stopped_by": text})


def fields_of(run: Run) -> dict[str, Any]:
    return {name: getattr(run, name) for name in run.__dataclass_fields__}


def test_the_layout_at_80_columns() -> None:
    lines = run_text(run_with(title="Does search help?")).splitlines()
    assert lines[0] == "Does search help?   run 7f3c2a · 8 rows · $1.5000 · 6 min 41 s"
    assert lines[2] == "nq   found, passes at 0.50"
    head, row = lines[3], lines[4]
    assert head == "         pass% 0    25     50     75   100 95 %         n  fail skip err"
    assert re.fullmatch(r"large     50\.0 [·─├┤● ]{27} 9\.5–90\.5     2     1    1   1", row)
    assert [row[head.index(word) + len(word) - 1] for word in (" n", "fail", "skip", "err")] == ["2", "1", "1", "1"]
    assert (head.index(" 0 ") + 1, head.rindex("100") + 2) == (15, 41)
    assert (row[15], row[41], row[28]) == ("·", "·", "●"), "the picture stands under its axis"
    assert lines[-1] == "next: ringtrue show 7f3c2a --failed"


def test_numbers_have_their_units_and_absences() -> None:
    text = run_text(run_with(systems=("large",)))
    assert re.search(r"^found +0\.62 \S+ +2 +0\.50 +1 +1 +1 +1$", text, re.MULTILINE)
    assert "median 0.50 s, 95th percentile 0.50 s · 1,000 tokens in, 10 tokens out" in text
    assert "judges took 12,000 calls and 1,234,567 tokens, cost unknown" in text
    assert "1 answer missing\nstopped early: what?" in text  # the cause is shown once


@pytest.mark.parametrize(
    ("revision", "shown"),
    [
        ("openai/gsm8k@cc7b047b6e5bb11b", "revision cc7b047b6e5b"),
        ("openai/gsm8k@sample", "sample"),
        ("openai/gsm8k@unknown", ""),
        ("made by code", ""),
    ],
)
def test_a_dataset_says_its_revision_where_it_is_known(revision: str, shown: str) -> None:
    run = run_with()
    made = replace(run.made, datasets=(DatasetInfo("nq", revision, 4, "found"),))
    shown_run = replace(run, made=made)
    facts = headline_table(shown_run)[0].facts
    assert [fact for fact in facts if "revision" in fact or fact == "sample"] == ([shown] if shown else [])
    title = next(line for line in run_text(shown_run).splitlines() if line.startswith("nq   "))
    assert title.endswith(" · sample") == (shown == "sample"), "a sample's number is not the benchmark's"


def test_a_mean_of_nothing_is_not_a_fact() -> None:
    made = run_with(systems=("large",), names=("found",)).made
    trial = Trial(Case("1", "q", fields={"dataset": "nq"}), Output(error="timeout", problem="no"))
    rows = [Row(trial, {"found": Score.error("no answer")}, 0, "large")]
    assert not [fact for fact in headline_table(run_of(made, rows))[0].facts if fact.startswith("mean")]


def test_passes_are_counted_for_all_systems_or_for_none() -> None:
    """A part of zeros and ones has verdicts; beside a system with other numbers its counts said what theirs did not."""
    check = EvaluatorInfo("found", "", 0.5, {"found": "found", "recall": "recall"}, "found")
    systems = SystemInfo("large"), SystemInfo("small")
    made = Made(datasets=(DatasetInfo("nq", headline="found"),), systems=systems, evaluators=(check,))
    rows = []
    for name, recalls in (("large", (1.0, 0.0)), ("small", (1.0, 0.5))):
        for place, recall in enumerate(recalls):
            case = Case(str(place), "q", fields={"dataset": "nq"})
            score = Score(1.0, passed=True, parts={"found": 1.0, "recall": recall})
            rows.append(Row(Trial(case, Output("a")), {"found": score}, place, name))
    lines = run_text(run_of(made, rows)).splitlines()
    start = lines.index("recall")
    assert [line.split()[4:6] for line in lines[start + 1 : start + 3]] == [["–", "–"], ["–", "–"]]


def test_below_64_columns_it_is_stacked() -> None:
    lines = run_text(run_with(), width=40).splitlines()
    at = lines.index("large")
    assert lines[at : at + 3] == ["large", "  50.0 %  9.5–90.5  n 2", "  fail 1  skip 1  err 1"]
    assert max(map(len, lines)) <= 40


def test_the_counts_of_a_thousand_rows_fit_40_columns() -> None:
    run = run_with()
    more = {"n": 1_204, "passed": 1_100, "failed": 104, "skipped": 12, "errors": 10}
    large = {
        dataset: {
            system: {key: replace(one, **(more if one.passed is not None else {})) for key, one in own.items()}
            for system, own in systems.items()
        }
        for dataset, systems in run.summaries.items()
    }
    lines = run_text(replace(run, summaries=large), width=40).splitlines()
    assert "  pass 1,100  fail 104  skip 12  err 10" in lines
    assert max(map(len, lines)) <= 40


def test_a_suite_says_when_a_case_passes_and_shows_what_did_not() -> None:
    text = run_text(run_with("capitals", ("fn",), job="suite"), cases=True)
    assert "capitals   a case passes if every check passes\n" in text
    assert text.index("! error  what?") < text.index("✗ failed  what?") < text.index("– skipped  what?")
    assert "    f1: what?\n" in text
    assert "✓" not in text


def test_ascii_where_nothing_else_can_be_drawn() -> None:
    text = run_text(run_with(job="suite"), plain=True, cases=True)
    assert text.isascii()
    assert "|" in text
    assert "o" in text
    assert "FAIL  large  what?" in text
    assert "ERR  large  what?" in text


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("width", [80, 120, 40])
@given(dataset=any_text, systems=st.tuples(any_text, any_text), names=st.tuples(any_text, any_text), text=any_text)
def test_no_name_breaks_a_line_or_reaches_the_terminal(
    width: int, plain: bool, dataset: str, systems: tuple[str, str], names: tuple[str, str], text: str
) -> None:
    run = run_with(dataset, systems, names, text, title=text)
    shown = run_text(run, width=width, plain=plain, cases=True)
    assert all(character.isprintable() or character == "\n" for character in shown)
    assert "\u202e" not in shown
    assert max(map(cell_len, shown.splitlines())) <= width


def test_printing_obeys_no_markup_and_cuts_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    run = run_with("[red]d[/red]", ("[/INST]",), job="suite")
    print_run(run, cases=True)
    out = capsys.readouterr().out
    assert out == run_text(run, cases=True)
    assert "[red]d[/red]" in out
    assert "\x1b" not in out


def test_systems_that_begin_alike_stay_apart() -> None:
    text = run_text(run_with(systems=("a-very-long-name-of-one", "a-very-long-name-of-two")))
    assert "a-very-long-na~1 " in text
    assert "a-very-long-na~2 " in text


def test_each_dataset_has_a_block_and_nothing_is_pooled() -> None:
    one, other = (run_with(name, ("s",)) for name in ("first", "second"))
    made = Made(
        datasets=(*one.made.datasets, *other.made.datasets),
        systems=one.made.systems,
        evaluators=one.made.evaluators,
    )
    text = run_text(run_of(made, [*one.rows, *other.rows]))
    assert text.count("passes at 0.50") == 2
    assert text.index("first") < text.index("second")
    assert len(re.findall(r"^s +50\.0 .* 2 +1 +1 +1$", text, re.MULTILINE)) == 2
