"""`load_jsonl`, as ringtrue has it."""

from ringtrue.datasets import load_jsonl

__all__ = ["load_jsonl"]
