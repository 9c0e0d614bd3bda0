"""`PairwiseReport`: two functions asked the same, and which of their answers a judge finds better."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from multivon_eval.case import EvalCase
from multivon_eval.experiments import mcnemar_test
from multivon_eval.spoken import say_lines
from ringtrue.dialects.coercion import plain_text

if TYPE_CHECKING:
    from multivon_eval.case_result import CaseResult
    from multivon_eval.judge import JudgeConfig
    from ringtrue.evaluators.judged.pairwise_judge import PairwiseJudge

Winner: TypeAlias = Literal["A", "B", "Tie", "Error"]
SIGNIFICANT = 0.05


@dataclass
class PairwiseResult:
    """Whose answer to a case is better; `Error` where one of them gave none, or the judge no verdict."""

    case_input: str
    output_a: str
    output_b: str
    winner: Winner
    reason: str = ""


@dataclass
class PairwiseReport:
    """The results of all cases; errors are nobody's wins and no ties."""

    suite_name: str
    model_a_id: str
    model_b_id: str
    results: list[PairwiseResult]

    @property
    def wins_a(self) -> int:
        """Cases in which the first is better."""
        return self._count("A")

    @property
    def wins_b(self) -> int:
        """Cases in which the second is better."""
        return self._count("B")

    @property
    def ties(self) -> int:
        """Cases in which neither is better, or each is, in one of the two orders."""
        return self._count("Tie")

    @property
    def errors(self) -> int:
        """Cases without a verdict."""
        return self._count("Error")

    @property
    def total(self) -> int:
        """All cases."""
        return len(self.results)

    def p_value(self) -> float:
        """How likely wins this uneven are where neither is better: the exact sign test, without ties."""
        won = [one.winner == "A" for one in self.results if one.winner in ("A", "B")]
        return mcnemar_test(won, [not one for one in won]) if won else 1.0

    def _count(self, winner: Winner) -> int:
        return sum(one.winner == winner for one in self.results)

    def __str__(self) -> str:
        a, b, p = self.model_a_id or "Model A", self.model_b_id or "Model B", self.p_value()
        ahead = "Tie" if self.wins_a == self.wins_b else a if self.wins_a > self.wins_b else b
        told = "significant" if p < SIGNIFICANT else "not significant"
        errors = f"  Errors: {self.errors}" if self.errors else ""
        return "\n".join(
            [
                f"Pairwise: {a} vs {b} ({self.total} cases)",
                f"  {a} wins: {self.wins_a}  {b} wins: {self.wins_b}  Ties: {self.ties}{errors}",
                f"  Verdict: {ahead} (p={p:.3f}, {told})",
            ]
        )


class PairwiseRuns:
    """How an `EvalSuite` compares two functions."""

    name: str
    cases: Any

    def run_pairwise(
        self,
        model_a: Callable[[str], str],
        model_b: Callable[[str], str],
        *,
        model_a_id: str = "Model A",
        model_b_id: str = "Model B",
        judge: JudgeConfig | None = None,
        verbose: bool = True,
    ) -> PairwiseReport:
        """Ask both every input, and a judge, in both orders, which answer is better."""
        from multivon_eval.judge import judge_asker, resolve_judge  # judges are loaded where they are wanted
        from multivon_eval.suite import EvalSuite
        from ringtrue.evaluators.judged.pairwise_judge import PairwiseJudge, PairwiseJudgeConfig
        from ringtrue.sync import run

        asked = resolve_judge(judge)
        compared = PairwiseJudge(PairwiseJudgeConfig(model=asked.model), model=judge_asker(asked))
        plain = EvalSuite(self.name).add_cases(self.cases)
        answered = [plain.run(function, verbose=False).case_results for function in (model_a, model_b)]
        results = run(_results(compared, self.cases, *answered))
        report = PairwiseReport(self.name, model_a_id, model_b_id, results)
        if verbose:
            say_lines(str(report))
        return report


async def _results(
    judge: PairwiseJudge, cases: Sequence[EvalCase], first: Sequence[CaseResult], second: Sequence[CaseResult]
) -> list[PairwiseResult]:
    return await asyncio.gather(*(_result(judge, *each) for each in zip(cases, first, second, strict=True)))


async def _result(judge: PairwiseJudge, case: EvalCase, first: CaseResult, second: CaseResult) -> PairwiseResult:
    outputs = (first.actual_output, second.actual_output)
    failed = [one.model_error for one in (first, second) if one.model_error is not None]
    if failed:
        return PairwiseResult(case.input, *outputs, "Error", f"[model error: {failed[0]}]")
    question = "\n\n".join(text for text in (case.context_str(), plain_text(case.input)) if text)
    score = await judge.compare(question, *outputs)
    return PairwiseResult(case.input, *outputs, _winner(score.value), score.reason)


def _winner(value: float | None) -> Winner:
    if value is None:
        return "Error"
    return "Tie" if value == 0.5 else "A" if value > 0.5 else "B"
