"""How often `run --stop-when-decided` decides wrongly, and how many calls it saves, by simulation.

    python benchmarks/early_stop.py [--runs 1000] [--cases 500] [--seed 0]

A run asks up to `--cases` cases in random order and looks after every 16, as the runner does. At effect 0 (a pass rate
that equals the floor; two systems that are equally good) any decision between the two sides is wrong. The anytime-valid
sequence may decide wrongly in 5 % of the runs at most, however often one looks; Wilson's interval and McNemar's test,
looked at as often, are beside it. At other effects: how many runs are decided, rightly, and the calls that they
saved. The exit code is 1 where more than 5 % are wrong.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from random import Random
from statistics import fmean

from ringtrue.runner.early_stop import ROUND
from ringtrue.stats.confidence_sequences import BettingSequence, DifferenceSequence
from ringtrue.stats.differences import mcnemar
from ringtrue.stats.intervals import wilson

FLOOR = 0.7
EFFECTS = (0.0, 0.05, 0.1, 0.2)
DISCORDANT = 0.2
"""The share of cases on which two equally good systems differ."""

Decided = tuple[int, int]
"""1 for above, -1 for below, 0 for open; and after how many cases."""


def by_sequence(values: Iterator[float], cases: int, floor: float = FLOOR) -> Decided:
    sequence = BettingSequence()
    for n in range(1, cases + 1):
        sequence.add(next(values))
        if n % ROUND == 0 or n == cases:
            low, high = sequence.interval
            if low >= floor or high < floor:
                return (1 if low >= floor else -1), n
    return 0, cases


def by_wilson(values: Iterator[float], cases: int, floor: float = FLOOR) -> Decided:
    passed = 0.0
    for n in range(1, cases + 1):
        passed += next(values)
        if n % ROUND == 0 or n == cases:
            low, high = wilson(passed, n)
            if low > floor or high < floor:
                return (1 if low > floor else -1), n
    return 0, cases


def pairs_by_sequence(pairs: Iterator[tuple[int, int]], cases: int) -> Decided:
    sequence = DifferenceSequence()
    for n in range(1, cases + 1):
        sequence.add(*next(pairs))
        if n % ROUND == 0 or n == cases:
            low, high = sequence.interval
            if low > 0 or high < 0:
                return (1 if low > 0 else -1), n
    return 0, cases


def pairs_by_mcnemar(pairs: Iterator[tuple[int, int]], cases: int) -> Decided:
    before: list[bool] = []
    after: list[bool] = []
    for n in range(1, cases + 1):
        old, new = next(pairs)
        before.append(bool(old))
        after.append(bool(new))
        if (n % ROUND == 0 or n == cases) and mcnemar(before, after) < 0.05:
            return (1 if sum(after) > sum(before) else -1), n
    return 0, cases


def verdicts(random: Random, effect: float) -> Iterator[float]:
    while True:
        yield float(random.random() < FLOOR + effect)


def pairs(random: Random, effect: float) -> Iterator[tuple[int, int]]:
    """Both agree but for `DISCORDANT` of the cases, of which the second wins more by the effect."""
    gained, lost = (DISCORDANT + effect) / 2, (DISCORDANT - effect) / 2
    while True:
        draw = random.random()
        yield (0, 1) if draw < gained else (1, 0) if draw < gained + lost else (1, 1)


METHODS: list[tuple[str, Callable[..., Iterator[object]], Callable[..., Decided]]] = [
    ("mean, betting sequence", verdicts, by_sequence),
    ("mean, Wilson, looked at often", verdicts, by_wilson),
    ("difference, betting sequence", pairs, pairs_by_sequence),
    ("difference, McNemar, looked at often", pairs, pairs_by_mcnemar),
]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1_000)
    parser.add_argument("--cases", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    failed = False
    print(f"{given.runs} runs of up to {given.cases} cases, floor {FLOOR}, {DISCORDANT:.0%} of pairs differ")
    print("| method | effect | above | below | wrong | calls saved |\n|---|---|---|---|---|---|")
    for name, source, decide in METHODS:
        for effect in EFFECTS:
            random = Random(f"{given.seed} {name} {effect}")
            found = [decide(source(random, effect), given.cases) for _ in range(given.runs)]
            above, below = (sum(side == sign for side, _ in found) / given.runs for sign in (1, -1))
            wrong = above + below if effect == 0 else below
            saved = 1 - fmean(n for _, n in found) / given.cases
            failed |= "sequence" in name and wrong > 0.05
            print(f"| {name} | {effect:+.2f} | {above:.1%} | {below:.1%} | {wrong:.1%} | {saved:.1%} |", flush=True)
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
