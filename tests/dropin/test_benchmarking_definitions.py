"""Benchmarks, agents and tasks as YAML, their shapes, and what test scripts use."""

from __future__ import annotations

import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
import yaml
from eval_recipes.benchmarking import schemas
from eval_recipes.benchmarking.jobs.score.verdict import read_verdict
from eval_recipes.benchmarking.loaders import load_agents, load_benchmark, load_tasks
from eval_recipes.benchmarking.test_utils import (
    get_agent_log_hint,
    get_instructions_from_file_or_default,
    get_test_id_from_env_or_default,
    levenshtein_distance,
    load_text_from_path_or_content,
    write_test_result,
)
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

AGENT = """
id: shell
agent_name: shell agent
command_template: >-
  run "{{task_instructions}}"
installation_files: [{source: install, dest: /install}, {source: /abs, dest: /abs}]
source_code_path: null
"""

TASK = """
name: counting
task_info: {difficulty: easy, non_deterministic_evals: yes, categories: [no, tools]}
evaluation_configs:
  - {type: score, test_script: test.py, test_command: python3 /project/test.py}
  - guidelines: nice
instructions: |
  Count.
test_time_files: [{source: data, dest: /data}]
"""

BENCHMARK = """
score_benchmark:
  score_benchmarks: [{agent_id: shell, task_names: [counting], trials: 2}]
comparison_benchmark:
  continuation_provider: openai
  comparison_benchmarks: [{task_name: counting, agent_ids: [shell, other]}]
"""


def folder(path: Path, name: str, text: str, *files: str) -> Path:
    path.mkdir(parents=True)
    (path / name).write_text(text)
    for file in files:
        (path / file).write_text("")
    return path


def test_definitions_are_read_with_their_paths_from_their_own_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agents = folder(tmp_path / "agents" / "shell", "agent.yaml", AGENT)
    task = folder(tmp_path / "tasks" / "deep" / "counting", "task.yaml", TASK, "test.py")
    monkeypatch.chdir(tmp_path)
    agent = load_agents(Path("agents"))["shell"]
    assert [item.source for item in agent.installation_files] == [agents / "install", Path("/abs")]
    assert agent.command_template == 'run "{{task_instructions}}"'
    assert agent.command_template_continue is None
    found = load_tasks(Path("tasks"))["counting"]
    score, comparison = found.evaluation_configs
    assert isinstance(score, schemas.ScoreEvalConfig)
    assert (score.test_script, score.test_command) == (task / "test.py", "python3 /project/test.py")
    assert isinstance(comparison, schemas.ComparisonEvalConfig)
    assert comparison.guidelines == "nice"
    assert found.task_info.categories == ["no", "tools"]
    assert found.task_info.non_deterministic_evals
    assert (found.instructions, found.timeout) == ("Count.\n", 1800)
    assert found.test_time_files[0].source == task / "data"


def test_a_benchmark_is_read_with_its_defaults(tmp_path: Path) -> None:
    file = tmp_path / "b.yaml"
    file.write_text(BENCHMARK)
    benchmark = load_benchmark(file)
    assert benchmark.score_benchmark is not None
    assert benchmark.comparison_benchmark is not None
    assert benchmark.score_benchmark.model_dump() == {
        "continuation_provider": "none",
        "continuation_model": "gpt-5.1",
        "benchmark_type": "score",
        "score_benchmarks": [{"agent_id": "shell", "task_names": ["counting"], "trials": 2}],
        "analysis_score_threshold": 85.0,
    }
    assert benchmark.comparison_benchmark.comparison_runs == 7
    file.write_text("")
    assert load_benchmark(file) == schemas.BenchmarkDefinition()


