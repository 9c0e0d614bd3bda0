"""The options of commands for which a model writes, and the model they name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from ringtrue.authoring.author import Author, CostEstimate, author_of
from ringtrue.cli.shared.command import say
from ringtrue.cli.shared.options import json_option, store_option
from ringtrue.errors import AbsentFile, ConfigurationError
from ringtrue.jsontext import json_text
from ringtrue.models.client.providers import from_env
from ringtrue.models.model import LOCAL
from ringtrue.records import Json
from ringtrue.reports.number import number

_OPTIONS = [
    click.option("--author-url", metavar="URL", help="Endpoint of the model that writes: a URL, or local."),
    click.option("--author-model", default="", metavar="NAME", help="Model to request from it."),
    click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Random seed."),
    click.option("--concurrency", type=click.IntRange(min=1), metavar="N",
                 help="Number of requests at the same time; 16 by default, 1 with a local model."),
    click.option("--max-cost", type=click.FloatRange(min=0), metavar="USD", help="Stop after spending this much."),
    click.option("--max-tokens", type=click.IntRange(min=0), metavar="N", help="Stop after this many tokens."),
    click.option("--dry-run", is_flag=True, help="Show what would be asked and what it may cost, without asking."),
    json_option,
    store_option,
]  # fmt: skip


def author_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds what every command for which a model writes takes."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def named_author(
    author_url: str | None,
    author_model: str,
    seed: int,
    concurrency: int | None,
    max_cost: float | None,
    max_tokens: int | None,
) -> Author:
    """The author that the options name, else the environment, else the embedded model, which says so."""
    if author_url is None:
        try:
            from_env("openai")
        except ConfigurationError:
            say("no endpoint is configured, so the embedded model writes; it is too small to be of use")
            author_url = LOCAL
    limits = {"max_concurrency": concurrency, "max_cost": max_cost, "max_tokens": max_tokens}
    return author_of(author_url, author_model, seed=seed, **limits)


def announce_cost(author: Author, estimate: CostEstimate, *, dry: bool, as_json: bool) -> bool:
    """Say what is about to be asked; whether to ask it."""
    say(estimate.line(author.model) + ("; nothing was asked" if dry else ""))
    if dry and as_json:
        click.echo(json_text({"model": author.model, "estimate": asdict(estimate)}, indent=True))
    return not dry


def spent(author: Author) -> dict[str, Json]:
    """Return the usage of an author and its rejected items, as JSON."""
    return {"spent": author.usage.metadata(), "problems": author.problems}


def say_cost(author: Author) -> None:
    """Say what writing took, and what could not be used of it."""
    took = author.usage
    cost = "cost unknown" if took.cost is None else number(took.cost, "dollars", marked=True)
    tokens = "an unknown number of" if took.tokens is None else f"{took.tokens:,}"
    say(f"it took {took.calls:,} calls and {tokens} tokens, {cost}; {took.cache_hits:,} replies came from the store")
    if author.problems:
        say(f"{len(author.problems):,} of the replies could not be used; the first: {author.problems[0]}")


def text_of(path: Path) -> str:
    """The text of a file; one that cannot be read, or is not text, raises before any question."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise AbsentFile(f"cannot read {str(path)!r}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        words = f"{str(path)!r} is not UTF-8 text, from byte {error.start} on; convert it, or leave it out"
        raise ConfigurationError(words, parameter="PATH", value=path) from error
    if "\0" in text:
        raise ConfigurationError(f"{str(path)!r} is not text: it holds NUL; leave it out", parameter="PATH", value=path)
    return text
