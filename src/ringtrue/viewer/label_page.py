"""The page that asks a person whether an answer is right, and what the labels come to so far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

from ringtrue.records import Row, Run, Score
from ringtrue.reports.number import count, number
from ringtrue.reports.verdict import VerdictWords, share_words
from ringtrue.stats.calibration import Calibration, calibration
from ringtrue.stats.row_status import RowVerdicts
from ringtrue.store.case_pages import CasePages
from ringtrue.store.human_labels import HumanLabel, HumanLabels, subject_of
from ringtrue.viewer.conversation import conversation
from ringtrue.viewer.drawing import draw
from ringtrue.viewer.library import ShownRun
from ringtrue.viewer.page_state import Links

ASKED = 120
"""How many answers a run's labels are asked of: enough for an interval of about nine points to either side."""
_LOOKED_UP = 40
_RECENT = 5


@dataclass(frozen=True, slots=True)
class LabelTask:
    """An answer to be labelled, and what is known of the others."""

    row: Row | None
    subject: str
    done: int
    of: int
    sample: Sequence[Row]
    labels: dict[str, HumanLabel]


def sample_rows(one: ShownRun) -> list[Row]:
    """Answers drawn at random, the same ones in every session: only then may labels correct a mean of all rows."""
    rows = [row for case in islice(_drawn_cases(one.pages, one.id), 4 * ASKED) for row in case]
    kept: dict[str, Row] = {}
    for row in rows:
        if not row.trial.output.error:
            kept.setdefault(subject_of(row.trial), row)
        if len(kept) == ASKED:
            break
    return list(kept.values())


def _drawn_cases(pages: CasePages, seed: str) -> Iterator[Sequence[Row]]:
    """One row of each case, in random order; then another one, if there are several."""
    dice = Random(seed)
    systems = len(pages.systems) or 1
    end = pages.last_position() + 1
    places = dice.sample(range(end * systems), min(end * systems, 8 * ASKED))
    for start in range(0, len(places), _LOOKED_UP):
        part = places[start : start + _LOOKED_UP]
        found = {case[0].position: case for case in pages.cases(sorted({place // systems for place in part}))}
        for place in part:
            case = found.get(place // systems, ())
            own = [row for row in case if row.system == pages.systems[place % systems]] if case else []
            if own:
                yield own[:1]


def next_task(labels: HumanLabels, sample: Sequence[Row], skip: str = "") -> LabelTask:
    """The first answer of a sample without a label; `skip` is one that is being labelled."""
    subjects = {subject_of(row.trial): row for row in sample}
    known = labels.of(subjects)
    due = next((subject for subject in subjects if subject not in known and subject != skip), "")
    done = len(known) + (bool(skip) and skip in subjects and skip not in known)
    return LabelTask(subjects.get(due), due, done, len(subjects), list(subjects.values()), known)


def label_page(one: ShownRun, task: LabelTask, links: Links, *, token: str, recent: Sequence[HumanLabel] = ()) -> str:
    """The page with one answer and the verbs; the system and its score stay hidden until it is labelled."""
    by_subject = {subject_of(row.trial): row for row in task.sample}
    verdicts = RowVerdicts(one.run.made)
    just_now = [
        (label, by_subject[label.subject], verdicts.status(by_subject[label.subject]))
        for label in recent
        if label.subject in by_subject
    ][:_RECENT]
    found = _calibration(one.run, task)
    return draw(
        "label.html",
        links=links,
        run=one,
        task=task,
        said=conversation(task.row) if task.row is not None else [],
        found=found,
        verdict=list(_sentences(found, _check_name(one.run, task.sample))),
        just_now=just_now,
        token=token,
    )


def _sentences(found: Calibration | None, check: str) -> Iterator[VerdictWords]:
    """Yield what the labels show so far: the check's agreement with them, and the share that passes by them."""
    if found is None:
        yield VerdictWords("No label yet", True)
        yield VerdictWords(f": your labels show how far {check} can be trusted, and correct the share that passes.")
        return
    agreed = found.counts.true_positives + found.counts.true_negatives
    yield VerdictWords(f"You and {check} agree on {agreed:,} of {count(found.counts.n, 'answer')}", True)
    yield VerdictWords(f", {share_words(found.metrics['agreement'])}.")
    if found.corrected is not None:
        passing, raw = share_words(found.corrected.estimate), number(found.corrected.raw.value, "share")
        yield VerdictWords(f" Of the sample {raw} % pass; corrected by your labels {passing}.")


def _check_name(run: Run, sample: Sequence[Row]) -> str:
    """The check that decides whether the answers pass; datasets may have different ones."""
    verdicts = RowVerdicts(run.made)
    names = {headline.evaluator for row in sample if (headline := verdicts.headline(row)) is not None}
    return names.pop() if len(names) == 1 and not verdicts.by_every_check else "the checks"


def _calibration(run: Run, task: LabelTask) -> Calibration | None:
    """Compare what passes with the labels so far; None before the first label that says right or wrong."""
    verdicts = RowVerdicts(run.made)
    statuses = [verdicts.status(row) for row in task.sample]
    scores = [
        Score(float(status == "passed"), passed=status == "passed")
        if status in ("passed", "failed")
        else Score.skipped("no verdict")
        for status in statuses
    ]
    known = [task.labels.get(subject_of(row.trial)) for row in task.sample]
    numbers = [None if label is None else label.number for label in known]
    if not any(number is not None and score.value is not None for score, number in zip(scores, numbers, strict=True)):
        return None
    return calibration(scores, numbers)
