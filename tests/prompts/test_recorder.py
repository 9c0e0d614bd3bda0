"""While prompts are recorded, calls are made as ever; afterwards the libraries are as they were before."""

from __future__ import annotations

import asyncio
import inspect
import json
import subprocess
import sys
import types
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import openai
import pytest
from openai.resources.chat.completions import AsyncCompletions, Completions

from ringtrue import EvalCase, EvalSuite
from ringtrue.evaluators import NotEmpty
from ringtrue.prompts.baseline import DEFAULT_BASELINE_NAME, load_baseline, write_baseline
from ringtrue.prompts.fingerprint import fingerprint_text
from ringtrue.prompts.pages import render_text
from ringtrue.prompts.recorder import PromptRecorder
from ringtrue.prompts.recordings import (
    DEFAULT_RECORDINGS_NAME,
    RecorderError,
    apply_bindings,
    compare_observed,
    load_recordings,
    merge_recording_dicts,
    merge_recordings_into_baseline,
    propose_bindings,
    runtime_records_from_recordings,
    unmerged_runtime_sites,
    write_recordings,
)
from ringtrue.prompts.staleness import check_prompts
from ringtrue.prompts.stamps import new_provenance
from ringtrue.systems.asked_case import (
    bind_case,
    get_active_case,
    recording_active,
    reset_active_case,
    set_active_case,
    unbind_case,
)
from support.endpoint import EndpointServer

USER = [{"role": "user", "content": "Hello"}]


