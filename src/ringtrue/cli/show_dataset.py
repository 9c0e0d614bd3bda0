"""`ringtrue show dataset` and `ringtrue list datasets`: what is known about benchmarks, and how a model sees them."""

from __future__ import annotations

import sys
from typing import Any

import click

from ringtrue.datasets.cases import read_cases
from ringtrue.datasets.catalogue.benchmark import Benchmark
from ringtrue.datasets.catalogue.loading import has_sample, is_name, parse_name
from ringtrue.datasets.catalogue.table import find, names
from ringtrue.errors import RingtrueError
from ringtrue.jsontext import json_text
from ringtrue.models.model import Model
from ringtrue.records import Case
from ringtrue.safetext import printable
from ringtrue.systems.chat import ChatSystem
from ringtrue.systems.questions import require_questions

EXAMPLES = 3
SHOWN = 1_500
"""Characters of a message that are shown; a context may be a book."""


def entries() -> list[dict[str, Any]]:
    """Everything the catalogue says about every benchmark."""
    return [_facts(find(name)) for name in names()]


def cells(entry: dict[str, Any]) -> list[str]:
    """The line of a benchmark: name, size, task, licence, revision, evaluators beside answer_quality."""
    size = "size unknown" if entry["size"] is None else f"{entry['size']:,}"
    beside = [name for name in entry["evaluators"] if name != "answer_quality"]
    shown = [entry["name"], size, entry["task"], entry["licence"], entry["revision"][:8]]
    return [*shown, ", ".join(beside) or "answer_quality"]


def show_dataset(name: str, data_dir: str | None = None, *, as_json: bool = False, encoding: str | None = None) -> int:
    """Print what is known about a benchmark or a file, and three examples as a model sees them, with their answers.

    Where a benchmark's rows cannot be read, those that come with the package are shown, or the reason is.
    """
    if is_name(name):
        known = _facts(parse_name(name)[0])
        cases, problem = _examples(name, data_dir)
    else:
        cases, problem = read_cases(name, EXAMPLES, encoding=encoding), ""
        require_questions([_Seen()], cases)
        known = {"file": name, "fields": list(cases[0].fields) if cases else []}
    if as_json:
        shown = [{"messages": _Seen().messages(case), "answer": case.expected, **dict(case.fields)} for case in cases]
        facts = {**known, "problem": problem, "examples": shown}
        sys.stdout.write(json_text(facts, indent=True) + "\n")
        return 0 if cases else 3
    for key, value in known.items():
        text = ("\n" + " " * 12 if key == "sources" else ", ").join(value) if isinstance(value, list) else value
        if text not in ("", None):
            click.echo(f"{key:<11} {text}")
    for number, case in enumerate(cases, 1):
        click.echo(f"\nexample {number} of {len(cases)}, {printable(str(case.id))}")
        for message in _Seen().messages(case):
            click.echo(f"{message['role']}:\n{_indented_text(str(message['content']))}")
        click.echo(f"gold:\n{_indented_text(_gold(case))}")
    if problem:
        click.echo(f"\nringtrue: {printable(problem)}", err=True)
    return 0 if cases else 3


class _Seen(ChatSystem):
    """What a model is sent, without a model."""

    name, in_flight = "", 1

    def _model(self) -> Model:
        raise RingtrueError("this shows what is sent; nobody is asked")


def _examples(name: str, data_dir: str | None) -> tuple[list[Case], str]:
    try:
        return read_cases(name, EXAMPLES, data_dir), ""
    except RingtrueError as error:
        if data_dir is None and has_sample(name):
            return read_cases(f"{name.partition(':')[0]}@sample", EXAMPLES), f"{error}; these rows are of its sample"
        return [], str(error)


def _facts(benchmark: Benchmark) -> dict[str, Any]:
    return {
        "name": benchmark.name,
        "task": benchmark.task,
        "hub path": benchmark.path,
        "config": benchmark.config,
        "configs": list(benchmark.configs),
        "split": benchmark.split,
        "revision": benchmark.revision or "unpinned",
        "size": benchmark.size,
        "licence": benchmark.licence,
        "gated": benchmark.gated or None,
        "evaluators": list(benchmark.evaluators),
        "metric": benchmark.metric,
        "fields": list(benchmark.fields),
        "homepage": benchmark.homepage,
        "citation": benchmark.citation,
        "sources": list(benchmark.sources),
        "note": benchmark.note,
    }


def _gold(case: Case) -> str:
    letter = case.fields.get("correct_letter")
    calls = case.fields.get("expected_calls")
    checks = case.fields.get("instruction_id_list")
    if letter:
        return f"{letter}) {(case.expected or ('',))[0]}"
    if checks:
        return "checked: " + ", ".join(checks)
    if calls == []:
        return "no call"
    return "\n".join(case.expected) if case.expected else "none; a judge decides"


def _indented_text(text: str) -> str:
    cut = text if len(text) <= SHOWN else f"{text[:SHOWN]} … ({len(text) - SHOWN:,} more characters)"
    return "\n".join(f"  {printable(line)}".rstrip() for line in cut.split("\n"))
