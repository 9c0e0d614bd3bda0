"""The page of one case: its answers, every check with its reason, the evidence, the conversation, and raw replies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ringtrue.jsontext import json_text
from ringtrue.records import Made, Row, RowStatus
from ringtrue.reports.headline_table import system_places
from ringtrue.reports.pages.case_view import CheckView, case_views
from ringtrue.stats.row_status import RowVerdicts
from ringtrue.viewer.conversation import MOST_TURNS, SaidTurn, conversation, source_texts
from ringtrue.viewer.drawing import draw
from ringtrue.viewer.evidence import Evidence, claim_evidence, json_of
from ringtrue.viewer.library import ShownRun
from ringtrue.viewer.page_state import Links, PageState

_SANDBOX = ("status", "sandbox", "isolation", "seconds", "failing", "error", "last_call", "trace", "output_tail")
_SHOWN = (*_SANDBOX, "claims", "sentences", "replies", "replies_left_out", "feedback", "program_chars")
_KEPT_CHARS = 20_000


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One check of one answer, in the table of checks."""

    system: str
    series: int
    check: CheckView
    place: str


@dataclass(frozen=True, slots=True)
class CheckGroup:
    """One check over all answers."""

    name: str
    threshold: float | None
    is_headline: bool
    lines: tuple[CheckLine, ...]


@dataclass(frozen=True, slots=True)
class ScoreDetail:
    """The details of one check beside its number: claims, the judge's words, the sandbox's output."""

    check: str
    status: RowStatus
    reason: str
    evidence: Evidence | None
    replies: Sequence[str]
    replies_left_out: int
    sandbox: Sequence[tuple[str, str]]
    output: str
    rest: str
    anchor: str


@dataclass(frozen=True, slots=True)
class AnswerDetail:
    """The details of one answer."""

    system: str
    said: Sequence[SaidTurn]
    turns_left_out: int
    scores: Sequence[ScoreDetail]


_ENDINGS: Mapping[RowStatus, str] = {
    "passed": "passed",
    "failed": "failed",
    "error": "could not be measured",
    "skipped": "was skipped",
}


def case_page(
    one: ShownRun,
    rows: Sequence[Row],
    state: PageState,
    links: Links,
    neighbours: tuple[int | None, int | None] = (None, None),
    *,
    bundle: bool = False,
) -> str:
    """The page of a case whose rows these are; the neighbours are the positions of the case before and after."""
    made = one.run.made
    case = rows[0].trial.case
    return draw(
        "case.html",
        links=links,
        bundle=bundle,
        run=one,
        state=state,
        case=case,
        dataset=rows[0].dataset,
        sentence=_sentence(rows, made),
        views=case_views(rows, made),
        groups=_check_groups(rows, made),
        details=[_detail(row, place, len(rows) > 1) for place, row in enumerate(rows)],
        previous=neighbours[0],
        next=neighbours[1],
        fields=_fields(case.fields),
    )


def _sentence(rows: Sequence[Row], made: Made) -> str:
    """Return who passed and who did not: `large passed, small failed`; of repeats `large passed 2 of 3`."""
    verdicts = RowVerdicts(made)
    ended: dict[str, list[RowStatus]] = {}
    for row in rows:
        ended.setdefault(row.system, []).append(verdicts.status(row))
    words: dict[str, list[str]] = {}
    for system, own in ended.items():
        word = _ENDINGS[own[0]] if len(own) == 1 else f"passed {own.count('passed')} of {len(own)}"
        words.setdefault(word, []).append(system)
    return "; ".join(
        f"{', '.join(names[:6])}{f' and {len(names) - 6} more' if len(names) > 6 else ''} {word}"
        for word, names in words.items()
    )


def _check_groups(rows: Sequence[Row], made: Made) -> list[CheckGroup]:
    verdicts, places = RowVerdicts(made), system_places(made)
    thresholds = {one.name: one.threshold for one in made.evaluators}
    headline = verdicts.headline(rows[0])
    names = dict.fromkeys(name for row in rows for name in row.scores)
    return [
        CheckGroup(
            name,
            thresholds.get(name),
            headline is not None and headline.evaluator == name and not verdicts.by_every_check,
            tuple(
                CheckLine(
                    _answer_name(row),
                    places.get(row.system, 0),
                    CheckView.of(name, row.scores[name]),
                    f"s{place}-{list(row.scores).index(name)}" if _has_more(row, name) else "",
                )
                for place, row in enumerate(rows)
                if name in row.scores
            ),
        )
        for name in names
    ]


def _answer_name(row: Row) -> str:
    return f"{row.system}, repeat {row.repeat + 1}" if row.repeat else row.system


def _has_more(row: Row, name: str) -> bool:
    kept = row.scores[name].metadata
    return any(kept.get(key) for key in ("claims", "replies", "output_tail"))


def _detail(row: Row, place: int, several: bool) -> AnswerDetail:
    said = conversation(row)
    return AnswerDetail(
        _answer_name(row) if several else "",
        said[:MOST_TURNS],
        max(0, len(said) - MOST_TURNS),
        list(_score_details(row, place)),
    )


def _score_details(row: Row, place: int) -> Iterator[ScoreDetail]:
    sources = list(source_texts(row))
    for number, (name, score) in enumerate(row.scores.items()):
        kept = score.metadata
        rest = json_of(kept, _SHOWN if kept.get("output_tail") is not None else _SHOWN[len(_SANDBOX) :])
        replies = kept.get("replies")
        left_out = kept.get("replies_left_out")
        is_sandbox = "output_tail" in kept
        yield ScoreDetail(
            check=name,
            status=CheckView.of(name, score).status,
            reason=score.reason,
            evidence=claim_evidence(score, sources),
            replies=[str(one) for one in replies] if isinstance(replies, (list, tuple)) else (),
            replies_left_out=left_out if isinstance(left_out, int) else 0,
            sandbox=[(key.replace("_", " "), str(kept[key])) for key in _SANDBOX[:-1] if kept.get(key)]
            if is_sandbox
            else (),
            output=str(kept.get("output_tail") or ""),
            rest=json_text(rest, indent=True)[:_KEPT_CHARS] if rest else "",
            anchor=f"s{place}-{number}",
        )


def _fields(fields: Mapping[str, object]) -> str:
    """Return the other fields of the case's row, as JSON."""
    return json_text(dict(fields), indent=True)[:_KEPT_CHARS] if fields else ""
