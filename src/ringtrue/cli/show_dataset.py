"""`ringtrue show dataset` and `ringtrue list datasets`: what is known about benchmarks, and how a model sees them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from os.path import basename
from typing import Any

import click

from ringtrue.datasets.cases import read_cases
from ringtrue.datasets.catalogue.benchmark import Benchmark
from ringtrue.datasets.catalogue.loading import has_sample, is_name, parse_name
from ringtrue.datasets.catalogue.table import ENTRIES, find, names
from ringtrue.errors import ConfigurationError, RingtrueError
from ringtrue.jsontext import json_text
from ringtrue.models.model import Model
from ringtrue.records import Case
from ringtrue.safetext import printable, shorten
from ringtrue.systems.chat import ChatSystem
from ringtrue.systems.questions import require_questions

EXAMPLES = 3
PROXY = "not authors'"
"""The key of how a headline differs from the authors' metric."""

SHOWN = 1_500
"""Characters of a message that are shown; a context may be a book."""


def entries() -> list[dict[str, Any]]:
    """Everything the catalogue says about every benchmark, in its default configuration."""
    return [_facts(find(name)) for name in names()]


def dataset_lines(found: Sequence[Mapping[str, Any]], width: int) -> Iterator[str]:
    """A line for each benchmark that fits the terminal: name, metric (`~` where it is not its authors'), size, sample,
    licence; two lines each where a table has no place.
    """
    lines = [["name", "metric", "cases", "sample", "licence"]]
    for one in found:
        size = "unknown" if one["size"] is None else f"{one['size']:,}"
        metric = f"{'~' if one[PROXY] else ''}{one['metric']}"
        lines.append([one["name"], metric, size, "yes" if one["sample"] else "", one["licence"]])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    licence = width - sum(widths[:4]) - 8
    for name, metric, size, sample, terms in lines:
        if licence >= 7:
            start = f"{name:<{widths[0]}}  {metric:<{widths[1]}}  {size:>{widths[2]}}  {sample:<{widths[3]}}"
            yield f"{start}  {shorten(terms, licence)}".rstrip()
        else:
            yield shorten(f"{name}  {size}{', sample' if sample == 'yes' else ''}", width)
            yield shorten(f"  {metric}, {terms}", width)


def show_dataset(
    name: str,
    data_dir: str | None = None,
    *,
    as_json: bool = False,
    encoding: str | None = None,
    mapping: Mapping[str, str] | None = None,
) -> int:
    """Print what is known about a benchmark or a file, and three examples as a model sees them, with their answers.

    Where a benchmark's rows cannot be read, those that come with the package are shown, or the reason is.
    """
    if is_name(name):
        known = _facts(*parse_name(name))
        cases, problem = _examples(name, data_dir)
    else:
        cases, problem = read_cases(name, EXAMPLES, mapping=mapping, encoding=encoding), ""
        require_questions([_Recorder()], cases)
        given = cases[0].fields.items() if cases else ()
        known = {"file": name, "fields": [key for key, value in given if (key, value) != ("dataset", basename(name))]}
    if as_json:
        shown = [
            {"messages": _Recorder().messages(case), "answer": case.expected, **dict(case.fields)} for case in cases
        ]
        facts = {**known, "problem": problem, "examples": shown}
        sys.stdout.write(json_text(facts, indent=True) + "\n")
        return 0 if cases else 3
    for key, value in known.items():
        apart = "\n" + " " * 13 if key in ("sources", "by config") else ", "
        text = apart.join(value) if isinstance(value, list) else value
        if text not in ("", None):
            click.echo(f"{key:<12} {text}")
    for number, case in enumerate(cases, 1):
        click.echo(f"\nexample {number} of {len(cases)}, {printable(str(case.id))}")
        for message in _Recorder().messages(case):
            click.echo(f"{message['role']}:\n{_indented_text(str(message['content']))}")
        click.echo(f"gold:\n{_indented_text(_gold(case))}")
    if problem:
        click.echo(f"\nringtrue: {printable(problem)}", err=True)
    return 0 if cases else 3


