"""Items in worker processes: in order, and left at any item."""

from __future__ import annotations

import multiprocessing
from itertools import count, islice

from ringtrue.runner.process_map import map_in_processes


def test_results_come_in_order_and_an_endless_source_can_be_left() -> None:
    results = map_in_processes(str, count(), 2)
    assert list(islice(results, 9)) == [str(number) for number in range(9)]
    results.close()
    assert not multiprocessing.active_children()
