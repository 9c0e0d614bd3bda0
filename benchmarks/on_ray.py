"""`score` of the same shards on a Ray cluster of this machine and on the local executor: wall and CPU seconds.

    python benchmarks/on_ray.py [--rows 100000] [--shards 4]

Both sides use all cores and write Parquet. Ray binds to more than loopback: run this inside a network namespace of its
own, as the kit does. The evaluators are ROUGE and answer quality.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from end_to_end import write_rows

SCORE = ["score", "shard*.jsonl", "-e", "rouge_l", "-e", "answer_quality"]


def wall_seconds(folder: str, *words: str) -> float:
    started = time.monotonic()
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stderr[-2000:] or done.stdout[-2000:]}")
    return time.monotonic() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--shards", type=int, default=4)
    given = parser.parse_args()
    ringtrue = [sys.executable, "-m", "ringtrue"]
    bin_folder = Path(sys.executable).parent
    with tempfile.TemporaryDirectory() as folder:
        for shard in range(given.shards):
            write_rows(Path(folder, f"shard{shard}.jsonl"), given.rows // given.shards)
        local = wall_seconds(folder, *ringtrue, *SCORE, "-o", "local.parquet")
        alone = wall_seconds(folder, *ringtrue, *SCORE, "--executor", "ray", "-o", "alone")
        cluster = [str(bin_folder / "ray"), "start", "--head", f"--num-cpus={os.cpu_count()}"]
        wall_seconds(folder, *cluster, "--disable-usage-stats", "--include-dashboard=false")
        joined = [*SCORE, "--executor", "ray", "--ray-address", "auto", "-o", "joined"]
        ready = min(wall_seconds(folder, *ringtrue, *joined), wall_seconds(folder, *ringtrue, *joined[:-1], "again"))
    print("| executor | seconds | ratio |\n|---|---|---|")
    for name, spent in (("local", local), ("ray, starts a cluster", alone), ("ray, the cluster is there", ready)):
        print(f"| {name} | {spent:.1f} | {spent / local:.2f} |")


if __name__ == "__main__":
    main()
