"""Rows come from a mirror folder, the hub's cache or the hub; what is in the way is said, with what to do."""

from __future__ import annotations

import gzip
import importlib.util
import json
import random
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from ringtrue.datasets.catalogue.loading import is_name, load
from ringtrue.datasets.catalogue.table import find
from ringtrue.datasets.hub.origin import Origin
from ringtrue.datasets.hub.revisions import Revisions
from ringtrue.errors import ConfigurationError, InputError, MissingExtra, UnknownName
from support.hub import COMMIT, Served, fixture, read, write_mirror

PINNED = find("gsm8k").revision or ""
with_hub = pytest.mark.skipif(
    importlib.util.find_spec("huggingface_hub") is None, reason="the extra `hub` is not installed"
)


def sources(origin: Origin) -> set[str]:
    return {case["source"] for case in load("gsm8k", origin=origin)}


def test_a_mirror_has_the_hub_s_paths_and_knows_the_commit_hf_download_noted(tmp_path: Path) -> None:
    write_mirror(tmp_path, "gsm8k")
    assert sources(Origin(tmp_path)) == {"openai/gsm8k@unknown"}
    notes = tmp_path / "openai" / "gsm8k" / ".cache" / "huggingface" / "download" / "main"
    notes.mkdir(parents=True)
    (notes / "test-00000-of-00001.parquet.metadata").write_text(f"{PINNED}\netag\n1700000000.0\n")
    assert sources(Origin(tmp_path)) == {f"openai/gsm8k@{PINNED}"}


def cached(folder: Path, commit: str) -> Path:
    write_mirror(folder / "once", "gsm8k")
    target = folder / "cache" / "datasets--openai--gsm8k" / "snapshots" / commit
    shutil.copytree(folder / "once" / "openai" / "gsm8k", target)
    return folder / "cache"


def test_offline_the_hub_s_cache_is_read(tmp_path: Path) -> None:
    assert sources(Origin(offline=True, cache=cached(tmp_path, PINNED))) == {f"openai/gsm8k@{PINNED}"}
    assert sources(Origin(cached(tmp_path / "as_mirror", PINNED))) == {f"openai/gsm8k@{PINNED}"}


def test_another_commit_than_the_pinned_one_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"it has {COMMIT}, and {PINNED} is wanted"):
        sources(Origin(offline=True, cache=cached(tmp_path, COMMIT)))


def test_a_missing_copy_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        sources(Origin(tmp_path))
    assert f"hf download openai/gsm8k --repo-type dataset --revision {PINNED} --local-dir" in str(caught.value)


def test_a_mirror_without_the_split_says_what_it_has(tmp_path: Path) -> None:
    folder = tmp_path / "cais" / "mmlu" / "all"
    folder.mkdir(parents=True)
    (folder / "test.jsonl").write_text("")
    with pytest.raises(InputError, match=r"no file of configuration 'anatomy', split 'test'; it has all/test.jsonl"):
        list(load("mmlu:anatomy", origin=Origin(tmp_path)))


@pytest.mark.parametrize("pack", [lambda data: data, gzip.compress], ids=["plain", "gzipped"])
def test_rows_may_be_json_lines_gzipped_or_not(pack: Any, tmp_path: Path) -> None:
    folder = tmp_path / "openai" / "gsm8k" / "main"
    folder.mkdir(parents=True)
    name = "test.jsonl.gz" if pack is gzip.compress else "test.jsonl"
    (folder / name).write_bytes(pack(b'{"question": "q", "answer": "#### 1"}\n'))
    assert [case["answer"] for case in load("gsm8k", origin=Origin(tmp_path))] == [["1"]]


@pytest.mark.parametrize("content", ['[{"transcript": "t", "summary": "s"}]', '{"transcript": "t", "summary": "s"}\n'])
def test_json_is_an_array_or_lines(content: str, tmp_path: Path) -> None:
    (tmp_path / "huuuyeah" / "meetingbank").mkdir(parents=True)
    (tmp_path / "huuuyeah" / "meetingbank" / "test.json").write_text(content)
    assert [case["answer"] for case in load("meetingbank", origin=Origin(tmp_path))] == [["s"]]


def test_an_archive_without_the_split_says_what_it_holds(tmp_path: Path) -> None:
    import zipfile

    (tmp_path / "tau" / "scrolls").mkdir(parents=True)
    with zipfile.ZipFile(tmp_path / "tau" / "scrolls" / "qmsum.zip", "w") as archive:
        archive.writestr("qmsum/test.jsonl", "")
    with pytest.raises(InputError, match=r"the archive holds qmsum/test\.jsonl"):
        list(load("qmsum", origin=Origin(tmp_path)))


