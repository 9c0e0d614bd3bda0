"""The command line `multivon-eval`: ringtrue's work and the drop-in's reports under the documented commands."""

from __future__ import annotations

import json
import os
import sys
import traceback
from argparse import Namespace
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from multivon_eval.cli_words import command_parser
from multivon_eval.drift_words import with_kind
from multivon_eval.exceptions import MultivonError
from multivon_eval.spoken import say, say_json, say_lines
from multivon_eval.templates import render
from multivon_eval.user_files import executed
from ringtrue.atomic_file import write_whole
from ringtrue.errors import RingtrueError
from ringtrue.jsontext import plain_json

OK, FAILED, UNDECIDED = 0, 1, 2


def main(argv: Sequence[str] | None = None) -> None:
    """Run a command and exit with its code."""
    helps = {name: function.__doc__ or "" for name, function in globals().items() if name.startswith("cmd_")}
    parser = command_parser(helps)
    args = parser.parse_args(with_kind(argv))
    if args.command is None:
        parser.print_help()
        return
    command: Callable[[Namespace], int | None] = globals()[f"cmd_{args.command.replace('-', '_')}"]
    try:
        code = command(args)
        sys.stdout.flush()
    except SystemExit:
        raise
    except BrokenPipeError:  # whoever reads has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = OK
    except (RingtrueError, MultivonError, OSError, ValueError) as error:
        code = _failed(f"error: {error}", UNDECIDED)
    if isinstance(code, int) and code:
        sys.exit(code)


def cmd_init(args: Namespace) -> int:
    """Write a project to start from."""
    home = Path(args.dir).resolve()
    if home.exists() and not home.is_dir():
        return _failed(f"--dir must be a directory; {home} is a file")
    if home.exists() and any(home.iterdir()) and not args.force:
        return _failed(f"{home} is not empty; --force writes into it")
    files = render(args.template, with_ci=args.ci)
    for name, text in files.items():
        write_whole(home / name, text.encode())
    for name in sorted(files):
        say(f"wrote {home / name}")
    say_lines(f"\nNext: cd {home}\n      pip install -r requirements.txt\n      python eval.py")
    return OK


def cmd_run(args: Namespace) -> int:
    """Run a file that runs a suite; `--html` and `--json` are where its report goes unless the file says so itself."""
    if not Path(args.file).is_file():
        return _failed(f"no file {args.file!r}", UNDECIDED)
    wanted = {"MULTIVON_HTML_OUTPUT": args.html, "MULTIVON_JSON_OUTPUT": args.json}
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update({name: path for name, path in wanted.items() if path})
    try:
        executed(args.file, "__main__")
    except SystemExit:  # a gate that its suite did not pass, too
        raise
    except Exception:  # the file is the user's, and so is the error
        traceback.print_exc()
        return FAILED
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
    return OK


def cmd_validate(args: Namespace) -> int:
    """Check the checks of a file's suites on the reference outputs; the model is not asked."""
    from multivon_eval.reporters.terminal import print_validation
    from multivon_eval.suite import EvalSuite
    from multivon_eval.validate import validate_suite

    guard = 'keep run() under `if __name__ == "__main__":`'
    try:
        found = executed(args.file, "multivon_eval_validate")
    except Exception as error:  # whatever the user's file does, nothing was validated
        return _failed(f"could not execute {args.file}: {type(error).__name__}: {error}; {guard}", UNDECIDED)
    suites = list({id(value): value for value in found.values() if isinstance(value, EvalSuite)}.values())
    if not suites:
        return _failed(f"no EvalSuite at the top level of {args.file}; define it there, and {guard}", UNDECIDED)
    reports = [validate_suite(suite, include_judges=args.judges, contrast=not args.no_contrast) for suite in suites]
    for report in reports:
        print_validation(report)
    if args.json:
        told = [report.to_dict() for report in reports]
        write_whole(args.json, plain_json(told[0] if len(told) == 1 else told).encode())
    return OK if all(report.passed for report in reports) else FAILED


def cmd_report(args: Namespace) -> int:
    """Show a saved report, and write it as a page or as JUnit XML."""
    from multivon_eval.dirview import load_report
    from multivon_eval.reporters.terminal import print_report

    report = load_report(Path(args.file))
    for path, save in ((args.html, report.save_html), (args.junit, report.save_junit_xml)):
        if path:
            save(path)
    print_report(report)
    return OK


def cmd_view(args: Namespace) -> int:
    """Show a saved report, or a folder of them, in a browser on this machine."""
    from multivon_eval.dirview_server import serve_directory, serve_report

    place = getattr(args, "dir", None) or args.file
    if not place or not Path(place).exists():
        return _failed(f"no report and no folder {place!r}" if place else "name a report or a folder")
    if Path(place).is_dir():
        return serve_directory(Path(place), recursive=args.recursive, port=args.port, no_browser=args.no_browser)
    if getattr(args, "dir", None):
        return _failed(f"--dir must be a directory; {place} is a file")
    return serve_report(Path(place), port=args.port, no_browser=args.no_browser)


def cmd_experiments(args: Namespace) -> int:
    """List experiments, show the runs of one, or compare two runs."""
    from multivon_eval.experiments import Experiment, list_experiments

    if args.exp_cmd == "list":
        names = list_experiments()
        say_lines("\n".join(names) if names else "No experiments yet: Experiment(name).record(report) keeps a run")
    elif args.exp_cmd == "history":
        experiment = Experiment(args.name)
        if experiment.history(1):
            experiment.print_history(args.n)
        else:
            say(f"No runs of {args.name!r} yet")
    elif args.exp_cmd == "compare":
        Experiment(args.name).compare(args.run_a, args.run_b)
    else:
        say("Usage: multivon-eval experiments [list|history|compare]")
    return OK


