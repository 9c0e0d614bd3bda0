"""Images and long-lived containers: a real engine where there is one, and what is refused without."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from ringtrue.errors import ConfigurationError
from ringtrue.sandbox.caught import Caught
from ringtrue.sandbox.engine import Engine, EngineError, declared, last_words
from ringtrue.sandbox.image import Image
from ringtrue.sandbox.stop import Stop
from ringtrue.sandbox.workbench import Workbench
from support.engines import containers, left_behind

heavy = pytest.mark.heavy


@pytest.fixture(scope="module")
def image() -> Iterator[Image]:
    with containers() as found:
        yield found


@pytest.fixture(scope="module")
def bench(image: Image) -> Iterator[Workbench]:
    with Workbench.started(image, environment={"GIVEN": "a b\nc", "PATH": "/usr/bin:/bin"}, network=False) as started:
        yield started


def said(bench: Workbench, command: str, **settings: object) -> str:
    return bench.run(["sh", "-c", command], seconds=30, **settings).output.decode()  # type: ignore[arg-type]


def test_without_an_engine_every_reason_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "podman"
    script.write_text("#!/bin/sh\necho 'no kernel' >&2\nexit 1\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngineError, match=r"'docker' is not installed here; .*no kernel; install") as caught:
        Engine.found()
    assert caught.value.kind == "missing"
    absent = Workbench(Engine("docker"), "0")
    for asked in (absent.status, partial(absent.run, ["true"], seconds=1), partial(absent.file, "/x")):
        with pytest.raises(EngineError, match="cannot be started") as caught:
            asked()
        assert caught.value.kind == "missing"


def test_a_stream_that_somebody_keeps_open_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ringtrue.sandbox.caught._DRAIN_SECONDS", 0.2)
    reading, writing = os.pipe()
    os.write(writing, b"said")
    caught = Caught(os.fdopen(reading, "rb"), 10)
    assert caught.data() == b"said"
    os.close(writing)
    caught._thread.join(10)
    assert caught._stream.closed


@pytest.mark.parametrize(
    "environment",
    [{"": "x"}, {"A=B": "x"}, {"A B": "x"}, {"A": "\0"}, {"A": None}, {1: "x"}, {"DOCKER_KEY": "a\nb"}],
    ids=repr,
)
def test_a_variable_that_cannot_be_is_refused(environment: dict[str, str]) -> None:
    with pytest.raises(ConfigurationError, match="container"), declared(environment):
        pass


def test_a_secret_stands_on_no_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://user:secret@proxy")
    own = {
        "PATH": "/bin",
        "LD_PRELOAD": "x.so",
        "DOCKER_AUTH_CONFIG": "'s3cret' # \"x\"",
        "http_proxy": "http://u:pw@h",
    }
    with declared({"API_KEY": "secret", **own}) as (options, client):
        file = Path(options[0].removeprefix("--env-file="))
        assert options[1:] == ["--env=API_KEY"]
        assert file.read_text() == "".join(f"{name}={value}\n" for name, value in own.items())
        assert file.stat().st_mode & 0o077 == 0
    assert not file.exists()
    assert client["API_KEY"] == "secret"
    assert client["PATH"] == os.environ["PATH"]
    assert not {"LD_PRELOAD", "HTTPS_PROXY", "DOCKER_AUTH_CONFIG"} & client.keys() - os.environ.keys()
    assert "HTTPS_PROXY" not in client


@pytest.mark.parametrize(
    ("said", "words"),
    [
        pytest.param(b"", "", id="nothing"),
        pytest.param(b"no space\n\nrun --help\n", "no space; run --help", id="the-reason-before-the-advice"),
        pytest.param(
            b"Error: 2 errors:\r\n* io: closed pipe\r\n* killed",
            "Error: 2 errors:; * io: closed pipe; * killed",
            id="several",
        ),
        pytest.param(b"x\n" * 1_000_000, "x; x; x; x; x; x", id="a-long-story"),
        pytest.param(b"\xff" * 10_000_000, "\ufffd" * 4_000, id="one-long-line"),
    ],
)
def test_the_last_words_of_an_engine(said: bytes, words: str) -> None:
    assert last_words(said) == words


@pytest.mark.parametrize(
    ("said", "times", "kind"),
    [
        pytest.param("io: read/write on closed pipe", 2, "", id="an-engine-that-recovers"),
        pytest.param("io: read/write on closed pipe", 9, "engine", id="one-that-does-not"),
        pytest.param("no such container", 1, "absent", id="nothing-to-copy-to"),
    ],
)
def test_a_copy_that_the_engine_failed_is_made_again(tmp_path: Path, said: str, times: int, kind: str) -> None:
    """A stand-in for an engine, because a real one fails when it likes; the last of the words tells the most."""
    script, calls = tmp_path / "engine", tmp_path / "calls"
    script.write_text(
        f"#!/bin/sh\ncat >/dev/null\necho x >> {calls}\n"
        f"[ $(wc -l < {calls}) -gt {times} ] || {{ echo 'copying went wrong' >&2; echo '{said}' >&2; exit 1; }}\n"
    )
    script.chmod(0o755)
    bench = Workbench(Engine(str(script)), "some", pauses=(0, 0))
    if not kind:
        bench.put({"a": b"b"}, "/")
    else:
        with pytest.raises(EngineError, match=f"copying went wrong; {said}") as caught:
            bench.put({"a": b"b"}, "/")
        assert caught.value.kind == kind
    assert len(calls.read_text().split()) == (1 if kind == "absent" else 3)


@heavy
def test_an_image_is_built_from_files_and_removed(image: Image) -> None:
    log = io.BytesIO()
    recipe = f"FROM {image.name}\nCOPY in /in\nRUN echo built $SECRET $https_proxy; cat /in/a/b\n"
    files = {"in/a/b": b"content", "in/run": b"#!/bin/sh\necho ran"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SECRET", "host-secret")
        patch.setenv("https_proxy", "http://host-proxy")
        built = Image.built(
            image.engine, recipe, tag="ringtrue-test-built", files=files, executable=["in/run"], log=log
        )
    assert "ringtrue-test-built" in built.name
    assert log.getvalue().decode() == built.log
    assert "built" in built.log
    assert "content" in built.log
    assert "host-" not in built.log
    with Workbench.started(built) as bench:
        assert said(bench, "/in/run") == "ran\n"
    built.remove()
    with pytest.raises(EngineError) as caught:
        Image.named(image.engine, built.name)
    assert caught.value.kind == "absent"


@heavy
def test_an_image_without_a_step_is_removed_and_its_first_line_stays(image: Image) -> None:
    built = Image.built(image.engine, f"FROM {image.name}\n")
    built.remove(force=True)
    assert Image.named(image.engine, image.name).id == image.id


@heavy
@pytest.mark.parametrize(
    "recipe", ["FROM {}\nRUN echo x > /layer\nRUN echo because >&2; exit 3\n", "FROM {}\nCOPY nothing /\n", "", "?"]
)
def test_a_build_that_fails_is_told_with_its_log(image: Image, bench: Workbench, recipe: str) -> None:
    with pytest.raises(EngineError, match="cannot be built") as caught:
        Image.built(image.engine, recipe.format(image.name))
    assert caught.value.kind == "build"
    assert caught.value.log.strip()
    assert left_behind(image, besides=bench.id) == []


@heavy
def test_a_build_has_an_end(image: Image) -> None:
    with pytest.raises(EngineError, match="longer than 1 second") as caught:
        Image.built(image.engine, f"FROM {image.name}\nRUN echo begun; sleep 600\n", seconds=1)
    assert caught.value.kind == "timeout"


@heavy
def test_only_what_is_declared_gets_in(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_KEY", "of the host")
    monkeypatch.setenv("https_proxy", "http://host")
    assert said(bench, 'echo "$GIVEN"') == "a b\nc\n"
    seen = said(bench, "env", environment={"MORE": "1", "DOCKER_KEY": "'s3cret' # \"x\" "})
    assert "MORE=1" in seen
    assert "DOCKER_KEY='s3cret' # \"x\" \n" in seen
    assert "host" not in seen
    assert "MORE" not in said(bench, "env")


@heavy
def test_a_command_tells_how_it_ended(bench: Workbench, tmp_path: Path) -> None:
    with open(tmp_path / "log", "wb") as log:
        ran = bench.run(["sh", "-c", "echo out; echo err >&2; exit 7"], seconds=30, folder="/tmp", log=log)
    assert (ran.exit_code, ran.timed_out) == (7, False)
    assert sorted(ran.output.split()) == [b"err", b"out"]
    assert (tmp_path / "log").read_bytes() == ran.output
    assert bench.run(["no-such-program"], seconds=30).exit_code in (126, 127)
    ran = bench.run(["sh", "-c", "echo 123456789"], seconds=30, most=4)
    assert (ran.output, ran.overflow) == (b"1234", True)


@heavy
def test_when_time_is_up_nothing_runs_any_more(bench: Workbench) -> None:
    """Neither the command, nor what it left behind in a session of its own; files stay."""
    begun = "echo kept > /tmp/kept; (trap '' TERM HUP; while :; do echo x >> /tmp/alive; sleep 0.1; done) & "
    ran = bench.run(["bash", "-c", f"{begun} disown; trap '' TERM; sleep 600"], seconds=1)
    assert (ran.exit_code, ran.timed_out) == (None, True)
    assert bench.status() == "running"
    first = bench.file("/tmp/alive")
    assert "sleep" not in bench.engine.call("top", bench.id).decode()
    assert said(bench, "sleep 0.5; cat /tmp/kept") == "kept\n"
    assert bench.file("/tmp/alive") == first


@heavy
@pytest.mark.parametrize(
    "command",
    [
        pytest.param("while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done", id="prints-for-ever"),
        pytest.param("while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done >&2 | cat", id="on-both-streams"),
    ],
)
def test_what_is_said_without_end_is_cut(bench: Workbench, tmp_path: Path, command: str) -> None:
    with open(tmp_path / "log", "wb") as log:
        ran = bench.run(["sh", "-c", command], seconds=2, most=100_000, log=log)
    assert (ran.timed_out, ran.overflow, len(ran.output)) == (True, True, 100_000)
    assert (tmp_path / "log").stat().st_size == 100_000


@heavy
def test_many_processes_end_as_one(bench: Workbench) -> None:
    many = "trap '' TERM; i=0; while [ $i -lt 150 ]; do (trap '' TERM HUP; sleep 600) & i=$((i+1)); done; wait"
    assert bench.run(["sh", "-c", many], seconds=3).timed_out
    assert "sleep" not in bench.engine.call("top", bench.id).decode()


@heavy
def test_nobody_fills_the_hosts_disk_through_the_engines_own_log(bench: Workbench) -> None:
    line = "x" * 1_000
    said(bench, f"i=0; while [ $i -lt 4000 ]; do echo {line}; i=$((i+1)); done > /proc/1/fd/1")
    assert len(bench.engine.call("logs", bench.id)) < 3_000_000


@heavy
def test_files_with_any_name_owner_and_mode_are_copied(bench: Workbench, tmp_path: Path) -> None:
    names = [b"line\nbreak", b"\xff\xfe", b"\x1b[31m", b"-rf", b" "]
    quoted = " ".join("$'" + "".join(f"\\x{byte:02x}" for byte in name) + "'" for name in names)
    ran = bench.run(["bash", "-c", f"mkdir /odd && cd /odd && touch -- {quoted} && chmod 000 ./*"], seconds=30)
    assert (ran.exit_code, ran.output) == (0, b"")
    assert bench.copied("/odd", tmp_path) == {}
    assert sorted(os.listdir(os.fsencode(tmp_path))) == sorted(names)
    assert all(os.access(os.path.join(os.fsencode(tmp_path), name), os.R_OK | os.W_OK) for name in names)


@heavy
def test_who_runs_it_may_stop_it(bench: Workbench) -> None:
    with Stop() as stop, ThreadPoolExecutor(1) as threads:
        running = threads.submit(bench.run, ["sleep", "600"], seconds=600, stop=stop)
        stop.say()
        ran = running.result(60)
    assert (ran.exit_code, ran.timed_out) == (None, False)


@heavy
def test_files_go_in_and_out(bench: Workbench, tmp_path: Path) -> None:
    bench.put({"a.txt": b"text", "deep/run": b"#!/bin/sh\necho ran"}, "/new/place", executable={"deep/run"})
    assert said(bench, "/new/place/deep/run") == "ran\n"
    assert bench.file("/new/place/a.txt") == b"text"
    assert bench.file("/new/place/a.txt", max_bytes=3) is None
    for absent in ("/new/place/none", "/new/place", "/dev/null"):
        assert bench.file(absent) is None
    said(bench, "cd /new/place; ln -s /etc link; mkfifo pipe; mkdir .git; echo x > .git/x; mkdir empty")
    left_out = bench.copied("/new/place", tmp_path / "out", keep=lambda path: path.parts[0] != ".git")
    assert sorted(path.name for path in (tmp_path / "out").rglob("*")) == ["a.txt", "deep", "empty", "run"]
    assert left_out["link"] == "a link"
    with pytest.raises(EngineError) as caught:
        bench.copied("/nowhere", tmp_path / "no")
    assert caught.value.kind == "absent"


@heavy
@pytest.mark.parametrize("size", [0, 30_720, 31_232, 31_744, 41_472])
def test_an_archive_of_any_size_goes_in(bench: Workbench, size: int) -> None:
    """Where an archive was padded beyond a chunk that Podman passes on, the copy failed: a closed pipe."""
    replace(bench, pauses=()).put({"sized": b"x" * size}, "/tmp")
    assert bench.file("/tmp/sized") == b"x" * size


@heavy
def test_a_file_without_an_end_is_neither_read_nor_copied(bench: Workbench, tmp_path: Path) -> None:
    """A terabyte that takes no room in the container would take all of it here."""
    said(bench, "mkdir /huge; echo small > /huge/a; truncate -s 1T /huge/b")
    assert bench.file("/huge/b") is None
    left_out = bench.copied("/huge", tmp_path, max_bytes=1 << 20)
    assert (tmp_path / "a").read_text() == "small\n"
    assert not (tmp_path / "b").exists()
    assert "beyond the size" in left_out["b"]


@heavy
def test_a_container_that_is_gone_is_told(image: Image) -> None:
    bench = Workbench.started(image, network=False)
    assert Workbench.of(bench.engine, bench.id) == bench
    with pytest.raises(EngineError, match="no longer runs") as caught:
        bench.run(["bash", "-c", "kill -9 -1; kill -9 6; kill -9 7; sleep 5"], seconds=60)
    assert caught.value.kind == "gone"
    bench.remove()
    bench.remove()
    for gone in (bench.status, bench.quiet, lambda: bench.file("/tmp"), lambda: Workbench.of(bench.engine, bench.id)):
        with pytest.raises(EngineError) as caught:
            gone()
        assert caught.value.kind == "absent"


@heavy
def test_a_container_that_does_not_stay_is_told(image: Image) -> None:
    with pytest.raises(EngineError, match="ended at once: so long"):
        Workbench.started(image, command=["sh", "-c", "echo so long"])
    with Workbench.started(image, command=[]) as bench:
        assert bench.status() == "running"
    before = image.engine.call("ps", "--all", "--quiet")
    for options in (["--no-such-option"], ["--ulimit=nofile=9999999999:9999999999"]):
        with pytest.raises(EngineError, match="no container of") as caught:
            Workbench.started(image, command=["x"], options=options)
        assert caught.value.kind == "start"
    assert image.engine.call("ps", "--all", "--quiet") == before
