"""HumanLabels belong to a case and an answer, not to a run; the newest that is not undone counts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ringtrue.api.calibrate import calibrate
from ringtrue.api.score_file import score_file
from ringtrue.errors import ConfigurationError
from ringtrue.records import Case, Output, Trial
from ringtrue.store.database import Database
from ringtrue.store.human_labels import HumanLabel, HumanLabels, subject_of

TRIAL = Trial(Case(1, "2 + 2?", ("4",)), Output("four"))


def test_a_subject_is_what_a_person_sees() -> None:
    same = replace(TRIAL, case=replace(TRIAL.case, id="other", fields={"dataset": "x"}))
    timed = replace(TRIAL, output=replace(TRIAL.output, latency_seconds=2.0, cost=0.1))
    assert subject_of(TRIAL) == subject_of(same) == subject_of(timed)
    others = [Output("five"), Output("four", messages=({"role": "user", "content": "x"},)), Output("")]
    assert len({subject_of(replace(TRIAL, output=one)) for one in [TRIAL.output, *others]}) == 4
    assert subject_of(replace(TRIAL, case=replace(TRIAL.case, expected=None))) != subject_of(TRIAL)


def test_undo_goes_back_label_by_label_and_leaves_those_of_others(tmp_path: Path) -> None:
    with Database(str(tmp_path / "l.db")) as database:
        labels = HumanLabels(database)
        for verdict in ("right", "wrong", "unsure"):
            labels.add(HumanLabel("s", verdict, who="ann", run="r"))  # type: ignore[arg-type]
        labels.add(HumanLabel("t", grade=5, who="bob", run="r", comment="a\0b\ud800"))
        assert labels.of(["s", "t", "u"])["s"].verdict == "unsure"
        assert labels.of(["t"])["t"].comment == "ab?"
        undone = [labels.undo("r", "ann") for _ in range(4)]
        assert [one.verdict if one else None for one in undone] == ["unsure", "wrong", "right", None]
        assert set(labels.of(["s", "t"])) == {"t"}
        assert [one.number for one in labels.given_in("r", 10)] == [1.0]


NUMBERS = [
    (HumanLabel("s", "right"), 1.0),
    (HumanLabel("s", "wrong"), 0.0),
    (HumanLabel("s", "unsure"), None),
    (HumanLabel("s", "skipped"), None),
    (HumanLabel("s", grade=1), 0.0),
    (HumanLabel("s", grade=4), 0.75),
]


@pytest.mark.parametrize(("label", "number"), NUMBERS)
def test_a_label_is_a_number_where_it_says_right_or_wrong(label: HumanLabel, number: float | None) -> None:
    assert label.number == number


def test_calibrate_takes_the_labels_of_the_store(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'r.db'}"
    answers = [{"id": n, "question": f"q{n}", "answer": f"gold{n}", "response": f"gold{n}" if n % 2 else "no"}
               for n in range(30)]  # fmt: skip
    run = score_file(answers, ["exact_match"], store=store)
    with pytest.raises(ConfigurationError, match="has a label in the store"):
        calibrate(run, stored_labels=True, store=store)
    with Database(store) as database:
        for row in list(run.rows)[:10]:
            right = row.position % 2 == 1
            HumanLabels(database).add(
                HumanLabel(subject_of(row.trial), "right" if right else "wrong", who="me", run=run.id)
            )
    found = calibrate(run, stored_labels=True, store=store)
    assert found.labelled == 10
    assert found.evaluators["exact_match"].metrics["agreement"].value == 1.0
    with pytest.raises(ConfigurationError, match="a run"):
        calibrate(answers, ["exact_match"], stored_labels=True, store=store)
