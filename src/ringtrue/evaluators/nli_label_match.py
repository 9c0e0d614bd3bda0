"""`NLILabelMatch`: whether the response gives the right label of inference."""

from __future__ import annotations

from dataclasses import dataclass

from ringtrue.evaluators.text_check import TextCheck
from ringtrue.records import Score
from ringtrue.scoring.nli.labels import Label, family_of, read_label, same_label


@dataclass(frozen=True)
class NLILabelMatch(TextCheck):
    """1.0 if the last label that the response commits to means the expected label; skipped if the row has no label."""

    default_name = "nli_label_match"
    parts = ("nli_accuracy",)
    needs = "the label as the answer (Entailment, REFUTES, NotMentioned, yes …)"
    formula = (
        "the label of the final commitment is of the same family as the expected one: entails/supports/true/yes, "
        "contradicts/refutes/false/no, neutral/not mentioned/not enough info; denials are read; any other label is "
        "itself"
    )

    threshold: float = 1.0

    def grade_text(self, text: str, expected: tuple[str, ...] | None) -> Score:
        """Whether the label read from the text is one of the expected ones."""
        wanted = [label for label in expected or () if label.strip()]
        if not wanted:
            return Score.skipped("there is no label to compare with")
        own = [label for label in wanted if family_of(label) is None]
        found = read_label(text, own) if own else Label(None, "")
        if found.label is None and len(own) < len(wanted):
            found = read_label(text)
        label, rule = found
        right = label is not None and any(same_label(gold, label) for gold in wanted)
        reason = ""
        if not right:
            said = f"the response says {label}" if label else "the response gives no label"
            reason = f"{said}; {' or '.join(gold[:80] for gold in wanted)} was expected"
        return self.verdict(float(right), reason, label=label, rule=rule)