def test_the_environment_says_where_rows_are() -> None:
    given = {"RINGTRUE_DATA_DIR": "/mirror", "HF_TOKEN": "hf_x", "HF_HUB_OFFLINE": "1", "HF_HOME": "/hf"}
    found = Origin.from_env(environment=given)
    assert (found.data_dir, found.token, found.offline, found.cache) == ("/mirror", "hf_x", True, Path("/hf/hub"))
    assert Origin.from_env("/named", given).data_dir == "/named"
    nothing = Origin.from_env(environment={"HF_HUB_OFFLINE": "0"})
    assert (nothing.data_dir, nothing.token, nothing.offline) == (None, None, False)


def test_without_the_extra_the_message_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    monkeypatch.delitem(sys.modules, "ringtrue.datasets.hub.hub_repository", raising=False)
    with pytest.raises(MissingExtra, match=r"pip install 'ringtrue\[hub\]'"):
        list(load("gsm8k", origin=Origin()))


UNKNOWN = {
    "gsm8": "no dataset named 'gsm8'; did you mean 'gsm8k'? 'ringtrue list datasets' shows all",
    "mmlu:anatomi": "mmlu has no configuration 'anatomi'; did you mean 'mmlu:anatomy'? 'ringtrue show dataset mmlu'",
    "infinitebench:en_qa": "infinitebench has no configuration 'en_qa'; it has longbook_qa_eng, longbook_qa_chn, ",
    "mmlu@validation": "no dataset named 'mmlu@validation'; 'mmlu' is read from another split by --split validation",
    "hotpotqa@sample": "no rows of hotpotqa come with the package; there are samples of mmlu",
    "ruler:16k@sample": "ruler is generated: it has no sample; write 'ruler:16k'",
    "bfcl:multi_turn_base@sample": "no rows of bfcl:multi_turn_base come with the package; those of bfcl@sample are of",
    "gsm8k:main": "gsm8k has no configurations; write 'gsm8k' instead of 'gsm8k:main'",
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_an_unknown_name_raises_at_once_with_the_nearest(name: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load(name)
    assert str(caught.value).startswith(UNKNOWN[name])
    assert isinstance(caught.value, UnknownName) == (name == "gsm8")


def test_a_name_is_not_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine").write_text("{}")
    assert [is_name(text) for text in ("gsm8k", "mmlu:anatomy", "gsm8k@sample", "gsm8", "triviaqa:rc.web")] == [
        True
    ] * 5
    assert not any(is_name(text) for text in ("rows.jsonl", "./gsm8k", "data/rows", "mine", "-", "missing.csv"))


def test_a_record_of_revisions_stays_as_it_was_first(tmp_path: Path) -> None:
    kept = Revisions(tmp_path / "a" / "revisions.json")
    kept.record("owner/name", "first")
    kept.record("owner/name", "second")
    kept.record("owner/other", "third")
    assert (kept.of("owner/name"), kept.of("owner/other"), kept.of("owner/none")) == ("first", "third", None)
    kept.path.write_text("{")
    with pytest.raises(InputError, match="remove it to resolve revisions again"):
        kept.of("owner/name")


@with_hub
@pytest.mark.parametrize("name", ["gsm8k", "hotpotqa", "frames", "qmsum", "nolima", "bfcl"])
def test_the_hub_is_read_over_http(name: str, tmp_path: Path) -> None:
    """Parquet, TSV, archives, text and JSON lines, by the real client, from a server that speaks like the hub."""
    mirror = write_mirror(tmp_path / "served", name)
    with Served({find(name).revision or "main": mirror, "main": mirror, COMMIT: mirror}) as hub:
        found, said = read(hub.url, tmp_path, name)
    assert said == ""
    assert [{**case, "source": ""} for case in found] == [
        {**case, "source": ""} for case in load(name, origin=Origin(mirror))
    ]
    assert {case["source"] for case in found} == {f"{fixture(name)['path']}@{COMMIT}"}


@with_hub
def test_the_first_load_of_an_unpinned_dataset_records_the_commit(tmp_path: Path) -> None:
    mirror = write_mirror(tmp_path / "served", "narrativeqa")
    with Served({"main": mirror, COMMIT: mirror}) as hub:
        read(hub.url, tmp_path, "narrativeqa")
        assert json.loads((tmp_path / ".ringtrue" / "revisions.json").read_text()) == {"deepmind/narrativeqa": COMMIT}
        hub.folders.pop("main")
        hub.asked.clear()
        again, said = read(hub.url, tmp_path, "narrativeqa")
    assert (len(again), said) == (1, "")
    assert hub.asked[0] == f"GET /api/datasets/deepmind/narrativeqa/revision/{COMMIT}"


@with_hub
def test_a_repository_with_a_loading_script_is_read_as_the_hub_converted_it(tmp_path: Path) -> None:
    script = tmp_path / "script" / "allenai" / "qasper"
    script.mkdir(parents=True)
    (script / "qasper.py").write_text("raise SystemExit('a loading script ran')")
    converted = write_mirror(tmp_path / "converted", "qasper")
    with Served({"main": tmp_path / "script", COMMIT: converted, "refs/convert/parquet": converted}) as hub:
        hub.commits = {"main": "f" * 40, "refs/convert/parquet": COMMIT}
        hub.folders["f" * 40] = tmp_path / "script"
        found, said = read(hub.url, tmp_path, "qasper")
    assert said == ""
    assert [case["id"] for case in found] == ["q1", "q2", "q3"]
    assert {case["source"] for case in found} == {f"allenai/qasper@{COMMIT}"}, "the converted commit, not the script's"


@with_hub
def test_a_few_rows_cost_a_few_bytes(tmp_path: Path) -> None:
    folder = tmp_path / "served" / "xinrongzhang2022" / "InfiniteBench"
    folder.mkdir(parents=True)
    row = {"id": 0, "context": "word " * 20_000, "input": "Who?", "answer": ["Ann"], "options": []}
    (folder / "longbook_qa_eng.jsonl").write_text("".join(json.dumps({**row, "id": n}) + "\n" for n in range(400)))
    mirror = tmp_path / "served"
    with Served({find("infinitebench").revision or "": mirror, COMMIT: mirror}) as hub:
        found, said = read(hub.url, tmp_path, "infinitebench", "2")
        sent = hub.sent
    assert ([case["id"] for case in found], said) == ([0, 1], "")
    assert sent < (folder / "longbook_qa_eng.jsonl").stat().st_size / 2


@with_hub
def test_a_few_rows_of_parquet_cost_their_row_group(tmp_path: Path) -> None:
    """A reader that is stopped early has not fetched the file ahead, and its process ends."""
    import pyarrow as arrow
    import pyarrow.parquet as parquet

    served = tmp_path / "served"
    path = served / "openai" / "gsm8k" / "main" / "test-00000-of-00001.parquet"
    path.parent.mkdir(parents=True)
    rows = [{"question": random.Random(n).randbytes(50_000).hex(), "answer": f"#### {n}"} for n in range(200)]
    parquet.write_table(arrow.Table.from_pylist(rows), path, row_group_size=10, compression="none")
    with Served({PINNED: served, COMMIT: served}) as hub:
        few, said = read(hub.url, tmp_path, "gsm8k", "5")
        sent = hub.sent
        every, _ = read(hub.url, tmp_path, "gsm8k")
    assert ([case["answer"] for case in few], said) == ([[str(n)] for n in range(5)], "")
    assert sent < path.stat().st_size / 5
    assert [case["answer"] for case in every] == [[str(n)] for n in range(200)]


@with_hub
def test_a_gated_dataset_wants_a_token_and_gets_it(tmp_path: Path) -> None:
    mirror = write_mirror(tmp_path / "served", "gpqa")
    with Served({find("gpqa").revision or "": mirror, COMMIT: mirror}, gated=("Idavidrein/gpqa",)) as hub:
        _, without = read(hub.url, tmp_path, "gpqa")
        assert hub.asked == [], "it is said before the first request"
        found, said = read(hub.url, tmp_path, "gpqa", HF_TOKEN="hf_secret")
        tokens = hub.tokens
    assert "accept its terms at https://huggingface.co/datasets/Idavidrein/gpqa" in without
    assert "set HF_TOKEN" in without
    assert (len(found), said) == (12, "")
    assert tokens == {"Bearer hf_secret"}
    assert "hf_secret" not in json.dumps(found)
    assert [path for path in tmp_path.rglob("*") if path.is_file() and b"hf_secret" in path.read_bytes()] == []


@with_hub
def test_no_network_says_how_to_use_a_mirror(tmp_path: Path) -> None:
    _, said = read("http://127.0.0.1:9", tmp_path, "gsm8k")
    assert said.startswith("the hub cannot be read for openai/gsm8k: ")
    assert "--data-dir DIR (or RINGTRUE_DATA_DIR) reads a copy in DIR/openai/gsm8k" in said
    assert f"openai/gsm8k --repo-type dataset --revision {PINNED} --local-dir DIR/openai/gsm8k; " in said
    assert said.endswith("a few rows come with the package: gsm8k@sample")
    assert "Traceback" not in said


@with_hub
def test_a_dataset_that_is_gone_is_named(tmp_path: Path) -> None:
    with Served({find("gsm8k").revision or "": tmp_path / "nothing"}) as hub:
        _, said = read(hub.url, tmp_path, "gsm8k")
    assert said.startswith("the hub has no dataset openai/gsm8k")
