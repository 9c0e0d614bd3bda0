"""`ringtrue judge`: answers and conversations in files before a model."""

from __future__ import annotations

from typing import Any

import click

from ringtrue.api.score_file import Judging
from ringtrue.cli.judges import judge_options
from ringtrue.cli.score import file_options, scored
from ringtrue.cli.stores import store_option
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.spec import build
from ringtrue.runner.judges import LOCAL, lacks_model
from ringtrue.runner.plan import Plan


@click.command("judge", short_help="Have a model judge answers or conversations stored in files.")
@file_options
@judge_options
@click.option("--concurrency", "judge_workers", type=click.IntRange(min=1), metavar="N",
              help="How many rows are judged at once; 16 by default, 1 with a local model.")  # fmt: skip
@click.option("--case-timeout", "case_seconds", type=click.FloatRange(min=0, min_open=True),
              help="Seconds a row may take in all.")  # fmt: skip
@click.option("--max-cost", type=click.FloatRange(min=0), metavar="USD", help="Stop when this much is spent.")
@click.option("--max-tokens", type=click.IntRange(min=0), help="Stop when so many tokens are used.")
@store_option
def command(
    evaluators: tuple[str, ...],
    judge_urls: tuple[str, ...],
    judge_models: tuple[str, ...],
    judge_workers: int | None,
    case_seconds: float | None,
    max_cost: float | None,
    max_tokens: int | None,
    store: str,
    **given: Any,
) -> int:
    """JudgeModel the rows of FILE: answers beside their questions, or conversations under `messages`.

    Without --judge-url the environment says whom to ask (OPENAI_BASE_URL, OPENAI_API_KEY); if it does not, the embedded
    model is asked. Replies are kept: the same command costs no call a second time.

    \b
    ringtrue judge chats.jsonl -e "check_criteria(criteria=['It ends with a question'])"
    ringtrue judge answers.jsonl -e llm_judge --judge-url http://localhost:9090 --judge-model gpt-4
    """
    built = [build(spec) for spec in evaluators or ("llm_judge",)]
    if not Plan(tuple(built)).awaited:
        raise ConfigurationError("none of these evaluators asks a judge; 'ringtrue score' runs them", parameter="-e")
    judges: tuple[str, ...] | str = judge_urls
    if not judge_urls and lacks_model(built):
        click.echo("ringtrue: no endpoint is configured, so the embedded model judges; it is too small to be trusted",
                   err=True)  # fmt: skip
        judges = LOCAL
    judging = Judging(judges, judge_models, judge_workers, case_seconds, max_cost, max_tokens, store)
    return scored(built, judging=judging, **given)
