"""Results in a notebook: HTML that needs nothing else, one line of text, progress that stays, and data frames."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from ringtrue import EvalCase, EvalSuite, calibrate, evaluate
from ringtrue.evaluators import ExactMatch
from ringtrue.records import Run
from ringtrue.reports.data_frame import frame_of
from ringtrue.reports.pages.notebook import scoped_style
from support.demo_run import demo_run
from support.page_attacks import ATTACKS

ROWS = [{"question": f"q{n}", "answer": "yes", "response": "yes" if n % 3 else "no", "label": n % 2} for n in range(40)]


@pytest.fixture(scope="module")
def run() -> Run:
    return demo_run(examples=12)


def results(run: Run) -> dict[str, Any]:
    suite = EvalSuite("capitals").add_cases([EvalCase("q", expected_output="yes")]).add_evaluators(ExactMatch())
    return {
        "Run": run,
        "EvalResult": evaluate(lambda question: "no", ROWS[:3], ["exact_match"], progress=False, store=None),
        "EvalReport": suite.run(lambda question: "no", verbose=False, store=None),
        "Calibrated": calibrate(ROWS, ["exact_match"], label="label"),
    }


@pytest.mark.parametrize("kind", ["Run", "EvalResult", "EvalReport", "Calibrated"])
def test_every_result_shows_itself(run: Run, kind: str) -> None:
    result = results(run)[kind]
    page = result._repr_html_()
    assert page.startswith('<div class="rt-run"><style>')
    assert "<script" not in page
    assert not re.search(r'\sstyle="|\ssrc="', page)
    assert "95 % interval" in page
    assert "How it was made" in page
    assert "\n" not in repr(result)
    assert len(repr(result)) < 300
    frame = result.to_dataframe()
    assert {"question", "expected", "response", "status", "cost"} <= set(frame.columns)


def test_one_line_shows_rows_shares_and_errors(run: Run) -> None:
    share = run.summaries["nq@sample"]["large-70b+search"]["pass_rate"]
    assert share.interval is not None
    low, high = (f"{100 * end:.1f}" for end in share.interval)
    shown = f"nq@sample passed {100 * (share.value or 0):.1f} % ({low}–{high}) at {share.threshold:.2f}"
    assert repr(run).startswith(f"<Run: 72 rows, 3 systems, {shown}, gsm8k ")


def test_the_style_counts_in_its_cell_alone() -> None:
    style = scoped_style()
    assert ":root" not in style
    depth, outside = 0, ""
    for character in style:
        depth += (character == "{") - (character == "}")
        outside += character if depth == 0 else ""
    for selector in re.split(r"[{},]", outside):
        assert not selector.strip() or ".rt-run" in selector or "data-theme" in selector or "@media" in selector, (
            selector
        )


@pytest.mark.parametrize("name", ATTACKS)
def test_a_hostile_text_stays_text(name: str) -> None:
    nasty = ATTACKS[name]
    cases = [{"id": nasty, "question": nasty, "answer": nasty, "dataset": nasty}]
    page = evaluate(lambda question: nasty, cases, [lambda case, output: 0.0], progress=False, store=None)._repr_html_()
    assert not re.search(r"<(?:script|img|iframe|form|base|meta|object)\b", page)
    page.encode()


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_frame_has_texts_status_scores_and_cost(run: Run, library: str) -> None:
    frame = run.to_dataframe(library)  # type: ignore[arg-type]
    assert len(frame) == 72
    assert type(frame).__module__.startswith(library)
    records = frame.to_dict("records") if library == "pandas" else frame.to_dicts()
    first = next(iter(run.rows))
    assert records[0]["question"] == first.trial.case.input
    assert records[0]["response"] == first.trial.output.text
    assert records[0]["status"] in ("passed", "failed", "skipped", "error")
    assert records[0]["cost"] == first.trial.output.cost
    assert records[0]["f1"] == first.scores["answer_quality"].parts["f1"]


def test_polars_is_taken_where_pandas_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ringtrue.reports.data_frame.find_spec", lambda name: None if name == "pandas" else object())
    assert type(frame_of([{"a": 1}, {"a": None}])).__module__.startswith("polars")


EXAMPLES = sorted((Path(__file__).parents[3] / "examples" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_as_it_is_kept(path: Path, tmp_path: Path) -> None:
    """Each notebook of `examples` runs from top to bottom in a real kernel, and shows what it was kept with."""
    import nbformat
    from nbclient import NotebookClient

    kept = nbformat.read(path, 4)
    again = nbformat.read(path, 4)
    NotebookClient(again, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    for before, after in zip(kept.cells, again.cells, strict=True):
        assert _kinds(before) == _kinds(after), before.source


def _kinds(cell: Any) -> list[str]:
    return sorted(kind for output in cell.get("outputs", []) for kind in output.get("data", {}))
