"""What a report's page shows of the saved trials: whole, and as something to review where they can be trusted."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from html import escape

from ringtrue.reports.canonical import canonical_json

from multivon_eval.case_result import CaseResult
from multivon_eval.regressions import regression_candidate
from multivon_eval.trials import trial_integrity_issues
from ringtrue.reports.junit import legal

MOST_CHARS = 4_000_000
"""So much of all trials is in a page; the rest is in the report's JSON."""


def issues_section(issues: Sequence[str]) -> str:
    """Why the evidence of a report is not whole; nothing where it is."""
    rows = "".join(f"<li>{_text(issue)}</li>" for issue in issues)
    return f"<section><h2>Evidence needs attention</h2><ul>{rows}</ul></section>" if issues else ""


def case_issues(case: CaseResult) -> list[str]:
    """Why the trials of a case cannot be those it was made of."""
    found = trial_integrity_issues(case)
    if case.trials and case.actual_output != case.trials[-1].data["output"]:
        found.insert(0, "Case output does not match the last trial")
    return [*found, *([case.evidence_error] if case.evidence_error else [])]


class Trials:
    """The trials of a report's cases as HTML, one case after the other, until the page is full."""

    def __init__(self, most_chars: int = MOST_CHARS) -> None:
        self._left = most_chars

    def shown(self, place: int, case: CaseResult, issues: Sequence[str] = ()) -> str:
        """The trials of one case; why they are not to be trusted, or with something to review."""
        told = "".join(f"<p>{_text(issue)}</p>" for issue in issues)
        return told + "".join(self._trials(place, case, trusted=not issues))

    def _trials(self, place: int, case: CaseResult, *, trusted: bool) -> Iterator[str]:
        for number, trial in enumerate(case.trials):
            self._left -= 2 * len(trial.text)
            if self._left < 0:
                yield f"<p>trial <code>{_text(trial.digest)}</code>: the report's JSON has it</p>"
                continue
            whole = f"<details><summary>Full saved trial JSON</summary><pre>{_text(trial.text)}</pre></details>"
            yield f"<p>trial <code>{_text(trial.digest)}</code></p>{whole}"
            if trusted:
                text = canonical_json(regression_candidate(trial)).encode("utf-8", "backslashreplace")
                link = f"data:application/json;base64,{base64.b64encode(text).decode()}"
                named = f'id="case-{place}-trial-{number}-candidate" download="candidate-{place}-{number}.json"'
                yield f'<p><a {named} href="{link}">Download candidate for review</a></p>'


def _text(text: str) -> str:
    return escape(legal(text))
