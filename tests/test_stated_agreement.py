"""The rows and numbers of disagreement that the pages state are those that the golden rows give."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from ringtrue.scoring.choice import extract_letter
from ringtrue.scoring.maths import equivalent
from support.golden import golden

ROOT = Path(__file__).parent.parent
DIFFERENCES = (ROOT / "docs" / "background" / "official-scorers.md").read_text("utf-8")
PUBLISHED = (ROOT / "benchmarks" / "results" / "published.md").read_text("utf-8")
READERS = {
    "MMLU-Pro, second level": "mmlu_pro_l2",
    "MMLU-Pro, first level": "mmlu_pro_l1",
    "simple-evals": "simple_evals",
}
CHOICES = [row for row in golden("mcq_extraction") if not row["ambiguous"]]


def test_the_page_lists_every_choice_that_differs() -> None:
    differing = [
        (row["id"], row["expected"]["letter"])
        for row in CHOICES
        if extract_letter(row["input"]["response"], row["input"]["choices"]) != row["expected"]["letter"]
    ]
    assert sorted(re.findall(r"^\| (mcq-\S+) \|[^|]*\| (\w) \| none \|$", DIFFERENCES, re.M)) == sorted(differing)
    assert f"{len(differing)} of {len(CHOICES)} rows" in DIFFERENCES


def test_the_page_lists_every_ambiguous_pair_that_differs() -> None:
    pairs = [row for row in golden("math_equivalence") if row["ambiguous"]]
    differing = {
        row["id"]
        for row in pairs
        if equivalent(row["input"]["gold"], row["input"]["candidate"]) != row["expected"]["equal"]
    }
    section = DIFFERENCES.partition("## Math")[2].partition("\n## ")[0]
    lists = re.findall(r"math-gen-([\d, ]+)", section)
    assert {f"math-gen-{number}" for one in lists for number in re.findall(r"\d+", one)} == differing
    assert f"{len(differing)} of the {len(pairs)} rows" in DIFFERENCES


def test_the_errors_of_other_readers_are_those_of_the_golden() -> None:
    for name, oracle in READERS.items():
        errors: Counter[str] = Counter()
        for row in CHOICES:
            letter, read = row["expected"]["letter"], row["oracles"][oracle]
            if read != letter:
                errors["guessed" if letter is None else "missed" if read is None else "wrong"] += 1
        cells = [errors["wrong"], errors["missed"], errors["guessed"], errors.total()]
        assert f"| {name} | {' | '.join(map(str, cells))} |" in PUBLISHED
