"""`ringtrue score` that is stopped, or cannot write: no half file, no worker, a code that says what it was."""

from __future__ import annotations

import gzip
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from support.command import ringtrue

STOPS = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129, signal.SIGKILL: -9}


def workers_of(pid: int) -> list[int]:
    """The processes that any thread of a process has started."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until(happened: Callable[[], Any]) -> Any:
    for _ in range(600):
        if found := happened():
            return found
        time.sleep(0.05)
    raise AssertionError("it did not happen within 30 seconds")


def begun(folder: Path, *words: str, **settings: Any) -> subprocess.Popen[bytes]:
    """A run that has begun to write its file."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ringtrue", "score", *words, "-e", "chrf", "-q", "-o", str(folder / "out.csv")],
        stdout=subprocess.DEVNULL,
        start_new_session=True,
        **settings,
    )
    wait_until(lambda: has_begun(process.pid, folder))
    return process


def has_begun(pid: int, folder: Path) -> bool:
    """Whether a process holds the file without a name open in which rows wait for their columns."""
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            place = os.readlink(descriptor)
            if place.startswith(str(folder)) and place.endswith("(deleted)"):
                return True
    return False


@pytest.mark.parametrize("group", [True, False], ids=["the whole group", "alone"])
@pytest.mark.parametrize("stop", STOPS, ids=lambda stop: stop.name)
def test_a_stopped_run_leaves_no_output_file_and_no_worker(stop: signal.Signals, group: bool, tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl.gz"
    line = json.dumps({"answer": "word " * 50, "response": "words " * 60}) + "\n"
    path.write_bytes(gzip.compress(line.encode() * 300_000, 1))
    (tmp_path / "out.csv").write_text("before")
    with (tmp_path / "said").open("w+b") as said:
        process = begun(tmp_path, str(path), "--max-workers", "2", stderr=said)
        workers = wait_until(lambda: len(found := workers_of(process.pid)) >= 3 and found)
        (os.killpg if group else os.kill)(process.pid, stop)
        assert process.wait(60) == STOPS[stop]
        wait_until(lambda: not any(map(is_alive, workers)))
    assert (tmp_path / "out.csv").read_text() == "before"
    if stop is not signal.SIGKILL:
        what = "interrupted" if stop is signal.SIGINT else f"stopped by {stop.name}"
        assert (tmp_path / "said").read_text().strip() == f"ringtrue: {what}; no output file was written"
        assert {item.name for item in tmp_path.iterdir()} == {"many.jsonl.gz", "out.csv", "said"}


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM], ids=lambda stop: stop.name)
def test_a_run_that_waits_for_standard_input_can_be_stopped(stop: signal.Signals, tmp_path: Path) -> None:
    with begun(tmp_path, "-", stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        process.send_signal(stop)
        assert process.wait(60) == STOPS[stop]
    assert [*tmp_path.iterdir()] == []


def test_what_the_parent_ignores_stays_ignored(tmp_path: Path) -> None:
    process = begun(
        tmp_path,
        "-",
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )
    process.send_signal(signal.SIGHUP)
    process.communicate(b'{"answer": "a", "response": "a"}\n', timeout=60)
    assert process.returncode == 0
    assert [item.name for item in tmp_path.iterdir()] == ["out.csv"]


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
def test_a_disk_that_is_full_is_said_and_is_not_a_failed_gate(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    path.write_text("".join(json.dumps({"id": str(n), "answer": "a", "response": "a"}) + "\n" for n in range(20_000)))
    done = subprocess.run(
        [sys.executable, "-m", "ringtrue", "score", str(path), "-e", "exact_match", "-o", f"{tmp_path}/out.{kind}"],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000)),
    )
    assert (done.returncode, done.stderr) == (3, f"ringtrue: cannot write '{tmp_path}/out.{kind}': File too large\n")
    assert [item.name for item in tmp_path.iterdir()] == ["many.jsonl"]


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("answers.jsonl", "-o 'answers.jsonl' is a file that this command reads; give it another name"),
        ("./../here/answers.jsonl", "is a file that this command reads"),
        ("answers.jsonl/out.csv", "is not a folder that can be written to"),
        ("folder.csv", "cannot write 'folder.csv': is a folder"),
    ],
    ids=["the input", "the input by another way", "below a file", "a folder"],
)
def test_a_wrong_place_is_said_before_a_row_is_read(output: str, message: str, tmp_path: Path) -> None:
    here = tmp_path / "here"
    (here / "folder.csv").mkdir(parents=True)
    (here / "answers.jsonl").write_text('{"answer": "a", "response": "a"}\n')
    done = ringtrue("score", "answers.jsonl", "-e", "exact_match", "-o", output, cwd=here, check=64)
    assert message in done.stderr
    assert done.stdout == ""
    assert (here / "answers.jsonl").read_text() == '{"answer": "a", "response": "a"}\n'
