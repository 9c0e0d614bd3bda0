"""Benchmarks by name and local files; everything is loaded when it is first asked for."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # spelled out: `typing` alone would load a dozen modules
if TYPE_CHECKING:
    from ringtrue.datasets.catalogue.benchmark import Benchmark as Benchmark
    from ringtrue.datasets.catalogue.benchmark import Source as Source
    from ringtrue.datasets.catalogue.loading import load as load
    from ringtrue.datasets.files.jsonl import load_jsonl as load_jsonl
    from ringtrue.datasets.hub.origin import Origin as Origin
    from ringtrue.datasets.selection import Selection as Selection

_PLACES = {
    "Benchmark": "ringtrue.datasets.catalogue.benchmark",
    "Origin": "ringtrue.datasets.hub.origin",
    "Selection": "ringtrue.datasets.selection",
    "Source": "ringtrue.datasets.catalogue.benchmark",
    "load": "ringtrue.datasets.catalogue.loading",
    "load_jsonl": "ringtrue.datasets.files.jsonl",
}

__all__ = sorted(_PLACES)


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module 'ringtrue.datasets' has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return __all__
