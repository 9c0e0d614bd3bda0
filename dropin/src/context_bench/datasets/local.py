"""`load_jsonl`, as ringtrue has it."""

from ringtrue.datasets.files.jsonl import load_jsonl

__all__ = ["load_jsonl"]
