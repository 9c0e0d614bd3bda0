"""The judges of pictures: `VQAFaithfulness` and `DocumentGrounding`."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from typing import Any

from ringtrue.scoring.json_values.strict_json import read_json

from multivon_eval.case import EvalCase
from multivon_eval.case_result import EvalResult
from multivon_eval.evaluators.agent_judgments import judge_binary
from multivon_eval.evaluators.judging import Judging, Material
from multivon_eval.evaluators.llm_judge import _as_prompt
from multivon_eval.exceptions import JudgeUnavailable
from multivon_eval.judge import JudgeConfig, resolve_judge
from multivon_eval.media import Resolver, case_media, media_sources
from multivon_eval.vision import PDF, call_vision
from ringtrue.evaluators.judged.prompt import prompt

__all__ = ["DocumentGrounding", "VQAFaithfulness"]

CLAIMS = 3
_ANSWER = re.compile(r"\s{0,10}Q([123])\s{0,5}:\s{0,5}(yes|no)[.!]?\s{0,10}", re.IGNORECASE)


class Words:
    """The template of a prompt in a file of this package; a check may have other words of its own in its place."""

    def __init__(self, file: str) -> None:
        self.file = file

    def __get__(self, check: Any, kind: type) -> str:
        return prompt(self.file, "multivon_eval").user


class Looking(Judging):
    """A check whose judge is shown the pictures of a case, and a prompt with the response in a fence."""

    calibrated = True
    protocol = "vision-qag/v2"

    def __init__(
        self, threshold: float | None = None, judge: JudgeConfig | None = None, media_resolver: Resolver | None = None
    ) -> None:
        super().__init__(threshold, judge)
        if isinstance(threshold, bool) or not 0 <= self.threshold <= 1:
            raise ValueError(f"threshold must lie in [0, 1]; got {threshold!r}")
        if media_resolver is not None and not callable(media_resolver):
            raise TypeError("media_resolver must be callable: it gives the bytes of a MediaArtifact")
        self._media_resolver = media_resolver
        self.protocol = type(self).protocol  # a setting, which a lock tells

    def _told(self, case: EvalCase, judge: JudgeConfig, score: float, reason: str, **known: Any) -> EvalResult:
        bound = bool(case_media(case))
        return self._judged(judge, score, reason, protocol=self.protocol, media_bound=bound, **known)

    def _pictures(self, case: EvalCase) -> list[str]:
        bound = case_media(case)
        other = sorted({one.media_type for one in bound if not one.media_type.startswith(("image/", PDF))})
        if other:
            raise ValueError(f"pictures and PDF pages can be judged; this case is bound to {', '.join(other)}")
        return list(media_sources(case, self._media_resolver)) if bound else _unbound(case)


def _unbound(case: EvalCase) -> list[str]:
    single = [case.metadata[key] for key in ("image_url", "image_path") if case.metadata.get(key)]
    found = case.metadata.get("images", single)
    if not isinstance(found, (list, tuple)) or any(not isinstance(one, str) or not one.strip() for one in found):
        raise ValueError("case.metadata['images'] must be a list of paths, addresses or data URIs")
    if len(single) > 1 and "images" not in case.metadata:
        raise ValueError("give image_url or image_path, or all pictures as images")
    if found:
        warnings.warn(
            "pictures in case.metadata do not bind file bytes: with_media() and media_resolver= do",
            DeprecationWarning,
            stacklevel=4,
        )
    return list(found)


def _asked(name: str, words: str, texts: Material, pictures: list[str], judge: JudgeConfig, max_tokens: int) -> str:
    """What the judge says to these words, with the instructions of the prompt of this name."""
    asked = replace(prompt(name, "multivon_eval"), user=words)
    try:
        return call_vision(_as_prompt(asked.question(texts.texts, None)), pictures, judge, max_tokens=max_tokens)
    except JudgeUnavailable:
        raise
    except Exception as error:  # whatever happens on the way to a judge, there is no verdict
        told = f"the judge was not shown the pictures: {type(error).__name__}: {error}"
        raise JudgeUnavailable(told, judge.provider, judge.model) from error


def _parse_yes_no(text: str) -> bool:
    return judge_binary("", lambda _: text)


class VQAFaithfulness(Looking):
    """The share of what a response claims to see, of up to three claims, that the pictures show."""

    name = "vqa_faithfulness"
    _CLAIM_PROMPT = Words("picture_claims")
    _VERIFICATION_PROMPT = Words("picture_claim")

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        """First the claims, then one look for each."""
        pictures = self._pictures(case)
        if not pictures:
            return self._skipped("No image provided: with_media(), or images, image_path, image_url in case.metadata")
        judge = resolve_judge(self._judge_cfg)
        listed = _asked("picture_claims", self._CLAIM_PROMPT, Material(response=output), pictures, judge, 400)
        claims = _claims(listed, judge)
        if not claims:
            result = self._skipped("the response claims nothing about the pictures")
            result.metadata |= {"protocol": self.protocol, "claims_response": listed}
            return result
        words = self._VERIFICATION_PROMPT
        said = [_asked("picture_claim", words, Material(claim=claim), pictures, judge, 20) for claim in claims]
        verdicts = [_parse_yes_no(one) for one in said]
        lines = [f"{'✓' if good else '✗'} {claim}" for claim, good in zip(claims, verdicts, strict=True)]
        reason = "\n".join([f"{sum(verdicts)}/{len(claims)} claims are seen", *lines])
        known = {"claims": claims, "claims_response": listed, "verdict_responses": said}
        return self._told(case, judge, sum(verdicts) / len(claims), reason, **known)


class DocumentGrounding(Looking):
    """The share of three questions about a document's pages that speak for a response."""

    name = "document_grounding"
    _PROMPT = Words("document_grounding")

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        """One look at all pages, three answers."""
        pages = self._pictures(case)
        if not pages:
            return self._skipped("No document pages provided: with_media(), or images in case.metadata")
        judge = resolve_judge(self._judge_cfg)
        said = _asked("document_grounding", self._PROMPT, Material(response=output), pages, judge, 200)
        found = [_ANSWER.fullmatch(line) for line in said.strip().splitlines()]
        answers = {f"Q{one[1]}": one[2].lower() == "yes" for one in found if one is not None}
        if len(found) != 3 or None in found or len(answers) != 3:
            told = f"the judge omitted required answers or gave others: {said[:100]!r}"
            raise JudgeUnavailable(told, judge.provider, judge.model)
        reason = "\n".join(f"{'✓' if good else '✗'} {name}" for name, good in sorted(answers.items()))
        known = {"question_verdicts": answers, "verdict_response": said}
        return self._told(case, judge, sum(answers.values()) / 3, reason, **known)


def _claims(reply: str, judge: JudgeConfig) -> list[str]:
    found = read_json(reply, fences=True).value
    texts = isinstance(found, list) and all(isinstance(one, str) and one.strip() for one in found)
    if not texts or len(found) > CLAIMS or len(set(found)) != len(found):
        told = f"the judge's reply is no list of up to {CLAIMS} different claims: {reply[:100]!r}"
        raise JudgeUnavailable(told, judge.provider, judge.model)
    return list(found)
