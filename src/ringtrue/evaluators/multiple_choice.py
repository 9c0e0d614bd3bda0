"""`MultipleChoiceAccuracy`: whether the response commits to the correct option."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ringtrue.evaluators.check import Check
from ringtrue.jsontext import parse_json
from ringtrue.records import Case, Json, Score, Trial
from ringtrue.scoring.choice import read_choice
from ringtrue.scoring.choice.reading import LETTERS


@dataclass(frozen=True)
class MultipleChoiceAccuracy(Check):
    """1.0 if the last option that the response commits to is correct; skipped if the row has no correct letter."""

    default_name = "multiple_choice"
    parts = ("mc_accuracy",)
    needs = "`correct_letter`, or an answer that is a letter or one of the `choices` (or `options`)"
    formula = (
        "the letter of the final commitment equals the correct letter; the option's own words count where no letter is "
        "given; a response that commits to no option, or to several, is wrong"
    )

    threshold: float = 1.0

    def grade(self, trial: Trial) -> Score:
        """Whether the letter read from the response is a correct one."""
        options = _options(trial.case)
        correct = _correct_letters(trial.case, options)
        if not correct:
            return Score.skipped("there is no correct letter to compare with")
        labels = options.labels or "".join(dict.fromkeys(LETTERS + correct))
        letter, rule = read_choice(trial.output.text, options.texts, labels=labels)
        right = letter is not None and letter in correct
        reason = ""
        if not right:
            said = f"the response chooses {letter}" if letter else f"the response chooses no single option ({rule})"
            reason = f"{said}; {' or '.join(correct)} is correct"
        return self.verdict(float(right), reason, letter=letter, correct=correct, rule=rule)


class _Options(NamedTuple):
    """The options of a question: their texts by label, and the labels in order; both may be missing."""

    texts: dict[str, str] | None
    labels: str


def _options(case: Case) -> _Options:
    given = case.fields.get("choices")
    if given is None:
        given = case.fields.get("options")
    if isinstance(given, str):
        try:
            given = parse_json(given)
        except ValueError:
            given = None
    if isinstance(given, Mapping) and isinstance(given.get("text"), list) and isinstance(given.get("label"), list):
        given = dict(zip(given["label"], given["text"], strict=False))
    if isinstance(given, (list, tuple)):
        given = {chr(ord("A") + place): text for place, text in enumerate(given[:26])}
    if not isinstance(given, Mapping) or not given:
        return _Options(None, "")
    texts = {_label(key): text if isinstance(text, str) else str(text) for key, text in given.items() if _label(key)}
    return _Options(texts, "".join(texts)) if texts else _Options(None, "")


def _label(key: Json) -> str:
    return str(key).strip(" ().:").upper()[:1]


def _correct_letters(case: Case, options: _Options) -> str:
    """The letters that are right: `correct_letter`, else each expected answer that is a letter or an option's text."""
    stated = case.fields.get("correct_letter")
    if stated is not None and str(stated).strip():
        return _label(stated)
    letters = [_letter_of(answer, options) for answer in case.expected or ()]
    return "".join(dict.fromkeys(filter(None, letters)))


def _letter_of(answer: str, options: _Options) -> str:
    bare = answer.strip(" \t\n().:").upper()
    if len(bare) == 1 and bare in (options.labels or LETTERS):
        return bare
    same = [letter for letter, text in (options.texts or {}).items() if text.strip() == answer.strip()]
    return same[0] if len(same) == 1 else ""
