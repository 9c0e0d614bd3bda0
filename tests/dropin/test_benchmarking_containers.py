"""`eval_recipes.benchmarking.docker_manager`: the documented calls, on whichever engine is here."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from eval_recipes.benchmarking.container_options import options, variables, words
from eval_recipes.benchmarking.docker_manager import (
    DockerManager,
    EngineError,
    collect_eval_recipes_package,
    from_env,
)
from ringtrue.sandbox.image import Image

from ringtrue.errors import ConfigurationError
from support.engines import containers

heavy = pytest.mark.heavy


@pytest.fixture(scope="module")
def image() -> Iterator[Image]:
    with containers() as found:
        yield found


@pytest.fixture(scope="module")
def manager(image: Image, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DockerManager]:
    logs = tmp_path_factory.mktemp("manager") / "logs"
    with DockerManager(logs, f"FROM {image.name}\n", container_env={"TOLD": "a b"}, network="none") as entered:
        yield entered


def test_docker_keywords_are_options() -> None:
    told = options(
        {
            "mem_limit": "1g",
            "network_mode": "none",
            "nano_cpus": 1_500_000_000,
            "read_only": True,
            "cap_drop": ["ALL"],
            "tmpfs": {"/tmp": "size=1m"},
            "labels": {"a": "b", "c": ""},
            "volumes": {"/host": {"bind": "/there", "mode": "ro"}},
            "entrypoint": ["sh", "-c"],
            "tty": True,
            "command": "sleep 1",
            "environment": {"A": "B"},
        }
    )
    assert told == [
        *("--memory=1g", "--network=none", "--cpus=1.5", "--read-only", "--cap-drop=ALL", "--tmpfs=/tmp:size=1m"),
        *("--label=a=b", "--label=c", "--volume=/host:/there:ro", "--entrypoint=sh -c"),
    ]
    assert words("sh -c 'a b'") == words(["sh", "-c", "a b"]) == ["sh", "-c", "a b"]
    assert variables(["A=b=c", "D"]) == {"A": "b=c", "D": ""}
    assert variables(None) == {}


@pytest.mark.parametrize(
    "keywords",
    [{"privileged": True}, {"cap_add": ["SYS_ADMIN"]}, {"pid_mode": "host"}, {"tty": False}, {"memory": "1g"}],
    ids=["privileged", "capability", "the host's processes", "no terminal", "unknown"],
)
def test_what_gives_rights_or_is_unknown_is_refused(keywords: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=next(iter(keywords))):
        DockerManager(tmp_path, "FROM scratch", **keywords)


def test_outside_its_context_it_does_nothing(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="with DockerManager"):
        DockerManager(tmp_path, "FROM scratch")._build_image("FROM scratch")


def test_the_package_can_be_imported_where_it_is_copied(tmp_path: Path) -> None:
    files = collect_eval_recipes_package()
    assert not [name for name in files if "__pycache__" in name]
    project = tomllib.loads(files["pyproject.toml"].decode())
    assert not [one for one in project["project"]["dependencies"] if one.startswith("ringtrue")]
    assert any(one.startswith("pydantic") for one in project["project"]["dependencies"])
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    told = (
        "import eval_recipes.benchmarking.evaluation.semantic_test as t, ringtrue; print(t.__file__, ringtrue.__file__)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", told],
        env={"PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.count(str(tmp_path)) == 2


@heavy
def test_an_image_and_a_container_for_as_long_as_the_context(image: Image, tmp_path: Path) -> None:
    recipe = f"FROM {image.name}\nCOPY in/here /here\nRUN echo hello from the build; cat /here\n"
    files = {"in/here": b"in the image"}
    with DockerManager(tmp_path / "logs", recipe, "Ringtrue-Lifecycle".lower(), build_context_files=files) as manager:
        assert manager.container is not None
        assert manager.container_id == manager.container.id
        assert manager.container.short_id == manager.container.id[:12]
        assert manager.container.status == "running"
        assert "ringtrue-lifecycle" in (manager.actual_image_tag or "")
        log = (tmp_path / "logs" / "build_image.log").read_text()
        assert "hello from the build" in log
        assert "in the image" in log
        found = from_env().containers.get(manager.container.id)
        assert found.id == manager.container_id
        assert found.exec_run("cat /here") == (0, b"in the image")
    client = from_env()
    for gone in (
        lambda: client.containers.get(found.id),
        lambda: client.images.remove(manager.actual_image_tag or "", force=False),
    ):
        with pytest.raises(EngineError) as caught:
            gone()
        assert caught.value.kind == "absent"
    assert manager.client is None


@heavy
def test_a_build_that_fails_leaves_its_log_and_nothing_else(image: Image, tmp_path: Path) -> None:
    manager = DockerManager(tmp_path, f"FROM {image.name}\nRUN echo because; exit 3\n", "ringtrue-failing")
    with pytest.raises(EngineError) as caught, manager:
        pass
    assert caught.value.kind == "build"
    assert "because" in (tmp_path / "build_image.log").read_text()
    assert manager.client is None


@heavy
def test_commands_and_their_logs(manager: DockerManager) -> None:
    container = manager.container
    assert container is not None
    result, logs = manager.exec_command(container, ["echo", "Hello from exec_command"])
    assert (result.exit_code, result.output, logs) == (0, "Hello from exec_command\n", "Hello from exec_command\n")
    (log,) = manager.log_dir.glob("exec_echo_Hello_from_exec_*.log")
    assert log.read_text() == logs
    result, logs = manager.exec_command(
        container, "sh -c 'pwd; echo $TOLD$MORE; exit 3'", "own.log", workdir="/tmp", environment={"MORE": "!"}
    )
    assert (result.exit_code, logs) == (3, "/tmp\na b!\n")
    assert (manager.log_dir / "own.log").read_text() == logs
    with pytest.raises(ConfigurationError, match="privileged"):
        manager.exec_command(container, ["true"], privileged=True)


@heavy
def test_a_timeout_ends_the_agent_in_the_container(manager: DockerManager) -> None:
    container = manager.container
    assert container is not None
    agent = "echo begun; (while :; do echo x >> /tmp/alive; sleep 0.1; done) & sleep 600"
    result, logs = manager.exec_command(container, ["bash", "-c", agent], "agent.log", timeout=1)
    assert result.exit_code == 124
    assert logs.startswith("begun\n")
    assert "the command was ended after 1 seconds" in (manager.log_dir / "agent.log").read_text()
    first = manager.read_file_from_container(container, "/tmp/alive")
    manager.exec_command(container, ["sleep", "0.5"])
    assert manager.read_file_from_container(container, "/tmp/alive") == first


@heavy
def test_what_an_agent_left_running_sees_no_test(manager: DockerManager) -> None:
    """An agent that ended and left a watcher: after `end_processes` it cannot touch what is copied."""
    container = manager.container
    assert container is not None
    watcher = "while :; do [ -e /private/test.py ] && echo 100 > /private/result; sleep 0.05; done"
    manager.exec_command(container, ["bash", "-c", f"({watcher}) >/dev/null 2>&1 & disown"])
    manager.end_processes(container)
    manager.copy_files_to_container(container, {"test.py": b"secret"}, "/private")
    manager.exec_command(container, ["sleep", "0.5"])
    assert manager.read_file_from_container(container, "/private/result") is None


@heavy
def test_files_in_and_out(manager: DockerManager, tmp_path: Path) -> None:
    container = manager.container
    assert container is not None
    files = {"test.txt": b"Hello", "deep/script.sh": b"#!/bin/sh\necho ran", ".hidden/x": b"", "_eval_recipes/y": b""}
    manager.copy_files_to_container(container, files, "/made", {"deep/script.sh"})
    assert manager.exec_command(container, ["/made/deep/script.sh"])[1] == "ran\n"
    assert manager.read_file_from_container(container, "/made/test.txt") == b"Hello"
    assert manager.read_file_from_container(container, "/made/none") is None
    assert container.exec_run(["ln", "-s", "/etc/passwd", "/made/link"]).exit_code == 0
    left_out = manager.extract_directory_from_container(container, "/made", tmp_path, exclude_paths=["_eval_recipes"])
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()) == [
        "deep/script.sh",
        "test.txt",
    ]
    assert left_out == {"link": "a link"}
    manager.extract_directory_from_container(container, "/made", tmp_path / "all", exclude_dotfiles=False)
    assert (tmp_path / "all" / ".hidden" / "x").is_file()
    assert (tmp_path / "all" / "_eval_recipes" / "y").is_file()
