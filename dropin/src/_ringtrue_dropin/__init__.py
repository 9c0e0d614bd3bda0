"""Common parts of the three drop-in packages: the version, and the refusal to shadow an installed original."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution

__version__ = "0.1.0"


def refuse_to_shadow(original: str) -> None:
    """Raise ImportError if the distribution `original`, whose import path this package answers, is installed too."""
    try:
        version = distribution(original).version
    except PackageNotFoundError:
        return
    package = original.replace("-", "_")
    raise ImportError(
        f"the import path {package!r} belongs to two installed distributions: {original} {version} and "
        f"ringtrue-dropin {__version__}. Keep one. For ringtrue: `pip uninstall {original}`, then "
        "`pip install --force-reinstall --no-deps ringtrue-dropin`. For the original: "
        f"`pip uninstall ringtrue-dropin`, then `pip install --force-reinstall --no-deps {original}`",
        name=package,
    )
