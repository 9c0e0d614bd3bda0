"""Text is read in one encoding, known by its mark or by name, or refused as a whole with a guess."""

from __future__ import annotations

import codecs
import csv
import io
import json
from pathlib import Path

import pytest

from ringtrue.datasets.files import text_encoding
from ringtrue.datasets.files.text_encoding import as_utf8, guess_encoding
from ringtrue.datasets.files.whole_file import read_rows
from ringtrue.errors import ConfigurationError, InputError

TEXT = "id,answer\n1,Müller façade\n2,Zürich\n"
ROWS = [{"id": "1", "answer": "Müller façade"}, {"id": "2", "answer": "Zürich"}]
MARKED = {
    "utf-8": codecs.BOM_UTF8 + TEXT.encode(),
    "utf-16": TEXT.encode("utf-16"),
    "utf-16-be": codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
    "utf-32": TEXT.encode("utf-32"),
    "utf-32-be": codecs.BOM_UTF32_BE + TEXT.encode("utf-32-be"),
    "utf-16-le without a mark": TEXT.encode("utf-16-le"),
    "utf-16-be without a mark": TEXT.encode("utf-16-be"),
    "utf-32-le without a mark": TEXT.encode("utf-32-le"),
}


@pytest.mark.parametrize("block", [3, 64, 256 * 1024])
@pytest.mark.parametrize("data", MARKED.values(), ids=MARKED)
def test_wide_and_marked_text_is_read(data: bytes, block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_encoding, "BLOCK_BYTES", max(4, block))
    (tmp_path / "a.csv").write_bytes(data)
    assert [row for _, row in read_rows(tmp_path / "a.csv")] == ROWS
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS)
    (tmp_path / "a.jsonl").write_bytes(lines.encode("utf-16"))
    assert [row for _, row in read_rows(tmp_path / "a.jsonl")] == ROWS


@pytest.mark.parametrize("name", ["cp1252", "latin-1", "cp850"])
def test_a_named_encoding_is_read(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(TEXT.encode(name))
    assert [row for _, row in read_rows(tmp_path / "a.csv", name)] == ROWS


REFUSED = {
    "cp1252": (TEXT.encode("cp1252"), "(byte 0xfc in line 2); it looks like Windows-1252: --encoding cp1252"),
    "cp1251": ("id,answer\n1,Как дела сегодня\n".encode("cp1251"), "it looks like Windows-1251: --encoding cp1251"),
    "shift_jis": ("id,answer\n1,こんにちは世界\n".encode("shift_jis"), "--encoding shift_jis"),
    "gb18030": ("id,answer\n1,今天的天气很好吗\n".encode("gb18030"), "--encoding gb18030"),
    "damaged": (
        "id,answer\n1,Zürich\n".encode() + b"2,\xff\n",
        "(byte 0xff in line 3); what comes before it is UTF-8",
    ),
}


@pytest.mark.parametrize(("data", "words"), REFUSED.values(), ids=REFUSED)
def test_other_text_is_refused_as_a_whole(data: bytes, words: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(data)
    with pytest.raises(InputError) as caught:
        list(read_rows(tmp_path / "a.csv"))
    assert f"{tmp_path / 'a.csv'} is not UTF-8" in str(caught.value)
    assert words in str(caught.value)


def test_a_binary_file_is_called_one(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"\x7fELF\x02\x01\0\0\xe0\xe1\xe2\xe3\n")
    with pytest.raises(InputError, match="is a binary file, not text"):
        list(read_rows(tmp_path / "a.csv"))


def test_a_byte_far_into_a_file_refuses_it_with_its_line(tmp_path: Path) -> None:
    lines = [b'{"n": %d}' % number for number in range(100_000)]
    lines[77_776] = '{"n": "é"}'.encode("cp1252")
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(lines))
    with pytest.raises(InputError, match=r"byte 0xe9 in line 77,777\); it looks like Windows-1252"):
        list(read_rows(tmp_path / "a.jsonl"))


def test_a_wrong_name_and_a_wrong_encoding_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(TEXT.encode("cp1252"))
    for name in ("klingon", "base64"):
        with pytest.raises(ConfigurationError, match=f"no text encoding is named '{name}'"):
            list(read_rows(tmp_path / "a.csv", name))
    with pytest.raises(InputError, match="is not ascii"):
        list(read_rows(tmp_path / "a.csv", "ascii"))


def test_a_guess_never_raises_and_plain_text_has_none() -> None:
    assert guess_encoding(b"plain") == ""
    for start in range(256):
        guess_encoding(bytes(range(start, 256)) * 3)


def test_utf8_is_passed_on_as_it_is() -> None:
    data = "é\n".encode() * 200_000
    assert as_utf8(data[:1], io.BytesIO(data[1:]), "a").read() == data


def test_a_record_of_csv_is_where_it_begins(tmp_path: Path) -> None:
    from ringtrue.datasets.files.reader import read_chunks

    with (tmp_path / "a.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["id", "text"], ["1", "two\nlines"], ["2", "x"], ["3", "a\nb\nc"]])
    (chunk,) = read_chunks(str(tmp_path / "a.csv"))
    assert [chunk.place(position) for position in range(3)] == [f"{tmp_path / 'a.csv'}:{line}" for line in (2, 4, 5)]


@pytest.mark.parametrize("name", ["t.xlsx", "t.xls", "t.csv"])
def test_a_workbook_is_refused_by_name_and_by_its_bytes(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"PK\x03\x04\x14\x00\x06\x00")
    with pytest.raises(InputError, match=r"is a workbook .* save its sheet as CSV"):
        list(read_rows(tmp_path / name))
