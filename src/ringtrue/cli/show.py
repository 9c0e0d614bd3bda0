"""`ringtrue show`: a run, its rows, one case, or what a dataset asks."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Literal, NamedTuple, cast

import click

from ringtrue.api.runs import open_run
from ringtrue.cli.shared.command import OnceCommand
from ringtrue.cli.shared.completion import complete_run_or_dataset
from ringtrue.cli.shared.options import encoding_option, field_mapping, json_option, map_option, store_option
from ringtrue.cli.shared.output import run_words
from ringtrue.cli.show_dataset import show_dataset
from ringtrue.errors import ConfigurationError
from ringtrue.records import Made, Row, RowFilter, RowStatus, Run
from ringtrue.reports.headline_table import is_score
from ringtrue.reports.run_json import rows_json, run_json
from ringtrue.reports.run_text import print_case, print_rows, print_run
from ringtrue.require import did_you_mean
from ringtrue.safetext import shorten
from ringtrue.stats.row_pages import count_rows
from ringtrue.stats.row_status import headline_of

SHOWN_ROWS = 20


@click.command("show", cls=OnceCommand)
@click.argument("words", nargs=-1, required=True, metavar="RUN | dataset NAME|FILE",
                shell_complete=complete_run_or_dataset)  # fmt: skip
@click.option("--failed", is_flag=True, help="Show the rows that failed, worst first.")
@click.option("--errors", is_flag=True, help="Show the rows that ended in errors.")
@click.option(
    "--worst", type=click.IntRange(min=1), metavar="N", help="Show the N worst rows: errors, then low scores."
)
@click.option(
    "--where",
    "conditions",
    multiple=True,
    metavar="SCORE<NUMBER",
    help="Show the rows whose score is below (<, <=), above (>, >=) or equal to (=) a number. Repeatable.",
)
@click.option("--case", "case_id", metavar="ID", help="Show one case in full: the answers of all systems, every check.")
@click.option(
    "-n",
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"Rows to show at most; by default {SHOWN_ROWS}, and all with --json.",
)
@json_option
@encoding_option
@map_option
@click.option("--data-dir", metavar="DIR", help="Folder with datasets in the hub's layout, read instead of the hub.")
@store_option
def command(
    words: tuple[str, ...],
    failed: bool,
    errors: bool,
    worst: int | None,
    conditions: tuple[str, ...],
    case_id: str | None,
    limit: int | None,
    as_json: bool,
    encoding: str | None,
    maps: tuple[str, ...],
    data_dir: str | None,
    store: str,
) -> int:
    """Show RUN (a stored id or its beginning, `last`, or a file of rows), or what `dataset NAME` asks and expects.

    NAME is a benchmark's name or a file.
    """
    if words[0] == "dataset" and len(words) == 2:
        return show_dataset(words[1], data_dir, as_json=as_json, encoding=encoding, mapping=field_mapping(maps))
    if len(words) != 1 or words[0] == "dataset":
        raise click.UsageError("give one RUN, or: dataset NAME", click.get_current_context())
    run = open_run(words[0], store)
    statuses: list[RowStatus] = [*_status("error", errors), *_status("failed", failed)]
    choice = RowChoice(statuses, conditions, case_id, worst)
    if choice.is_made:
        whole = as_json or case_id is not None
        _show_rows(run, choice, worst or limit or (None if whole else SHOWN_ROWS), as_json=as_json)
    elif as_json:
        click.echo(run_json(run))
    else:
        named = run_words(run.id, store) or shlex.quote(words[0])
        print_run(run, cases=run.made.job == "suite", show=f"ringtrue show {named}")
    return 0


class RowChoice(NamedTuple):
    """The rows of a run to show."""

    statuses: Sequence[RowStatus]
    conditions: tuple[str, ...]
    case_id: str | None
    worst: int | None

    @property
    def is_made(self) -> bool:
        """Whether rows are wanted at all."""
        return bool(self.statuses or self.conditions or self.case_id is not None or self.worst is not None)

    def filters(self, run: Run) -> list[RowFilter]:
        """Return the conditions that rows must match, one after the other."""
        keys = [key for systems in run.summaries.values() for own in systems.values() for key in own if is_score(key)]
        scores = read_conditions(self.conditions, run.made, list(dict.fromkeys(keys)))
        statuses: Sequence[RowStatus | None] = self.statuses or [None]
        return [RowFilter(status=status, scores=scores, case_id=self.case_id) for status in statuses]

    def rows(self, run: Run, limit: int | None) -> list[Row]:
        """Up to `limit` rows, worst first."""
        found: list[Row] = []
        for wanted in self.filters(run):
            if limit is None or len(found) < limit:
                found += run.rows.page(wanted, "worst", 0, None if limit is None else limit - len(found))
        return found

    def count(self, run: Run) -> int:
        """Return the number of rows to show."""
        return sum(count_rows(run.rows, run.made, wanted) for wanted in self.filters(run))


def _show_rows(run: Run, choice: RowChoice, limit: int | None, *, as_json: bool) -> None:
    rows = choice.rows(run, limit)
    if choice.case_id is not None and not rows:
        ids = dict.fromkeys(str(row.trial.case.id) for row in run.rows.page(limit=5))
        some = ", ".join(shorten(one, 40) for one in ids)
        raise ConfigurationError(f"no case {choice.case_id!r} among these rows; its cases are called like {some}")
    if as_json:
        click.echo(rows_json(rows, run.made))
    elif choice.case_id is not None:
        print_case(run, rows)
    else:
        further = len(rows) == limit and choice.worst is None
        print_rows(run, rows, left_out=choice.count(run) - len(rows) if further else 0)


def _status(status: RowStatus, wanted: bool) -> list[RowStatus]:
    return [status] if wanted else []


Sign = Literal["<", "<=", ">", ">=", "="]
Condition = tuple[str, Sign, float]
_CONDITION = re.compile(r"\s*(?P<key>.+?)\s*(?P<sign><=|>=|==|<|>|=)\s*(?P<number>[^<>=]+?)\s*", re.S)


def read_conditions(texts: Iterable[str], made: Made, keys: Sequence[str]) -> tuple[Condition, ...]:
    """Read `--where KEY<NUMBER`; `keys` are the scores that the run has."""
    return tuple(_condition(text, made, keys) for text in texts)


def _condition(text: str, made: Made, keys: Sequence[str]) -> Condition:
    found = _CONDITION.fullmatch(text)
    try:
        amount = float(found["number"]) if found else float("nan")
    except ValueError:
        amount = float("nan")
    if found is None or not isfinite(amount):
        words = f"--where {text!r}: write a score, a sign and a number, such as 'f1<0.5'"
        raise ConfigurationError(words, parameter="where", value=text)
    key = found["key"]
    names = [*keys, *(one.name for one in made.evaluators)]
    if key not in names and headline_of(key, made.evaluators) is None:
        words = f"--where: no score {key!r} in this run; {did_you_mean(key, names)}"
        raise ConfigurationError(words, parameter="where", value=key)
    return key, cast(Sign, found["sign"].replace("==", "=")), amount
