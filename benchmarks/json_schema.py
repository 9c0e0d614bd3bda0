"""Speed of JSONSchemaEval against its peers: how many times as many outputs per CPU second we check.

    python benchmarks/json_schema.py [--rounds 15]

Both sides read and validate the same texts in alternating rounds, ours here and the peers' in a process with their own
interpreter. Each side counts its own CPU time, and the best round of each counts: ratios carry over to other machines.
Verdicts are compared in every round, and must be the same. Ours go by the column, as `ringtrue score` reads a file; the
peers have no such way. `jsonschema` has its validator compiled once and says yes or no; ours also finds repeated keys,
keeps integers exact, refuses NaN and can say what is wrong, which is not asked for here. `libraries` is the ratio of
the two libraries below ours, orjson and jsonschema-rs, called text by text with nothing around them: what is far above
it cannot be had in Python.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from typing import Any

from sides import PeerProcess

Verdict = Callable[[str], bool]
Verdicts = Callable[[list[str]], list[bool]]

PEERS = {"jsonschema, compiled": (40, 20), "multivon-eval": (1_000, 2)}
"""Peer -> the floor, and how many texts of each kind it is given in a round."""

REPEATED = 50
"""How often our column holds the texts of a kind: a round of ours then takes about as long as one of a peer."""

TEXT = {"type": "string", "minLength": 1}
AMOUNT = {"type": "number", "minimum": 0}
ADDRESS = {
    "type": "object",
    "properties": {"street": TEXT, "city": TEXT, "country": {"enum": ["DE", "FR", "IT", "US"]}},
    "required": ["street", "city"],
    "additionalProperties": False,
}
PERSON = {
    "type": "object",
    "properties": {
        "name": TEXT,
        "email": {"type": "string", "pattern": "^[^@]+@[^@]+$"},
        "age": {"type": "integer", "minimum": 0, "maximum": 150},
        "tags": {"type": "array", "items": TEXT, "maxItems": 10},
        "address": ADDRESS,
    },
    "required": ["name", "email", "age"],
}
ITEM = {
    "type": "object",
    "properties": {"text": TEXT, "count": {"type": "integer", "minimum": 1}, "price": AMOUNT},
    "required": ["text", "count", "price"],
}
SCHEMAS: dict[str, dict[str, Any]] = {
    "tool call": {
        "type": "object",
        "properties": {
            "name": {"const": "search"},
            "arguments": {"type": "object", "properties": {"query": TEXT, "limit": {"type": "integer"}}},
        },
        "required": ["name", "arguments"],
        "additionalProperties": False,
    },
    "record": PERSON,
    "invoice": {
        "type": "object",
        "properties": {
            "number": {"type": "string", "pattern": "^INV-[0-9]+$"},
            "date": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
            "currency": {"enum": ["EUR", "USD"]},
            "seller": ADDRESS,
            "buyer": ADDRESS,
            "contact": {"anyOf": [{"type": "null"}, PERSON]},
            "items": {"type": "array", "items": ITEM, "minItems": 1},
            "total": AMOUNT,
            "paid": {"type": "boolean"},
        },
        "required": ["number", "date", "seller", "buyer", "items", "total"],
        "additionalProperties": False,
    },
    "ten records": {"type": "array", "items": PERSON, "minItems": 1},
}
SCHEMAS["invoice, wrong"] = SCHEMAS["invoice"]


def address(dice: random.Random) -> dict[str, Any]:
    return {"street": f"{dice.randrange(99)} High Street", "city": "Springfield", "country": dice.choice(["DE", "US"])}


def person(dice: random.Random) -> dict[str, Any]:
    tags = [f"tag{number}" for number in range(dice.randrange(8))]
    age = dice.randrange(90)
    return {"name": "Ada", "email": "ada@example.org", "age": age, "tags": tags, "address": address(dice)}


def invoice(dice: random.Random, total: Any) -> dict[str, Any]:
    items = [{"text": f"part {n}", "count": n, "price": dice.randrange(999) / 4} for n in range(1, 5)]
    head = {"number": f"INV-{dice.randrange(9999)}", "date": "2026-11-30", "currency": "EUR"}
    parties = {"seller": address(dice), "buyer": address(dice), "contact": person(dice)}
    return {**head, **parties, "items": items, "total": total, "paid": dice.random() < 0.5}


def workloads() -> dict[str, list[str]]:
    """Twenty texts of each kind, indented by two as models like to write."""
    dice = random.Random(7)
    made: dict[str, list[Any]] = {
        "tool call": [{"name": "search", "arguments": {"query": f"q{i}", "limit": i}} for i in range(20)],
        "record": [person(dice) for _ in range(20)],
        "invoice": [invoice(dice, 99.5) for _ in range(20)],
        "ten records": [[person(dice) for _ in range(10)] for _ in range(20)],
        "invoice, wrong": [invoice(dice, "a lot") for _ in range(20)],
    }
    return {kind: [json.dumps(value, indent=2) for value in values] for kind, values in made.items()}


def our_scores(schema: dict[str, Any]) -> Callable[[list[str]], list[Any]]:
    from ringtrue.evaluators.json_schema import JSONSchemaEval

    measure = JSONSchemaEval(schema).measure_texts
    return lambda texts: measure(texts, [None] * len(texts))


def bare_verdicts(schema: dict[str, Any]) -> Verdicts:
    import jsonschema_rs
    import orjson

    accepts, loads = jsonschema_rs.Draft202012Validator(schema).is_valid, orjson.loads
    return lambda texts: [accepts(loads(text)) for text in texts]


def peer_verdicts(peer: str, schema: dict[str, Any]) -> Verdicts:
    verdict = peer_verdict(peer, schema)
    return lambda texts: [verdict(text) for text in texts]


def peer_verdict(peer: str, schema: dict[str, Any]) -> Verdict:
    if peer == "multivon-eval":
        from multivon_eval import EvalCase, JSONSchemaEval

        check, case = JSONSchemaEval(schema), EvalCase(input="")
        return lambda text: bool(check.evaluate(case, text).passed)
    from jsonschema import Draft202012Validator

    validator = Draft202012Validator(schema)
    return lambda text: bool(validator.is_valid(json.loads(text)))


def seconds(check: Callable[[list[str]], Any], texts: list[str]) -> float:
    start = time.process_time()
    check(texts)
    return time.process_time() - start


def serve() -> None:
    """The peers' process: peer, kind and number of texts in; verdicts and CPU seconds of one round out."""
    texts = workloads()
    checks = {(peer, kind): peer_verdicts(peer, SCHEMAS[kind]) for peer in PEERS for kind in SCHEMAS}
    for line in sys.stdin:
        peer, kind, count = json.loads(line)
        check, some = checks[peer, kind], texts[kind][:count]
        print(json.dumps([check(some), seconds(check, some)]), flush=True)


def compare(rounds: int) -> None:
    texts = workloads()
    print("| text | peer | ratio | libraries | floor |\n|---|---|---|---|---|")
    with PeerProcess("checks", __file__) as process:
        for peer, (floor, count) in PEERS.items():
            for kind, schema in SCHEMAS.items():
                check, bare = our_scores(schema), bare_verdicts(schema)
                column = texts[kind] * REPEATED
                ours, barely, theirs = [], [], []
                for _ in range(rounds):
                    ours.append(seconds(check, column) / len(column))
                    barely.append(seconds(bare, column) / len(column))
                    said, spent = process.ask(peer, kind, count)
                    assert said == [score.passed for score in check(texts[kind][:count])], "the verdicts differ"
                    theirs.append(spent / count)
                size = sum(map(len, texts[kind])) // len(texts[kind])
                ratio, most = min(theirs) / min(ours), min(theirs) / min(barely)
                print(f"| {kind}, {size} characters | {peer} | {ratio:,.0f} | {most:,.0f} | {floor} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        serve()
    else:
        compare(arguments.rounds)


if __name__ == "__main__":
    main()
