"""The commands `attribution` and `staleness`: 0 for done, 1 where `--fail-on` says so, 2 where nothing can be told."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from ringtrue.prompts.baseline import DEFAULT_BASELINE_NAME, write_baseline
from ringtrue.prompts.diff import diff_dicts, diff_markdown, diff_records, diff_text
from ringtrue.prompts.places import resolve_site_spec, target_from_record
from ringtrue.prompts.recordings import (
    DEFAULT_RECORDINGS_NAME,
    apply_bindings,
    load_recordings,
    merge_recordings_into_baseline,
    propose_bindings,
)
from ringtrue.prompts.source import scan, scan_with_skips
from ringtrue.prompts.stamped_file import stamp_jsonl
from ringtrue.prompts.stamps import evidence_of

from multivon_eval import staleness as reports
from multivon_eval.spoken import say, say_json, say_lines
from ringtrue.errors import RingtrueError
from ringtrue.jsontext import plain_json


def attribution(args: Namespace) -> int:
    """`attribution scan` and `attribution diff`."""
    return _done({"scan": _scan, "diff": _diff}.get(args.attribution_cmd), args, "attribution [scan|diff]")


def staleness(args: Namespace) -> int:
    """`staleness report`, `staleness baseline` and `staleness stamp`."""
    commands = {"report": _report, "baseline": _baseline, "stamp": _stamp}
    return _done(commands.get(args.staleness_cmd), args, "staleness [report|baseline|stamp]")


def _done(command: Callable[[Namespace], int] | None, args: Namespace, usage: str) -> int:
    try:
        if command is None:
            raise ValueError(f"usage: multivon-eval {usage}")
        return command(args)
    except (RingtrueError, OSError, ValueError) as error:
        if isinstance(error, BrokenPipeError):
            raise
        say_lines(f"error: {error}", sys.stderr)
        return 2


def _scan(args: Namespace) -> int:
    records, skipped = scan_with_skips(_folder(args.path))
    _warn(skipped)
    if args.format == "json":
        say_json(plain_json([record.preview() for record in records]))
        return 0
    if not records:
        say(f"No SDK prompt call sites found under {args.path}.")
    for record in records:
        say(record.told())
    return 0


def _diff(args: Namespace) -> int:
    scans = [scan_with_skips(_folder(path)) for path in (args.base, args.head)]
    for _, skipped in scans:
        _warn(skipped)
    base, head = (records for records, _ in scans)
    diffs = diff_records(base, head)
    if args.format == "json":
        say_json(plain_json(diff_dicts(diffs)))
    elif args.format == "markdown":
        say_lines(diff_markdown(diffs, dynamic_unscanned_count=sum(record.is_dynamic for record in head)))
    else:
        say_lines(diff_text(diffs))
    return 0


def _report(args: Namespace) -> int:
    wanted = [kind.strip() for kind in (args.fail_on or "").split(",") if kind.strip()]
    report = reports.build_staleness_report(
        _folder(args.path),
        baseline_path=args.baseline,
        case_files=args.cases,
        suite=args.suite,
        ignore_dirs=args.ignore,
        include_tests=args.include_tests,
        fail_on=wanted,
        recordings_path=args.recordings,
    )
    if args.format == "json":
        say_json(reports.render_json(report))
    else:
        say_lines((reports.render_markdown if args.format == "markdown" else reports.render_text)(report))
    return report.exit_code


def _baseline(args: Namespace) -> int:
    root = _folder(args.path)
    place = Path(args.out) if args.out else root / DEFAULT_BASELINE_NAME
    if args.merge_recordings is not None:
        recorded = Path(args.merge_recordings) if args.merge_recordings else root / DEFAULT_RECORDINGS_NAME
        sites, texts = merge_recordings_into_baseline(place, recorded)
        say(f'{place}: {sites} place(s) and {texts} text(s) merged as source:"runtime"; static records untouched')
        return 0
    if not place.absolute().parent.is_dir():
        raise ValueError(f"--out directory does not exist: {place.parent}")
    made, lines = write_baseline(root, args.out, dry_run=args.dry_run)
    for line in (*lines, f"{'would write' if args.dry_run else 'wrote'} {place}: {len(made.records)} prompt(s)"):
        say(line)
    return 0


def _stamp(args: Namespace) -> int:
    root = _folder(args.repo)
    if args.from_recordings is not None:
        return _observed(args, Path(args.from_recordings) if args.from_recordings else root / DEFAULT_RECORDINGS_NAME)
    if not args.site or not args.cases:
        raise ValueError("stamp needs --site and --cases, or --from-recordings")
    if not (args.index or args.tag or args.all):
        raise ValueError("say which cases: --index N, --tag T or --all")
    target = target_from_record(resolve_site_spec(scan(root), args.site))
    result = stamp_jsonl(
        args.cases,
        [target],
        evidence=evidence_of(args.evidence) if args.evidence else None,
        indices=args.index,
        tag=args.tag,
        select_all=args.all,
        repo=root,
        force=args.force,
        dry_run=args.dry_run,
    )
    if not result.selected:
        raise ValueError(f"no case of {args.cases} is selected; nothing was stamped")
    verb = "would stamp" if args.dry_run else "stamped"
    say(f"{verb} {result.updated} case(s) of {args.cases}, {result.unchanged} had it")
    return 0


def _observed(args: Namespace, recorded: Path) -> int:
    proposals = propose_bindings(load_recordings(recorded))
    for one in proposals:
        say(one.told())
    if not proposals:
        say(f"{recorded} tells of no case; set_active_case, or a suite of stamped cases, makes it")
    if not args.apply:
        say("propose-only: nothing was written; --apply with --cases writes it")
        return 0
    if not args.cases:
        raise ValueError("--apply needs --cases F.jsonl")
    changed = apply_bindings(args.cases, proposals, repo=args.repo, dry_run=args.dry_run)
    say(f"{'would have ' if args.dry_run else ''}applied observed bindings to {changed} case(s) in {args.cases}")
    return 0


def _folder(path: str) -> Path:
    if not Path(path).is_dir():
        raise ValueError(f"{path} does not exist or is not a folder")
    return Path(path)


def _warn(skipped: list[tuple[str, str]]) -> None:
    for path, reason in skipped:
        say(f"not scanned: {path}: {reason}", sys.stderr)
