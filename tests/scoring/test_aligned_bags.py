"""DROP's spans: aligned and scored as the official script does."""

from __future__ import annotations

from typing import Any

import pytest

from ringtrue.scoring.overlap.aligned_bags import aligned_overlap
from support.golden import golden

ROWS = golden("drop")


@pytest.mark.parametrize("row", ROWS, ids=range(len(ROWS)))
def test_spans_score_as_the_official_script_scores_them(row: dict[str, Any]) -> None:
    """To the second decimal, which is what the script reports, a half rounded as it rounds."""
    found = aligned_overlap(row["said"], row["gold"])
    assert (found.exact_match, found.f1) == (row["exact_match"], pytest.approx(row["f1"], abs=1e-9))


def test_many_spans_are_aligned_in_time() -> None:
    spans = [f"name{number}" for number in range(40)]
    assert aligned_overlap(spans[::-1], spans).f1 == 1.0
