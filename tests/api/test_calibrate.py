"""Evaluators before human labels, on real answers and on made ones."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.parquet
import pytest

from ringtrue import score_file
from ringtrue.api.calibrate import calibrate
from ringtrue.api.runs import open_run
from ringtrue.errors import ConfigurationError, RingtrueError
from ringtrue.evaluators.judged.llm_judge import LLMJudge
from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.records import Score, Trial
from ringtrue.reports.row_file import write_rows
from ringtrue.stats.confusion import Confusion

ROWS = [{"response": "yes" if number % 3 else "no", "human_label": number % 2} for number in range(30)]


def says_yes(output: str) -> float:
    return float(output == "yes")


def test_real_answers_and_real_labels() -> None:
    """F1 at 0.5 fails most answers that people call right; the labels say where the threshold belongs."""
    found = calibrate("nq@sample", "answer_quality")
    one = found.evaluators["answer_quality"]
    assert (found.label, found.rows, found.labelled, found.problems) == ("human_says_correct", 200, 200, 0)
    assert one.counts == Confusion(25, 0, 127, 48)
    assert one.metrics["agreement"].value == 0.365
    assert one.cutoff is not None
    assert one.cutoff.threshold < 0.1
    held_out = one.cutoff.held_out.summaries()["kappa"]
    assert held_out.value is not None
    assert held_out.value > 0.6
    assert one.corrected is None
    assert "AnswerQuality" in found.signatures["answer_quality"]
    assert found.evaluators == calibrate("nq@sample", "answer_quality").evaluators


def test_a_part() -> None:
    contains = calibrate("nq@sample", "answer_quality", part="contains").evaluators["answer_quality"]
    main = calibrate("nq@sample", "answer_quality", part="f1").evaluators["answer_quality"]
    assert contains.counts == Confusion(122, 1, 30, 47)
    assert main == calibrate("nq@sample", "answer_quality").evaluators["answer_quality"]
    with pytest.raises(ConfigurationError, match="no part 'f2'; there are f1"):
        calibrate("nq@sample", "answer_quality", part="f2")


def test_scores_that_are_there_already() -> None:
    rows = [{"human": number >= 3, "judge": number} for number in range(1, 6)] * 4
    one = calibrate(rows, score_field="judge", score_range=(1, 5)).evaluators["judge"]
    assert one.counts == Confusion(12, 0, 0, 8)
    assert one.cutoff is not None
    assert one.cutoff.threshold == 0.5
    assert [one.metrics[name].value for name in ("agreement", "kappa", "precision", "recall", "f1")] == [1] * 5


def test_graded_labels() -> None:
    rows = [{"judge": number / 10, "human_rating": 1 + number // 2} for number in range(10)] * 3
    one = calibrate(rows, score_field="judge", label_range=(1, 5)).evaluators["judge"]
    assert one.graded
    assert one.metrics["spearman"].value == pytest.approx(0.98, abs=0.02)
    assert one.metrics["pearson"].value == pytest.approx(0.98, abs=0.02)
    assert one.metrics["mean_absolute_error"].n == 30
    two = calibrate(rows, score_field="judge", positive=("5",)).evaluators["judge"]
    assert not two.graded
    assert two.counts.true_positives + two.counts.false_negatives == 6


def test_rows_without_a_label_correct_the_mean() -> None:
    """The judge passes 20% of what people fail; a random subset of labels shows it."""
    random = Random(4)
    rows: list[dict[str, Any]] = []
    for number in range(2_000):
        right = random.random() < 0.5
        said = right or random.random() < 0.4
        rows.append({"response": "yes" if said else "no", "human_label": right if number % 10 == 0 else None})
    found = calibrate(rows, [says_yes])
    one = found.evaluators["says_yes"]
    assert (found.rows, found.labelled) == (2_000, 200)
    assert one.corrected is not None
    assert one.corrected.raw.value == pytest.approx(0.7, abs=0.03)
    low, high = one.corrected.estimate.interval or (2, 2)
    assert low < 0.5 < high < 0.6
    assert one.corrected.worth > 220
    assert one.doubts == ()


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_a_label_that_a_person_added_to_a_file_of_rows(tmp_path: Path, suffix: str) -> None:
    rows = [{"id": n, "answer": "yes", "response": "yes" if n % 3 else "no"} for n in range(12)]
    path, labelled = tmp_path / f"rows{suffix}", tmp_path / f"labelled{suffix}"
    scored = score_file(rows, ["exact_match"])
    write_rows(path, scored.rows, scored.made)
    if suffix == ".jsonl":
        records = [json.loads(line) for line in path.read_text().splitlines()]
        labelled.write_text("".join(json.dumps({**one, "label": one["id"] % 3 > 0}) + "\n" for one in records))
    else:
        table = pyarrow.parquet.read_table(path)
        labels = pyarrow.array([n % 3 > 0 for n in range(12)])
        pyarrow.parquet.write_table(table.append_column("label", labels), labelled)
    run = open_run(labelled)
    assert [set(row.trial.case.fields) for row in run.rows] == [{"dataset", "label"}] * 12, "and no column of a score"
    found = calibrate(run, ["exact_match"])
    assert (found.label, found.labelled) == ("label", 12)
    assert found.evaluators["exact_match"].metrics["agreement"].value == 1.0


@pytest.mark.parametrize("labels", [19, 20])
def test_too_few_labels_correct_nothing_and_it_says_so(labels: int) -> None:
    rows = [{"response": "yes" if number % 2 else "no", "human_label": number % 2} for number in range(labels)]
    one = calibrate([*rows, *[{"response": "yes"}, {"response": "no"}] * 20], [says_yes]).evaluators["says_yes"]
    assert (one.corrected is None) == ("19 labels correct no mean; that takes 20" in one.doubts) == (labels < 20)


@pytest.mark.parametrize(
    ("yes", "no", "said"),
    [
        (1, 0, ("1 label says yes and 0 say no; with fewer than 10", "1 label corrects no mean; that takes 20")),
        (2, 1, ("2 labels say yes and 1 says no; with fewer than 10", "3 labels correct no mean; that takes 20")),
    ],
)
def test_one_label_is_not_many(yes: int, no: int, said: tuple[str, str]) -> None:
    rows = [{"response": "yes", "human_label": label} for label in [1] * yes + [0] * no]
    doubts = calibrate([*rows, {"response": "yes"}, {"response": "no"}], [says_yes]).evaluators["says_yes"].doubts
    assert all(any(doubt.startswith(words) for doubt in doubts) for words in said)


def test_labels_that_are_no_random_sample_are_doubted() -> None:
    rows = [{"response": "yes", "human_label": number % 2} for number in range(40)] + [{"response": "no"}] * 50
    rows += [{"response": "no", "human_label": number % 2} for number in range(4)]
    doubts = calibrate(rows, [says_yes]).evaluators["says_yes"].doubts
    assert any("random sample" in doubt for doubt in doubts)
    assert any("chance" in doubt for doubt in doubts)


def test_the_label_is_not_shown_to_the_evaluator() -> None:
    class Peeking:
        name = "peeking"
        keys = ("peeking",)

        def measure(self, trial: Trial) -> Score:
            assert "human_label" not in trial.case.fields
            return Score(1.0, "scored", True)

        def signature(self) -> str:
            return "peeking"

    assert calibrate(ROWS, [Peeking()]).evaluators["peeking"].counts.n == 30


def test_a_mapped_path_is_kept_where_the_label_beside_it_is_hidden() -> None:
    rows = [{"meta": {"said": row["response"], "human": row["human_label"]}} for row in ROWS]
    found = calibrate(rows, [says_yes], label="meta.human", mapping={"response": "meta.said"})
    assert found.evaluators["says_yes"].counts == calibrate(ROWS, [says_yes]).evaluators["says_yes"].counts


def test_a_judge_is_asked_once_for_each_row(tmp_path: Path) -> None:
    model = scripted_judge(lambda request: {"reasoning": "", "rating": 5 if "Paris" in str(request.messages) else 1})
    rows = [{"question": "Capital?", "response": one, "correct": one == "Paris"} for one in ["Paris", "Lima"] * 6]
    found = calibrate(rows, [LLMJudge(model)], store=f"sqlite:///{tmp_path / 'store.db'}")
    assert found.evaluators["llm_judge"].counts == Confusion(6, 0, 0, 6)
    assert len(model.asked) == found.spent["calls"] == 12
    assert not any("correct" in str(request.messages[-1]["content"]).casefold() for request in model.asked)


def test_errors_and_skips_are_counted_and_left_out(tmp_path: Path) -> None:
    replies = iter(["garbage", "garbage"])
    model = scripted_judge(lambda request: next(replies, None) or {"reasoning": "", "rating": 5})
    rows = [{"question": "Capital?", "response": "Paris", "correct": True}] * 5
    agreement = (
        calibrate(rows, [LLMJudge(model)], store=None, judge_workers=1).evaluators["llm_judge"].metrics["agreement"]
    )
    assert (agreement.n, agreement.errors, agreement.bounds) == (4, 1, (0.8, 1.0))


def test_a_limit_on_cost_needs_prices() -> None:
    model = scripted_judge(lambda request: {"reasoning": "", "rating": 5})
    rows = [{"question": "q", "response": "a", "label": 1}] * 3
    calibrate(rows, [LLMJudge(model)], store=None, max_tokens=10)  # this judge reports no tokens
    with pytest.raises(RingtrueError, match="price"):
        calibrate(rows, [LLMJudge(model)], store=None, max_cost=1.0)


def test_files_with_broken_lines(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text('{"response": "yes", "label": 1}\nnot json\n{"label": 0}\n{"response": "no", "label": 0}\n')
    found = calibrate(path, [says_yes])
    assert (found.rows, found.labelled, found.problems) == (2, 2, 2)
    assert [problem.where.rpartition(":")[2] for problem in found.first_problems] == ["2", "3"]
    assert found.evaluators["says_yes"].cutoff is None
    table = tmp_path / "labels.csv"
    table.write_text("response,human_label\nyes,1\nno,\nno,0\n")
    assert calibrate([table], [says_yes]).labelled == 2


@pytest.mark.parametrize(
    ("rows", "settings", "message"),
    [
        (ROWS, {}, "nothing to compare"),
        (ROWS, {"evaluators": ["no_such"]}, "no_such"),
        ([{"response": "a"}], {"evaluators": ["not_empty"]}, "--label FIELD"),
        (ROWS, {"evaluators": ["not_empty"], "threshold": 2.0}, "threshold"),
        (ROWS, {"evaluators": ["not_empty"], "criterion": "luck"}, "criterion"),
        (ROWS, {"evaluators": ["not_empty"], "mapping": {"replies": "x"}}, "--map"),
        ([{"response": "a", "label": 7}], {"evaluators": ["not_empty"]}, "--label-range"),
        ([3], {"evaluators": ["not_empty"]}, "files or dicts"),
    ],
)
def test_what_is_wrong_is_said_before_the_first_call(rows: Any, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        calibrate(rows, settings.pop("evaluators", ()), **settings)
