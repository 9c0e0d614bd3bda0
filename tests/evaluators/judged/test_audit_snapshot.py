"""The copy of a folder, and what can be seen of it: nothing outside of the folder, nothing without an end."""

from __future__ import annotations

import os
import socket
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.evaluators.judged.audit import snapshot as snapshots
from ringtrue.evaluators.judged.audit.snapshot import File, Snapshot
from ringtrue.evaluators.judged.audit.views import MAX_LISTED, Mistaken, listing, place, reading, searching

MB = 1_000_000


def copied(folder: Path, **settings: Any) -> Snapshot:
    return Snapshot.of(str(folder), **{"max_bytes": MB} | settings)


def holding(**files: bytes) -> Snapshot:
    return Snapshot({name.replace("__", "."): File(data, name) for name, data in sorted(files.items())})


def test_files_folders_and_links_inside(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "run").write_text("#!/bin/sh")
    (tmp_path / "a" / "run").chmod(0o700)
    (tmp_path / "inside").symlink_to("a/run")
    (tmp_path / "absolute").symlink_to(tmp_path / "a")
    found = copied(tmp_path)
    assert {name: file.executable for name, file in found.files.items()} == {"a/run": True}
    assert list(found.folders) == ["a", "a/b"]
    assert found.links == {"absolute": "a", "inside": "a/run"}
    assert found.left_out == {}
    assert reading(found, "inside", 1, 100) == "a/run: 9 bytes, lines 1 to 1 of 1\n#!/bin/sh"


def test_what_leads_out_or_is_not_a_file_is_left_out(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (tmp_path / "secret").write_text("SECRET")
    (work / "up").symlink_to("../secret")
    (work / "etc").symlink_to("/etc")
    (work / "gone").symlink_to("nowhere")
    (work / "loop").symlink_to("loop")
    (work / "twice").symlink_to("up")
    os.mkfifo(work / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        here = os.getcwd()
        os.chdir(work)  # a socket's path is short
        listening.bind("socket")
        os.chdir(here)
        found = copied(work)
    assert found.files == {} == found.links
    assert set(found.left_out) == {"up", "etc", "gone", "loop", "twice", "pipe", "socket"}
    with pytest.raises(Mistaken, match="leads nowhere"):
        reading(found, "up", 1, 100)
    with pytest.raises(Mistaken, match="neither a file"):
        reading(found, "pipe", 1, 100)


def test_a_link_or_a_pipe_that_takes_the_place_of_a_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/etc/hostname")
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "pipe"):
        with pytest.raises(OSError, match=r"symbolic link|no longer a file"):
            snapshots._content(str(tmp_path / name), 100)


def test_the_smallest_files_come_first_and_the_rest_is_named(tmp_path: Path) -> None:
    for name, size in (("large", 900), ("middle", 500), ("small", 10)):
        (tmp_path / name).write_bytes(b"x" * size)
    with open(tmp_path / "sparse", "wb") as file:
        file.truncate(1 << 40)
    found = copied(tmp_path, max_bytes=600)
    assert list(found.files) == ["middle", "small"]
    assert "900 bytes" in found.left_out["large"]
    assert "1,099,511,627,776" in listing(found)


def test_no_number_of_entries_and_no_depth_is_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "MAX_ENTRIES", 300)
    for at in range(400):
        (tmp_path / f"f{at:03}").touch()
    found = copied(tmp_path)
    assert (len(found.files), found.whole) == (300, False)
    assert "more entries than were copied" in listing(found)
    deep = tmp_path / "deep"
    deep.mkdir()
    subprocess.run(
        ["python3", "-c", "import os\nfor _ in range(400):\n    os.mkdir('d')\n    os.chdir('d')"], cwd=deep, check=True
    )
    found = copied(deep)
    assert len(found.folders) == 64
    assert "nested too deeply" in found.left_out.values()
    subprocess.run(["rm", "-rf", str(deep)], check=True)


def test_excluded_names_are_reported(tmp_path: Path) -> None:
    (tmp_path / "node_modules" / "x").mkdir(parents=True)
    (tmp_path / "a.pyc").touch()
    (tmp_path / "a.py").touch()
    found = copied(tmp_path, exclude=["node_modules", "*.pyc"])
    assert list(found.files) == ["a.py"]
    assert found.left_out == {"node_modules": "excluded", "a.pyc": "excluded"}


