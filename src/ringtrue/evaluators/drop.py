"""`DROP`: exact match and F1 of answers of several spans, as DROP's authors compute them."""

from __future__ import annotations

from dataclasses import dataclass

from ringtrue.evaluators.check import Check
from ringtrue.records import Score, Trial
from ringtrue.scoring.overlap.aligned_bags import aligned_overlap


@dataclass(frozen=True)
class DROP(Check):
    """The best F1 over the case's `answer_spans`; a reply to a question with several spans is split at commas."""

    default_name = "drop"
    main = "drop_f1"
    parts = ("drop_em", "drop_f1")
    needs = "`answer_spans`, a list of the spans of each gold answer"
    formula = "mean F1 of bags of words, spans aligned for the best; 0 for a bag whose numbers differ"
    matches = "allenai's drop_eval.py as lm-evaluation-harness has it"
    max_chars = 50_000

    threshold: float = 0.5

    def grade(self, trial: Trial) -> Score:
        """Exact match and F1 against the gold answer that is best for F1."""
        golds = [[str(span) for span in spans] for spans in trial.case.fields.get("answer_spans") or () if spans]
        if not golds:
            return Score.skipped("there are no answer spans to compare with")
        text = trial.output.text.strip()
        parts = [part.strip() for part in text.replace(" and ", ", ").split(",") if part.strip()]
        found = [aligned_overlap(parts if len(spans) > 1 else [text], spans) for spans in golds]
        best = max(found, key=lambda one: (one.f1, one.exact_match))
        reason = "" if best.f1 >= self.threshold else f"F1 is {best.f1:.2f}"
        return self.verdict(best.f1, reason, {"drop_em": best.exact_match, "drop_f1": best.f1})
