"""A report as one page that needs nothing else; every text in it is data."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from string import Template

from multivon_eval.case_result import CaseResult, EvalResult, EvalStatus
from multivon_eval.report import EvalReport
from multivon_eval.reporters.evidence import Trials, case_issues, issues_section
from ringtrue.reports.html import CELL_CHARS
from ringtrue.reports.junit import legal

__all__ = ["to_html"]

_PILLS = {
    EvalStatus.PASSED: ("pass", "PASS", ""),
    EvalStatus.FAILED_QUALITY: ("fail", "FAIL", ""),
    EvalStatus.MODEL_ERROR: ("error", "MODEL ERR", "the function under test failed: not a quality issue"),
    EvalStatus.JUDGE_ERROR: ("error", "JUDGE ERR", "the judge gave no verdict: not a quality issue"),
    EvalStatus.EVALUATOR_ERROR: ("error", "EVAL ERR", "a check raised an error: likely a bug in the check"),
    EvalStatus.TIMEOUT: ("error", "TIMEOUT", "there was no answer in time: not a quality issue"),
    EvalStatus.SKIPPED: ("skipped", "SKIPPED", "nothing was measured"),
}


def to_html(report: EvalReport) -> str:
    """The numbers with their intervals, the checks, the tags, and every case with a box to filter them."""
    scores, rates = report.scores_by_evaluator(), report.passed_by_evaluator()
    checks = [(name, f"{scores[name]:.3f}", f"{rates[name]:.1%}") for name in scores]
    means, shares = report.scores_by_tag(), report.passed_by_tag()
    tags = [(t, f"{n}", _known(means, t, ".3f"), _known(shares, t, ".1%")) for t, n in report.count_by_tag().items()]
    title = report.suite_name + (f" ({report.model_id})" if report.model_id else "")
    tables = [
        table(("Check", "mean score", "pass rate"), checks),
        table(("Tag", "cases", "mean score", "pass rate"), tags),
    ]
    return page(title, report, tables, "Cases")


def page(title: str, report: EvalReport, sections: Sequence[str], heading: str) -> str:
    """A page with the numbers of a report, sections of HTML, and the cases under a heading."""
    script = package_text("filter.js")
    trials, cases = Trials(), report.case_results
    issues = [case_issues(case) for case in cases]
    told = [f"{case.case_id}: {issue}" for case, found in zip(cases, issues, strict=True) for issue in found]
    # The page's own script is named by its hash: any other would not run, however it came into the page.
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return framed(
        "page.html",
        title,
        allowed=f"sha256-{digest}",
        script=script,
        cards="".join(_cards(report)),
        sections="\n".join([issues_section([*report.evidence_issues, *told]), *sections]),
        heading=safe_text(heading),
        cases="".join(_case(place, case, trials.shown(place, case, issues[place])) for place, case in enumerate(cases)),
    )


def framed(name: str, title: str, *, allowed: str = "none", **values: str) -> str:
    """A file of HTML, filled in, as a page that runs no script but the one that is allowed."""
    body = Template(package_text(name)).substitute(title=safe_text(title), **values)
    return Template(package_text("frame.html")).substitute(title=safe_text(title), allowed=allowed, body=body)


def _cards(report: EvalReport) -> Iterable[str]:
    low, high = report.pass_rate_ci()
    yield _card(f"{report.total}", "Cases")
    yield _card(f"{report.passed} of {report.evaluated}", "Passed")
    yield _card(f"{report.pass_rate:.1%}", f"Pass rate, 95% CI (Wilson) [{low:.1%}, {high:.1%}]")
    yield _card(f"{report.avg_score:.3f}", "Mean score, 95% CI [{:.3f}, {:.3f}]".format(*report.avg_score_ci()))
    if report.errors:
        kinds = ", ".join(f"{n} {kind.replace('_', ' ')}" for kind, n in report.errors_by_kind.items())
        yield _card(f"{report.errors}", "Errors", kinds)
    if report.skipped:
        yield _card(f"{report.skipped}", "Skipped")
    if report.runs_per_case > 1:
        yield _card(f"{report.stability_score:.1%}", f"Stability, {report.flaky_count} flaky cases")


def _card(value: str, label: str, explained: str = "") -> str:
    shown = f'<span class="val">{safe_text(value)}</span> <span class="lbl">{safe_text(label)}</span>'
    return f'<div class="card"{_explained(explained, label)}>{shown}</div>'


def _case(place: int, case: CaseResult, trials: str) -> str:
    parts = [("input", case.case_input), ("output", case.actual_output)]
    parts += [("error", case.error)] if case.error else []
    parts += [("tags", ", ".join(case.tags))] if case.tags else []
    parts += (
        [("runs", f"{case.pass_count} of {case.runs} runs passed")] if case.runs > 1 and case.pass_count >= 0 else []
    )
    parts += [("ms", f"{case.latency_ms:.0f}")]
    about = "".join(f"<p>{name}</p><pre>{safe_text(str(text))}</pre>" for name, text in parts)
    checks = table(("Check", "verdict", "score", "reason"), [_check(result) for result in case.results])
    head = f"{_status_pill(case)} {case.score:.3f} {safe_text(str(case.case_input)[:120])}"
    summary = f'<summary aria-controls="d-{place}" aria-expanded="false">{head}</summary>'
    said = f'<div class="said">{checks}{about}</div>'
    return f'<details>{summary}<div id="d-{place}">{said}{trials}</div></details>'


def _check(result: EvalResult) -> tuple[str, str, str, str]:
    verdict = ("passed" if result.passed else "failed") if result.status == "scored" else result.status
    return result.evaluator, verdict, f"{result.score:.3f}" if result.status == "scored" else "–", result.reason


def _status_pill(case: CaseResult) -> str:
    """How a case ended, in a word; one that passes sometimes is neither a pass nor a failure."""
    kind, word, explained = _PILLS[case.status]
    if case.is_flaky and case.evaluated:
        kind, word, explained = "flaky", "FLAKY", f"{case.pass_count} of {case.runs} runs passed"
    return f'<span class="pill {kind}"{_explained(explained, word)}>{word}</span>'


def _explained(words: str, label: str) -> str:
    # A title is for those who point at it, a label for those who listen.
    return f' title="{safe_text(words)}" aria-label="{safe_text(f"{label}: {words}")}"' if words else ""


def table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Lines of text as an HTML table; nothing, where there are none."""

    def row(cells: Sequence[str], kind: str) -> str:
        return "<tr>" + "".join(f"<{kind}>{safe_text(cell)}</{kind}>" for cell in cells) + "</tr>"

    return "<table>" + row(head, "th") + "".join(row(cells, "td") for cells in lines) + "</table>" if lines else ""


def _known(numbers: dict[str, float], name: str, shape: str) -> str:
    return format(numbers[name], shape) if name in numbers else "–"


def safe_text(text: str) -> str:
    """Text from outside as HTML, cut where it is too long to show."""
    cut = text if len(text) <= CELL_CHARS else f"{text[:CELL_CHARS]}… ({len(text):,} characters)"
    return escape(legal(cut))


def package_text(name: str) -> str:
    """A file beside this one."""
    return files(__package__).joinpath(name).read_text("utf-8")
