"""What reads or makes rows, with longer and longer files: CPU per row and peak memory, against the shortest.

    python benchmarks/growth.py [--rows 10000 100000] [--only score]

Each command runs in a process of its own; peak memory is that process's own (VmHWM as the kernel counts it).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from end_to_end import write_rows

SYSTEM = "def answer(text):\n    return text.upper()\n"
COMMANDS = {
    "score": ["score", "answers.jsonl", "-e", "answer_quality", "-o", "rows.jsonl", "--max-workers", "1"],
    "export": ["export", "rows.jsonl", "-o", "rows.csv"],
    "rescore": ["rescore", "rows.jsonl", "-e", "answer_quality", "-o", "again.jsonl", "--max-workers", "1"],
    "compare": ["compare", "rows.jsonl", "again.jsonl"],
    "run": ["run", "-d", "answers.jsonl", "-s", "system:answer", "-e", "exact_match", "--fresh"],
}
"""Each reads what the ones before it wrote."""


def measure(command: list[str], folder: str) -> tuple[float, float]:
    """CPU seconds and peak megabytes of one command, which works in one process."""
    with open(Path(folder, "said"), "wb") as said:
        words = [sys.executable, "-m", "ringtrue", *command]
        process = subprocess.Popen(words, cwd=folder, stdout=said, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status):
        sys.exit(f"{' '.join(command)}: {Path(folder, 'said').read_text()[-2000:]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--only", choices=COMMANDS, action="append", help="only this command; repeatable")
    given = parser.parse_args()
    print("| command | rows | CPU µs per row | peak MB | CPU, ratio | memory, ratio |\n|---|---|---|---|---|---|")
    first: dict[str, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "system.py").write_text(SYSTEM)
        for rows in given.rows:
            write_rows(Path(folder, "answers.jsonl"), rows)
            for name in given.only or COMMANDS:
                seconds, megabytes = measure(COMMANDS[name], folder)
                each = seconds / rows * 1e6
                base = first.setdefault(name, (each, megabytes))
                ratios = f"{each / base[0]:.2f} | {megabytes / base[1]:.2f}"
                print(f"| {name} | {rows:,} | {each:.1f} | {megabytes:.0f} | {ratios} |", flush=True)


if __name__ == "__main__":
    main()
