"""`score_file` in a running event loop, as in a notebook."""

from __future__ import annotations

import asyncio
from pathlib import Path

from ringtrue import score_file


def test_a_file_is_scored_inside_a_running_loop(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("id,answer,response\n1,Paris,Paris\n2,Rome,Oslo\n")

    async def notebook() -> float | None:
        return score_file(file, ["exact_match"]).summary("exact_match").value

    assert asyncio.run(notebook()) == 0.5
