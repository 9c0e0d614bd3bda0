"""Arrow files, and folders that `save_to_disk` left, are read like any other file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow
import pytest

from ringtrue.api.score_file import score_file
from ringtrue.datasets.files.arrow_table import read_arrow, read_saved
from ringtrue.datasets.files.reader import read_chunks
from ringtrue.datasets.files.whole_file import read_rows
from ringtrue.errors import AbsentFile, ConfigurationError, InputError

ROWS = [{"id": f"r{n}", "response": f"text {n} «ü»", "answer": ["text", None], "n": n} for n in range(1_200)]


def write(path: Path, rows: list[dict[str, Any]], kind: str = "stream") -> Path:
    table = pyarrow.Table.from_pylist(rows)
    opened = pyarrow.ipc.new_file if kind == "file" else pyarrow.ipc.new_stream
    path.parent.mkdir(parents=True, exist_ok=True)
    with opened(str(path), table.schema) as writer:
        writer.write_table(table, max_chunksize=700)
    return path


def save(folder: Path, shards: list[list[dict[str, Any]]]) -> Path:
    """A folder in the layout of `save_to_disk`, as version 5.2.0 writes it."""
    names = [f"data-{n:05}-of-{len(shards):05}.arrow" for n in range(len(shards))]
    for name, rows in zip(names, shards, strict=True):
        write(folder / name, rows)
    state = {"_data_files": [{"filename": name} for name in names], "_fingerprint": "0", "_split": None}
    (folder / "state.json").write_text(json.dumps(state))
    (folder / "dataset_info.json").write_text("{}")
    return folder


def read(path: Path) -> list[dict[str, Any]]:
    found = list(read_rows(path))
    assert [position for position, _ in found] == list(range(len(found)))
    return [row for _, row in found]


@pytest.mark.parametrize("kind", ["stream", "file"])
def test_both_forms_of_arrow_are_read(kind: str, tmp_path: Path) -> None:
    assert read(write(tmp_path / "rows.arrow", ROWS, kind)) == ROWS


def test_a_saved_folder_is_read_shard_by_shard(tmp_path: Path) -> None:
    assert read(save(tmp_path / "saved", [ROWS[:500], ROWS[500:]])) == ROWS
    found = list(read_chunks(str(tmp_path / "saved")))
    assert found[-1].place(1_199) == f"{tmp_path / 'saved'}: row 1200"


def test_one_split_is_taken_and_of_several_one_is_to_be_named(tmp_path: Path) -> None:
    save(tmp_path / "test", [ROWS[:2]])
    (tmp_path / "dataset_dict.json").write_text('{"splits": ["test"]}')
    assert read(tmp_path) == ROWS[:2]
    save(tmp_path / "train", [ROWS])
    (tmp_path / "dataset_dict.json").write_text('{"splits": ["train", "test"]}')
    with pytest.raises(InputError, match=r"holds several splits; give one of .*/train, .*/test$"):
        read(tmp_path)
    assert read(tmp_path / "test") == ROWS[:2]


def test_answers_in_a_saved_folder_are_scored(tmp_path: Path) -> None:
    save(tmp_path / "saved", [ROWS[:3]])
    run = score_file(tmp_path / "saved", ["contains(['text'])"])
    assert (len(run.rows), run.summary("contains").value) == (3, 1.0)


def test_few_rows_are_read_of_many(tmp_path: Path) -> None:
    save(tmp_path, [ROWS[:700], ROWS])
    (tmp_path / "data-00001-of-00002.arrow").write_bytes(b"broken")
    assert len(next(read_saved(tmp_path)).rows) == 512
    with pytest.raises(InputError, match="is not an Arrow file that can be read"):
        list(read_saved(tmp_path))


BROKEN: dict[str, tuple[dict[str, str], str]] = {
    "no object": ({"state.json": "[]"}, "is not a note of save_to_disk"),
    "no JSON": ({"state.json": "{"}, r"state\.json cannot be read"),
    "nested": ({"state.json": "[" * 100_000}, r"state\.json cannot be read"),
    "outside": ({"state.json": '{"_data_files": [{"filename": "../x.arrow"}]}'}, "which is not a file name"),
    "no name": ({"state.json": '{"_data_files": [{}]}'}, "names None as a part"),
    "no file": ({"state.json": '{"_data_files": [{"filename": "x.arrow"}]}'}, r"x\.arrow is not there"),
    "a split outside": ({"dataset_dict.json": '{"splits": ["../x"]}'}, "which is not a file name"),
    "no split": ({"dataset_dict.json": "{}"}, "give one of none"),
    "a split that is not there": ({"dataset_dict.json": '{"splits": ["test"]}'}, r"state\.json cannot be read"),
}


@pytest.mark.parametrize(("files", "message"), BROKEN.values(), ids=BROKEN)
def test_a_broken_folder_is_named(files: dict[str, str], message: str, tmp_path: Path) -> None:
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=message):
        read(tmp_path)


@pytest.mark.parametrize("content", [b"", b"ARROW1", b"ARROW1\0\0nothing", b"\xff\xff\xff\xff\x10", b"{}\n" * 1_000])
def test_a_broken_file_is_named(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "rows.arrow").write_bytes(content)
    with pytest.raises(InputError, match=r"rows\.arrow is not an Arrow file that can be read"):
        list(read_arrow(str(tmp_path / "rows.arrow"), "rows.arrow"))


def test_other_folders_and_streams_are_refused(tmp_path: Path) -> None:
    with pytest.raises(AbsentFile, match="is a folder"):
        read(tmp_path)
    with pytest.raises(ConfigurationError, match="Arrow is not read from standard input"):
        list(read_chunks("-", "arrow"))
    misnamed = write(tmp_path / "rows.arrow", ROWS[:1], "file").rename(tmp_path / "rows.jsonl")
    with pytest.raises(InputError, match=r"is Arrow; add --format arrow, or end its name in \.arrow"):
        read(misnamed)
    assert [chunk.rows[0][1]["id"] for chunk in read_chunks(str(misnamed), "arrow")] == ["r0"]
