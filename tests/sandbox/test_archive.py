"""Tar files into and out of containers: nothing leads out of a folder, whatever an archive says."""

from __future__ import annotations

import io
import os
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError
from ringtrue.sandbox.archive import Unpacking, only_file, packed

Filling = Callable[[tarfile.TarFile], None]


def archive(*fill: Filling) -> io.BytesIO:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for one in fill:
            one(tar)
    made.seek(0)
    return made


def file(name: str, content: bytes = b"x", mode: int = 0o644) -> Filling:
    def add(tar: tarfile.TarFile) -> None:
        member = tarfile.TarInfo(name)
        member.size, member.mode = len(content), mode
        tar.addfile(member, io.BytesIO(content))

    return add


def special(name: str, kind: bytes, target: str = "") -> Filling:
    def add(tar: tarfile.TarFile) -> None:
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, target
        tar.addfile(member)

    return add


def below(folder: Path) -> dict[str, bytes | None]:
    found = sorted(folder.rglob("*"))
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in found}


@pytest.mark.parametrize(
    ("fill", "why"),
    [
        pytest.param([file("../out")], "leads out", id="parent"),
        pytest.param([file("a/../../out")], "leads out", id="parent inside"),
        pytest.param([file("/tmp/out")], "leads out", id="absolute"),
        pytest.param([special("../out", tarfile.DIRTYPE)], "leads out", id="folder outside"),
        pytest.param(
            [special("out", tarfile.SYMTYPE, "/etc"), file("out/passwd")], "a link", id="link, then through it"
        ),
        pytest.param([special("out", tarfile.SYMTYPE, "inside")], "a link", id="link inside"),
        pytest.param([special("out", tarfile.LNKTYPE, "/etc/passwd")], "second name", id="hard link outside"),
        pytest.param([special("out", tarfile.LNKTYPE, "../x")], "second name", id="hard link to a parent"),
        pytest.param([special("out", tarfile.LNKTYPE, "nowhere")], "second name", id="hard link to nothing"),
        pytest.param([special("out", tarfile.CHRTYPE)], "neither", id="device"),
        pytest.param([special("out", tarfile.BLKTYPE)], "neither", id="block device"),
        pytest.param([special("out", tarfile.FIFOTYPE)], "neither", id="pipe"),
        pytest.param([file("a", b"x" * 600), file("out", b"x" * 600)], "beyond the size", id="too large"),
        pytest.param([file("x" * 300)], "cannot be written", id="a name too long for this file system"),
        pytest.param([file("a"), file("a/b")], "cannot be written", id="file as folder"),
        pytest.param([file("a/b"), file("a")], "cannot be written", id="folder as file"),
    ],
)
def test_what_an_archive_must_not_do(tmp_path: Path, fill: list[Filling], why: str) -> None:
    inside = tmp_path / "inside"
    unpacking = Unpacking(inside, max_bytes=1000)
    unpacking.read(archive(*fill, file("last", b"there")))
    assert any(why in one for one in unpacking.left_out.values()), unpacking.left_out
    assert (inside / "last").read_bytes() == b"there"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["inside"]
    assert not any(path.is_symlink() for path in tmp_path.rglob("*"))


def test_what_is_kept(tmp_path: Path) -> None:
    fill = [
        special("empty", tarfile.DIRTYPE),
        file("a/b", b"text"),
        file("run.sh", b"#!", 0o4755),
        special("again", tarfile.LNKTYPE, "a/b"),
        file("./dot", b"."),
        file(".hidden/x"),
    ]
    unpacking = Unpacking(tmp_path / "new" / "deep", lambda path: not path.parts[0].startswith(".h"))
    unpacking.read(archive(*fill))
    found = below(tmp_path / "new" / "deep")
    assert found == {"a": None, "a/b": b"text", "again": b"text", "dot": b".", "empty": None, "run.sh": b"#!"}
    assert unpacking.left_out == {}
    assert (tmp_path / "new" / "deep" / "run.sh").stat().st_mode & 0o7777 & ~0o022 == 0o755
    (tmp_path / "new" / "deep" / "again").write_bytes(b"other")
    assert (tmp_path / "new" / "deep" / "a" / "b").read_bytes() == b"text"


