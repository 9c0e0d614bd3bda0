"""`run --stop-when-decided`: through the command line, with the calls counted."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from ringtrue.api.evaluate import evaluate
from ringtrue.api.runs import open_run
from ringtrue.cli import invoke
from ringtrue.errors import ConfigurationError

CASES = [{"id": n, "question": f"question {n}", "answer": "yes"} for n in range(400)]
ASKED: list[str] = []


def system(share: float):  # type: ignore[no-untyped-def]
    def answer(question: str) -> str:
        ASKED.append(question)
        return "yes" if Random(question).random() < share else "no"

    return answer


def good(question: str) -> str:
    return str(system(0.9)(question))


def bad(question: str) -> str:
    return str(system(0.5)(question))


@pytest.fixture
def store(tmp_path: Path) -> str:
    ASKED.clear()
    return f"sqlite:///{tmp_path}/runs.db"


def test_a_floor_that_is_reached_stops_the_run(store: str) -> None:
    options = {"store": store, "progress": False, "stop_when_decided": {"pass_rate": 0.7}}
    run = evaluate(good, CASES, ["exact_match"], **options).run
    assert len(ASKED) == len(run.rows) < 150
    assert (run.status, run.stopped_by) == ("finished", "")
    share = run.summary("pass_rate")
    assert share.method == "betting"
    assert share.interval is not None
    assert share.interval[0] >= 0.7
    again = open_run(run.id, store)
    assert again.summary("pass_rate").interval == pytest.approx(share.interval)
    assert f"{400 - len(run.rows)} calls saved" in str(evaluate(good, CASES, ["exact_match"], **options))


def test_a_floor_that_is_missed_stops_it_too(store: str) -> None:
    run = evaluate(bad, CASES, ["exact_match"], store=None, progress=False, stop_when_decided={"exact_match": 0.8}).run
    assert len(run.rows) < 150
    assert (run.summary("exact_match").interval or (0, 1))[1] < 0.8


def test_the_order_is_drawn_by_the_seed(store: str) -> None:
    for seed in (0, 0, 1):
        evaluate(
            good, CASES, ["exact_match"], store=None, progress=False, stop_when_decided={"pass_rate": 0.7}, seed=seed
        )
    first, second, third = (ASKED[at : at + 16] for at in (0, len(ASKED) // 3, 2 * len(ASKED) // 3))
    assert first != [case["question"] for case in CASES[:16]]
    assert first == second
    assert first != third


def test_two_systems_are_asked_in_turn_until_they_are_told_apart(store: str) -> None:
    result = evaluate([bad, good], CASES, ["exact_match"], store=None, progress=False, stop_when_decided=True)
    assert len(result.run.rows) == len(ASKED) < 400
    assert "good is better than bad: +" in str(result)
    assert "whenever one looks" in " ".join(str(result).split())
    counts = [sum(row.system == name for row in result.run.rows) for name in ("bad", "good")]
    assert counts[0] == counts[1]


def test_equal_systems_are_asked_to_the_end_or_equivalent(store: str) -> None:
    result = evaluate(
        [good, lambda question: good(question)], CASES[:40], ["exact_match"], store=None, progress=False,
        stop_when_decided=True,
    )  # fmt: skip
    assert len(result.run.rows) == 80
    assert "cannot tell whether" in str(result)
    assert "all 80 answers were needed" in str(result)


def test_errors_are_no_values(store: str) -> None:
    def broken(question: str) -> str:
        if Random(question + "x").random() < 0.3:
            raise ValueError("down")
        return good(question)

    run = evaluate(broken, CASES, ["exact_match"], store=None, progress=False, stop_when_decided={"pass_rate": 0.7}).run
    share = run.summary("pass_rate")
    assert share.errors > 0
    assert share.n + share.errors == len(run.rows)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"stop_when_decided": True}, "needs --fail-under NUMBER, or two systems"),
        ({"stop_when_decided": {"pass_rate": 70}}, "must be a number in"),
    ],
)
def test_nothing_to_decide_is_refused_before_the_first_call(options: dict[str, object], words: str) -> None:
    ASKED.clear()
    with pytest.raises(ConfigurationError, match=words):
        evaluate(good, CASES, ["exact_match"], store=None, progress=False, **options)
    assert not ASKED


def test_shared_sources_are_refused() -> None:
    cases = [{**case, "source_id": "one"} for case in CASES]
    with pytest.raises(ConfigurationError, match="share a source_id"):
        evaluate(good, cases, ["exact_match"], store=None, progress=False, stop_when_decided={"pass_rate": 0.7})


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "early_app.py").write_text("def answer(question):\n    return 'yes'\n")
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(case) + "\n" for case in CASES))
    words = ["run", "-d", "q.jsonl", "-s", "early_app:answer", "-e", "exact_match", "--stop-when-decided"]
    assert invoke([*words, "--fail-under", "0.8"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "pass_rate of answer is at least 80.0 %: 100.0 % (95 % interval" in shown
    assert "asked in random order (seed 0)" in shown
    assert invoke(["show", "last"]) == 0
    assert "calls saved" in " ".join(capsys.readouterr().out.split())
