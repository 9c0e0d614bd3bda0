"""`BERTScore`: how alike two texts are in the eyes of a language model, by the package bert-score."""

from __future__ import annotations

from multivon_eval.case import EvalCase
from multivon_eval.case_result import EvalResult
from multivon_eval.evaluators.base import Evaluator
from ringtrue.dialects.coercion import output_text, plain_text

DECIMALS = 4


class BERTScore(Evaluator):
    """The F1 of bert-score between the output and the expected output, which may share no word; skipped without one."""

    name = "bertscore"

    def __init__(self, model_type: str = "distilbert-base-uncased", lang: str = "en", threshold: float = 0.85) -> None:
        super().__init__(threshold)
        self._model_type, self._lang = model_type, lang

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        """One comparison; the package and its weights are loaded at the first."""
        text, problem = output_text(output)
        if case.expected_output is None:
            return self._skipped("the case has no expected_output to compare with")
        if problem:
            return self._result(0.0, problem)
        try:
            from bert_score import score  # type: ignore[import-not-found,unused-ignore]
        except ImportError as error:
            raise ImportError("BERTScore needs the package bert-score: pip install bert-score") from error
        told = {"model_type": self._model_type, "lang": self._lang, "verbose": False}
        precision, recall, f1 = (float(one.mean()) for one in score([text], [plain_text(case.expected_output)], **told))
        value = min(1.0, max(0.0, round(f1, DECIMALS)))
        return self._result(value, f"BERTScore F1: {f1:.4f} (P={precision:.4f}, R={recall:.4f})")
