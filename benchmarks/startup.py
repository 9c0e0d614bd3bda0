"""Import, `--help` and the size of an installation: ours and the peers'.

    python benchmarks/startup.py [--rounds 5]

The peers are in `.peers` as the kit installs them; ours is installed afresh into `.peers/ringtrue` from this folder,
without extras. CPU seconds of a new process, less those of an empty one; the best round counts. The size is that of
`site-packages` without pip.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import venv
from pathlib import Path
from typing import NamedTuple

from sides import PEERS, peer_python

ROOT = Path(__file__).parent.parent


class Side(NamedTuple):
    environment: str
    statement: str
    """The import of what starts an evaluation: ours loads nothing before a name is used."""
    command: str


SIDES = {
    "ringtrue": Side("ringtrue", "from ringtrue import evaluate", "ringtrue"),
    "pydantic-evals": Side("pydantic", "from pydantic_evals import Dataset", ""),
    "multivon-eval": Side("multivon", "from multivon_eval import EvalSuite", "multivon-eval"),
    "inspect-ai with openai": Side("inspect", "from inspect_ai import eval", "inspect"),
    "deepeval": Side("deepeval", "from deepeval import evaluate", "deepeval"),
}


def seconds(*words: str) -> float:
    """CPU seconds of a process and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def megabytes(home: Path) -> float:
    packages = next(home.glob("lib/python*/site-packages"))
    files = [file for file in packages.rglob("*") if file.is_file() and not file.is_symlink()]
    kept = [file for file in files if file.relative_to(packages).parts[0].split("-")[0] not in ("pip", "setuptools")]
    return sum(file.stat().st_size for file in kept) / 1e6


def install() -> None:
    home = PEERS / "ringtrue"
    venv.create(home, with_pip=True, clear=True)
    subprocess.run([home / "bin" / "pip", "install", "--quiet", str(ROOT)], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    install()
    best: dict[tuple[str, str], float] = {}
    for _ in range(given.rounds):
        for name, side in SIDES.items():
            python = peer_python(side.environment)
            empty = seconds(python, "-c", "pass")
            taken = {"import": seconds(python, "-c", side.statement) - empty}
            if side.command:
                taken["help"] = seconds(str(Path(python).parent / side.command), "--help") - empty
            for what, spent in taken.items():
                best[name, what] = min(best.get((name, what), spent), max(spent, 0.001))
    print("| package | import, seconds | import, ratio | --help, seconds | --help, ratio | MB | MB, ratio |")
    print("|---|---|---|---|---|---|---|")
    sizes = {name: megabytes(PEERS / side.environment) for name, side in SIDES.items()}
    for name in SIDES:
        cells = [beside(best.get((name, what)), best["ringtrue", what]) for what in ("import", "help")]
        print(f"| {name} | {' | '.join(cells)} | {sizes[name]:.0f} | {sizes[name] / sizes['ringtrue']:.1f} |")


def beside(spent: float | None, ours: float) -> str:
    """Seconds, and how many times as many as ours."""
    return "none | " if spent is None else f"{spent:.3f} | {spent / ours:.1f}"


if __name__ == "__main__":
    main()