@pytest.fixture
def litellm(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """A library of the shape of litellm, whose functions say what they were given."""
    module = types.ModuleType("litellm")

    def completion(*args: Any, **kwargs: Any) -> Any:
        return args, kwargs

    async def acompletion(*args: Any, **kwargs: Any) -> Any:
        await asyncio.sleep(0)
        return module.completion(*args, **kwargs)

    vars(module).update(completion=completion, acompletion=acompletion)
    monkeypatch.setitem(sys.modules, "litellm", module)
    return module


@pytest.fixture(scope="module")
def server() -> Iterator[EndpointServer]:
    with EndpointServer() as started:
        yield started


def program(folder: Path, source: str, name: str = "app.py") -> dict[str, Any]:
    """What a file of the folder defines, once it has run."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)
    space: dict[str, Any] = {}
    exec(compile(source, str(path), "exec"), space)
    return space


ASK = """
import litellm
def ask(text, **more):
    return litellm.completion(model="m", messages=[{"role": "user", "content": text}], **more)
class Client:
    async def ask(self, text):
        return await (lambda: litellm.acompletion("m", [{"role": "user", "content": text}]))()
"""


def test_real_clients_are_recorded_and_answer_as_ever(tmp_path: Path, server: EndpointServer) -> None:
    originals = Completions.create, AsyncCompletions.create
    source = """
import asyncio, openai
def ask(url):
    return openai.OpenAI(base_url=url, api_key="-").chat.completions.create(
        model="m", messages=[{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hello"}])
async def wait(url):
    async with openai.AsyncOpenAI(base_url=url, api_key="-") as client:
        blocks = [{"type": "text", "text": word} for word in ("Hi", "you")]
        messages = [{"role": "user", "content": blocks}]
        later = asyncio.create_task(client.chat.completions.create(model="m", messages=messages))
        return await later
"""
    space = program(tmp_path, source)
    plain = space["ask"](server.base_url).choices[0].message.content
    with PromptRecorder(tmp_path) as recorder:
        answer = space["ask"](server.base_url)
        later = asyncio.run(space["wait"](server.base_url))
        assert "openai.chat.completions.create" in recorder.patched_sdks
    assert isinstance(answer, openai.types.chat.ChatCompletion)
    assert isinstance(later, openai.types.chat.ChatCompletion)
    assert answer.choices[0].message.content == plain
    assert (Completions.create, AsyncCompletions.create) == originals
    found = {one["fingerprint"]: one["anchor"] for one in load_recordings(recorder.out_path)}
    assert {anchor["qualname"] for anchor in found.values()} == {"ask", "wait"}
    assert found.keys() == {fingerprint_text(text) for text in ("Be kind.", "Hello", "Hi\nyou")}
    assert recorder.record_errors == 0


def test_what_is_noted_is_where_and_what_and_how_often(tmp_path: Path, litellm: types.ModuleType) -> None:
    space = program(tmp_path, ASK, "src/app.py")
    with PromptRecorder(tmp_path, tmp_path / "out" / "r.jsonl") as recorder:
        for _ in range(3):
            assert space["ask"]("Hello", top_p=1)[1]["top_p"] == 1
        args, _ = asyncio.run(space["Client"]().ask("Hi"))
        assert args[0] == "m"
        assert len(recorder.snapshot()) == 2
    first, second = load_recordings(tmp_path / "out" / "r.jsonl")
    assert (first["count"], first["case_uids"], first["schema_version"]) == (1, [], 1)
    assert first["anchor"] == {
        "file_path": "src/app.py", "qualname": "Client.ask", "line": 7,
        "sdk": "litellm", "call_site": "acompletion", "role": "user",
    }  # fmt: skip
    assert (second["count"], second["anchor"]["qualname"], "text" in second) == (3, "ask", False)


def test_texts_are_kept_on_request_alone(tmp_path: Path, litellm: types.ModuleType) -> None:
    space = program(tmp_path, ASK)
    with PromptRecorder(tmp_path, record_text=True) as recorder:
        space["ask"]("a\ud800")
    assert [one["text"] for one in load_recordings(recorder.out_path)] == ["a\\ud800"]


def test_thousands_of_cases_that_send_one_text_are_gathered(tmp_path: Path, litellm: types.ModuleType) -> None:
    app = program(tmp_path, ASK)
    with PromptRecorder(tmp_path) as recorder:
        for number in range(5_000):
            token = set_active_case(f"{number:04}")
            app["ask"]("Hello")
            reset_active_case(token)
        [noted] = recorder.snapshot()
    assert (noted["count"], len(noted["case_uids"])) == (5_000, 5_000)
    assert load_recordings(recorder.out_path) == [noted]


def test_what_cannot_be_written_is_kept_and_told(tmp_path: Path, litellm: types.ModuleType) -> None:
    app, place = program(tmp_path, ASK), tmp_path / "blocked" / "seen.jsonl"
    place.parent.write_text("a file, not a folder")
    recorder = PromptRecorder(tmp_path, place).start()
    app["ask"]("Hello")
    with pytest.raises(RecorderError, match="cannot write the recordings"):
        recorder.stop()
    assert len(recorder.snapshot()) == 1
    place.parent.unlink()
    assert len(load_recordings(recorder.flush())) == 1


def test_a_call_inside_a_call_is_the_outer_one_s(tmp_path: Path, litellm: types.ModuleType) -> None:
    space = program(tmp_path, ASK)
    with PromptRecorder(tmp_path) as recorder:
        asyncio.run(space["Client"]().ask("Hi"))  # litellm's own acompletion calls completion
    assert [one["anchor"]["call_site"] for one in load_recordings(recorder.out_path)] == ["acompletion"]


def test_calls_from_elsewhere_are_not_noted(tmp_path: Path, litellm: types.ModuleType) -> None:
    installed = program(tmp_path, ASK, ".venv/lib/app.py")
    with PromptRecorder(tmp_path) as recorder:
        litellm.completion(messages=USER)
        installed["ask"]("Hello")
    assert not recorder.out_path.exists()


@pytest.mark.parametrize("given", [iter(USER), None, "Hello", [None, 7, {"role": "user"}, {"role": 1, "content": "x"}]])
def test_messages_that_cannot_be_read_are_left_to_the_library(
    given: Any, tmp_path: Path, litellm: types.ModuleType
) -> None:
    space = program(tmp_path, "import litellm\ndef ask(m): return litellm.completion(messages=m)")
    with PromptRecorder(tmp_path) as recorder:
        _, kwargs = space["ask"](given)
    assert kwargs["messages"] is given
    assert (recorder.record_errors, recorder.out_path.exists()) == (0, False)
    if not isinstance(given, (list, str, type(None))):
        assert list(given) == USER


def test_a_note_that_fails_costs_no_call(tmp_path: Path, litellm: types.ModuleType) -> None:
    class Sly:
        @property
        def role(self) -> str:
            raise RuntimeError("no")

    space = program(tmp_path, "import litellm\ndef ask(m): return litellm.completion(messages=m)")
    with PromptRecorder(tmp_path) as recorder:
        assert space["ask"]([Sly()])
    assert recorder.record_errors == 1


def test_an_error_of_the_library_is_the_caller_s(tmp_path: Path, litellm: types.ModuleType) -> None:
    vars(litellm)["completion"] = lambda **given: 1 / 0
    original = litellm.completion
    space = program(tmp_path, ASK)
    with pytest.raises(ZeroDivisionError), PromptRecorder(tmp_path) as recorder:
        space["ask"]("Hello")
    assert len(load_recordings(recorder.out_path)) == 1
    assert litellm.completion is original
    assert not recording_active()


def test_one_recorder_at_a_time_and_each_stops_only_itself(tmp_path: Path, litellm: types.ModuleType) -> None:
    other = PromptRecorder(tmp_path)
    with PromptRecorder(tmp_path):
        with pytest.raises(RecorderError, match="already active"):
            other.start()
        other.stop()
        assert recording_active()
        assert hasattr(litellm.completion, "__ringtrue_recorder__")
    assert not recording_active()
    with PromptRecorder(tmp_path):
        assert recording_active()


def test_who_replaces_a_function_meanwhile_keeps_it(tmp_path: Path, litellm: types.ModuleType) -> None:
    space = program(tmp_path, ASK)
    with PromptRecorder(tmp_path) as recorder:
        watched = litellm.completion
        vars(litellm)["completion"] = mine = lambda **given: watched(**given)
    assert litellm.completion is mine
    assert space["ask"]("Hello")
    assert recorder.snapshot() == []
    assert list(inspect.signature(watched).parameters) == ["args", "kwargs"]


def test_importing_records_nothing() -> None:
    code = (
        "import ringtrue.prompts.recorder, sys\n"
        "from ringtrue.systems.asked_case import recording_active\n"
        "assert not recording_active() and not {'openai', 'litellm', 'anthropic'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_the_case_that_is_asked_is_noted_in_every_thread_and_task(tmp_path: Path, litellm: types.ModuleType) -> None:
    space = program(tmp_path, ASK)
    stamps = {uid: {"_provenance": new_provenance(authored_by="me", git={}, targets=[], case_uid=uid)} for uid in "abc"}
    suite = EvalSuite("s").add_evaluators(NotEmpty())
    suite.add_cases([EvalCase(f"question {uid}", metadata=stamps[uid]) for uid in "ab"])
    suite.add_cases([{"input": "question c", "metadata": stamps["c"]}, EvalCase("question of none")])

    async def waited(text: str) -> str:
        await space["Client"]().ask(text)
        return text

    def asked(text: str) -> str:
        space["ask"](text)
        return text

    with PromptRecorder(tmp_path) as recorder:
        for function in (asked, waited, lambda text: waited(text)):
            suite.run(function, verbose=False, store=None, workers=3)
    found = load_recordings(recorder.out_path)
    texts = {
        fingerprint_text(f"question {name}"): cases for name, cases in (*((u, [u]) for u in "abc"), ("of none", []))
    }
    assert {one["fingerprint"]: one["case_uids"] for one in found} == texts
    assert sum(one["count"] for one in found) == 12
    assert get_active_case() is None


def test_nothing_is_bound_while_nobody_records(tmp_path: Path, litellm: types.ModuleType) -> None:
    metadata = {"_provenance": {"schema_version": 1, "case_uid": "u"}}
    assert bind_case(metadata) is None
    unbind_case(None)
    token = set_active_case("mine")
    with PromptRecorder(tmp_path):
        inner = bind_case(metadata)
        assert get_active_case() == "u"
        assert bind_case({"_provenance": {"schema_version": 1, "case_uid": 7}}) is None
        unbind_case(inner)
    assert get_active_case() == "mine"
    reset_active_case(token)


def made(
    text: str, *, line: int = 1, role: str = "user", name: str = "f", cases: Sequence[str] = (), count: int = 1
) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "anchor": {"file_path": "a.py", "qualname": name, "line": line, "sdk": "s", "call_site": "c", "role": role},
        "fingerprint": text,
        "loose_fingerprint": f"loose {text}",
        "case_uids": list(cases),
        "count": count,
        "first_seen": f"2026-01-0{line}T00:00:00Z",
        "last_seen": f"2026-01-0{line}T00:00:00Z",
        "recorder_version": 1,
    }


def test_recordings_of_one_place_and_text_are_one() -> None:
    old, new = made("x", cases=("b",), count=2), made("x", line=3, cases=("a", "b"), count=5)
    (merged,) = merge_recording_dicts([old], [new])
    assert (merged["count"], merged["case_uids"], merged["anchor"]["line"]) == (7, ["a", "b"], 3)
    assert (merged["first_seen"], merged["last_seen"]) == ("2026-01-01T00:00:00Z", "2026-01-03T00:00:00Z")
    assert len(merge_recording_dicts([old], [made("y"), made("x", role="system"), made("x", name="g")])) == 4
    assert merge_recording_dicts([], [old]) == [old]
    odd = {"anchor": {}, "fingerprint": "x", "count": "many", "case_uids": 7}
    assert merge_recording_dicts([odd], [odd])[0]["count"] == 0


LINES = {
    "a recording": (json.dumps(made("x")), 1),
    "no JSON": ("{", 0),
    "no object": ("[]", 0),
    "no place": ('{"fingerprint": "x"}', 0),
    "no fingerprint": ('{"anchor": {}}', 0),
    "a fingerprint that is none": ('{"anchor": {}, "fingerprint": [1]}', 0),
    "a later version": (json.dumps({**made("x"), "schema_version": 2}), 0),
    "nesting": ("[" * 100_000, 0),
    "not UTF-8": ('{"anchor": {}, "fingerprint": "\udcff"}', 1),
}


@pytest.mark.parametrize("name", LINES)
def test_lines_that_are_no_recordings_are_left_out(name: str, tmp_path: Path) -> None:
    line, count = LINES[name]
    path = tmp_path / "r.jsonl"
    path.write_bytes(f"\n{line}\n".encode("utf-8", "surrogateescape"))
    assert len(load_recordings(path)) == count


def test_recordings_that_are_not_there_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(RecorderError, match="cannot read"):
        load_recordings(tmp_path / "no.jsonl")
    with pytest.raises(RecorderError):
        load_recordings(tmp_path)


ADD = """
import json, sys
from ringtrue.prompts.recordings import add_recordings
for _ in range(10):
    add_recordings(sys.argv[1], json.loads(sys.argv[2]))
"""


def test_processes_lose_nothing_of_each_other(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    given = [json.dumps([made(text), made("shared")]) for text in "pq"]
    workers = [subprocess.Popen([sys.executable, "-c", ADD, str(path), text]) for text in given]
    assert [worker.wait(60) for worker in workers] == [0, 0]
    assert {one["fingerprint"]: one["count"] for one in load_recordings(path)} == {"p": 10, "q": 10, "shared": 20}


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    (tmp_path / "app.py").write_text("c.messages.create(system='s')\n")
    write_baseline(tmp_path)
    write_recordings(tmp_path / DEFAULT_RECORDINGS_NAME, [made("x", count=3), made("y", cases=("u",))])
    return tmp_path


def test_a_baseline_keeps_what_was_seen_beside_what_was_read(repo: Path) -> None:
    place, recorded = repo / DEFAULT_BASELINE_NAME, repo / DEFAULT_RECORDINGS_NAME
    before = load_baseline(place).records
    assert merge_recordings_into_baseline(place, recorded) == (1, 2)
    kept = place.read_bytes()
    merge_recordings_into_baseline(place, recorded)
    assert place.read_bytes() == kept
    write_recordings(recorded, [made("z", line=5, count=9)])
    merge_recordings_into_baseline(place, recorded)
    write_baseline(repo)
    found = load_baseline(place)
    assert found.records == before
    (seen,) = found.runtime_records
    assert (seen["fingerprints"], seen["case_uids"], seen["observations"]) == (["x", "y", "z"], ["u"], 9)
    assert (seen["first_seen"], seen["last_seen"]) == ("2026-01-01T00:00:00Z", "2026-01-05T00:00:00Z")


def test_what_was_seen_is_compared_with_what_is_seen_alone(repo: Path) -> None:
    place, recorded = repo / DEFAULT_BASELINE_NAME, repo / DEFAULT_RECORDINGS_NAME
    merge_recordings_into_baseline(place, recorded)
    write_recordings(recorded, [made("y"), made("new"), made("x", name="elsewhere")])
    report = check_prompts(repo)
    (verdict,) = report.observed
    assert (verdict.baseline_renderings, verdict.matched, verdict.current_renderings) == (2, 1, 2)
    assert (verdict.new_renderings, report.unmerged_runtime, report.exit_code) == (1, 1, 0)
    assert [found.status for found in report.verdicts] == ["unchanged"]
    assert "matched 1 of 2" in render_text(report)
    recorded.write_bytes(b"")
    assert check_prompts(repo).observed[0].matched == 0
    recorded.unlink()
    assert not check_prompts(repo).observed[0].has_current
    recorded.mkdir()
    assert "cannot read" in (check_prompts(repo).recordings_warning or "")


def test_nothing_current_is_nothing_matched() -> None:
    seen = runtime_records_from_recordings([made("x"), made("y", role="system")])
    assert [(one.matched, one.has_current) for one in compare_observed(seen, None)] == [(0, False)] * 2
    assert unmerged_runtime_sites(seen, None) == 0


def test_what_was_seen_binds_cases_by_their_ids_alone(repo: Path) -> None:
    cases = repo / "cases.jsonl"
    stamp = new_provenance(authored_by="me", git={}, targets=[], case_uid="u", now="2026-01-01T00:00:00Z")
    rows = [{"metadata": {"_provenance": stamp}}, {"input": "unstamped"}, {"metadata": {"_provenance": 7}}]
    cases.write_text("\n".join(map(json.dumps, rows)) + "\n")
    before = cases.read_bytes().split(b"\n")
    proposals = propose_bindings(load_recordings(repo / DEFAULT_RECORDINGS_NAME))
    assert [(one.case_uid, one.fingerprint, one.count) for one in proposals] == [("u", "y", 1)]
    assert apply_bindings(cases, proposals, repo=repo, dry_run=True) == 1
    assert cases.read_bytes().split(b"\n") == before
    assert apply_bindings(cases, proposals, repo=repo) == 1
    assert cases.read_bytes().split(b"\n")[1:] == before[1:]
    found = json.loads(cases.read_bytes().split(b"\n")[0])["metadata"]["_provenance"]
    (target,) = found["targets"]
    assert (target["source"], target["bound"], found["authored_by"]) == ("runtime", "observed", "me")
    assert apply_bindings(cases, proposals, repo=repo) == 0
    report = check_prompts(repo, case_files=[cases])
    assert [case.rollup for case in report.case_verdicts] == ["unverifiable", None, None]
    assert report.coverage() == (0, 1)


def test_tests_record_under_their_names(tmp_path: Path) -> None:
    (tmp_path / "litellm.py").write_text(
        "def completion(**given): return 1\nasync def acompletion(**given): return 1\n"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_it.py").write_text(
        "import litellm\n"
        "def test_one():\n"
        "    assert litellm.completion(messages=[{'role': 'user', 'content': 'one'}])\n"
        "def test_two():\n"
        "    assert litellm.completion(messages=[{'role': 'user', 'content': 'two'}])\n"
    )
    place = tmp_path / "out" / "seen.jsonl"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--ringtrue-record-prompts", str(place)]
    done = subprocess.run([*command, "test_it.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "recorded 2 prompt(s)" in done.stdout
    assert {one["fingerprint"]: one["case_uids"] for one in load_recordings(place)} == {
        fingerprint_text("one"): ["test_it.py::test_one"],
        fingerprint_text("two"): ["test_it.py::test_two"],
    }
