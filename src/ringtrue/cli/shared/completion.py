"""Shell completion: datasets, evaluators, runs, and files.

A file comes first in every list: bash forgets what comes before it, and offers files only if no name fits.
"""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem

from ringtrue.records import DEFAULT_STORE, Made


def complete_file(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Files."""
    return [CompletionItem(incomplete, type="file")]


def complete_dataset(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Benchmarks, their samples, and files of questions."""
    from ringtrue.datasets.catalogue.loading import sampled_names
    from ringtrue.datasets.catalogue.table import names
    from ringtrue.datasets.samples import SAMPLE

    known = [*names(), *(f"{name}{SAMPLE}" for name in sampled_names())]
    return [*complete_file(ctx, param, incomplete), *_fitting(known, incomplete)]


def complete_answers(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Samples of answers, and files of answers."""
    from ringtrue.datasets.samples import SAMPLE, SAMPLES

    return [*complete_file(ctx, param, incomplete), *_fitting([f"{name}{SAMPLE}" for name in SAMPLES], incomplete)]


def complete_evaluator(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Evaluators: the built-in ones, and those of other packages."""
    from ringtrue.evaluators.built_in import BUILT_IN, JUDGED
    from ringtrue.evaluators.spec import plugins

    return _fitting([*BUILT_IN, *JUDGED, *(plugin.name for plugin in plugins())], incomplete)


def complete_run(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Stored runs, newest first, and files of rows."""
    return [*complete_file(ctx, param, incomplete), *_runs(ctx, incomplete)]


def complete_run_or_dataset(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the argument of `show`: a run, or the word `dataset` and a name."""
    if ctx.params.get("words") == ("dataset",):
        return complete_dataset(ctx, param, incomplete)[1:]
    return [*complete_run(ctx, param, incomplete), *_fitting(["dataset"], incomplete)]


def complete_run_or_answers(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the arguments of `calibrate`: files of answers, samples, or a run."""
    return [*complete_answers(ctx, param, incomplete), *_runs(ctx, incomplete)]


def _runs(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    from ringtrue.errors import RingtrueError
    from ringtrue.store.runs import RunStore

    try:
        with RunStore.existing(ctx.params.get("store") or DEFAULT_STORE) as store:
            runs = [(run.id, run.made) for run in store.runs()]
    except (RingtrueError, OSError):  # a Tab says nothing where there is no store, or one that cannot be read
        return []
    last = [CompletionItem("last", help="the newest run")] if runs and "last".startswith(incomplete) else []
    return [*last, *(CompletionItem(name, help=_about(made)) for name, made in runs if name.startswith(incomplete))]


def _about(made: Made) -> str:
    return ", ".join([*(one.name for one in made.datasets), *(one.name for one in made.systems)])


def _fitting(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in dict.fromkeys(names) if name.startswith(incomplete)]
