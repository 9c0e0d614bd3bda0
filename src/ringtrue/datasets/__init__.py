"""Benchmarks by name and local files; everything is loaded when it is first asked for."""

from __future__ import annotations

from ringtrue._lazy import exports

TYPE_CHECKING = False  # spelled out: `typing` alone would load a dozen modules
if TYPE_CHECKING:
    from ringtrue.datasets.catalogue.benchmark import Benchmark as Benchmark
    from ringtrue.datasets.catalogue.benchmark import Source as Source
    from ringtrue.datasets.catalogue.loading import load as load
    from ringtrue.datasets.catalogue.table import find as find
    from ringtrue.datasets.files.whole_file import load_jsonl as load_jsonl
    from ringtrue.datasets.files.whole_file import read_rows as read_rows
    from ringtrue.datasets.hub.origin import Origin as Origin
    from ringtrue.datasets.selection import Selection as Selection
    from ringtrue.datasets.worked_examples import ExampleFormat as ExampleFormat

_PLACES = {
    "Benchmark": "ringtrue.datasets.catalogue.benchmark",
    "ExampleFormat": "ringtrue.datasets.worked_examples",
    "Origin": "ringtrue.datasets.hub.origin",
    "Selection": "ringtrue.datasets.selection",
    "Source": "ringtrue.datasets.catalogue.benchmark",
    "find": "ringtrue.datasets.catalogue.table",
    "load": "ringtrue.datasets.catalogue.loading",
    "load_jsonl": "ringtrue.datasets.files.whole_file",
    "read_rows": "ringtrue.datasets.files.whole_file",
}

__getattr__, __dir__, __all__ = exports(__name__, _PLACES)
