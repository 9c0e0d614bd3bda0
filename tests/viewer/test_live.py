"""A run while it grows: what its page says, and an interval that holds whenever a reader looks."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from ringtrue.dialects.run_record import made_record
from ringtrue.records import DatasetInfo, EvaluatorInfo, Made, SystemInfo
from ringtrue.stats.anytime_share import anytime_interval
from ringtrue.stats.intervals import wilson
from ringtrue.store.database import Database, StoredRun
from ringtrue.viewer.library import Library
from ringtrue.viewer.live import Progress, summaries_so_far
from ringtrue.viewer.page_state import PageState, ServerLinks
from ringtrue.viewer.site import Site

MADE = Made(
    name="nightly",
    datasets=(DatasetInfo("nq", cases=9, headline="f1"),),
    systems=(SystemInfo("small"),),
    evaluators=(EvaluatorInfo("f1", "f1"),),
)


@pytest.mark.parametrize(("held", "words"), [(True, "running: 0 of 9 rows"), (False, "killed")])
def test_a_run_is_live_while_someone_works_on_it_and_killed_after(tmp_path: Path, held: bool, words: str) -> None:
    url = f"sqlite:///{tmp_path / 'l.db'}"
    with Database(url) as database, Library((), url) as library:
        database.start(StoredRun("abc", "0" * 64, "running", "", 1.0, None, made_record(MADE), "nightly"))
        lease = database.lease("0" * 64)
        if held:
            assert lease.acquire()
        site = Site(library, ServerLinks())
        assert words in site.runs({})
        page = site.run("abc", PageState())
        assert ('id="live"' in page) == held
        assert site.live("abc")["running"] == held
        assert "No row yet." in page
        lease.release()


def test_summaries_so_far_count_what_is_absent() -> None:
    counts = {("nq", "s", "passed"): 3, ("nq", "s", "failed"): 1, ("nq", "s", "error"): 2, ("nq", "s", "skipped"): 5}
    share = summaries_so_far(counts, {"nq": 0.33})["nq"]["s"]["pass_rate"]
    assert (share.value, share.n, share.errors, share.skipped, share.threshold) == (0.75, 4, 2, 5, 0.33)
    again = summaries_so_far(counts, {}, 2)["nq"]["s"]["pass_rate"]
    assert again.interval == anytime_interval(3, 4, repeats=2) != share.interval
    assert summaries_so_far({("nq", "s", "error"): 2}, {})["nq"]["s"]["pass_rate"].value is None


@pytest.mark.parametrize(
    ("progress", "words"),
    [
        (Progress(412, 900, 3.1), "412 of 900 rows · 3.1 rows/s · 2 min 37 s left"),
        (Progress(1), "1 row"),
        (Progress(5, 5, 1.0), "5 of 5 rows · 1.0 rows/s"),
    ],
)
def test_progress_in_words(progress: Progress, words: str) -> None:
    assert progress.words == words


@pytest.mark.parametrize(("successes", "n"), [(0, 0), (0, 7), (7, 7), (3, 7), (500, 1000)])
def test_an_anytime_interval_holds_the_share_and_is_wider_than_one_of_a_single_look(successes: int, n: int) -> None:
    low, high = anytime_interval(successes, n)
    assert 0 <= low <= (successes / n if n else 0) <= high <= 1
    if n:
        narrow = wilson(successes, n)
        assert high - low > narrow[1] - narrow[0]


@pytest.mark.parametrize("repeats", [1, 3])
def test_it_holds_at_every_look_of_a_run(repeats: int) -> None:
    """Of 300 runs of 300 cases, looked at after every 5, at most 5 % ever lose the true share; repeats are alike."""
    dice = Random(7)
    lost = 0
    for _ in range(300):
        passed = 0
        for n in range(1, 301):
            passed += repeats * (dice.random() < 0.3)
            low, high = anytime_interval(passed, repeats * n, repeats=repeats) if n % 5 == 0 else (0.0, 1.0)
            if not low <= 0.3 <= high:
                lost += 1
                break
    assert lost <= 0.05 * 300
