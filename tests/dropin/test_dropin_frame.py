"""The drop-in is a distribution of its own, and refuses to be in the way of an installed original."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import _ringtrue_dropin
import pytest
from _ringtrue_dropin import refuse_to_shadow

ROOT = Path(__file__).parent.parent.parent
PACKAGES = {"context_bench": "context-bench", "eval_recipes": "eval-recipes", "multivon_eval": "multivon-eval"}


def install(folder: Path, original: str, version: str = "9.8.7") -> None:
    """What an installer leaves behind of a distribution."""
    info = folder / f"{original.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {original}\nVersion: {version}\n")


def imported(package: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, "-c", f"import {package}"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("package", PACKAGES)
def test_an_installed_original_is_not_shadowed(package: str, tmp_path: Path) -> None:
    original = PACKAGES[package]
    install(tmp_path, original)
    refused = imported(package, tmp_path)
    assert refused.returncode == 1
    said = refused.stderr.rpartition("ImportError: ")[2]
    for words in (f"{original} 9.8.7", f"pip uninstall {original}", "pip uninstall ringtrue-dropin"):
        assert words in said


@pytest.mark.parametrize("package", PACKAGES)
def test_another_original_is_not_an_obstacle(package: str, tmp_path: Path) -> None:
    for original in PACKAGES.values():
        if original != PACKAGES[package]:
            install(tmp_path, original)
    assert imported(package, tmp_path).returncode == 0


def test_the_refusal_names_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_to_shadow("context-bench")
    install(tmp_path, "context-bench")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ImportError) as caught:
        refuse_to_shadow("context-bench")
    assert caught.value.name == "context_bench"


def project(folder: Path) -> dict[str, Any]:
    return tomllib.loads((folder / "pyproject.toml").read_text())


def test_the_ringtrue_wheel_holds_ringtrue_alone() -> None:
    wheel = project(ROOT)["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["packages"] == ["src/ringtrue"]
    assert all(target.startswith("ringtrue/") for target in wheel.get("force-include", {}).values())
    assert not [path for path in (ROOT / "src").iterdir() if path.name in PACKAGES]


def test_the_dropin_wheel_holds_every_package_and_nothing_of_ringtrue() -> None:
    packages = project(ROOT / "dropin")["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert packages == [f"src/{name}" for name in ("_ringtrue_dropin", *PACKAGES)]
    assert all((ROOT / "dropin" / package).is_dir() for package in packages)


def test_both_distributions_have_one_version() -> None:
    from ringtrue import __version__

    assert _ringtrue_dropin.__version__ == __version__
    needed = project(ROOT / "dropin")["project"]["dependencies"]
    assert [need for need in needed if need.startswith("ringtrue")] == [f"ringtrue[tokens,yaml]=={__version__}"]
