"""Evaluators called row by row, as users' loops do, beside a bare Python loop with the same results.

    python benchmarks/calls.py [--rounds 9]

The bare side computes the same numbers from the same strings and returns them; ours takes dicts or
cases, checks sizes, and returns dicts or results. Rounds alternate, CPU time counts, and the best round of each.
"""

from __future__ import annotations

import argparse
import re
import string
from collections import Counter
from collections.abc import Callable
from typing import Any

import jsonschema_rs
import orjson
from json_schema import SCHEMAS
from json_schema import workloads as json_texts
from text_overlap import rows_per_second, workloads

from ringtrue.evaluators import AnswerQuality, ExactMatch, JSONSchemaEval

AIMS = {"AnswerQuality().score": 100_000, "ExactMatch().evaluate": 150_000, "JSONSchemaEval().evaluate": 80_000}
Rows = list[tuple[Any, Any]]
Side = Callable[[Any, Any], Any]

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(?:a|an|the)\b").sub


def _tokens(text: str) -> list[str]:
    return _ARTICLES(" ", text.lower().translate(_PUNCTUATION)).split()


def bare_overlap(original: dict[str, str], processed: dict[str, str]) -> dict[str, float]:
    """SQuAD's numbers of one response and one answer."""
    text, answer = processed["response"], original["answer"]
    said, gold = _tokens(text), _tokens(answer)
    common = sum((Counter(said) & Counter(gold)).values())
    f1, recall = (2 * common / (len(said) + len(gold)), common / len(gold)) if common else (0.0, 0.0)
    contains = float(answer.lower() in text.lower())
    return {"f1": f1, "exact_match": float(said == gold), "recall": recall, "contains": contains}


def bare_equality(case: dict[str, str], text: str) -> bool:
    return text.strip().casefold() == case["expected_output"].strip().casefold()


def bare_schema() -> Side:
    accepts, loads = jsonschema_rs.Draft202012Validator(SCHEMAS["tool call"]).is_valid, orjson.loads
    return lambda _, text: bool(accepts(loads(text)))


def jobs() -> dict[str, tuple[Rows, Side, Side, Callable[[Any], Any]]]:
    """What is called -> rows, our call, the bare one, and what of our result the bare one returns."""
    answers = [(text, gold) for text, gold in workloads()["short answers"] if text.strip() and gold.strip()]
    texts = json_texts()["tool call"]
    quality, equality, schema = AnswerQuality(), ExactMatch(), JSONSchemaEval(SCHEMAS["tool call"])
    return {
        "AnswerQuality().score": (
            [({"question": "Who?", "answer": gold}, {"response": text}) for text, gold in answers],
            quality.score, bare_overlap, lambda numbers: numbers,
        ),
        "ExactMatch().evaluate": (
            [({"input": "Who?", "expected_output": gold}, text) for text, gold in answers],
            equality.evaluate, bare_equality, lambda result: result.passed,
        ),
        "JSONSchemaEval().evaluate": (
            [({"input": "Call it."}, text) for text in texts],
            schema.evaluate, bare_schema(), lambda result: result.passed,
        ),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    given = parser.parse_args()
    print("| call | rows | ratio | rows per core-second | bare | aim |\n|---|---|---|---|---|---|")
    for name, (rows, ours, bare, comparable) in jobs().items():
        different = [row for row in rows if comparable(ours(*row)) != bare(*row)]
        if different:
            raise SystemExit(f"{name}: {len(different)} of {len(rows)} results differ, such as that of {different[0]}")
        pairs = [(rows_per_second(ours, rows), rows_per_second(bare, rows)) for _ in range(given.rounds)]
        mine, other = max(pair[0] for pair in pairs), max(pair[1] for pair in pairs)
        cells = f"{mine / other:.2f} | {mine:,.0f} | {other:,.0f} | {AIMS[name]:,}"
        print(f"| {name} | {len(rows)} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