def cmd_compare(args: Namespace) -> int:
    """Compare two reports; with `--fail-on-regression`, 1 says that a case got worse and 2 that nobody can tell."""
    from multivon_eval.compare import compare_reports
    from multivon_eval.dirview import load_report

    reports = [load_report(Path(path)) for path in (args.baseline, args.proposal)]
    diff = compare_reports(*reports, allow_legacy_identity=args.allow_legacy_identity)
    if args.json:
        say_json(plain_json(diff.to_dict()))
    else:
        say_lines(diff.to_markdown() if args.markdown else diff.to_text(regressions_only=args.regressions_only))
    if not args.fail_on_regression:
        return OK
    whole = diff.paired and not (diff.identity_issues or diff.added or diff.removed)
    if not whole or not all(case.evaluated for case in diff.paired):
        return _failed("INDETERMINATE: not every case has a verdict in both reports", UNDECIDED)
    return FAILED if diff.regressions else OK


def cmd_gate(args: Namespace) -> int:
    """Hold a report against a policy: 0 accepts, 1 rejects, 2 cannot tell."""
    from multivon_eval.acceptance import AcceptancePolicy
    from multivon_eval.dirview import load_report

    report = load_report(Path(args.report))
    try:
        policy = AcceptancePolicy.from_dict(json.loads(Path(args.policy).read_text("utf-8")))
    except (TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"{args.policy} is no policy: {error}") from error
    decision = policy.evaluate(report)
    text = plain_json(decision.to_dict())
    if args.output:
        write_whole(args.output, text.encode())
    say_json(text)
    return int(decision.exit_code)


def cmd_discover(args: Namespace) -> int:
    """What there is, as JSON: evaluators, judges, templates."""
    from multivon_eval.catalogue import catalogue

    say_json(plain_json(catalogue(), indent=None if args.compact else 2))
    return OK


def cmd_doctor(args: Namespace) -> int:
    """Say what is set up here, and whether the judges answer; 1 with errors, 2 with warnings."""
    from multivon_eval.doctor import doctor

    pings = {"anthropic": _ping_anthropic, "openai": _ping_openai, "google": _ping_google}
    return doctor(as_json=args.json, pings={} if args.no_ping else pings)


def cmd_generate(args: Namespace) -> int:
    """Cases made from others: variations of a file's cases, or a template filled in."""
    from multivon_eval.generated import generate

    return generate(args)


def cmd_assess(args: Namespace) -> int:
    """Say what speaks against working with a file: 0 for nothing, 1 for something."""
    from multivon_eval.dataset import load_jsonl
    from multivon_eval.input_gate import assess_input
    from multivon_eval.trace_files import load_traces

    path = Path(args.path)
    read: dict[str, Callable[[], Any]] = {
        "bootstrap": lambda: load_traces(path, verbose=False),
        "generate": lambda: path.read_text("utf-8"),
        "cases": lambda: load_jsonl(path),
    }
    found = assess_input(read[args.for_kind](), args.for_kind)
    proceed = f"input quality: PROCEED: {found.measurable_total} signals; not checked: {', '.join(found.blind_spots)}"
    say_lines(found.render_text() or proceed)
    return OK if found.verdict == "PROCEED" else FAILED


def cmd_audit_package(args: Namespace) -> int:
    """Write an archive of a suite's audit log that can be checked without this library."""
    from multivon_eval.audit_package import build_audit_package

    about = {"suite_name": args.suite, "framework": args.framework, "period_label": args.period}
    written = build_audit_package(logs_dir=Path(args.logs), out_path=Path(args.out), **about)
    say(f"wrote {written}")
    return OK


def cmd_attribution(args: Namespace) -> int:
    """Which prompts stand in the source of a folder, or differ between two; no code of theirs is run."""
    from multivon_eval.drift_commands import attribution

    return attribution(args)


def cmd_staleness(args: Namespace) -> int:
    """Which prompts changed since the baseline, and for which of them cases were made."""
    from multivon_eval.drift_commands import staleness

    return staleness(args)


def cmd_bootstrap(args: Namespace) -> int:
    """A first suite for a product, by its description and its traces; 2 if it cannot be made."""
    from multivon_eval.bootstrap_command import bootstrap

    return bootstrap(args)


def cmd_simulate(args: Namespace) -> int:
    """Let made-up people talk to the function model_fn of a file; how that went does not change the exit code."""
    from multivon_eval.simulate_command import simulate

    return simulate(args)


def cmd_install_skills(args: Namespace) -> int:
    """Link the skills for coding agents into ~/.claude/skills; what is there is kept unless `--force` is given."""
    from ringtrue.cli.skills import PLACE, install

    given = {"force": args.force, "dry_run": args.dry_run}
    for one in install(Path(__file__).parent / "_skills", Path.home() / PLACE, link=True, **given):
        say(one.told(dry_run=args.dry_run))
    return OK


def _ping(provider: str) -> str:
    from multivon_eval.doctor import ping

    return ping(provider)


_ping_anthropic, _ping_openai, _ping_google = (partial(_ping, name) for name in ("anthropic", "openai", "google"))


def _failed(message: str, code: int = FAILED) -> int:
    say(f"multivon-eval: {message}", sys.stderr)
    return code


if __name__ == "__main__":
    main()
