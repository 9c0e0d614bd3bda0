"""A `StalenessReport` as text, as Markdown and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ringtrue.prompts.baseline import SCHEMA_VERSION, labelled, record_dict
from ringtrue.prompts.matching import SiteVerdict
from ringtrue.prompts.record import PromptRecord
from ringtrue.prompts.recordings import TRUST_TIERS, ObservedVerdict
from ringtrue.prompts.staleness import StalenessReport
from ringtrue.prompts.stamps import RUNTIME_SOURCE
from ringtrue.reports.markdown import escaped
from ringtrue.reports.plain import plain_json
from ringtrue.reports.table import printable

BLIND_SPOTS = (
    "only keyword arguments of anthropic, openai and litellm calls in Python files are seen",
    "the OpenAI Responses API and messages given by position are not",
    "nor are prompts in templates, other files, databases and prompt hubs",
    "nor are non-Python services",
)

_REMOVED = "deleted, OR renamed+edited at once, OR moved beyond static reach"
_UNSCANNABLE = "the file is there and cannot be read: unknown, NOT removed"
_OBSERVED = "recordings prove only the renderings observed, not those that nobody recorded"
_SHOWN_CASES = 3


class Commands(NamedTuple):
    """What a page tells its reader to type."""

    approve: str = "ringtrue prompts approve"
    bind: str = "ringtrue prompts bind"
    recorded: str = "ringtrue prompts approve --recorded"


_COMMANDS = Commands()


def render_text(report: StalenessReport, commands: Commands = _COMMANDS) -> str:
    """What can be told first, then the findings, then what cannot be seen."""
    lines = [f"prompt staleness of {report.repo_root}{_commit(report.git)}", _determinacy(report)]
    lines += [f"warning: {warning}" for warning in _warnings(report, commands)]
    lines += [f"baseline: {report.baseline_path}, {_made(report)}"] if report.baseline else []
    for title, caveat, verdicts in _groups(report):
        lines += ["", f"{title} ({len(verdicts)}){f': {caveat}' if caveat else ''}"]
        for verdict in verdicts:
            lines += [f"  {_site(verdict.baseline)}{labelled(_told(verdict))}", f"    {_bound(verdict)}"]
    if report.added:
        lines += ["", f"ADDED ({len(report.added)}): no cases reference this prompt, or none that says so"]
        lines += [f"  {_site(record)}{labelled(['dynamic'] if record.is_dynamic else [])}" for record in report.added]
    if report.observed:
        lines += ["", f"OBSERVED at runtime ({len(report.observed)}), recordings-vs-recordings: {_OBSERVED}"]
        lines += [f"  {_observed_site(verdict)}: {_observed(verdict)}" for verdict in report.observed]
    lines += ["", *_footer(report, commands)]
    return "".join(f"{printable(line)}\n" for line in lines)


def render_markdown(report: StalenessReport, commands: Commands = _COMMANDS) -> str:
    """A table of all but what is unchanged."""
    lines = ["## Prompt staleness", "", escaped(_determinacy(report)), ""]
    lines += [f"> {escaped(warning)}" for warning in _warnings(report, commands)]
    rows = [
        (f"**{verdict.status}**", _site(verdict.baseline), ", ".join(_told(verdict)), _bound(verdict))
        for _, _, verdicts in _groups(report)
        for verdict in verdicts
    ]
    rows += [("**added**", _site(record), "", "no case") for record in report.added]
    rows += [("observed (runtime)", _observed_site(one), _OBSERVED, _observed(one)) for one in report.observed]
    if rows:
        lines += ["", "| status | prompt | about | cases |", "|---|---|---|---|"]
        lines += [f"| {status} | {' | '.join(map(escaped, cells))} |" for status, *cells in rows]
    return "\n".join([*lines, "", *(f"- {escaped(line)}" for line in _footer(report, commands))]) + "\n"


def render_json(report: StalenessReport, commands: Commands = _COMMANDS) -> str:
    """Everything, for a program."""
    baseline = report.baseline
    return plain_json({
        "schema_version": SCHEMA_VERSION,
        "repo": {"root": report.repo_root, "git_sha": report.git.get("sha"), "dirty": report.git.get("dirty")},
        "baseline": baseline and {
            "path": report.baseline_path,
            "git_sha": baseline.git.get("sha"),
            "created_at": baseline.created_at,
            "scanner_version": baseline.scanner_version,
        },
        "determinacy": report.determinacy,
        "summary": _summary(report),
        "sites": [_verdict_dict(verdict) for verdict in report.verdicts],
        "added": [record_dict(record) for record in report.added],
        "skipped_files": [{"path": path, "reason": reason} for path, reason in report.skipped_files],
        "observed": [_observed_dict(verdict) for verdict in report.observed],
        "unmerged_runtime_sites": report.unmerged_runtime,
        "trust_tiers": TRUST_TIERS,
        "cases": [
            {name: getattr(case, name) for name in ("file", "index", "case_uid", "status", "rollup", "notes")}
            for case in report.case_verdicts
        ],
        "warnings": list(_warnings(report, commands)),
        "blind_spots": BLIND_SPOTS,
        "exit_code": report.exit_code,
    })  # fmt: skip


def _summary(report: StalenessReport) -> dict[str, int]:
    counts, cases = report.counts(), report.case_stats()
    covered, static = report.coverage()
    kept = ("changed", "formatting_only", "removed", "added", "moved", "unscannable")
    return {
        **{kind: counts[kind] for kind in kept},
        "unknown_dynamic": counts["unknown"],
        **{f"cases_{status}": cases[status] for status in ("total", "bound", "unstamped")},
        "unreadable": cases["unreadable"],
        "coverage_covered": covered,
        "coverage_static_sites": static,
    }


def _verdict_dict(verdict: SiteVerdict) -> dict[str, Any]:
    return {
        "status": verdict.status,
        "labels": verdict.labels,
        "confidence": verdict.confidence,
        "anchor": verdict.baseline and record_dict(verdict.baseline),
        "old_fingerprint": verdict.baseline and verdict.baseline.fingerprint,
        "new_fingerprint": verdict.live and verdict.live.fingerprint,
        "bound_cases": verdict.bound_cases,
    }


def _observed_dict(verdict: ObservedVerdict) -> dict[str, Any]:
    told = {name: value for name, value in vars(verdict).items() if name != "has_current"}
    return {"source": RUNTIME_SOURCE, **told, "has_current_recordings": verdict.has_current, "caveat": _OBSERVED}


def _determinacy(report: StalenessReport) -> str:
    found = report.determinacy
    line = (
        f"{found['static']} of {found['call_sites']} prompts are statically resolvable; verdicts below cover only those"
    )
    seen = f"; {found['observed_runtime']} observed at runtime (recorder)" if found["observed_runtime"] else ""
    return f"{line}; {found['dynamic']} made by the running program{seen}"


def _warnings(report: StalenessReport, commands: Commands) -> Iterator[str]:
    if report.no_baseline:
        yield f"no baseline found at {report.baseline_path}: `{commands.approve}` writes one"
    if report.baseline_warning:
        yield report.baseline_warning
    if report.scanner_mismatch:
        yield f"the baseline is of another version of the scanner: rescan recommended (`{commands.approve}`)"
    if report.skipped_files:
        count = len(report.skipped_files)
        files = f"{count} file{'s' if count > 1 else ''} unscannable (syntax/encoding)"
        first = "; ".join(f"{path}: {reason}" for path, reason in report.skipped_files[:_SHOWN_CASES])
        yield f"{files}; verdicts for sites in those files are unreliable ({first})"
    yield from (warning for warning in (report.ignore_warning, report.recordings_warning) if warning)


def _groups(report: StalenessReport) -> Iterator[tuple[str, str, list[SiteVerdict]]]:
    """The verdicts that something is to be said about, by kind."""
    kinds: list[tuple[str, str, Callable[[SiteVerdict], bool]]] = [
        ("CHANGED", "", lambda verdict: verdict.status == "changed"),
        ("REMOVED", _REMOVED, lambda verdict: verdict.status == "removed"),
        ("UNSCANNABLE", _UNSCANNABLE, lambda verdict: "unscannable" in verdict.labels),
        ("UNKNOWN", "", lambda verdict: verdict.status == "unknown" and "unscannable" not in verdict.labels),
        ("MOVED", "", lambda verdict: "moved" in verdict.labels),
    ]
    for title, caveat, wanted in kinds:
        found = [verdict for verdict in report.verdicts if wanted(verdict)]
        if found:
            yield title, caveat, found


def _footer(report: StalenessReport, commands: Commands) -> Iterator[str]:
    cases = report.case_stats()
    covered, static = report.coverage()
    yield ", ".join(f"{count} {kind}" for kind, count in report.counts().items())
    yield "cases: " + ", ".join(f"{count} {kind}" for kind, count in cases.items())
    if cases["bound"]:
        yield f"covered by cases: {covered} of {static} (lower bound, static sites only)"
    else:
        words = f"no case has a binding; `{commands.bind}` makes one"
        yield f"covered by cases: 0 (lower bound, static sites only): {words}"
    if report.unmerged_runtime:
        yield f"{report.unmerged_runtime} place(s) recorded, not yet in the baseline: `{commands.recorded}`"
    if report.observed:
        yield f"trust tiers (never collapsed): {'; '.join(TRUST_TIERS)}"
    yield f"blind spots: {'; '.join(BLIND_SPOTS)}"


def _commit(git: dict[str, Any]) -> str:
    return f" at {git['sha']}" if git.get("sha") else ""


def _made(report: StalenessReport) -> str:
    made = report.baseline
    return "" if made is None else f"made {made.created_at or 'at an unknown time'}{_commit(made.git)}"


def _told(verdict: SiteVerdict) -> list[str]:
    return [*verdict.labels, *(["ambiguous"] if verdict.confidence == "ambiguous" else [])]


def _site(record: PromptRecord | None) -> str:
    return "" if record is None else f"{record.call_site_id} in {record.qualname}"


def _bound(verdict: SiteVerdict) -> str:
    cases = verdict.bound_cases
    if not cases:
        return "no case is bound to it"
    shown = ", ".join(f"{case['file']}#{case['index']}" for case in cases[:_SHOWN_CASES])
    return f"{len(cases)} case(s) were made for it: {shown}{', …' if len(cases) > _SHOWN_CASES else ''}"


def _observed_site(verdict: ObservedVerdict) -> str:
    anchor = verdict.anchor
    place = f"{anchor.get('file_path')}:{anchor.get('sdk')}.{anchor.get('role')}"
    return f"{place} in {anchor.get('qualname')}"


def _observed(verdict: ObservedVerdict) -> str:
    if not verdict.has_current:
        return f"{verdict.baseline_renderings} rendering(s) known; no current recordings to compare"
    line = f"matched {verdict.matched} of {verdict.baseline_renderings} previously observed renderings"
    new = f"; {verdict.new_renderings} new rendering(s) not in the baseline" if verdict.new_renderings else ""
    return line + new