@pytest.mark.parametrize(
    ("text", "error"),
    [
        pytest.param(None, FileNotFoundError, id="absent"),
        pytest.param("a: [", yaml.YAMLError, id="no YAML"),
        pytest.param("a: &a [*a]", yaml.YAMLError, id="itself inside"),
        pytest.param("[" * 100_000, yaml.YAMLError, id="brackets"),
        pytest.param("\0", yaml.YAMLError, id="NUL"),
        pytest.param("- a", ValidationError, id="a list"),
        pytest.param("score_benchmark: {}", ValidationError, id="no tasks"),
        pytest.param(BENCHMARK.replace("trials: 2", "trials: 0"), ValidationError, id="no trials"),
        pytest.param(BENCHMARK.replace("openai", "other"), ValidationError, id="a provider nobody knows"),
    ],
)
def test_a_benchmark_that_cannot_be_read_raises(tmp_path: Path, text: str | None, error: type[Exception]) -> None:
    file = tmp_path / "b.yaml"
    if text is not None:
        file.write_text(text)
    with pytest.raises(error):
        load_benchmark(file)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("name: [", "not YAML", id="no YAML"),
        pytest.param("- a", "valid dict", id="a list"),
        pytest.param(TASK.replace("easy", "trivial"), "'easy', 'medium' or 'hard'", id="difficulty"),
        pytest.param(TASK.replace("type: score", "type: scored"), "'score', 'comparison'", id="a kind nobody knows"),
        pytest.param(TASK.replace("test.py,", "gone.py,"), "gone.py is not there", id="no test script"),
        pytest.param(TASK + "timeout: 0", "greater than 0", id="no time"),
        pytest.param(TASK, "'counting' is defined before it", id="twice"),
    ],
)
def test_a_broken_or_doubled_task_is_left_out_with_a_warning(tmp_path: Path, text: str, words: str) -> None:
    folder(tmp_path / "a", "task.yaml", TASK, "test.py")
    folder(tmp_path / "b", "task.yaml", text, "test.py")
    with pytest.warns(UserWarning, match=re.escape(words)) as told:
        tasks = load_tasks(tmp_path)
    (warning,) = told
    assert str(tmp_path / "b" / "task.yaml") in str(warning.message)
    (config, _) = tasks["counting"].evaluation_configs
    assert isinstance(config, schemas.ScoreEvalConfig)
    assert config.test_script == tmp_path / "a" / "test.py"


def test_an_absent_folder_holds_nothing(tmp_path: Path) -> None:
    for load in (load_agents, load_tasks):
        with pytest.warns(UserWarning, match="there is no folder"):
            assert load(tmp_path / "none") == {}


def test_a_misspelt_field_is_told_with_its_file(tmp_path: Path) -> None:
    file = tmp_path / "b.yaml"
    file.write_text(BENCHMARK.replace("trials: 2", "trails: 2"))
    with pytest.warns(UserWarning, match=r"b\.yaml: ScoreBenchmarkAgentDefinition has no field 'trails'"):
        load_benchmark(file)


NAMES = """
AgentComparisonJobInput AgentComparisonJobOutput AgentDefinition AgentMetrics AgentSummary BenchmarkDefinition
BenchmarkManifest BenchmarkSummary ComparisonAggregationJobInput ComparisonAggregationJobOutput
ComparisonBenchmarkAgentDefinition ComparisonBenchmarkDefinition ComparisonBenchmarkManifest ComparisonBenchmarkSummary
ComparisonEvalConfig ComparisonFinalAnalysisJobInput ComparisonFinalAnalysisJobOutput ComparisonOverviewMetrics
ComparisonResult ComparisonResultsAggregationJobInput ComparisonResultsAggregationJobOutput ComparisonTaskMetrics
ComparisonTrialData ComparisonTrialJobInput ComparisonTrialJobOutput EvaluateJobOutput EvaluationConfig
ExecuteAgentJobInput ExecuteAgentJobOutput ExecuteEvaluationsJobInput ExtractProjectJobInput ExtractProjectJobOutput
FinalAnalysisJobInput FinalAnalysisJobOutput InstallationFileMapping ResultsAggregationJobInput
ResultsAggregationJobOutput ScoreBenchmarkAgentDefinition ScoreBenchmarkDefinition ScoreEvalConfig
SemanticComparisonJobInput SemanticComparisonJobOutput SemanticTestResult TaskAnalysisJobInput TaskAnalysisJobOutput
TaskDefinition TaskInfo TaskMetrics TrialExecutionJobInput TrialExecutionJobOutput TrialMetrics
"""


def test_the_shapes_have_the_documented_names_and_fields() -> None:
    assert not [name for name in NAMES.split() if not hasattr(schemas, name)]
    for kind, fields in {
        schemas.TrialExecutionJobOutput: "agent_console_log agent_duration_seconds continuation_occurred "
        "continuation_prompt continuation_error score rubric test_console_log test_duration_seconds valid_trial "
        "analysis_skipped failure_report failure_category",
        schemas.ComparisonTrialJobOutput: "agent_console_log agent_duration_seconds continuation_occurred "
        "continuation_prompt continuation_error project_dir agent_id task_name",
        schemas.SemanticComparisonJobOutput: "task_name comparison_run_number reasoning rankings anonymous_to_agent_id",
        schemas.AgentMetrics: "agent_id agent_name num_unique_tasks total_trials total_valid_trials mean_score "
        "variability consistency_rate mean_agent_duration_seconds executive_summary_path full_report_path tasks",
        schemas.ResultsAggregationJobInput: "include_project_zips include_logs",
        schemas.ExecuteAgentJobInput: "agent task trial_number continuation_provider continuation_model",
    }.items():
        assert set(kind.model_fields) == set(fields.split())


