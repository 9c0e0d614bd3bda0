"""Benchmarks by function, and local files; rows are read as ringtrue's catalogue reads them."""

from context_bench.datasets.local import load_jsonl

__all__ = ["load_jsonl"]
