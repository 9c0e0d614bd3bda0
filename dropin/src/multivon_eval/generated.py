"""`multivon-eval generate`: cases made from cases or from texts."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from multivon_eval.exceptions import MultivonError
from multivon_eval.spoken import say

_WAYS = ("--from", "--text", "--mutate", "--template", "--contrast")


def add_options(parser: ArgumentParser) -> None:
    """The options of the command."""
    options: dict[str, dict[str, Any]] = {
        "--from": {"dest": "source"},
        "--text": {},
        "--n": {"type": int},
        "--task": {"default": "qa"},
        "--output": {},
        "--unanswerable-fraction": {"type": float, "default": 0.0},
        "--seed": {"type": int, "default": 0},
        "--mutate": {"metavar": "FROM.jsonl"},
        "--mutations": {},
        "--per-case": {"type": int, "default": 1},
        "--template": {},
        "--axes": {},
        "--sample": {"choices": ["all", "pairwise"], "default": "all"},
        "--expected-output": {},
        "--expected-behavior": {},
        "--contrast": {"metavar": "FROM.jsonl"},
        "--no-verify": {"action": "store_true"},
        "--budget-usd": {"type": float, "default": 1.0},
        "--skip-input-gate": {"action": "store_true"},
    }
    for name, settings in options.items():
        parser.add_argument(*(["-o"] if name == "--output" else []), name, **settings)


def generate(args: Namespace) -> int:
    """Make the cases and write or show them."""
    from multivon_eval.contrast import generate_contrast_pairs
    from multivon_eval.dataset import load_jsonl, save_jsonl
    from multivon_eval.mutate import cases_from_template, mutate_cases

    values = [getattr(args, name, None) for name in ("source", "text", "mutate", "template", "contrast")]
    ways = [way for way, value in zip(_WAYS, values, strict=True) if value]
    if len(ways) != 1:
        raise SystemExit(_said(f"give one generation mode of {', '.join(_WAYS)}; got {', '.join(ways) or 'none'}"))
    try:
        if args.source or args.text:
            cases, report = _of_text(args)
        elif args.contrast:
            cases, report = generate_contrast_pairs(
                load_jsonl(args.contrast), verify=not args.no_verify, budget_usd=args.budget_usd
            )
        elif args.mutate:
            names = [name.strip() for name in (args.mutations or "").split(",") if name.strip()] or None
            cases, report = mutate_cases(
                load_jsonl(args.mutate), mutations=names, seed=args.seed, per_case=args.per_case
            )
        else:
            if not args.axes:
                raise ValueError('--template needs --axes, such as \'{"item": ["a book", "a lamp"]}\'')
            cases, report = cases_from_template(
                args.template,
                json.loads(args.axes),
                sample=args.sample,
                n=args.n,
                seed=args.seed,
                expected_output=args.expected_output,
                expected_behavior=args.expected_behavior,
            )
    except (ValueError, OSError, MultivonError) as error:
        raise SystemExit(_said(str(error))) from error
    if args.output:
        save_jsonl(cases, Path(args.output))
    else:
        for case in cases:
            say(case.input)
    say(report.summary_line())
    return 0


def _of_text(args: Namespace) -> Any:
    from multivon_eval import generate as made
    from multivon_eval.case import EvalCase
    from multivon_eval.case_gates import GenerationReport

    settings = {"task": args.task, "unanswerable_fraction": getattr(args, "unanswerable_fraction", 0.0)}
    make, given = (made.generate_from_file, args.source) if args.source else (made.generate_from_text, args.text)
    found = make(given, 10 if args.n is None else args.n, return_report=True, **settings)
    # A function put in its place may return cases alone, and cases of its own kind.
    cases, report = found if isinstance(found, tuple) else (found, GenerationReport(len(found), len(found), len(found)))
    return [case if isinstance(case, EvalCase) else EvalCase(**vars(case)) for case in cases], report


def _said(message: str) -> int:
    say(f"multivon-eval: {message}", sys.stderr)
    return 1