@pytest.mark.parametrize(("score", "kept"), [(-1, 0.0), (50, 50.0), (101, 100.0), ("7", 7.0)])
def test_a_judges_score_is_brought_into_range(score: Any, kept: float) -> None:
    assert schemas.SemanticTestResult(score=score, metadata={}).score == kept


@pytest.mark.parametrize("score", [float("nan"), float("inf"), None, "much"])
def test_a_judges_score_that_is_no_number_is_refused(score: Any) -> None:
    with pytest.raises(ValidationError):
        schemas.SemanticTestResult(score=score, metadata={})


@pytest.mark.parametrize(
    ("score", "kept"), [(-5, 0.0), (120, 100.0), (True, 1.0), ("33.5", 33.5), (float("inf"), 100.0)]
)
def test_a_result_is_written_where_the_harness_reads_it(tmp_path: Path, score: Any, kept: float) -> None:
    """Whatever a test puts beside its score: what is no JSON does not cost it."""
    write_test_result(tmp_path, "id", score, {"where": tmp_path, "\ud800": "\0", "ratio": float("nan")})
    found = read_verdict((tmp_path / ".eval_recipes_test_results_id.json").read_bytes())
    assert (found.score, found.problem) == (kept, "")
    assert found.rubric == {"where": str(tmp_path), "?": "\0", "ratio": "NaN"}


def test_nan_is_no_score(tmp_path: Path) -> None:
    """Clamping by min and max alone would have made it 100."""
    with pytest.raises(ValueError, match="score=nan is no number"):
        write_test_result(tmp_path, "id", float("nan"), {})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("first", "second", "distance"),
    [("kitten", "sitting", 3), ("", "abc", 3), ("same", "same", 0), ("\ud800", "", 1), ("a" * 10_000, "b", 10_000)],
    ids=["kitten", "empty", "same", "surrogate", "long"],
)
def test_levenshtein(first: str, second: str, distance: int) -> None:
    assert levenshtein_distance(first, second) == levenshtein_distance(second, first) == distance


@given(st.text())
def test_any_text_that_names_no_file_is_itself(text: str) -> None:
    found = load_text_from_path_or_content(text + "?")
    assert found == text + "?"


@pytest.mark.parametrize("text", ["", ".", "\0", "\ud800", "x" * 100_000], ids=["empty", "dot", "NUL", "lone", "long"])
def test_what_cannot_be_a_file_is_text(text: str) -> None:
    assert load_text_from_path_or_content(text) == text


def test_a_file_is_read_whatever_its_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is not UTF-8 once gave its own path as the answer."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "answer.txt").write_bytes(b"caf\xe9")
    assert load_text_from_path_or_content("answer.txt") == "caf�"
    assert get_instructions_from_file_or_default("none") == "none"
    assert get_instructions_from_file_or_default(instructions_file=Path("answer.txt")) == "caf�"
    assert get_instructions_from_file_or_default(tmp_path / "answer.txt") == "caf�"
    assert get_instructions_from_file_or_default(tmp_path / "absent.txt") == ""
    (tmp_path / "instructions.txt").write_text("Do it.")
    assert get_instructions_from_file_or_default("none") == "Do it."


def test_the_test_id_is_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EVAL_RECIPES_TEST_ID", raising=False)
    assert get_test_id_from_env_or_default() == "dev"
    monkeypatch.setenv("EVAL_RECIPES_TEST_ID", "42")
    assert get_test_id_from_env_or_default("x") == "42"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ('{"agent_log_hint": "/logs"}', "/logs"),
        ('{"agent_log_hint": 3}', None),
        ("[]", None),
        ("{", None),
        ("[" * 100_000, None),
        (None, None),
    ],
    ids=["hint", "number", "list", "broken", "deep", "absent"],
)
def test_the_agent_log_hint(tmp_path: Path, text: str | None, hint: str | None) -> None:
    """The agent may have written over it: whatever is in it, it is a text or nothing."""
    file = tmp_path / "note.json"
    if text is not None:
        file.write_text(text)
    assert get_agent_log_hint(file) == hint


@pytest.mark.parametrize("path", ["benchmarking.test_utils", "benchmarking.evaluation.test_utils"])
def test_test_scripts_need_nothing_but_python(path: str) -> None:
    """In a task's image there may be no library at all."""
    code = (
        f"import sys\nfrom eval_recipes.{path} import write_test_result\n"
        "assert not {'pydantic', 'yaml', 'rapidfuzz', 'ringtrue', 'sqlalchemy'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_definitions_are_read_without_a_word_about_right_ones(tmp_path: Path) -> None:
    folder(tmp_path / "a", "task.yaml", TASK, "test.py")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert set(load_tasks(tmp_path)) == {"counting"}
