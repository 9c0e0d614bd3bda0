"""The command line: `context-bench` or `python -m context_bench`."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from context_bench.evaluators import LLMJudge
from context_bench.metrics import (
    CompressionRatio,
    CostOfPass,
    Latency,
    MeanScore,
    ParetoRank,
    PassRate,
    PerDatasetBreakdown,
)
from context_bench.reporters import to_json, to_markdown
from context_bench.reporters.html import to_html
from context_bench.results import EvalResult
from context_bench.systems.openai_proxy import OpenAIProxy
from ringtrue.errors import RingtrueError

_LOADERS = {
    "huggingface": "hotpotqa gsm8k bfcl:bfcl_simple",
    "agent_traces": "apigen:apigen_mt swebench swebench-verified swebench-lite",
    "qa": "natural-questions musique narrativeqa triviaqa frames quality qasper",
    "longcontext": "longbench longbench-v2 infinitebench nolima bbh meetingbank govreport",
    "code": "humaneval mbpp",
    "summarization": "multi-news dialogsum qmsum summscreenfd",
    "nli": "contract-nli scifact",
    "knowledge": "mmlu mmlu-pro arc-challenge truthfulqa gpqa hellaswag winogrande",
    "reasoning": "drop math:math_dataset mgsm",
    "ifeval": "ifeval",
    "instruction": "alpaca-eval",
    "multi_turn": "mt-bench",
}


def _loaders() -> dict[str, tuple[str, str]]:
    found = {}
    for module, entries in _LOADERS.items():
        for entry in entries.split():
            name, _, function = entry.partition(":")
            found[name] = (f"context_bench.datasets.{module}", function or name.replace("-", "_"))
    return found


DATASET_LOADERS = _loaders()
CONFIGURABLE_DATASETS = {"longbench", "infinitebench", "bbh", "mmlu", "mgsm"}
_REPORTS = {"table": to_markdown, "json": to_json, "html": to_html}


def build_parser() -> argparse.ArgumentParser:
    """The documented flags."""
    parser = argparse.ArgumentParser("context-bench", description="Measure OpenAI-compatible endpoints on benchmarks.")
    add = parser.add_argument
    add("--proxy", action="append", required=True, metavar="URL", help="an OpenAI-compatible endpoint; repeatable")
    add("--name", action="append", help="the name of an endpoint, in their order; repeatable")
    add("--dataset", action="append", required=True, help="a benchmark, NAME:CONFIG, or a .jsonl file; repeatable")
    add("--model", default="gpt-4", help="the model to ask for")
    add("-n", "--max-examples", type=int, help="at most this many examples of each dataset")
    add("--output", choices=list(_REPORTS), default="table")
    add("--score-field", default="f1", help="the score that means quality")
    add("--threshold", type=float, default=0.7, help="the score that passes")
    add("--judge-url", help="the endpoint of a judge; without it nothing is judged")
    add("--judge-model", default="gpt-4")
    add("--max-workers", type=int, help="how many examples are in flight at once")
    add("--cache-dir", help="where finished rows are kept")
    return parser


def main(argv: Sequence[str] | None = None) -> None:
    """Ask, score, print the report; rows that failed are named on stderr and make the exit code 1."""
    try:
        _run(build_parser().parse_args(argv))
    except RingtrueError as error:
        raise SystemExit(f"context-bench: {error}") from error


def _run(args: argparse.Namespace) -> None:
    systems = _proxies(args)
    examples = [example for spec in args.dataset for example in _tagged(spec, args.max_examples)]
    if not examples:
        raise SystemExit(f"No examples loaded from {', '.join(args.dataset)}")
    from context_bench.runner import evaluate

    result = evaluate(
        systems=systems,
        dataset=examples,
        metrics=_metrics(args),
        max_workers=args.max_workers,
        cache_dir=args.cache_dir,
        judge=LLMJudge(args.judge_url, args.judge_model) if args.judge_url else None,
    )
    _blank_unmeasured(result, args.score_field)
    print(_REPORTS[args.output](result))  # noqa: T201
    failed = [row for row in result.rows if row.status != "ok"]
    if failed:
        first = failed[0].metadata.get("problem")
        raise SystemExit(f"{len(failed)} of {len(result.rows)} rows have no answer; the first: {first}")
    judged = [one for row in result.run.rows for one in row.scores.values() if one.status == "error"]
    if judged:
        raise SystemExit(f"{len(judged)} of {len(result.rows)} scores failed; the first: {judged[0].reason}")


def _blank_unmeasured(result: EvalResult, score_field: str) -> None:
    """Take the numbers of nothing out of the summary: a mean over no row is not 0."""
    for system, numbers in result.summary.items():
        rows = [row for row in result.rows if row.system == system]
        if not any(score_field in row.scores for row in rows):
            answered = any(row.status == "ok" for row in rows)
            quality = ("mean_score", "pass_rate", "cost_of_pass", "num_passing")
            numbers.update({name: None for name in numbers if not answered or name in quality})


def _derive_name(url: str) -> str:
    """The host of an address."""
    return urlsplit(url).hostname or url


def _proxies(args: argparse.Namespace) -> list[OpenAIProxy]:
    given = list(args.name or ())[: len(args.proxy)]
    names = given + [_derive_name(url) for url in args.proxy[len(given) :]]
    if len(set(names)) < len(names):  # two ports of one host
        names = given + [urlsplit(url).netloc for url in args.proxy[len(given) :]]
    return [OpenAIProxy(url, args.model, name) for url, name in zip(args.proxy, names, strict=True)]


def _metrics(args: argparse.Namespace) -> list[Any]:
    found: list[Any] = [
        MeanScore(args.score_field),
        PassRate(args.threshold, args.score_field),
        CompressionRatio(),
        CostOfPass(args.threshold, args.score_field),
        Latency(),
    ]
    if len(args.dataset) > 1:
        found.append(PerDatasetBreakdown(args.score_field))
    if len(args.proxy) > 1:
        found.append(ParetoRank())
    return found


def _tagged(spec: str, max_examples: int | None) -> list[dict[str, Any]]:
    return [{"dataset": spec, **example} for example in _load_dataset(spec, max_examples=max_examples)]


def _load_dataset(spec: str, max_examples: int | None) -> list[dict[str, Any]]:
    """The examples of a file or of a benchmark by name."""
    if spec.endswith(".jsonl"):
        from context_bench.datasets.local import load_jsonl

        return load_jsonl(spec, n=max_examples)
    name, mark, config = spec.partition(":")
    if name not in DATASET_LOADERS:
        raise SystemExit(f"Unknown dataset {name!r}; there are {', '.join(DATASET_LOADERS)}, and .jsonl files")
    if mark and name not in CONFIGURABLE_DATASETS:
        raise SystemExit(f"Dataset {name!r} does not accept a :config suffix; got {spec!r}")
    module, function = DATASET_LOADERS[name]
    loader = getattr(importlib.import_module(module), function)
    examples: list[dict[str, Any]] = loader(n=max_examples, config=config) if mark else loader(n=max_examples)
    return examples


if __name__ == "__main__":
    main()
