"""Every format gives the same rows; what cannot be read is named by place and never stops the rest."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ringtrue.datasets.files import reader as files
from ringtrue.datasets.files.csv_table import SEPARATORS, read_separated, separator
from ringtrue.datasets.files.reader import read_chunks
from ringtrue.errors import InputError
from ringtrue.records import Problem
from support.hub import as_parquet

ROWS = [{"id": f"r{n}", "response": f'text {n}, «ü» "x"\nsecond line', "answer": "a"} for n in range(1_200)]


def read(path: Path | str, **options: Any) -> tuple[list[dict[str, Any]], list[Problem]]:
    read = [chunk.read() for chunk in read_chunks(str(path), **options)]
    rows = [row for found, _ in read for row in found]
    assert [position for position, _ in rows] == sorted(position for position, _ in rows)
    return [row for _, row in rows], [problem for _, problems in read for problem in problems]


def as_jsonl(rows: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def as_csv(rows: list[dict[str, Any]]) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


WRITERS: dict[str, Callable[[list[dict[str, Any]]], bytes]] = {
    "a.jsonl": as_jsonl,
    "a.ndjson": as_jsonl,
    "unnamed": as_jsonl,
    "bom.jsonl": lambda rows: b"\xef\xbb\xbf" + as_jsonl(rows),
    "crlf.jsonl": lambda rows: as_jsonl(rows).replace(b"\n", b"\r\n"),
    "blank_lines.jsonl": lambda rows: as_jsonl(rows).replace(b"\n", b"\n\n"),
    "no_last_newline.jsonl": lambda rows: as_jsonl(rows).rstrip(b"\n"),
    "a.json": lambda rows: json.dumps(rows, indent=1).encode(),
    "array_unnamed": lambda rows: json.dumps(rows).encode(),
    "object_unnamed": lambda rows: json.dumps({"version": 1, "rows": rows}, indent=1).encode(),
    "object.json": lambda rows: json.dumps({"version": 1, "rows": rows}).encode(),
    "a.csv": as_csv,
    "bom.csv": lambda rows: b"\xef\xbb\xbf" + as_csv(rows),
    "a.parquet": as_parquet,
    "a.jsonl.gz": lambda rows: gzip.compress(as_jsonl(rows)),
    "a.json.gz": lambda rows: gzip.compress(json.dumps(rows).encode()),
    "a.csv.gz": lambda rows: gzip.compress(as_csv(rows)),
    "gzip_without_the_name.jsonl": lambda rows: gzip.compress(as_jsonl(rows)),
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_same_rows(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(WRITERS[name](ROWS))
    assert read(path) == (ROWS, [])


@pytest.mark.parametrize("name", ["a.jsonl", "array_unnamed", "a.jsonl.gz"])
def test_standard_input(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = io.TextIOWrapper(io.BufferedReader(io.BytesIO(WRITERS[name](ROWS))))  # type: ignore[arg-type]
    monkeypatch.setattr(sys, "stdin", data)
    assert read("-") == (ROWS, [])


@pytest.mark.parametrize("size", [16, 100, 1_000, 1 << 20])
@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "no_last_newline.jsonl"])
def test_the_size_of_a_block_changes_nothing(
    name: str, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    path.write_bytes(WRITERS[name](ROWS[:50]))
    monkeypatch.setattr(files, "CHUNK_BYTES", size)
    assert read(path) == (ROWS[:50], [])


BROKEN = {
    b'{"a": 1': "not JSON: ",
    b"[1, 2]": "not an object but a list",
    b'"text"': "not an object but a string",
    b"17": "not an object but a number",
    b"null": "not an object but null",
    b"[" * 100_000: "not read: nested too deeply",
    b'{"a": ' + b"9" * 5_000 + b"}": "not read: an integer with more than 4,300 digits",
}


@pytest.mark.parametrize("line", BROKEN, ids=lambda line: repr(line[:12]))
def test_a_broken_line_is_named_and_the_rest_is_read(line: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"n": 1}\n' + line + b'\n{"n": 3}\n')
    rows, problems = read(path)
    assert rows == [{"n": 1}, {"n": 3}]
    assert [problem.where for problem in problems] == [f"{path}:2"]
    assert problems[0].what.startswith(BROKEN[line])


def test_a_line_beyond_the_limit_is_named_and_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "CHUNK_BYTES", 64)
    monkeypatch.setattr(files, "MAX_LINE_BYTES", 1_000)
    path = tmp_path / "a.jsonl"
    long = b"x" * 10_000
    path.write_bytes(b'{"n": 1}\n' + long + b'\n{"n": 3}\n{"n": 4}\n' + long + b'\n{"n": 6}\n')
    rows, problems = read(path)
    assert rows == [{"n": 1}, {"n": 3}, {"n": 4}, {"n": 6}]
    assert [(problem.where, problem.what) for problem in problems] == [
        (f"{path}:{line}", "the line is longer than 1,000 bytes") for line in (2, 5)
    ]


def test_integers_stay_exact_and_odd_json_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"n": 123456789012345678901234567890}\n{"s": "\\ud800"}\n{"x": NaN}\n')
    rows, problems = read(path)
    assert problems == []
    assert rows[0] == {"n": 123456789012345678901234567890}
    assert rows[1] == {"s": "\ud800"}
    assert rows[2]["x"] != rows[2]["x"]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.csv", b"", "is empty"),
        ("a.csv", b"a,a\n1,2\n", "two columns named 'a'"),
        ("a.csv", b'a,"b\n1,2\n', "a quote opens in the line of column names"),
        ("a.json", b"{", "is not JSON"),
        ("a.jsonl", b'{"a": "\xff"}', "is not UTF-8"),
        ("a.jsonl", b'{"a": 1}\n\xff\xfe{}', "is not UTF-8"),
        ("a.jsonl", b"\xff\xfe{\x00}", "is not utf-16"),
        ("a.jsonl", b"PAR1...", "is Parquet; add --format parquet"),
        ("a.parquet", b"PAR1", "not a Parquet file"),
        ("a.jsonl.gz", gzip.compress(b'{"a": 1}\n' * 1_000)[:-20], "cannot be read to its end"),
    ],
    ids=[
        *(
            "empty-csv",
            "columns",
            "open-quote",
            "json",
            "latin1",
            "mark-inside",
            "half-of-utf16",
        ),
        *("parquet-misnamed", "parquet", "cut-gzip"),
    ],
)
def test_a_file_that_cannot_be_read_at_all(name: str, data: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(InputError, match=message):
        read(path)


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        read(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match="is a folder"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("name", "header", "row"),
    [
        ("a.csv", "id;response;answer", "1;x, y;z"),
        ("a.csv", "id\tresponse\tanswer", "1\tx, y\tz"),
        ("a.csv", "id|response|answer", "1|x, y|z"),
        ("a.csv", '"id";"response";"answer"', '1;"x, y";z'),
        ("a.csv", "id,response,answer", '1,"x, y",z'),
        ("a.tsv", "id\tresponse\tanswer", "1\tx, y\tz"),
        ("a.tsv", "id;response;answer", "1;x, y;z"),
        ("a.tsv", "id,response,answer", '1,"x, y",z'),
        ("answers", "id;response;answer", "1;x, y;z"),
        ("a.csv.gz", "id;response;answer", "1;x, y;z"),
    ],
    ids=[
        "semicolons", "tabs", "bars", "quoted", "commas", "tsv", "tsv with semicolons", "tsv with commas", "no ending",
        "gzip",
    ],
)  # fmt: skip
def test_the_column_names_show_the_separator(name: str, header: str, row: str, tmp_path: Path) -> None:
    data = f"{header}\n{row}\n".encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    assert read(tmp_path / name) == ([{"id": "1", "response": "x, y", "answer": "z"}], [])


@pytest.mark.parametrize(
    ("header", "usual", "found"),
    [
        ("a;b,c", ",", ","),
        ("a;b|c", ",", ","),
        ("a;b|c", "\t", "\t"),
        ("a\tb,c", "\t", "\t"),
        ("response", ",", ","),
        ("", ",", ","),
        ('"a;b",c', ",", ","),
        ('"a;b"', ",", ","),
        ('"a,b";c', ",", ";"),
        ('x;"a,""b"";c";y', ",", ";"),
        ('5" disk;7" disk', ",", ";"),
        ('"a,\nb";c', ",", ";"),
    ],
    ids=[
        "both", "two others", "two others in tsv", "both in tsv", "one column", "nothing", "between quotes",
        "one quoted column", "a comma between quotes", "doubled quotes", "inches", "a line break between quotes",
    ],
)  # fmt: skip
def test_a_separator_in_doubt_is_the_usual_one(header: str, usual: str, found: str) -> None:
    assert separator(header, usual) == found


@given(
    st.lists(
        st.text(st.sampled_from('ab";|,\t\n\r '), min_size=1, max_size=6), min_size=2, max_size=5, unique_by=str.strip
    ),
    st.sampled_from(SEPARATORS),
)
def test_what_a_writer_quotes_is_read_again(columns: list[str], mark: str) -> None:
    """A table whose names are all quoted has one reading, whatever is in them."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=mark, quoting=csv.QUOTE_ALL)
    writer.writerows([columns, columns])
    (chunk,) = read_separated(io.BytesIO(text.getvalue().encode()), "a.csv")
    assert chunk.read() == ([(0, dict(zip(map(str.strip, columns), columns, strict=True)))], [])


