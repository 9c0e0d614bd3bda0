"""The pages of a benchmark: what is missing is said, and no text of an agent or a judge is anything but text."""

from __future__ import annotations

import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from eval_recipes.benchmarking.jobs.comparison.ranked import overview_of, ranks_of
from eval_recipes.benchmarking.jobs.score.measured import agent_metrics, task_metrics
from eval_recipes.benchmarking.reporting.create_comparison_html_report import create_comparison_html_report
from eval_recipes.benchmarking.reporting.create_html_report import create_html_report
from eval_recipes.benchmarking.reporting.shown import interval, number, spoken
from eval_recipes.benchmarking.schemas import (
    BenchmarkManifest,
    ComparisonBenchmarkManifest,
    ComparisonTaskMetrics,
    ComparisonTrialData,
    TaskDefinition,
    TaskInfo,
    TrialMetrics,
)
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.reports.junit import legal

HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script></td></table>{{7*7}}`"
HOSTILE += "\x1b[31m\u202e\ud800"


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def trial(number: int, score: float | None, text: str = "", **more: Any) -> TrialMetrics:
    given: dict[str, Any] = {
        "agent_duration_seconds": 61.0,
        "test_duration_seconds": 2.5,
        "valid_trial": score is not None,
        "failure_category": text or None,
        "failure_report_path": None,
        "rubric": {text or "a": text},
        "logs": {"agent_output": f"agents/{text}/agent_output.log"},
        "project_zip_path": None,
        "error": None if score is not None else f"the engine said no {text}",
    }
    return TrialMetrics(trial_number=number, score=score, **(given | more))


def scored(text: str = "") -> BenchmarkManifest:
    info = {"difficulty": "hard", "categories": [f"slides{text}"]}
    definition = TaskDefinition.model_validate({"name": f"deck{text}", "task_info": info, "instructions": text or None})
    easy = TaskDefinition.model_validate({"name": "sum", "task_info": {"difficulty": "easy"}, "instructions": "Add."})
    several = [trial(1, 100, text), trial(2, 50, text), trial(3, None, text)]
    both = [task_metrics(definition, several), task_metrics(easy, [trial(1, 30)])]
    agents = [
        agent_metrics(f"one{text}", f"One{text}", both),
        agent_metrics("two", "Two", [task_metrics(definition, [trial(1, None, text)])]),
    ]
    return BenchmarkManifest(
        benchmark_timestamp="2026-11-16T12:00:00+00:00",
        benchmark_log_path="benchmark.log",
        comparison_executive_summary=text or None,
        comparison_full_report=text or None,
        comparison_executive_summary_path=None,
        comparison_full_report_path=None,
        agents=agents,
    )


def compared(text: str = "") -> ComparisonBenchmarkManifest:
    rankings: list[dict[str, int]] = [{f"one{text}": 1, "two": 2}, {f"one{text}": 1, "two": 2}]
    trials = [
        ComparisonTrialData(comparison_run_number=at, rankings=ranking, reasoning=text)
        for at, ranking in enumerate(rankings, 1)
    ]
    task = ComparisonTaskMetrics(
        task_name=f"deck{text}",
        task_instructions=text,
        task_info=TaskInfo(difficulty="easy", categories=[text]),
        **ranks_of(trials),
        aggregate_analysis=text,
        aggregate_analysis_path=None,
        trials=trials,
        project_zip_paths={"two": f"agents/{text}/project.zip"},
        agent_errors={f"three{text}": f"no image {text}"},
        comparison_errors={3: f"no verdict {text}"},
    )
    return ComparisonBenchmarkManifest(
        benchmark_timestamp="2026-11-16T12:00:00+00:00",
        benchmark_log_path=None,
        agent_ids=[f"one{text}", f"three{text}", "two"],
        overview=overview_of([task]),
        final_analysis_report=text,
        final_analysis_report_path=None,
        tasks=[task],
    )


def test_the_page_of_scores(tmp_path: Path) -> None:
    path = create_html_report(scored(), tmp_path)
    assert path == tmp_path / "report.html"
    texts = Page(path.read_text()).texts
    for words in ("Overview", "Tasks", "Agent one", "Agent two", "Trials that do not count: 2", "difficulty: hard"):
        assert words in texts
    assert "52.5" in texts  # the mean of 75 and 30
    assert "0.0 to 100.0" in texts  # two tasks say next to nothing
    assert "3 of 4" in texts
    assert "the engine said no " in texts
    row = texts.index("two", texts.index("Agents, 2026-11-16T12:00:00+00:00"))
    assert texts[row + 2 : row + 6] == ["–", "–", "0 of 1", "0 of 1"]  # no number where nothing was measured


def test_a_page_goes_where_it_is_told(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    assert create_html_report(scored(), tmp_path, tmp_path / "x" / "a.html") == tmp_path / "x" / "a.html"
    other = create_comparison_html_report(compared(), tmp_path, tmp_path / "b.html")
    assert other.read_text().startswith("<!DOCTYPE html>")


def test_reports_beside_the_page_are_shown(tmp_path: Path) -> None:
    manifest = scored()
    (tmp_path / "failed.md").write_text("# It **forgot** the file")
    manifest.agents[0].full_report_path = "failed.md"
    manifest.agents[0].tasks[0].trials[1].failure_report_path = "failed.md"
    texts = Page(create_html_report(manifest, tmp_path).read_text()).texts
    assert texts.count("# It **forgot** the file") == 2
    assert "Failure report: deck, trial 2" in texts


def test_the_page_of_rankings(tmp_path: Path) -> None:
    texts = Page(create_comparison_html_report(compared(), tmp_path).read_text()).texts
    row = texts.index("one", texts.index("tasks won"))
    assert texts[row : row + 7] == ["one", "1.00", "–", "100%", "34% to 100%", "2", "1"]
    three = texts.index("three", row)
    assert texts[three + 1 : three + 6] == ["–", "–", "–", "–", "0"]
    assert "Missing: 2" in texts
    assert "no verdict " in texts


@pytest.mark.parametrize("make", ["scored", "compared"])
@given(text=st.text(max_size=60))
def test_any_text_is_text(make: str, text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("page")
    path = (
        create_html_report(scored(text), folder)
        if make == "scored"
        else create_comparison_html_report(compared(text), folder)
    )
    seen = Page(path.read_text(encoding="utf-8"))
    known = "html head meta title style body h1 h2 nav a table caption thead tbody tr th td details summary p span"
    assert seen.tags <= set(known.split())
    assert seen.attributes <= {"lang", "charset", "http-equiv", "content", "class", "href", "id"}


@pytest.mark.parametrize(
    ("value", "shown"), [(None, "–"), (0.0, "0.0 s"), (119.94, "119.9 s"), (120.0, "2.0 min"), (5400.0, "90.0 min")]
)
def test_durations(value: float | None, shown: str) -> None:
    assert spoken(value) == shown


def test_one_value_has_no_interval() -> None:
    assert (interval([]), interval([50.0]), interval([50.0, 50.0]), number(None)) == ("–", "–", "–", "–")
    assert interval([40.0, 60.0, 50.0]) == "25.2 to 74.8"


BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.mark.heavy
@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium")
@pytest.mark.parametrize("make", ["scored", "compared"])
def test_nothing_runs_in_a_browser(make: str, tmp_path: Path) -> None:
    """A real browser opens the page: its title stays, and the hostile name is read as it is."""
    make_page = {"scored": lambda: create_html_report(scored(HOSTILE), tmp_path)}
    make_page["compared"] = lambda: create_comparison_html_report(compared(HOSTILE), tmp_path)
    page = make_page[make]()
    command = [str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"]
    command += ["--disable-background-networking", "--disable-component-update", f"--user-data-dir={tmp_path / 'own'}"]
    shown = subprocess.run([*command, "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=120)
    titles = {"scored": "Benchmark results", "compared": "Comparison results"}
    assert f"<title>{titles[make]}</title>" in shown.stdout
    assert "<img" not in shown.stdout
    assert "<script" not in shown.stdout
    assert legal(HOSTILE) in "".join(Page(shown.stdout).texts)
