"""The options of `multivon-eval bootstrap` and `simulate`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from multivon_eval.judge_endpoints import DEFAULT_MODELS, PROVIDERS

Options = dict[str, dict[str, Any]]
"""The words of an option, or the name of what is given without one, and what `argparse` is told of it."""

_JUDGE: Options = {
    "--judge-model": {"default": DEFAULT_MODELS["anthropic"]},
    "--judge-provider": {"default": "anthropic", "choices": sorted(PROVIDERS)},
}
_BOOTSTRAP: Options = {
    "-p --product": {"required": True, "metavar": "PRODUCT.md"},
    "-t --traces": {"required": True, "metavar": "TRACES.jsonl"},
    "-o --output": {"default": "./eval-bootstrap", "metavar": "DIR"},
    **_JUDGE,
    "--judge-base-url": {},
    "--n-seed-cases": {"type": int, "default": 30},
    "--budget-usd": {"type": float, "default": 2.0},
    "--pii-policy": {"default": "redact", "choices": ["redact", "strict", "allow"]},
    "--baseline-model-file": {"metavar": "MODEL.py", "help": "a file with a function model_fn, for --validate-cases"},
    "--validate-n-shots": {"type": int, "default": 3},
    "--repo": {"default": "."},
    **{
        name: {"action": "store_true"}
        for name in ("--validate", "--validate-cases", "--skip-seed-cases", "--skip-calibration", "--skip-input-gate")
    },
}
_SIMULATE: Options = {
    "--model-cmd": {"required": True, "metavar": "MODEL.py", "help": "a file with a function model_fn(prompt)"},
    "--personas": {"metavar": "PERSONAS.jsonl"},
    "--propose-from": {"metavar": "PRODUCT.md"},
    "--n-personas": {"type": int, "default": 5},
    "--max-turns": {"type": int, "default": 8},
    "--budget": {"type": float, "default": 1.0},
    "--out": {"default": "simulation_results.jsonl"},
    "--seed": {"type": int, "default": 0},
    **_JUDGE,
    "--export-cases": {"metavar": "PATH"},
}


def add_bootstrap(parser: ArgumentParser) -> None:
    """The options of `bootstrap`."""
    add_words(parser, _BOOTSTRAP)


def add_simulate(parser: ArgumentParser) -> None:
    """The options of `simulate`."""
    add_words(parser, _SIMULATE)


def add_words(parser: ArgumentParser, options: Options) -> None:
    """Options as a table tells them."""
    for words, settings in options.items():
        parser.add_argument(*words.split(), **settings)
