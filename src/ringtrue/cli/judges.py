"""The options of every command that may ask a judge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

_URL = click.option("--judge-url", "judge_urls", multiple=True, metavar="URL",
                    help="Whom judged evaluators ask: an endpoint's address, or local. Repeatable.")  # fmt: skip
_MODEL = click.option("--judge-model", "judge_models", multiple=True, metavar="NAME",
                      help="The model to ask a judge's endpoint for, in the order of the judges.")  # fmt: skip


def judge_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds `--judge-url` and `--judge-model`."""
    return _URL(_MODEL(command))
