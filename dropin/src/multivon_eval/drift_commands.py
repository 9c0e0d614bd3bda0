"""The commands `attribution` and `staleness`: 0 for done, 1 where `--fail-on` says so, 2 where nothing can be told."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from multivon_eval.attribution import PromptDiff, PromptRecord, diff_records, render_markdown, scan, scan_with_skips
from multivon_eval.baseline import DEFAULT_BASELINE_NAME, write_baseline
from multivon_eval.case_lines import stamp_jsonl
from multivon_eval.exceptions import MultivonError
from multivon_eval.recordings import (
    DEFAULT_RECORDINGS_NAME,
    apply_bindings,
    load_recordings,
    merge_recordings_into_baseline,
    propose_bindings,
)
from multivon_eval.site_specs import resolve_site_spec, target_from_record
from multivon_eval.spoken import say, say_json, say_lines
from multivon_eval.stamps import TIME
from ringtrue.errors import RingtrueError
from ringtrue.reports.plain import plain_json

_FAILURES = ("changed", "removed", "added")
_PREVIEW = 200


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
    except (MultivonError, RingtrueError, OSError, ValueError) as error:
        if isinstance(error, BrokenPipeError):
            raise
        say_lines(f"error: {error}", sys.stderr)
        return 2


def _scan(args: Namespace) -> int:
    records, skipped = scan_with_skips(_folder(args.path))
    _warn(skipped)
    if args.format == "json":
        say_json(plain_json([_told(record) for record in records]))
        return 0
    if not records:
        say(f"No SDK prompt call sites found under {args.path}.")
    for record in records:
        first = "" if record.is_dynamic else f": {(record.text.strip().splitlines() or [''])[0][:_PREVIEW]!r}"
        say(f"{record.call_site_id} in {record.qualname}{' [dynamic]' if record.is_dynamic else first}")
    return 0


def _told(record: PromptRecord) -> dict[str, Any]:
    preview = record.text[:_PREVIEW] + "…" * (len(record.text) > _PREVIEW)
    names = ("file_path", "line", "sdk", "call_site", "role", "role_position", "qualname", "fingerprint", "is_dynamic")
    found = {"call_site_id": record.call_site_id, **{name: getattr(record, name) for name in names}}
    return {**found, "text_preview": preview}


def _diff(args: Namespace) -> int:
    scans = [scan_with_skips(_folder(path)) for path in (args.base, args.head)]
    for _, skipped in scans:
        _warn(skipped)
    base, head = (records for records, _ in scans)
    diffs = diff_records(base, head)
    if args.format == "json":
        say_json(plain_json([_change(diff) for diff in diffs]))
    elif args.format == "markdown":
        say_lines(render_markdown(diffs, dynamic_unscanned_count=sum(record.is_dynamic for record in head)))
    else:
        say_lines("\n".join(f"[{diff.change_type}] {diff.call_site_id}" for diff in diffs) or "No prompt changes.")
    return 0


def _change(diff: PromptDiff) -> dict[str, Any]:
    sides = {"before": diff.before, "after": diff.after}
    told = {f"{side}_{name}": getattr(sides[side], name, None) for name in ("text", "fingerprint") for side in sides}
    return {"call_site_id": diff.call_site_id, "change_type": diff.change_type, **told}


def _report(args: Namespace) -> int:
    from multivon_eval import staleness as reports

    wanted = [kind.strip() for kind in (args.fail_on or "").split(",") if kind.strip()]
    odd = [kind for kind in wanted if kind not in _FAILURES]
    if odd:
        raise ValueError(f"--fail-on knows {', '.join(_FAILURES)}; got {', '.join(odd)}")
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
        evidence=_evidence(args.evidence) if args.evidence else None,
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


def _evidence(report: str) -> dict[str, Any]:
    """A report that speaks for a stamp, and when it was written."""
    written = datetime.fromtimestamp(Path(report).stat().st_mtime, UTC)
    return {"report": report, "run_at": written.strftime(TIME)}


def _observed(args: Namespace, recorded: Path) -> int:
    proposals = propose_bindings(load_recordings(recorded))
    for one in proposals:
        place = f"{one.anchor.get('file_path')}::{one.anchor.get('qualname')}.{one.anchor.get('role')}"
        say(f"case {one.case_uid} -> {place} (observed {one.count}×, {one.fingerprint[:12]})")
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
