"""Saved reports in a browser: the pages, and the server that shows them to this machine alone."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest
from multivon_eval import EvalCase, EvalReport, EvalSuite, ExactMatch
from multivon_eval.dirview import discover, is_eval_report, load_report, render_diff, render_index, render_open

MARKUP = "<script>alert(1)</script>"


def report(name: str, *answers: str) -> EvalReport:
    """A report of three questions, each with one of the answers; `a` is right."""
    left = iter(answers)
    cases = [EvalCase(question, "a") for question in ("q0", "q1", MARKUP)]

    def answer(question: str) -> str:
        said = next(left)
        if said == "fail":
            raise RuntimeError("down")
        return said

    return EvalSuite(name).add_cases(cases).add_evaluator(ExactMatch()).run(answer, verbose=False, workers=1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three reports, one of them further down, and three files that are none."""
    report("good", "a", "a", "b").save_json(tmp_path / "run_1.json")
    report(MARKUP, "b", "a", "b").save_json(tmp_path / "run_2.json")
    report("broken", "fail", "a", "a").save_json(tmp_path / "below" / "run_3.json")
    (tmp_path / "other.json").write_text('{"summary": "fine"}')
    (tmp_path / "no.json").write_text("{")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "linked.json").symlink_to(tmp_path / "run_1.json")
    return tmp_path


@pytest.mark.parametrize(
    "data",
    [
        {}, [], "x", None, {"summary": {}}, {"summary": {"pass_rate": 1}, "cases": []}, {"summary": 1, "cases": [{}]},
        {"summary": {"pass_rate": 1}, "cases": [{"nope": 1}]}, {"summary": {"pass_rate": 1}, "cases": "abc"},
    ],
    ids=range(9),
)  # fmt: skip
def test_what_is_no_report(data: object) -> None:
    assert not is_eval_report(data)


def test_a_folder_is_looked_through(folder: Path) -> None:
    assert is_eval_report(json.loads((folder / "run_1.json").read_text()))
    entries, skipped = discover(folder)
    assert [entry.name for entry in entries] == ["run_1", "run_2"]
    assert [path.name for path in skipped] == ["deep.json", "linked.json", "no.json", "other.json"]
    entries, _ = discover(folder, recursive=True)
    assert [(entry.name, entry.parent_prefix) for entry in entries] == [
        ("below/run_3", "below"), ("run_1", ""), ("run_2", ""),
    ]  # fmt: skip
    assert entries[0].error_rate == pytest.approx(1 / 3)
    assert len({entry.key for entry in entries}) == 3


def test_the_index_opens_sorts_and_offers_comparisons(folder: Path) -> None:
    entries, skipped = discover(folder, recursive=True)
    page = render_index(entries, skipped, folder, "passed", "asc")
    assert page.index("run_2") < page.index("run_1")
    assert page.count("badge errflag") == 1
    assert "4 file(s) skipped" in page
    assert f'href="/r/1?key={entries[1].key}&amp;digest={entries[1].content_digest}"' in page
    assert f'"/diff?a={entries[0].key}&amp;b={entries[2].key}"' in page
    assert MARKUP not in page
    assert render_index(entries, [], sort="nonsense").index("run_1") > 0
    assert "no report" in render_index([], [])


def test_a_report_opens_with_the_way_back(folder: Path) -> None:
    entries, _ = discover(folder)
    page = render_open(load_report(entries[1].path), entries[1])
    assert 'href="/"' in page
    assert "run_2" in page
    assert MARKUP not in page


def test_a_file_is_loaded_as_it_was_listed_and_from_its_folder_alone(folder: Path) -> None:
    [entry, _], _ = discover(folder)
    load_report(entry.path, expected_digest=entry.content_digest, base_dir=folder)
    with pytest.raises(ValueError, match="outside"):
        load_report(entry.path, base_dir=folder / "below")
    entry.path.write_text("{}")
    with pytest.raises(ValueError, match="changed"):
        load_report(entry.path, expected_digest=entry.content_digest)


def test_two_reports_side_by_side() -> None:
    page = render_diff(report("x", "a", "b", "b"), report("x", "b", "b", "a"), "one", MARKUP)
    for words in ("Regressed (1)", "Fixed (1)", "Still failing (1)", "Unchanged (0)", "delta same", "one: passed"):
        assert words in page
    assert MARKUP not in page
    assert "delta down" in render_diff(report("x", "a", "a", "a"), report("x", "b", "a", "a"))
    alone = EvalSuite("y").add_case(EvalCase("else", "a")).add_evaluator(ExactMatch())
    other = alone.run(lambda question: "a", verbose=False)
    assert "Unmatched cases (1 added, 3 removed)" in render_diff(report("x", "a", "a", "a"), other)


@contextmanager
def viewing(*words: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The command in a process of its own: its address, and the process."""
    command = [sys.executable, "-u", "-m", "multivon_eval", "view", "--no-browser", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    killer = threading.Timer(60, process.kill)
    killer.start()
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        yield process.stdout.readline().rpartition("→ ")[2].strip(), process
    finally:
        process.terminate()
        process.wait(30)
        killer.cancel()
        process.stdout.close()
        process.stderr.close()


def get(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=30) as response:
            assert response.headers["X-Content-Type-Options"] == "nosniff"
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_a_folder_is_served_to_this_machine(folder: Path) -> None:
    with viewing(str(folder)) as (url, process):
        assert "run_1" in get(url)[1]
        entries, _ = discover(folder)
        linked = f"{url}r/0?key={entries[0].key}&digest={entries[0].content_digest}"
        assert (get(linked)[0], get(f"{url}r/0")[0]) == (200, 200)
        assert "Regressed (1)" in get(f"{url}diff?a=0&b=1")[1]
        for path in ("r/9", "r/-1", "r/x", "r/%2e%2e/run_1.json", "diff", "diff?a=0&b=9", "run_1.json"):
            assert get(f"{url}{path}")[0] == 404, path
        report("earlier", "b", "b", "b").save_json(folder / "aaa.json")
        assert "good" in get(linked)[1]
        report("later", "b", "b", "b").save_json(folder / "run_1.json")
        assert get(linked)[0] == 409
        assert "later" in get(url)[1]
        for name, value in (
            ("Host", "evil.example"),
            ("Origin", "http://evil.example"),
            ("Sec-Fetch-Site", "cross-site"),
        ):
            elsewhere = HTTPConnection("127.0.0.1", int(url.rstrip("/").rpartition(":")[2]), timeout=30)
            elsewhere.request("GET", "/", headers={name: value})
            assert elsewhere.getresponse().status == 403
            elsewhere.close()
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0


def test_one_report_is_served(folder: Path) -> None:
    with viewing(str(folder / "run_1.json")) as (url, process):
        assert "exact_match" in get(url)[1]
        assert get(f"{url}r/0")[0] == 404
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0


def test_a_port_that_is_taken_is_said_in_a_line(folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with viewing(str(folder), "--port", str(taken.getsockname()[1])) as (_, process):
            assert process.wait(30) == 1
            assert process.stderr is not None
            assert process.stderr.read().startswith("multivon-eval: could not bind 127.0.0.1:")
