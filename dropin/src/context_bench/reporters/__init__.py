"""Results as text."""

from context_bench.reporters.json_out import to_json
from context_bench.reporters.markdown import to_markdown

__all__ = ["to_json", "to_markdown"]