def test_csv_rows_that_do_not_fit(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"a,b\n1,2\n1,2,3\n1\n5,6\n")
    rows, problems = read(path)
    assert rows == [{"a": "1", "b": "2"}, {"a": "1"}, {"a": "5", "b": "6"}]
    assert [(problem.where, problem.what) for problem in problems] == [
        (f"{path}:3", "3 cells for 2 columns"),
    ]


def test_a_csv_quote_that_never_closes_is_reported_where_it_opens(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('a,b\n1,"x\ny"\n2,5" wide\n3,"Paris\n4,z\n')
    rows, problems = read(path)
    assert rows == [{"a": "1", "b": "x\ny"}, {"a": "2", "b": '5" wide'}]
    assert [problem.where for problem in problems] == [f"{path}:5"]
    assert "a quote opens here" in problems[0].what


def test_spaces_around_the_names_of_csv_columns_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id, response ,answer \n1, x,y\n")
    assert read(path) == ([{"id": "1", "response": " x", "answer": "y"}], [])


@pytest.mark.parametrize("tail", ["", ",", ', {"n": ', ', {"n": nope}]', '][{"n": 3}]', "] and more"])
def test_an_array_that_breaks_gives_what_came_before(tail: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[{"n": 1}, {"n": 2}' + tail)
    rows, problems = read(path)
    assert rows == [{"n": 1}, {"n": 2}]
    assert len(problems) == 1
    assert problems[0].where == f"{path}: element 3"


@settings(max_examples=50)
@given(
    st.lists(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner) |
    st.dictionaries(st.text(), inner), max_leaves=5)), st.integers(1, 40)
)  # fmt: skip
def test_arrays_of_anything_are_split_as_json_says(tmp_path_factory: Any, values: list[Any], size: int) -> None:
    path = tmp_path_factory.mktemp("array") / "a.json"
    path.write_text(json.dumps(values))
    before, files.CHUNK_BYTES = files.CHUNK_BYTES, size
    try:
        rows, problems = read(path)
    finally:
        files.CHUNK_BYTES = before
    assert rows == [value for value in values if isinstance(value, dict)]
    assert len(problems) == len(values) - len(rows)
