"""Benchmarks on the command line: listed, shown as a model sees them, and run by name, offline."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ringtrue.api.evaluate import evaluate
from ringtrue.cli import invoke
from ringtrue.cli.show_dataset import dataset_lines, entries, show_dataset
from ringtrue.datasets import load
from ringtrue.errors import ConfigurationError, UnknownName
from support.hub import write_mirror


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("RINGTRUE_DATA_DIR", "HF_HUB_OFFLINE", "HF_TOKEN"):
        monkeypatch.delenv(name, raising=False)


def test_the_list_has_metric_size_sample_and_licence_within_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["list", "datasets"]) == 0
    said = capsys.readouterr()
    head, *lines = said.out.splitlines()
    assert head.split() == ["name", "metric", "cases", "sample", "licence"]
    assert len(lines) == 67
    assert max(map(len, lines)) <= 80
    words = {line.split()[0]: line.split()[1:] for line in lines}
    assert words["gsm8k"] == ["math_equiv", "1,319", "yes", "MIT"]
    assert words["mmlu-pro"] == ["~mc_accuracy", "12,032", "MIT"]
    assert words["swebench"][0] == "~touches_gold_files"
    assert "~: not its authors' metric" in said.err
    narrow = list(dataset_lines(entries(), 40))
    assert max(map(len, narrow)) <= 40
    assert "gsm8k  1,319, sample" in narrow


def test_the_list_as_json_has_every_fact(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["list", "datasets", "--json"]) == 0
    found = {entry["name"]: entry for entry in json.loads(capsys.readouterr().out)}
    assert found["mmlu"]["metric"] == "mc_accuracy"
    assert found["mmlu"]["sample"] == "mmlu@sample"
    assert found["simpleqa"]["with a judge"].startswith("correct, ")
    assert "judge" in found["simpleqa"]["not authors'"]
    assert all(entry["metric"] for entry in found.values())


def test_what_is_shown_is_that_of_the_configuration(capsys: pytest.CaptureFixture[str]) -> None:
    assert show_dataset("bfcl:live_relevance") == 0
    shown = capsys.readouterr().out
    assert "metric       tool_call_made" in shown
    assert "sample       bfcl@sample" in shown
    assert "by config    ~tool_call_match: all, simple_java, simple_javascript, all others\n" in shown
    assert "\n             tool_call_made: live_relevance\n" in shown


def test_three_examples_are_shown_as_a_model_sees_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert show_dataset("mmlu@sample") == 0
    shown = capsys.readouterr().out
    assert shown.count("\nexample ") == 3
    assert "revision     c30699e8356da336a370243923dbaf21066bb9fe" in shown
    assert "user:\n" in shown
    assert "gold:\n  " in shown
    assert '  End your reply with a line "Answer: X"' in shown


def test_where_the_hub_cannot_be_read_the_sample_is_shown_and_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", "nowhere")
    assert show_dataset("gsm8k") == 0
    said = capsys.readouterr()
    assert said.out.count("\nexample ") == 3
    assert "these rows are of gsm8k@sample" in said.err
    assert show_dataset("bfcl:live_simple") == 0
    said = capsys.readouterr()
    assert "example 1 of 3, live_simple_" in said.out
    assert "these rows are of bfcl:live_simple@sample" in said.err
    assert show_dataset("mmlu:virology") == 0
    assert "these rows are of mmlu@sample" in capsys.readouterr().err
    assert show_dataset("hotpotqa") == 3
    assert "holds no copy of hotpotqa/hotpot_qa" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["qasper", "bfcl", "ifeval", "gpqa", "mt-bench", "swebench"])
def test_every_kind_of_gold_is_shown(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_mirror(tmp_path / "mirror", name)
    assert show_dataset(name, str(tmp_path / "mirror")) == 0
    assert "gold:\n  " in capsys.readouterr().out
    assert show_dataset(name, str(tmp_path / "mirror"), as_json=True) == 0
    examples = json.loads(capsys.readouterr().out)["examples"]
    assert all(example["messages"] for example in examples)


METRICS = {"mean_score", "pass_rate"}
ANSWERS = "def gold(question):\n    return 'So it is.\\n#### 7'\n"


def run(*arguments: str) -> int:
    Path("answers.py").write_text(ANSWERS)
    return invoke(["run", "-s", "answers:gold", "-q", "--json", "-o", "rows.jsonl", *arguments])


def written() -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path("rows.jsonl").read_text().splitlines()]


def parts(row: dict[str, Any]) -> dict[str, float]:
    """All parts of a row that was measured."""
    return {key: value for score in row["scores"].values() for key, value in score.get("parts", {}).items()}


def test_a_benchmark_runs_by_name_from_a_mirror_with_its_evaluator_and_metric(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_mirror(tmp_path / "mirror", "gsm8k")
    assert run("-d", "gsm8k", "--data-dir", str(tmp_path / "mirror")) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["scores"]["math_equivalence"]["value"] for row in written()] == [1.0, 0.0]
    own = found["summaries"]["gsm8k"]["gold"]
    assert own["mean_score"]["value"] == own["math_equiv"]["value"] == 0.5, "the mean is of the authors' metric"
    assert {row["dataset"] for row in written()} == {"gsm8k"}


def test_the_first_run_is_offline_and_real(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("-d", "gsm8k@sample", "-n", "5") == 0
    assert json.loads(capsys.readouterr().out)["rows"] == len(written()) == 5


def test_every_sample_is_listed_with_its_rows_and_licence(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["list", "samples"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "mmlu@sample               40 questions for 'ringtrue run' (MIT)." in lines
    assert all(re.search(r"\d+ .*\(.*(?:MIT|Apache-2.0|CC BY(?:-SA)? 4.0|ODC-BY 1.0)\)", line) for line in lines)


def test_a_file_of_one_s_own_is_shown_with_its_own_fields(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.jsonl").write_text('{"question": "2 + 2?", "answer": "4", "level": 1}\n')
    assert show_dataset("mine.jsonl") == 0
    shown = capsys.readouterr().out
    assert "fields       question, answer, level\n" in shown
    assert "user:\n  2 + 2?\ngold:\n  4\n" in shown


def test_what_measures_no_row_of_a_benchmark_is_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("-d", "ifeval@sample", "-n", "3") == 0
    assert invoke(["show", "rows.jsonl"]) == 0
    shown = capsys.readouterr().out.partition("\nifeval ")[2]
    assert "ifeval_strict" in shown
    assert "exact_match" not in shown
    assert not re.search(r"^instructions ", shown, re.M), "a count is not a score"


def test_the_authors_mean_is_the_first_number_below_the_share_that_passes(capsys: pytest.CaptureFixture[str]) -> None:
    Path("half.py").write_text("def half(example):\n    return example['answer'][0] + ' and five more words of it'\n")
    wanted = ["-s", "half.py:half", "-o", "rows.jsonl", "--html", "run.html", "-q"]
    assert invoke(["run", "-d", "squad-v2@sample", *wanted]) == 0
    assert invoke(["show", "rows.jsonl"]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"pass% 0 ", shown)
    found = re.search(r" mean 95 %.*\nsquad_f1 +([\d.]+)", shown)
    assert found
    assert f"squad_f1, passes at 0.50 · mean {found[1]} · " in Path("run.html").read_text()


def test_a_headline_that_is_not_the_authors_says_so_wherever_it_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("-d", "bbh@sample", "-n", "3", "--markdown", "run.md", "--html", "run.html") == 0
    assert invoke(["show", "rows.jsonl"]) == 0
    shown = (capsys.readouterr().out, *(Path(name).read_text() for name in ("run.md", "run.html")))
    assert all(re.search("ot its authors.{1,5} metric: Read leniently", text) for text in shown)


def test_in_a_mixed_run_every_evaluator_scores_the_rows_it_is_meant_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("gsm8k", "mmlu", "qmsum"):
        write_mirror(tmp_path / "mirror", name)
    wanted = [word for name in ("gsm8k", "mmlu", "qmsum") for word in ("-d", name)]
    assert run(*wanted, "--data-dir", str(tmp_path / "mirror")) == 0
    scored = {
        dataset: {key for key in own["gold"] if own["gold"][key]["unit"] in ("score", "share")} - METRICS
        for dataset, own in json.loads(capsys.readouterr().out)["summaries"].items()
    }
    everywhere = {"f1", "exact_match", "recall", "contains"}
    assert scored["gsm8k"] == everywhere | {"math_equiv"}
    assert scored["mmlu"] == everywhere | {"mc_accuracy"}
    kinds = {"scrolls_rouge", "scrolls_rouge1", "scrolls_rouge2", "scrolls_rougeL", "scrolls_score"}
    assert scored["qmsum"] == everywhere | kinds | {"rouge_l_precision", "rouge_l_recall", "rouge_l_f1"}


def test_evaluate_takes_a_name_and_wires_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_mirror(tmp_path / "mirror", "mmlu")
    monkeypatch.setenv("RINGTRUE_DATA_DIR", str(tmp_path / "mirror"))
    result = evaluate(lambda question: "Answer: B", "mmlu", max_examples=1, progress=False, store=None)
    assert [row.scores["mc_accuracy"] for row in result.rows] == [1.0]
    with pytest.raises(UnknownName, match="did you mean 'mmlu'"):
        evaluate(lambda question: "", "mmllu", progress=False, store=None)


def test_the_prompt_is_part_of_a_run_s_identity(tmp_path: Path) -> None:
    """The same rows asked in other words are another run."""
    rows = list(load("gsm8k@sample", 2))
    asked = [{**row, "question": row["question"].replace("Reason step by step", "Think")} for row in rows]
    store = f"sqlite:///{tmp_path}/store.db"
    first, other = (
        evaluate(lambda question: "", given, progress=False, store=store).config["run"] for given in (rows, asked)
    )
    assert first != other


def test_a_file_whose_fields_have_other_names_is_shown_as_they_are_mapped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.csv").write_text("frage,antwort\nWo?,Hier\n")
    with pytest.raises(ConfigurationError, match="--map input=FIELD"):
        invoke(["show", "dataset", "own.csv"])
    assert invoke(["show", "dataset", "own.csv", "--map", "input=frage", "--map", "expected=antwort"]) == 0
    said = capsys.readouterr().out
    assert "user:\n  Wo?" in said
    assert "gold:\n  Hier" in said
