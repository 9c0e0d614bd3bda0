"""Any dataset of the hub is read by `hf:ORG/NAME`, in whatever format it is there, as far as rows are asked for."""

from __future__ import annotations

import gzip
import io
import json
import random
import shutil
import sys
import zipfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest

from ringtrue.datasets import Origin, load
from ringtrue.datasets.catalogue.loading import is_name, parse_name
from ringtrue.errors import ConfigurationError, InputError, MissingExtra
from support.hub import COMMIT, Served, encoded, read

try:
    INSTALLED = bool(version("datasets"))
except PackageNotFoundError:
    INSTALLED = False
with_library = pytest.mark.skipif(not INSTALLED, reason="the extra `datasets` is not installed")

ROWS = [{"question": f"Question {n}?", "answer": text} for n, text in enumerate(["007", "2020-01-01", "NA", "1.50"])]
CARD = """---
configs:
- config_name: easy
  data_files:
  - split: test
    path: simple/*.jsonl
  - split: dev
    path: rehearsal/part.jsonl
- config_name: hard
  data_files: difficult.jsonl
---
"""


def zipped(name: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as files:
        files.writestr(name, encoded(name, ROWS))
    return packed.getvalue()


def lines(rows: list[dict[str, Any]]) -> bytes:
    return encoded("a.jsonl", rows)


def arrow(rows: list[dict[str, Any]]) -> bytes:
    import pyarrow

    sink = io.BytesIO()
    table = pyarrow.Table.from_pylist(rows)
    with pyarrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


def write(folder: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        path = folder / "me" / "mine" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


FORMATS: dict[str, dict[str, bytes]] = {
    "parquet in shards": {
        "data/test-00000-of-00002.parquet": encoded("a.parquet", ROWS[:3]),
        "data/test-00001-of-00002.parquet": encoded("a.parquet", ROWS[3:]),
    },
    "jsonl": {"test.jsonl": lines(ROWS)},
    "jsonl gzipped": {"test.jsonl.gz": gzip.compress(lines(ROWS))},
    "a json array": {"test.json": encoded("a.json", ROWS)},
    "a json object of many lines": {"test.json": json.dumps({"version": 1, "data": ROWS}, indent=2).encode()},
    "csv": {"test.csv": encoded("a.csv", ROWS)},
    "tsv": {"test.tsv": encoded("a.tsv", ROWS)},
    "arrow": {"test/data-00000-of-00001.arrow": arrow(ROWS)},
    "jsonl in an archive": {"test.zip": zipped("rows.jsonl")},
}
EXACT = [name for name in FORMATS if "archive" not in name]


def values_of(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(row["question"], row["answer"]) for row in rows]


@with_library
@pytest.mark.parametrize("files", FORMATS.values(), ids=FORMATS)
def test_a_mirror_is_read_in_every_format(files: dict[str, bytes], tmp_path: Path) -> None:
    write(tmp_path, files)
    found = list(load("hf:me/mine", origin=Origin(tmp_path)))
    assert [row["question"] for row in found] == [row["question"] for row in ROWS]
    assert [row["id"] for row in found] == [0, 1, 2, 3]
    assert {row["dataset"] for row in found} == {"hf:me/mine"}
    assert {row["source"] for row in found} == {"me/mine@unknown, default, test"}


@with_library
@pytest.mark.parametrize("name", EXACT)
def test_answers_stay_as_they_are_written(name: str, tmp_path: Path) -> None:
    """A text that looks like a number, a time or nothing is a text all the same."""
    write(tmp_path, FORMATS[name])
    assert values_of(list(load("hf:me/mine", origin=Origin(tmp_path)))) == values_of(ROWS)


@with_library
@pytest.mark.parametrize("name", ["parquet in shards", "csv", "jsonl in an archive"])
def test_the_hub_is_read_over_http_and_the_process_ends(name: str, tmp_path: Path) -> None:
    served = write(tmp_path / "served", FORMATS[name])
    with Served({"main": served, COMMIT: served}) as hub:
        found, said = read(hub.url, tmp_path, "hf:me/mine@test", "3", HF_TOKEN="hf_secret")
        tokens = hub.tokens
    assert ([row["question"] for row in found], said) == ([row["question"] for row in ROWS[:3]], "")
    assert {row["source"] for row in found} == {f"me/mine@{COMMIT}, default, test"}
    assert tokens == {"Bearer hf_secret"}
    assert json.loads((tmp_path / ".ringtrue" / "revisions.json").read_text()) == {"me/mine": COMMIT}


@with_library
def test_a_few_rows_of_parquet_cost_their_row_group(tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet as parquet

    path = tmp_path / "served" / "me" / "mine" / "data" / "test-00000-of-00001.parquet"
    path.parent.mkdir(parents=True)
    rows = [{"question": random.Random(n).randbytes(50_000).hex(), "answer": str(n)} for n in range(200)]
    parquet.write_table(pyarrow.Table.from_pylist(rows), path, row_group_size=10, compression="none")
    with Served({"main": tmp_path / "served", COMMIT: tmp_path / "served"}) as hub:
        found, said = read(hub.url, tmp_path, "hf:me/mine", "5")
        sent = hub.sent
    assert ([row["answer"] for row in found], said) == ([str(n) for n in range(5)], "")
    assert sent < path.stat().st_size / 5


@with_library
def test_a_stream_of_the_library_that_is_stopped_early_is_closed_and_costs_a_part(tmp_path: Path) -> None:
    text = "".join(f"line {n} {'x' * 200}\n" for n in range(100_000)).encode()
    served = write(tmp_path / "served", {"train.txt": text})
    with Served({"main": served, COMMIT: served}) as hub:
        found, said = read(hub.url, tmp_path, "hf:me/mine", "2")
        sent = hub.sent
    assert ([row["text"].split()[1] for row in found], said) == (["0", "1"], "")
    assert sent < len(text) / 2


@with_library
def test_a_loading_script_does_not_run_and_the_hub_s_conversion_is_read(tmp_path: Path) -> None:
    script = write(tmp_path / "script", {"mine.py": b"raise SystemExit('a loading script ran')"})
    converted = write(tmp_path / "converted", {"easy/test/0000.parquet": encoded("a.parquet", ROWS)})
    with Served({"main": script, COMMIT: converted, "refs/convert/parquet": converted, "f" * 40: script}) as hub:
        hub.commits = {"main": "f" * 40, "f" * 40: "f" * 40, "refs/convert/parquet": COMMIT}
        found, said = read(hub.url, tmp_path, "hf:me/mine:easy@test")
        _, unsplit = read(hub.url, tmp_path, "hf:me/mine:easy")
    assert (values_of(found), said) == (values_of(ROWS), "")
    assert {row["source"] for row in found} == {f"me/mine@{COMMIT}"}
    assert unsplit == "me/mine has a loading script; write hf:me/mine:easy@SPLIT"


@with_library
def test_a_card_says_which_files_are_a_configuration_and_a_split(tmp_path: Path) -> None:
    files = {"README.md": CARD.encode(), "simple/part.jsonl": lines(ROWS[:2]), "difficult.jsonl": lines(ROWS[2:])}
    write(tmp_path, {**files, "rehearsal/part.jsonl": lines(ROWS[3:])})
    origin = Origin(tmp_path)
    assert values_of(list(load("hf:me/mine:easy@test", origin=origin))) == values_of(ROWS[:2])
    assert values_of(list(load("hf:me/mine:hard", origin=origin))) == values_of(ROWS[2:])
    for name, message in {
        "hf:me/mine": r"has several configurations; it has easy, hard; write hf:ORG/NAME:easy",
        "hf:me/mine:gentle": r"has no configuration 'gentle'; it has easy, hard",
        "hf:me/mine:easy": r"me/mine has several splits; it has test, dev; write hf:me/mine:easy@dev",
        "hf:me/mine:easy@train": r"me/mine has no split 'train'; it has test, dev; write hf:me/mine:easy@dev",
    }.items():
        with pytest.raises(ConfigurationError, match=message):
            list(load(name, origin=origin))


@with_library
def test_what_rows_call_dataset_source_or_id_stays_theirs(tmp_path: Path) -> None:
    row = {"question": "Half of nine?", "answer": "9/2", "dataset": "math", "source": "a book", "question_id": "q7"}
    write(tmp_path, {"test.jsonl": lines([row])})
    assert list(load("hf:me/mine", origin=Origin(tmp_path))) == [{**row, "id": "q7"}]


@with_library
def test_offline_the_hub_s_cache_is_read(tmp_path: Path) -> None:
    """The cache keeps links to files that are named by their content."""
    blob = tmp_path / "blobs" / "5f3e"
    blob.parent.mkdir()
    blob.write_bytes(lines(ROWS))
    snapshot = tmp_path / "cache" / "datasets--me--mine" / "snapshots" / COMMIT
    snapshot.mkdir(parents=True)
    (snapshot / "test.jsonl").symlink_to(blob)
    found = list(load("hf:me/mine", origin=Origin(offline=True, cache=tmp_path / "cache")))
    assert values_of(found) == values_of(ROWS)
    assert {row["source"] for row in found} == {f"me/mine@{COMMIT}, default, test"}
    shutil.rmtree(snapshot)
    with pytest.raises(InputError, match="hf download me/mine --repo-type dataset"):
        list(load("hf:me/mine", origin=Origin(offline=True, cache=tmp_path / "cache")))


REFUSED: dict[str, tuple[dict[str, bytes], str]] = {
    "no rows": ({"notes.xyz": b"x"}, "has no files of rows that the datasets library knows"),
    "broken json": ({"test.jsonl": b'{"question":\n'}, r"test\.jsonl:1: not JSON"),
    "broken parquet": ({"test.parquet": b"PAR1 nothing"}, "test.parquet is not a Parquet file that can be read"),
    "broken arrow": ({"test.arrow": b"nothing"}, "test.arrow is not an Arrow file that can be read"),
    "a card that is no YAML": ({"README.md": b"---\na: [\n---\n", "test.jsonl": b"{}"}, "library cannot read .*mine: "),
    "broken archive": ({"test.zip": b"PK nothing"}, "library cannot read|no files of rows"),
}


@with_library
@pytest.mark.parametrize(("files", "message"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_read_is_said(files: dict[str, bytes], message: str, tmp_path: Path) -> None:
    write(tmp_path, files)
    with pytest.raises(InputError, match=message):
        list(load("hf:me/mine", origin=Origin(tmp_path)))


@with_library
def test_what_the_hub_refuses_is_reported_as_for_a_benchmark(tmp_path: Path) -> None:
    served = write(tmp_path / "served", FORMATS["csv"])
    with Served({"main": served, COMMIT: served}, gated=("me/mine",)) as hub:
        _, gated = read(hub.url, tmp_path, "hf:me/mine")
        _, gone = read(hub.url, tmp_path, "hf:me/other")
    _, unreachable = read("http://127.0.0.1:9", tmp_path, "hf:me/mine")
    assert "it is gated; accept its terms at https://huggingface.co/datasets/me/mine" in gated
    assert gone.startswith("the hub has no dataset me/other")
    assert "--data-dir DIR (or RINGTRUE_DATA_DIR) reads a copy in DIR/me/mine" in unreachable


def test_without_the_extra_the_message_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, FORMATS["csv"])
    monkeypatch.setitem(sys.modules, "datasets", None)
    monkeypatch.delitem(sys.modules, "ringtrue.datasets.hub.hf_library", raising=False)
    with pytest.raises(MissingExtra, match=r"pip install 'ringtrue\[datasets\]'"):
        list(load("hf:me/mine", origin=Origin(tmp_path)))


@pytest.mark.parametrize(
    "name",
    ["hf:", "hf:../x", "hf:me/../x", "hf:/etc", "hf:me/x/y", "hf:me/x@", "hf:me/x:a:b", "hf:me/x@test[:5]", "hf: "],
)
def test_a_name_that_is_none_raises_at_once(name: str) -> None:
    assert is_name(name), "it is not taken for a file"
    with pytest.raises(ConfigurationError, match="write hf:ORG/NAME, hf:ORG/NAME:CONFIG or hf:ORG/NAME:CONFIG@SPLIT"):
        load(name)


def test_a_name_says_path_configuration_and_split() -> None:
    entry, config = parse_name("hf:me/my.data-set:20220301.en@train_sft")
    assert (entry.path, config, entry.split) == ("me/my.data-set", "20220301.en", "train_sft")
    assert parse_name("hf:squad")[0].path == "squad"
