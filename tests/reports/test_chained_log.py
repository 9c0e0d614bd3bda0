"""Records that hold each other: nobody changes, takes out, adds or swaps one without its being missed."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ringtrue.errors import InputError
from ringtrue.reports.chained_log import GENESIS, ChainedLog


def log(path: Path, count: int = 3) -> ChainedLog:
    made = ChainedLog(path / "deep" / "log.jsonl")
    for number in range(count):
        made.append({"n": number, "text": "größe \ud800\0"})
    return made


def faults(made: ChainedLog) -> list[str]:
    return [link.fault for link in made.links()]


def test_each_record_holds_the_one_before(tmp_path: Path) -> None:
    made = log(tmp_path)
    records = [link.record for link in made.links()]
    assert (faults(made), [record["n"] for record in records]) == (["", "", ""], [0, 1, 2])
    assert [record["prev_hash"] for record in records] == [GENESIS, *(r["record_hash"] for r in records[:2])]
    assert made.append({"n": 3}) == list(made.links())[-1].record["record_hash"]


def test_a_log_that_is_not_there_is_empty(tmp_path: Path) -> None:
    assert list(ChainedLog(tmp_path / "none").links()) == []


def swapped(lines: list[str]) -> list[str]:
    return [lines[1], lines[0], lines[2]]


def edited(lines: list[str]) -> list[str]:
    return [lines[0], lines[1].replace('"n":1', '"n":7'), lines[2]]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (edited, ["", "changed", "broken"]),
        (lambda lines: [lines[0], lines[2]], ["", "broken"]),
        (lambda lines: lines[1:], ["broken", ""]),
        (swapped, ["broken", "broken", "broken"]),
        (lambda lines: [lines[0], lines[0], *lines[1:]], ["", "broken", "", ""]),
        (lambda lines: [lines[0], "{", *lines[1:]], ["", "unreadable", "", ""]),
        (lambda lines: [lines[0], "[]", "", *lines[1:]], ["", "unreadable", "", ""]),
        (lambda lines: [lines[0], '{"n":NaN}', *lines[1:]], ["", "unreadable", "", ""]),
        (lambda lines: [lines[0], '{"n":1e999}', *lines[1:]], ["", "unreadable", "", ""]),
    ],
    ids=["edited", "taken-out", "cut-off", "swapped", "twice", "no-json", "no-object", "nan", "beyond-every-float"],
)
def test_a_change_shows(tmp_path: Path, change: Callable[[list[str]], list[str]], found: list[str]) -> None:
    made = log(tmp_path)
    made.path.write_text("\n".join(change(made.path.read_text().splitlines())) + "\n")
    assert faults(made) == found


def test_after_a_broken_line_the_chain_does_not_look_whole(tmp_path: Path) -> None:
    made = log(tmp_path, 1)
    with made.path.open("a") as file:
        file.write("broken")
    made.append({"n": 1})
    assert faults(made) == ["", "unreadable", "broken"]


@pytest.mark.parametrize("chars", [1, 65_535, 65_536, 200_000])
def test_a_long_record_is_followed_like_a_short_one(tmp_path: Path, chars: int) -> None:
    made = ChainedLog(tmp_path / "log")
    for _ in range(3):
        made.append({"text": "x" * chars})
    assert faults(made) == ["", "", ""]


def test_a_record_of_a_time_before_chains_stands_for_itself(tmp_path: Path) -> None:
    made = log(tmp_path, 1)
    (link,) = made.links()
    old = {name: value for name, value in link.record.items() if name not in ("prev_hash", "record_hash")}
    path = ChainedLog(tmp_path / "old.jsonl")
    digest = hashlib.sha256(json.dumps(old, separators=(",", ":")).encode()).hexdigest()
    path.path.write_text(json.dumps({**old, "record_hash": digest}) + "\n")
    path.append({"n": 1})
    assert faults(path) == ["", ""]


JSON = st.recursive(st.none() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(), st.lists)


@given(record=st.dictionaries(st.text(max_size=8), JSON, max_size=5))
@settings(max_examples=30)
def test_any_record_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, record: dict[str, object]
) -> None:
    made = ChainedLog(tmp_path_factory.mktemp("log") / "log")
    made.append(record)
    (link,) = made.links()
    assert (link.fault, {name: link.record[name] for name in record}) == ("", record)


def test_what_json_has_not_and_what_the_log_writes_itself_is_refused(tmp_path: Path) -> None:
    made = ChainedLog(tmp_path / "log")
    with pytest.raises(ValueError, match="JSON"):
        made.append({"n": float("nan")})
    with pytest.raises(InputError, match="prev_hash"):
        made.append({"prev_hash": "0"})
    assert list(made.links()) == []


def test_many_writers_make_one_chain(tmp_path: Path) -> None:
    made = ChainedLog(tmp_path / "log")
    threads = [threading.Thread(target=lambda: [made.append({"n": n}) for n in range(5)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults(made) == [""] * 20


@pytest.mark.parametrize("place", ["/dev/full", "/dev/null/log"], ids=["disk-full", "no-folder"])
def test_a_log_that_cannot_be_written_is_told(place: str) -> None:
    with pytest.raises(InputError, match="cannot write"):
        ChainedLog(Path(place)).append({"n": 1})


def test_a_record_that_does_not_fit_on_the_disk_leaves_nothing(tmp_path: Path) -> None:
    """The limit on a file's size is the one full disk that a test can have; it holds for a process of its own."""
    made = log(tmp_path)
    before = made.path.read_bytes()
    program = f"""
import resource, signal, sys
from pathlib import Path
from ringtrue.errors import InputError
from ringtrue.reports.chained_log import ChainedLog
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({len(before) + 20}, {len(before) + 20}))
try:
    ChainedLog(Path({str(made.path)!r})).append({{"n": 9}})
except InputError as error:
    sys.exit(7)
"""
    assert subprocess.run([sys.executable, "-c", program], timeout=60, check=False).returncode == 7
    assert made.path.read_bytes() == before
