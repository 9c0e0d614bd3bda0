"""A run killed with -9 in the middle and started again: what was asked twice, and whether anything was lost.

    python benchmarks/crash.py [--kills 3] [--samples 600] [--in-flight 50]

The endpoint is a process of its own that logs every request. The exit code is 1 if an answer that was stored is asked
again, or if a row is missing at the end.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from support.endpoint import EndpointServer
from support.killed import committed, start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--samples", type=int, default=600)
    parser.add_argument("--in-flight", type=int, default=50)
    given = parser.parse_args()
    with EndpointServer(latency_seconds=0.05) as server, tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder, "runs.db"))
        kept: set[str] = set()
        again = 0
        for kill in range(given.kills):
            seen = server.stats()["requests"]
            process = start(server, store, given.samples, given.in_flight)
            while server.stats()["requests"] < (kill + 1) * given.samples // (given.kills + 1):
                if process.poll() is not None:
                    sys.exit(f"the run ended before it was killed: {process.communicate()[1]}")
                time.sleep(0.01)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            again += count_again(server, seen, kept)
            kept, _ = committed(store)
        seen = server.stats()["requests"]
        said, complained = start(server, store, given.samples, given.in_flight).communicate()
        again += count_again(server, seen, kept)
        _, rows = committed(store)
        twice = sum(count - 1 for count in server.asked().values())
    print("| kills | in flight | samples | rows at the end | stored answers asked again | requests asked twice |")
    print("|---|---|---|---|---|---|")
    print(f"| {given.kills} | {given.in_flight} | {given.samples} | {rows} | {again} | {twice} |")
    if not said:
        print(complained, file=sys.stderr)
    return int(not said or again > 0 or rows != given.samples)


def count_again(server: EndpointServer, seen: int, kept: set[str]) -> int:
    """How many requests since then asked for what was stored already."""
    return sum(entry["content"] in kept for entry in server.stats()["log"][seen:])


if __name__ == "__main__":
    sys.exit(main())
