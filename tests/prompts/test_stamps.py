"""A stamp says who made a case and for which prompts; nothing else in a file of cases is touched for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue import EvalCase
from ringtrue.prompts.commit import git_info
from ringtrue.prompts.places import (
    AmbiguousSiteError,
    anchor_for_record,
    parse_site_spec,
    resolve_site_spec,
    stamp,
    target_from_record,
)
from ringtrue.prompts.source import scan
from ringtrue.prompts.stamped_file import stamp_jsonl
from ringtrue.prompts.stamps import (
    NonConformingProvenanceError,
    ProvenanceError,
    merge_targets,
    new_provenance,
    read_provenance,
)
from ringtrue.systems.asked_case import PROVENANCE_KEY

APP = """
def greet():
    c.messages.create(system="Be kind.", messages=[{"role": "user", "content": "Hello"}])
def part():
    c.messages.create(system="Say goodbye.")
def again():
    c.messages.create(system="Say goodbye.")
"""


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    (tmp_path / "app.py").write_text(APP)
    return tmp_path


def target(repo: Path, spec: str) -> dict[str, Any]:
    return target_from_record(resolve_site_spec(scan(repo), spec))


def cases(repo: Path, data: bytes) -> Path:
    path = repo / "cases.jsonl"
    path.write_bytes(data)
    return path


def stamps(path: Path) -> list[dict[str, Any] | None]:
    rows = [json.loads(line) for line in path.read_text("utf-8-sig").splitlines() if line.strip()]
    return [(row.get("metadata") or {}).get(PROVENANCE_KEY) for row in rows]


SPECS = {
    "app.py": ("app.py", None, None, None),
    "a/b.py.system": ("a/b.py", None, "system", None),
    "a/b.py.user#12": ("a/b.py", None, "user", 12),
    "app.py::greet": ("app.py", "greet", None, None),
    "app.py::A.b.developer": ("app.py", "A.b", "developer", None),
    "app.py::<module>.messages": ("app.py", "<module>", "messages", None),
    "app.py::assistant#0": ("app.py", None, "assistant", 0),
    "system": ("system", None, None, None),
    "": ("", None, None, None),
}


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec or "nothing")
def test_the_words_for_a_place_are_read(spec: str) -> None:
    assert tuple(parse_site_spec(spec).values()) == SPECS[spec]


@given(st.text())
def test_any_words_mean_nothing_where_there_is_nothing(spec: str) -> None:
    with pytest.raises(AmbiguousSiteError) as caught:
        resolve_site_spec([], spec)
    assert caught.value.candidates == []


@pytest.mark.parametrize("position", ["", "x", "9" * 5_000], ids=["nothing", "a letter", "too long"])
def test_a_position_is_a_number(position: str) -> None:
    with pytest.raises(AmbiguousSiteError, match="must be an integer"):
        parse_site_spec(f"app.py.user#{position}")


def test_words_that_mean_several_prompts_are_refused(repo: Path) -> None:
    records = scan(repo)
    assert resolve_site_spec(records, "./app.py::greet.user#0").text == "Hello"
    with pytest.raises(AmbiguousSiteError, match="2 prompts") as caught:
        resolve_site_spec(records, "app.py::greet")
    assert len(caught.value.candidates) == 2
    assert "app.py::greet.user#0" in str(caught.value)
    with pytest.raises(AmbiguousSiteError, match="no prompt at"):
        resolve_site_spec(records, "app.py::greet.assistant")


def test_a_text_that_stands_twice_needs_the_name_of_its_function(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.py").write_text("def f():\n    c.messages.create(system='s')")
    records = scan(tmp_path)
    with pytest.raises(AmbiguousSiteError, match="2 places"):
        resolve_site_spec(records, "a.py.system")
    assert resolve_site_spec(records, "a.py::f.system").file_path == "a.py"


def test_metadata_for_a_case_in_python(repo: Path) -> None:
    case = EvalCase("Hi?", metadata=stamp(["app.py::greet.system"], repo, authored_by="me", case_uid="c1"))
    status, made = read_provenance(case.metadata)
    assert (status, made and made["case_uid"], made and made["authored_by"]) == ("ok", "c1", "me")
    (found,) = (made or {})["targets"]
    assert found["anchor"] == anchor_for_record(resolve_site_spec(scan(repo), "app.py::greet.system"))
    assert (found["bound"], found["source"], found["is_dynamic"]) == ("manual", "scan", False)
    assert read_provenance(stamp(repo=repo))[1]["targets"] == []  # type: ignore[index]


LINES = [
    b'{"input":"a","tags":["x"],"odd":1.50}\r\n',
    b"\r\n",
    '\t{"input": "ü", "tags": "x"}\n'.encode(),
    b'{"input": "c", "metadata": null, "tags": ["x", 1]}',
]


def test_lines_that_are_not_selected_stay_as_they_were(repo: Path) -> None:
    path = cases(repo, b"\xef\xbb\xbf" + b"".join(LINES))
    result = stamp_jsonl(path, [target(repo, "app.py::greet.system")], tag="x", repo=repo)
    assert (result.selected, result.updated, result.unchanged, result.dry_run) == (2, 2, 0, False)
    first, blank, second, third = path.read_bytes().split(b"\n")
    assert (blank, second) == (b"\r", LINES[2].rstrip(b"\n"))
    assert first.startswith(b'\xef\xbb\xbf{"input": "a"')
    assert first.endswith(b"\r")
    assert json.loads(third)["metadata"].keys() == {PROVENANCE_KEY}
    assert [stamp is not None for stamp in stamps(path)] == [True, False, True]


def test_the_same_stamp_again_changes_no_byte(repo: Path) -> None:
    path = cases(repo, '{"input": "é"}\n{"input": "\\u00fc"}\n'.encode())
    wanted = [target(repo, "app.py::greet.system")]
    stamp_jsonl(path, wanted, select_all=True, repo=repo, _now="2026-01-01T00:00:00Z")
    before = path.read_bytes()
    assert "é".encode() in before
    result = stamp_jsonl(path, wanted, select_all=True, repo=repo, _now="2026-02-01T00:00:00Z")
    assert (result.updated, result.unchanged, path.read_bytes()) == (0, 2, before)


def test_another_prompt_is_put_beside_and_a_changed_one_takes_its_place(repo: Path) -> None:
    path = cases(repo, b'{"input": "a", "metadata": {"mine": 1}}\n')

    def stamped(spec: str, now: str, **more: Any) -> dict[str, Any]:
        stamp_jsonl(path, [target(repo, spec)], indices=[0], repo=repo, _now=now, **more)
        (found,) = stamps(path)
        assert found is not None
        return found

    first = stamped("app.py::greet.system", "2026-01-01T00:00:00Z", authored_by="me", evidence={"report": "r.json"})
    second = stamped("app.py::part.system", "2026-02-01T00:00:00Z", authored_by="you")
    assert len(second["targets"]) == 2
    assert [second[name] for name in ("case_uid", "authored_at", "authored_by")] == [
        first[name] for name in ("case_uid", "authored_at", "authored_by")
    ]
    assert (second["stamped_at"], second["evidence"]) == ("2026-02-01T00:00:00Z", None)
    (repo / "app.py").write_text(APP.replace("Be kind.", "Be brief."))
    third = stamped("app.py::greet.system", "2026-03-01T00:00:00Z")
    assert [found["anchor"]["qualname"] for found in third["targets"]] == ["greet", "part"]
    assert third["targets"][0]["fingerprint"] != first["targets"][0]["fingerprint"]
    assert json.loads(path.read_text())["metadata"]["mine"] == 1


REFUSED = {
    "no JSON": (b'{"input": "a"}\n{oops\n', r"cases\.jsonl:2: not valid JSON"),
    "no object": (b"[1]", r"cases\.jsonl:1: .*JSON object"),
    "metadata that are none": (b'{"metadata": [1]}', "metadata must be an object"),
    "a key twice": (b'{"input": "a", "input": "b"}', "repeats the key 'input'"),
    "a number that no double holds": (b'{"input": 1e999}', "number too wide"),
    "half a pair of surrogates": (b'{"input": "\\ud800"}', "lone surrogate"),
    "nesting": (b'{"input": ' + b"[" * 100_000, "not valid JSON"),
    "not UTF-8": (b'{"input": "\xff"}', "cannot read"),
    "an unreadable stamp": (b'{"metadata": {"_provenance": 1}}', r"cases\.jsonl:1: its stamp is unreadable"),
    "a later stamp": (b'{"metadata": {"_provenance": {"schema_version": 2}}}', "unreadable, newer"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_stamped_is_refused_and_kept(name: str, repo: Path) -> None:
    data, words = REFUSED[name]
    path = cases(repo, data)
    with pytest.raises(ProvenanceError, match=words):
        stamp_jsonl(path, [], select_all=True, repo=repo)
    assert path.read_bytes() == data


def test_force_replaces_a_stamp_that_cannot_be_read(repo: Path) -> None:
    path = cases(repo, b'{"input": "a", "metadata": {"_provenance": {"schema_version": 99}}}\n')
    with pytest.raises(NonConformingProvenanceError):
        stamp_jsonl(path, [], indices=[0], repo=repo)
    assert stamp_jsonl(path, [], indices=[0], repo=repo, force=True).updated == 1
    assert stamps(path)[0]["schema_version"] == 1  # type: ignore[index]


def test_nothing_selected_and_a_trial_write_nothing(repo: Path) -> None:
    path = cases(repo, b'{"input": "a"}\n{oops\n')
    assert stamp_jsonl(path, [], indices=[9], repo=repo).selected == 0
    assert stamp_jsonl(path, [], indices=[0], repo=repo, dry_run=True).updated == 1
    assert path.read_bytes() == b'{"input": "a"}\n{oops\n'
    with pytest.raises(ProvenanceError, match="cannot read"):
        stamp_jsonl(repo / "no.jsonl", [], select_all=True)


def test_what_was_seen_at_runtime_differs_by_its_text() -> None:
    anchor = {"file_path": "a.py"}
    seen = [{"source": "runtime", "fingerprint": text, "anchor": anchor} for text in "ab"]
    written = [{"source": "scan", "fingerprint": text, "anchor": anchor} for text in "ab"]
    assert merge_targets(seen[:1], seen) == seen
    assert merge_targets([*seen, *written[:1]], written[1:]) == [*seen, written[1]]
    assert merge_targets(["odd", None], []) == ["odd", None]


STATUSES = {
    "unstamped": [None, {}, 7, {"other": 1}],
    "unreadable": [{"_provenance": stamp} for stamp in ("x", {}, {"schema_version": True}, {"schema_version": 1.0})],
    "unreadable_newer": [{"_provenance": {"schema_version": 2}}],
    "ok": [{"_provenance": {"schema_version": 1, "more": 1}}],
}


@pytest.mark.parametrize("status", STATUSES)
def test_a_stamp_is_read_for_what_it_is(status: str) -> None:
    assert {read_provenance(metadata)[0] for metadata in STATUSES[status]} == {status}


def test_a_stamp_tells_the_time_to_the_second() -> None:
    stamp = new_provenance(authored_by="me", git={}, targets=[])
    assert stamp["authored_at"] == stamp["stamped_at"]
    assert len(stamp["authored_at"]) == len("2026-01-01T00:00:00Z")


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    ("files", "sha"),
    [
        ({"HEAD": "ref: refs/heads/main\n", "refs/heads/main": f"{COMMIT}\n"}, "0123456"),
        ({"HEAD": "ref: refs/heads/main", "packed-refs": f"# pack\n{COMMIT} refs/heads/main\n"}, "0123456"),
        ({"HEAD": COMMIT}, "0123456"),
        ({"HEAD": "ref: refs/heads/new"}, None),
        ({"HEAD": "ref: ../../secret"}, None),
        ({"HEAD": "\0\xff"}, None),
        ({}, None),
    ],
    ids=["branch", "packed", "detached", "no commit", "outside", "rubbish", "no repository"],
)
def test_the_commit_is_read_from_files(files: dict[str, str], sha: str | None, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(COMMIT)
    for name, text in files.items():
        write(tmp_path / "repo" / ".git" / name, text)
    inside = tmp_path / "repo" / "src"
    inside.mkdir(parents=True)
    assert git_info(inside) == {"sha": sha, "dirty": None}


def test_the_commit_of_a_work_tree_beside_its_repository(tmp_path: Path) -> None:
    home = tmp_path / "main" / ".git"
    write(home / "refs" / "heads" / "side", COMMIT)
    write(home / "worktrees" / "side" / "HEAD", "ref: refs/heads/side\n")
    write(home / "worktrees" / "side" / "commondir", "../..\n")
    write(tmp_path / "side" / ".git", f"gitdir: {home / 'worktrees' / 'side'}\n")
    assert git_info(tmp_path / "side")["sha"] == "0123456"