def test_names_are_printable_and_survive_the_archive(tmp_path: Path) -> None:
    raw = [b"a\nb", b"bad\xff", "\u202eright".encode(), b"x" * 200, b"\x1b[2J"]
    for name in raw:
        Path(os.fsdecode(os.path.join(os.fsencode(tmp_path), name))).write_bytes(b"1")
    found = copied(tmp_path)
    assert len(found.files) == len(raw)
    assert all(name.isprintable() for name in found.files)
    assert "1 to 1 of 1" in reading(found, "a\\nb", 1, 10)
    unpacked = tmp_path / "unpacked"
    unpacked.mkdir()
    subprocess.run(["tar", "-xf", "-", "-C", str(unpacked)], input=found.archive, check=True)
    assert sorted(os.listdir(os.fsencode(unpacked))) == sorted(raw)


PLACES = [
    (".", ""), ("", ""), ("a", "a"), ("./a//b/", "a/b"), ("a/../b", "b"), (" a ", "a"),
    ("..", None), ("../x", None), ("/etc/passwd", None), ("a/../../x", None), ("//etc", None),
]  # fmt: skip


@pytest.mark.parametrize(("given", "wanted"), PLACES, ids=[repr(row[0]) for row in PLACES])
def test_paths_stay_inside(given: str, wanted: str | None) -> None:
    if wanted is None:
        with pytest.raises(Mistaken, match="stay inside"):
            place(given)
    else:
        assert place(given) == wanted


@given(st.text(max_size=40), st.text(max_size=20), st.integers(1, 9))
def test_any_question_has_an_answer_or_is_a_mistake(path: str, pattern: str, line: int) -> None:
    found = holding(a__py=b"one\ntwo\n", b=b"\0")
    for look in (
        lambda: listing(found, path),
        lambda: reading(found, path, line, 100),
        lambda: searching(found, pattern, path, 100),
    ):
        with suppress(Mistaken):
            assert look()


def test_large_folders_are_listed_level_by_level() -> None:
    files = {f"d{at % 3}/f{at}": File(b"", "") for at in range(300)} | {"top": File(b"12", "")}
    found = Snapshot(files, ["d0", "d1", "d2"])
    assert listing(found) == "d0/  100 entries\nd1/  100 entries\nd2/  100 entries\ntop  2 bytes"
    assert listing(found, "d1").count("\n") == 99
    many = Snapshot({f"f{at:04}": File(b"", "") for at in range(1_000)})
    assert listing(many).splitlines()[-1] == f"… and {1_000 - MAX_LISTED:,} more; list a folder below this one"
    assert listing(Snapshot({})) == "(empty)"
    with pytest.raises(Mistaken, match="no folder"):
        listing(found, "d9")


def test_reading_continues_where_it_was_cut_off() -> None:
    text = "".join(f"line {at}\n" for at in range(1, 1_001))
    found = holding(
        long=text.encode(), wide=b"x" * 10_000_000, empty=b"", binary=b"\x89PNG\r\n\x1a\n\0", latin=b"\xe4\xf6" * 99
    )
    first = reading(found, "long", 1, 100)
    assert first.startswith("long: 8,893 bytes, lines 1 to 13 of 1,000; continue with start_line 14\nline 1\n")
    assert first.endswith("line 13\n")
    assert "lines 500 to 1,000 of 1,000\nline 500\n" in reading(found, "long", 500, 100_000)
    assert reading(found, "wide", 1, 5) == "wide: 10,000,000 bytes, line 1 of 1, cut off here\nxxxxx"
    assert reading(found, "empty", 1, 100) == "empty: 0 bytes, empty"
    assert reading(found, "binary", 1, 100) == "binary: 9 bytes, not text; it begins with 89 50 4e 47 0d 0a 1a 0a 00"
    assert "not text" in reading(found, "latin", 1, 100)
    with pytest.raises(Mistaken, match="1,000 lines"):
        reading(found, "long", 1_001, 100)
    with pytest.raises(Mistaken, match="a folder"):
        reading(found, ".", 1, 100)


def test_searching() -> None:
    found = holding(a__py=b"import os\nx = 1\n", b__py=b"import sys\n" * 200, c=b"\0import")
    assert searching(found, r"^x\b", ".", 1_000) == "a.py:2: x = 1"
    assert searching(found, "import", "a.py", 1_000) == "a.py:1: import os"
    assert searching(found, "nothing", ".", 1_000) == "no line of 3 files"
    assert searching(found, "import", ".", 100_000).endswith("… and more; narrow the path or the pattern")
    assert len(searching(found, "import", ".", 100)) < 3_000
    with pytest.raises(Mistaken, match="nothing at"):
        searching(found, "x", "gone", 100)
    with pytest.raises(Mistaken, match="cannot be used"):
        searching(found, "(", ".", 100)


def test_a_pattern_that_would_take_for_ever_is_given_up() -> None:
    hostile = holding(a=b"\n".join([b"a" * 5_000 + b"!"] * 1_000))
    with pytest.raises(Mistaken, match="too long"):
        searching(hostile, r"(a|aa)+$", ".", 100)
