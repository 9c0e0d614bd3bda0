"""`SelfConsistency`: what a system says again and again is more likely known than made up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from typing import Any

from multivon_eval.case import EvalCase
from multivon_eval.case_result import EvalResult
from multivon_eval.evaluators.judging import Judging, Material
from multivon_eval.exceptions import JudgeUnavailable
from multivon_eval.judge import JudgeConfig, make_judge_call, resolve_judge
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.scoring.prose.reply import visible
from ringtrue.scoring.prose.sentences import split_sentences

__all__ = ["SelfConsistency"]

BACKENDS = ("auto", "llm", "nli")
NLI_MODEL = "cross-encoder/nli-deberta-v3-small"
LEAST_CHARS = 20
"""A shorter sentence says too little to be compared."""
MOST_SENTENCES = 8
MOST_MORE = 10
"""So many more samples are drawn where the first leave it open."""
OPEN = (0.3, 0.7)
SHOWN = 80


class SelfConsistency(Judging):
    """The share of sentence and sample pairs that agree: `samples` are other answers to the same input.

    Missing samples, up to `n`, are drawn from `model_fn`; where the score lies between 0.3 and 0.7, more are, up to
    `max_n`. `nli` compares with a local model of transformers, `llm` with the judge. That answers agree does not make
    them true.
    """

    name = "self_consistency"

    def __init__(
        self,
        model_fn: Callable[[str], str] | None = None,
        n: int = 5,
        max_n: int = 20,
        adaptive: bool = True,
        backend: str = "auto",
        nli_model: str = NLI_MODEL,
        judge: JudgeConfig | None = None,
        threshold: float = 0.7,
    ) -> None:
        super().__init__(threshold, judge)
        if backend not in BACKENDS:
            raise ValueError(f"backend must be one of {', '.join(BACKENDS)}; got {backend!r}")
        self._model_fn, self._n, self._max_n, self._adaptive = model_fn, n, max_n, adaptive
        self._backend, self._nli_model = backend, nli_model

    def evaluate(self, case: EvalCase, output: str, samples: Sequence[str] | None = None) -> EvalResult:
        """The output against the samples; without any there is nothing to compare."""
        drawn = [*(samples or ()), *self._drawn(case.input, self._n - len(samples or ()))]
        if not drawn:
            # Half way between agreeing and not, as documented; what is skipped is in no mean.
            return replace(self._skipped("SelfConsistency needs samples= or model_fn="), score=0.5)
        classify = None if self._backend == "llm" else _load_nli_pipeline(self._nli_model)
        compare = self._by_judge if classify is None else _by_model(classify)
        score, lines = _agreement(output, drawn, compare)
        if self._adaptive and OPEN[0] < score < OPEN[1] and len(drawn) < self._max_n and self._model_fn is not None:
            drawn += self._drawn(case.input, min(self._max_n - len(drawn), MOST_MORE))
            score, lines = _agreement(output, drawn, compare)
        used = f"{'llm' if classify is None else 'nli'} backend"
        return self._result(score, "\n".join([f"{used}, {len(drawn)} samples", *lines]), samples=len(drawn))

    def _drawn(self, text: str, count: int) -> list[str]:
        return [self._model_fn(text) for _ in range(count)] if self._model_fn is not None else []

    def _by_judge(self, sentence: str, sample: str) -> float:
        judge = resolve_judge(self._judge_cfg)
        texts = Material(statement=sentence, passage=sample).texts
        asked = prompt("consistency", "multivon_eval").question(texts, None)
        said = make_judge_call("\n\n".join(str(message["content"]) for message in asked.messages), judge)
        word = visible(said).strip().strip("\"'*_.!` ").lower()
        if word in ("consistent", "contradicts"):
            return float(word == "consistent")
        told = f"the judge's reply is neither 'Consistent' nor 'Contradicts': {said[:SHOWN]!r}"
        raise JudgeUnavailable(told, judge.provider, judge.model)


Compare = Callable[[str, str], float]
"""How far a sample agrees with a sentence, from 0 to 1."""


def _agreement(output: str, samples: Sequence[str], compare: Compare) -> tuple[float, list[str]]:
    """The mean over sentences of how far the samples agree, and a line for each."""
    sentences = [sentence for sentence in split_sentences(output) if len(sentence) >= LEAST_CHARS] or [output]
    compared = sentences[:MOST_SENTENCES]
    means = [sum(compare(sentence, sample) for sample in samples) / len(samples) for sentence in compared]
    lines = [
        f"{'✓' if mean > 0.5 else '✗'} [{mean:.2f}] {sentence[:SHOWN]}"
        for mean, sentence in zip(means, compared, strict=True)
    ]
    left = len(sentences) - len(compared)
    return sum(means) / len(means), [*lines, *([f"{left} more sentences were not compared"] if left else [])]


@lru_cache(maxsize=4)
def _load_nli_pipeline(model: str) -> Any:
    """A classifier of transformers, or None where that, or the model, is not here."""
    try:
        return import_module("transformers").pipeline("text-classification", model=model, top_k=None, device=-1)
    except (ImportError, OSError):
        return None


def _by_model(classify: Any) -> Compare:
    def agreement(sentence: str, sample: str) -> float:
        found = classify({"text": sample, "text_pair": sentence})
        labels = found[0] if isinstance(found[0], list) else found
        return 1.0 - sum(float(one["score"]) for one in labels if "contradict" in str(one["label"]).lower())

    return agreement
