"""`Faithfulness`: the claims of a response, each held against the context."""

from __future__ import annotations

from typing import Any

import multivon_eval.evaluators.judge_questions as q
from multivon_eval.case import EvalCase
from multivon_eval.case_result import EvalResult
from multivon_eval.evaluators.judging import Judging, Material, asked
from multivon_eval.exceptions import JudgeUnavailable
from multivon_eval.judge import JudgeConfig
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.evaluators.judged.question_judge import Answered

CLAIM_TOKENS = 512


class Faithfulness(Judging):
    """The share of a response's claims that its context supports; without claims, or with too many, skipped."""

    name = "faithfulness"
    calibrated = True
    needs = ("context",)

    def __init__(
        self, threshold: float | None = None, judge: JudgeConfig | None = None, *, max_claims: int = 10
    ) -> None:
        super().__init__(threshold, judge)
        if isinstance(max_claims, bool) or not isinstance(max_claims, int) or max_claims < 1:
            raise ValueError(f"max_claims must be a positive integer; got {max_claims!r}")
        self.max_claims = max_claims

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        """First the claims, then a question about each."""
        import multivon_eval.evaluators.llm_judge as through  # which imports this module

        lacking = self._lacking(case)
        if lacking is not None:
            return lacking
        judge = through.resolve_judge(self._judge_cfg)
        listed = prompt("claims", "multivon_eval").question(Material(response=output).texts, None)
        claims = _claims(through._call(through._as_prompt(listed), judge, max_tokens=CLAIM_TOKENS))
        unique = list(dict.fromkeys(claims))
        known: dict[str, Any] = {"extracted_claims": len(claims), "unique_claims": len(unique), "claims": unique}
        if not 0 < len(unique) <= self.max_claims:
            found = f"{len(unique)} claims, exceeding max_claims={self.max_claims}" if unique else "no claims to verify"
            return _unmeasured(self._skipped(f"the response has {found}"), known)
        said = []
        for claim in unique:
            texts = Material(context=case.context_str(), claim=f"Claim: {claim}").texts
            said.append(through._verdict(asked(texts, q.CLAIM), judge))
        answers = [Answered(claim, True, through._parse_yes_no(one)) for claim, one in zip(unique, said, strict=True)]
        _require_all(answers, judge)
        good = sum(one.good for one in answers)
        reason = "\n".join([f"{good}/{len(answers)} claims grounded", *through._lines(answers)])
        told = {**known, "verified_claims": len(answers), "verdict_responses": said}
        return self._judged(judge, good / len(answers), reason, **told)


def _claims(reply: str) -> list[str]:
    from multivon_eval.evaluators.llm_judge import _extract_json_array

    found = _extract_json_array(reply)
    if found is None or any(not isinstance(claim, str) or not claim.strip() for claim in found):
        raise ValueError("could not extract the claims of the response: the judge's reply is no list of sentences")
    return [claim.strip() for claim in found]


def _unmeasured(result: EvalResult, known: dict[str, Any]) -> EvalResult:
    result.metadata |= {**known, "verified_claims": 0, "verdict_responses": []}
    return result


def _require_all(answers: list[Answered], judge: JudgeConfig) -> None:
    lost = sum(one.said is None for one in answers)
    if lost:
        few = "insufficient verdict coverage" if 2 * lost > len(answers) else "missing verdicts"
        told = f"{few}: every extracted claim requires a verdict, and {lost} of {len(answers)} are neither yes nor no"
        raise JudgeUnavailable(told, judge.provider, judge.model)
