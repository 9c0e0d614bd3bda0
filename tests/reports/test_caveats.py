"""Scores that deserve less trust are counted beside the mean, wherever a run is shown."""

from __future__ import annotations

import json
from pathlib import Path

from support.command import ringtrue

APART = "def check(c):\n    assert c() == 1"
LOOKS_INSIDE = "import inspect\nassert 'return' in inspect.getsource(f)"


def test_verdicts_made_in_process_are_counted_wherever_a_run_is_shown(tmp_path: Path) -> None:
    rows = [(LOOKS_INSIDE, "def f(): return 1"), (LOOKS_INSIDE, "f = 1"), (APART, "def f(): return 1"), (APART, "")]
    lines = [json.dumps({"test": test, "entry_point": "f", "response": said}) for test, said in rows]
    (tmp_path / "rows.jsonl").write_text("\n".join(lines))
    files = ["-o", "scored.jsonl", "--markdown", "said.md", "--html", "page.html"]
    caveat = "2 of 4 pass_at_1: verdict made in process"
    assert caveat in ringtrue("score", "rows.jsonl", "-e", "code_execution", *files, cwd=tmp_path).stdout
    assert caveat in (tmp_path / "said.md").read_text()
    assert caveat in (tmp_path / "page.html").read_text()
    (systems,) = json.loads(ringtrue("show", "scored.jsonl", "--json", cwd=tmp_path).stdout)["summaries"].values()
    (found,) = systems.values()
    assert found["pass_at_1"]["caveats"] == {"verdict made in process": 2}
    assert found["pass_at_1"]["value"] == 0.5
