"""`load_traces`: what a system was asked and said, as other tools dump it, one JSON object a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ringtrue.scoring.json_values.strict_json import read_json

from multivon_eval.spoken import warn
from ringtrue.atomic_file import Where
from ringtrue.authoring.personas import written_lines

MOST = 10_000
_NAMES = {
    "input": ("query", "question", "prompt", "user_input", "user_message"),
    "output": ("answer", "completion", "response", "assistant_message"),
    "context": ("retrieved_context", "documents", "passages"),
}
"""What a field is called here -> what other tools call it."""


def load_traces(path: Where, *, verbose: bool = True) -> list[dict[str, Any]]:
    """The traces of a file under the names `input`, `output`, `context`; those without an input are left out.

    A line that is no object is a ValueError, but for the last, which a dump may have lost a part of. Of a longer file
    the first 10,000 are taken. `verbose` tells on standard error what became of them.
    """
    found: list[dict[str, Any]] = []
    counts: Counter[str] = Counter()
    for row in _rows(path, counts):
        if len(found) == MOST:
            warn(f"WARNING: {path} has more: truncated to first {MOST:,} traces")
            break
        for name, others in _NAMES.items():
            other = next((other for other in others if row.get(other)), None)
            if not row.get(name) and other is not None:
                row[name] = row[other]
                counts["renamed"] += 1
        if row.get("input"):
            found.append(row)
        else:
            counts["without an input"] += 1
    if verbose:
        told = [f"{count} {what}" for what, count in counts.items()]
        warn(", ".join([f"loaded {len(found)} traces of {path}", *told]))
    return found


def _rows(path: Where, counts: Counter[str]) -> Iterator[dict[str, Any]]:
    lines = written_lines(path)
    for number, line in lines:
        reading = read_json(line)
        if isinstance(reading.value, dict):
            yield reading.value
        elif reading.problem and number == lines[-1][0]:
            counts["cut off"] += 1
            warn(f"WARNING: {path}:{number}: the final line is malformed JSON; skipped")
        else:
            raise ValueError(f"{path}:{number}: malformed: {reading.problem or 'an object is needed'}")