class _Recorder(ChatSystem):
    """A model that only records what it is sent."""

    name, in_flight = "", 1

    def _model(self) -> Model:
        raise RingtrueError("this shows what is sent; no model is asked")


def _examples(name: str, data_dir: str | None) -> tuple[list[Case], str]:
    try:
        return read_cases(name, EXAMPLES, data_dir), ""
    except RingtrueError as error:
        whole = name.partition(":")[0]
        for sample in (name, whole) if data_dir is None and has_sample(name) else ():
            with suppress(ConfigurationError):  # a configuration may have no rows of its own in the sample
                return read_cases(f"{sample}@sample", EXAMPLES), f"{error}; these rows are of {sample}@sample"
        return [], str(error)


def _facts(benchmark: Benchmark, config: str | None = None) -> dict[str, Any]:
    rule = benchmark.scoring(config)
    return {
        "name": benchmark.name,
        "task": benchmark.task,
        "hub path": benchmark.path,
        "config": config or benchmark.config,
        "configs": list(benchmark.configs),
        "split": benchmark.split,
        "revision": benchmark.revision or "unpinned",
        "size": benchmark.size,
        "licence": benchmark.licence,
        "gated": benchmark.gated or None,
        "sample": f"{benchmark.name}@sample" if has_sample(benchmark.name) else None,
        "evaluators": list(rule.evaluators),
        "metric": rule.headline,
        PROXY: rule.proxy,
        "with a judge": ", ".join(filter(None, [rule.judged_headline, *rule.judged, rule.judged_proxy])) or None,
        "by config": [f"{headline}: {', '.join(own)}" for headline, own in _headlines(benchmark).items()],
        "few-shot": _few_shot(benchmark),
        "fields": list(benchmark.fields),
        "homepage": benchmark.homepage,
        "citation": benchmark.citation,
        "sources": list(benchmark.sources),
        "note": benchmark.note,
    }


def _few_shot(benchmark: Benchmark) -> str:
    """The split of worked examples, and whose format they have."""
    if benchmark.examples is None:
        return "none: no training split is known"
    start = f"examples of the split {benchmark.examples}"
    cited = (source.rpartition(": ") for source in benchmark.sources)
    place = next((place for place, _, facts in cited if "examples" in facts.split(", ")), "")
    if benchmark.name in ENTRIES and not place.startswith("github.com"):
        return f"{start}, {f'as in {place}' if place else 'in the format of ringtrue'}; its authors publish no format"
    return f"{start}, as in {place or 'its entry'}"


def _headlines(benchmark: Benchmark) -> dict[str, list[str]]:
    """The configurations by their headline metric, where there are several; `*` are all others."""
    found: dict[str, list[str]] = {}
    for config, rule in benchmark.by_config.items():
        found.setdefault(f"{'~' if rule.proxy else ''}{rule.headline}", []).append(config)
    rest = [config for config in benchmark.configs if config not in benchmark.by_config]
    if found and rest:
        found.setdefault(f"{'~' if benchmark.proxy else ''}{benchmark.metric}", []).append("all others")
    return found if len(found) > 1 else {}


def _gold(case: Case) -> str:
    letter = case.fields.get("correct_letter")
    calls = case.fields.get("expected_calls")
    checks = case.fields.get("instruction_id_list")
    turns = case.fields.get("expected_turns")
    if letter:
        return f"{letter}) {(case.expected or ('',))[0]}"
    if checks:
        return "checked: " + ", ".join(checks)
    if turns:
        return "\n".join(", ".join(turn) or "no call" for turn in turns)
    if calls == []:
        return "no call"
    return "\n".join(case.expected) if case.expected else "none; a judge decides"


def _indented_text(text: str) -> str:
    cut = text if len(text) <= SHOWN else f"{text[:SHOWN]} … ({len(text) - SHOWN:,} more characters)"
    return "\n".join(f"  {printable(line)}".rstrip() for line in cut.split("\n"))