def test_a_link_that_lies_there_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("mine")
    (tmp_path / "to").mkdir()
    (tmp_path / "to" / "a").symlink_to(tmp_path / "victim")
    unpacking = Unpacking(tmp_path / "to")
    unpacking.read(archive(file("a", b"yours")))
    assert (tmp_path / "victim").read_text() == "mine"
    assert "a" in unpacking.left_out


@pytest.mark.parametrize(
    ("fill", "kept"),
    [
        pytest.param([file(str(number)) for number in range(9)], 3, id="entries"),
        pytest.param([file("a"), file("large", b"x" * 101), file("b")], 1, id="bytes of what is too large"),
        pytest.param([file("a"), file(".x", b"x" * 101), file("b")], 1, id="bytes of what is not wanted"),
        pytest.param([file("a", b"x" * 60), special("b", tarfile.LNKTYPE, "a")], 1, id="second names"),
    ],
)
def test_everything_is_bounded(tmp_path: Path, fill: list[Filling], kept: int) -> None:
    unpacking = Unpacking(tmp_path, lambda path: path.name != ".x", max_entries=3, max_bytes=100)
    unpacking.read(archive(*fill))
    assert len(os.listdir(tmp_path)) == kept
    assert unpacking.left_out
    assert unpacking.cut == ("b" not in unpacking.left_out)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.lists(st.tuples(st.text(st.sampled_from("a./\\\u202e"), min_size=1, max_size=8), st.binary(max_size=4))))
def test_no_name_leads_out(tmp_path_factory: pytest.TempPathFactory, files: list[tuple[str, bytes]]) -> None:
    outer = tmp_path_factory.mktemp("outer")
    Unpacking(outer / "inner").read(archive(*(file(name, content) for name, content in files)))
    assert os.listdir(outer) == ["inner"]


@pytest.mark.parametrize("name", ["", ".", "/etc/x", "../x", "a/../x", "a\0b"])
def test_what_goes_in_is_checked(name: str) -> None:
    with pytest.raises(ConfigurationError, match="relative path"):
        packed({name: b""})


def test_what_goes_in() -> None:
    with tarfile.open(fileobj=io.BytesIO(packed({"a/b": b"1", "c": b"2"}, "/to/here", {"c"}))) as tar:
        told = {one.name: (one.mode, one.uid, one.isreg()) for one in tar.getmembers()}
    assert told == {"to/here/a/b": (0o644, 0, True), "to/here/c": (0o755, 0, True)}
    with pytest.raises(ConfigurationError, match="'d'"):
        packed({"c": b""}, "/", {"d"})


@pytest.mark.parametrize(
    ("fill", "content"),
    [
        pytest.param([file("a", b"it")], b"it", id="a file"),
        pytest.param([], None, id="nothing"),
        pytest.param([special("a", tarfile.DIRTYPE)], None, id="a folder"),
        pytest.param([special("a", tarfile.SYMTYPE, "/etc/passwd")], None, id="a link"),
        pytest.param([file("a"), file("b")], None, id="two"),
    ],
)
def test_the_only_file(fill: list[Filling], content: bytes | None) -> None:
    assert only_file(archive(*fill).read()) == content


@pytest.mark.parametrize("garbage", [b"", b"no tar", b"\0" * 99])
def test_what_is_no_archive_holds_no_file(garbage: bytes, tmp_path: Path) -> None:
    assert only_file(garbage) is None
    with pytest.raises(tarfile.TarError):
        Unpacking(tmp_path).read(io.BytesIO(garbage))


@given(st.lists(st.integers(0, 3_000), max_size=4))
def test_what_goes_in_ends_where_a_reader_stops(sizes: list[int]) -> None:
    """Two empty blocks and nothing behind them: an engine that has read them closes the pipe."""
    archive = packed({str(at): b"x" * size for at, size in enumerate(sizes)})
    blocks = sum(1 + -(-size // tarfile.BLOCKSIZE) for size in sizes) + 2
    assert len(archive) == blocks * tarfile.BLOCKSIZE
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        assert [member.size for member in tar] == sizes
