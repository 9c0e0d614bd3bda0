"""`ringtrue generate`: cases made of texts by a model, and of cases with or without one."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from ringtrue.atomic_file import check_place, write_whole
from ringtrue.authoring.case_gates import MakingReport
from ringtrue.authoring.make_cases import ask_author, case_rows, plan_writings
from ringtrue.authoring.text_cases import PIECE_CHARS, TextSource
from ringtrue.authoring.twins import labelled_rows, twins
from ringtrue.authoring.varied_cases import TURNING, VARIATIONS, variant, varied_cases
from ringtrue.authoring.weaknesses import WEAKNESSES
from ringtrue.authoring.writing import CaseRequest, Item, WritingTask, collect_cases, empty_report
from ringtrue.cli import INTERRUPTED, NOTHING_MEASURED, OK
from ringtrue.cli.shared.author_options import (
    announce_cost,
    author_options,
    named_author,
    say_cost,
    spent,
    text_of,
)
from ringtrue.cli.shared.command import OnceCommand, say
from ringtrue.datasets.cases import read_cases
from ringtrue.dialects.coercion import context_text
from ringtrue.dialects.fields import ALIASES, TRANSCRIPT
from ringtrue.dialects.suite import EvalCase, suite_case
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.personal_data import PersonalData
from ringtrue.jsontext import json_text

SUFFIXES = (".txt", ".md", ".rst", ".text")
"""What is read of a folder."""
KINDS = ("questions", "twins", "variants")
_KNOWN = {*(name for names in ALIASES.values() for name in names), *EvalCase.__dataclass_fields__, TRANSCRIPT} - {
    "tags"
}
"""What a case says itself; all else of its row stays beside it."""

Rows = Sequence[Mapping[str, Any]]
Replies = Sequence[Sequence[Item]]
Job = tuple[Sequence[WritingTask], Callable[[Replies], tuple[Rows, MakingReport]]]
"""What is asked, and what is made of the replies: rows, and what became of all that was made."""


@click.command("generate", cls=OnceCommand)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--kind", type=click.Choice(KINDS), default="questions", show_default=True,
              metavar="NAME", help="questions from texts; false twins or variants of the cases in files.")  # fmt: skip
@click.option("-n", "--count", type=click.IntRange(1, 100_000), default=10, show_default=True, metavar="N",
              help="Number of cases to generate from texts.")  # fmt: skip
@click.option("-o", "--output", metavar="FILE", help="JSONL file to write, instead of standard output.")
@click.option("--unanswerable", type=click.FloatRange(0, 1), default=0.0, metavar="SHARE",
              help="Share of questions that the text does not answer.")  # fmt: skip
@click.option("--weakness", type=click.Choice(WEAKNESSES), metavar="NAME",
              help="Cases that a system with this weakness gets wrong; the texts describe the purpose of the system: "
                   f"{', '.join(WEAKNESSES)}.")  # fmt: skip
@click.option("--vary", "names", multiple=True, type=click.Choice([*VARIATIONS]), metavar="NAME",
              help=f"Kind of variant: {', '.join(VARIATIONS)}; all but negated by default. Repeatable.")  # fmt: skip
@click.option("--piece-chars", type=click.IntRange(min=201), default=PIECE_CHARS, show_default=True, metavar="N",
              help="Split longer texts into pieces of this many characters.")  # fmt: skip
@author_options
def command(
    paths: tuple[str, ...],
    kind: str,
    count: int,
    output: str | None,
    unanswerable: float,
    weakness: str | None,
    names: tuple[str, ...],
    piece_chars: int,
    dry_run: bool,
    as_json: bool,
    store: str,
    **given: Any,
) -> int:
    """Generate cases from the texts in PATH (files, or folders of .txt, .md and .rst), or from the cases in PATH.

    The output is JSONL for `ringtrue run -d`; twins are labelled answers for `ringtrue calibrate`. Replies
    are stored: running the same command again costs nothing.

    \b
    ringtrue generate handbook.md -n 20 --unanswerable 0.2 -o cases.jsonl
    ringtrue generate product.md --weakness prompt_injection_direct -o attacks.jsonl
    ringtrue generate cases.jsonl --kind variants --vary slip -o variants.jsonl
    """
    if output:
        check_place(output, "output")
    _must_fit(kind, {"--unanswerable": (unanswerable, "questions"), "--weakness": (weakness, "questions"),
                     "--vary": (names, "variants")})  # fmt: skip
    if kind == "variants" and dry_run:
        say("variants need no model; nothing was written")
        return OK
    if kind == "variants":
        return _out(*_variants(paths, names, given["seed"]), output, as_json, {})
    author = named_author(**given)
    asked, finish = _job(kind, paths, count, piece_chars, unanswerable=unanswerable, weakness=weakness or "")
    if not announce_cost(author, author.estimate(asked), dry=dry_run, as_json=as_json):
        return OK
    try:
        replies = ask_author(asked, author, store)
    except KeyboardInterrupt:
        say("interrupted; the replies that came are kept, and the same command continues with them")
        return INTERRUPTED
    say_cost(author)
    return _out(*finish(replies), output, as_json, spent(author))


def _job(kind: str, paths: Sequence[str], count: int, piece_chars: int, **about: Any) -> Job:
    if kind == "twins":
        return _twins([case for case, _ in _cases(paths)])
    return _of_texts(plan_writings(_texts(paths), count, piece_chars=piece_chars, **about))


def _of_texts(wanted: list[CaseRequest]) -> Job:
    report = empty_report(wanted)
    return wanted, lambda replies: (case_rows(collect_cases(wanted, replies, report)), report)


def _twins(cases: list[EvalCase]) -> Job:
    wanted = twins(cases)
    if not wanted:
        raise ConfigurationError("no case has both a context and one expected answer, which a twin needs")
    report = empty_report(wanted)

    def finish(replies: Replies) -> tuple[Rows, MakingReport]:
        made = [
            (case.input, context_text(case.context), case.metadata) for case in collect_cases(wanted, replies, report)
        ]
        return [
            row
            for question, context, about in made
            for row in labelled_rows(about["pair_id"], question, context, about["faithful_answer"],
                                about["unfaithful_answer"], changed_fact=about["changed_fact"])
        ], report  # fmt: skip

    return wanted, finish


def _must_fit(kind: str, options: Mapping[str, tuple[object, str]]) -> None:
    """Raise a ConfigurationError for an option that another kind has."""
    for option, (value, owner) in options.items():
        if value and kind != owner:
            raise ConfigurationError(f"{option} is for --kind {owner}; got --kind {kind}", parameter=option)


def _out(rows: Rows, report: MakingReport, output: str | None, as_json: bool, took: Mapping[str, Any]) -> int:
    """Write the rows, and say what became of all; 3 where nothing is left."""
    data = "".join(f"{json_text(row)}\n" for row in rows)
    if output and rows:
        write_whole(output, data.encode())
    if as_json:
        kept = {"output": output} if output else {"rows": rows}
        sys.stdout.write(json_text({"report": asdict(report), **took, **kept}, indent=True) + "\n")
    elif not output:
        sys.stdout.write(data)
    where = f"; they are in {output}" if output else ""
    say(report.summary_line() + where if rows else f"no generated case could be kept: {report.summary_line()}")
    return OK if rows else NOTHING_MEASURED


def _texts(paths: Iterable[str]) -> list[TextSource]:
    """The texts of files, and of folders."""
    files: list[Path] = []
    for path in map(Path, paths):
        inside = sorted(one for one in path.rglob("*") if _is_text(one.relative_to(path)) and one.is_file())
        if path.is_dir() and not inside:
            raise ConfigurationError(f"{str(path)!r} holds no {', '.join(SUFFIXES)}", parameter="PATH", value=path)
        files += inside if path.is_dir() else [path]
    found = [TextSource(str(file), text_of(file)) for file in files]
    _warn_of_personal_data(found)
    return found


def _is_text(path: Path) -> bool:
    """Whether a folder's file is a text by its name, and neither hidden nor in a hidden folder."""
    return path.suffix.lower() in SUFFIXES and not any(part.startswith(".") for part in path.parts)


