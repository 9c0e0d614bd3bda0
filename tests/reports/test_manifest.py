"""The parts of a run on shards, read one by one."""

from __future__ import annotations

from pathlib import Path

from ringtrue import score_file
from ringtrue.reports.manifest import PartFolder, PartRows


def test_a_part_counts_and_reads_its_rows(tmp_path: Path) -> None:
    answers = [{"answer": "Lima", "response": text} for text in ("Lima", "Quito", "lima")]
    run = score_file(answers, ["exact_match"], output=tmp_path / "part-000000.parquet")
    part = PartRows(PartFolder(str(tmp_path)), "part-000000.parquet")
    assert len(part) == 3
    assert list(part) == list(run.rows)