def _warn_of_personal_data(sources: Iterable[TextSource]) -> None:
    """Say what is in texts that leave this machine."""
    search = PersonalData()
    kinds = Counter(
        one.kind
        for _, text in sources
        for start in range(0, len(text), search.max_chars)
        for one in search.findings(text[start : start + search.max_chars])
    )
    if kinds:
        held = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
        say(f"the texts hold personal data, which the author is sent: {held}")


def _cases(paths: Sequence[str]) -> Sequence[tuple[EvalCase, Mapping[str, Any]]]:
    """The cases of files, and what else their rows hold: choices, tags, the name of a benchmark."""
    found = []
    for case in (case for path in paths for case in read_cases(path)):
        one = suite_case(case)
        more = {name: value for name, value in case.fields.items() if name not in _KNOWN}
        about = one.metadata.get("metadata")
        one.metadata = dict(about) if isinstance(about, dict) else {}
        found.append((one, more))
    if not found:
        named = ", ".join(map(repr, paths))
        raise ConfigurationError(f"no case in {named}; this kind needs cases: JSONL with an input in each line")
    return found


def _variants(paths: Sequence[str], names: Sequence[str], seed: int) -> tuple[Rows, MakingReport]:
    chosen = names or [name for name in VARIATIONS if name not in TURNING]
    cases = _cases(paths)
    more = {id(case): rest for case, rest in cases}
    beside: list[Mapping[str, Any]] = []

    def make_variant(case: EvalCase, name: str, text: str) -> EvalCase:
        beside.append({} if name in TURNING else more[id(case)])  # what was right may be anywhere in a row
        return variant(case, name, text)

    variations = {name: VARIATIONS[name] for name in chosen}
    found, report = varied_cases([case for case, _ in cases], variations, seed=seed, make=make_variant)
    return [{**rest, **row} for row, rest in zip(case_rows(found), beside, strict=True)], report
