"""`EvalSuite`: cases and checks, run like unit tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, Self, TypeAlias

from ringtrue.datasets.row_sources import is_table, table_rows
from ringtrue.dialects.suite import AnyCase
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.adapt import as_evaluator
from ringtrue.records import Case, CaseId, DatasetInfo, Json, Row, Run, Trial
from ringtrue.reports.case_result import CaseResult
from ringtrue.reports.eval_report import EvalReport
from ringtrue.reports.progress import RunProgress
from ringtrue.require import require_count
from ringtrue.runner.job import Job, ReplayJob
from ringtrue.runner.journal import KeepNothing
from ringtrue.runner.options import Options
from ringtrue.runner.plan import Plan, is_awaited
from ringtrue.runner.planning import with_judge
from ringtrue.store.runs import RunStore
from ringtrue.suites.cases import Entries, latencies_of, output_of, records, require_case, select, several
from ringtrue.suites.plan import SuitePlan, WeightedCheck, weighted_check
from ringtrue.suites.publish import Publishing
from ringtrue.suites.regrade import rows_to_regrade
from ringtrue.suites.validate import KnownOutputs, SuiteValidation, known_outputs, validate_checks
from ringtrue.sync import run_sync
from ringtrue.systems.function import as_system
from ringtrue.systems.replay import Replay

_Judge: TypeAlias = tuple[Any, str | Sequence[str]]
"""The model that judged checks ask, and its name."""

GIVEN = "given"
"""The system whose outputs exist already."""
PURPOSES = ("", "capability", "regression")


class EvalSuite:
    """A named list of cases and checks; each `add_…` method returns the suite, so you can chain calls."""

    def __init__(self, name: str, model_id: str = "", purpose: str = "") -> None:
        if purpose not in PURPOSES:
            words = ", ".join(map(repr, PURPOSES))
            raise ConfigurationError(
                f"purpose must be one of {words}; got {purpose!r}", parameter="purpose", value=purpose
            )
        self.name, self.model_id, self.purpose = name, model_id, purpose
        self._cases: list[tuple[AnyCase, tuple[WeightedCheck, ...]]] = []
        self._checks: list[WeightedCheck] = []

    def __repr__(self) -> str:
        return f"EvalSuite({self.name!r}, {len(self._cases)} cases, {len(self._checks)} evaluators)"

    @property
    def cases(self) -> list[AnyCase]:
        """The cases, in a new list."""
        return [case for case, _ in self._cases]

    @property
    def evaluators(self) -> list[Any]:
        """The checks of every case, in a new list."""
        return [check.given for check in self._checks]

    def add_case(self, case: AnyCase, evaluators: Iterable[Any] | None = None) -> Self:
        """Add a case, and checks that measure it alone."""
        require_case(case)
        self._cases.append((case, tuple(weighted_check(item) for item in several(evaluators or (), "evaluators"))))
        return self

    def add_cases(self, cases: Iterable[AnyCase]) -> Self:
        """Add cases: a list or generator of dicts or cases, a data frame, or a dataset of the `datasets` library."""
        for case in table_rows(cases if is_table(cases) else several(cases, "cases")):
            self.add_case(case)
        return self

    def add_evaluator(self, evaluator: Any, weight: float = 1.0) -> Self:
        """Add a check of every case: an evaluator, a function, or a spec such as `word_count(max_words=50)`."""
        self._checks.append(weighted_check(evaluator, weight))
        return self

    def add_evaluators(self, *evaluators: Any) -> Self:
        """Add checks of every case; a pair `(evaluator, weight)` has a weight."""
        given = evaluators[0] if len(evaluators) == 1 and isinstance(evaluators[0], list) else evaluators
        self._checks += [weighted_check(item) for item in given]
        return self

    def run(
        self,
        fn: Any,
        verbose: bool = True,
        fail_threshold: float | None = None,
        max_error_rate: float | None = None,
        workers: int | None = None,
        runs: int = 1,
        *,
        judge: Any = None,
        judge_model: str | Sequence[str] = "",
        tags: Sequence[str] | None = None,
        case_ids: Sequence[CaseId] | None = None,
        limit: int | None = None,
        **options: Any,
    ) -> EvalReport:
        """Ask `fn` every case, check and store every answer, write files, print the report, and apply the gate.

        `fn` is a function of the input (of the case, if its parameter is named `case`) or any system. `runs` is how
        many times to ask each case. `judge` and `judge_model` are as in `evaluate`: if no check asks a model, an
        LLMJudge checks every case. `tags` and `case_ids` choose cases; `limit` keeps the first of them. Further options
        are the fields of `ringtrue.suites.publish.Publishing` and of `ringtrue.runner.options.Options`. A failed gate
        raises GateFailure after everything else.
        """
        limits = {"verbose": verbose, "fail_threshold": fail_threshold, "max_error_rate": max_error_rate}
        publishing, chosen = _options({**limits, "workers": workers, "runs": runs, **options})
        return publishing.publish(run_sync(self._ask(fn, chosen, (judge, judge_model), (tags, case_ids, limit))))

    async def run_async(
        self,
        fn: Any,
        *,
        judge: Any = None,
        judge_model: str | Sequence[str] = "",
        tags: Sequence[str] | None = None,
        case_ids: Sequence[CaseId] | None = None,
        limit: int | None = None,
        **options: Any,
    ) -> EvalReport:
        """The async version of `run`, with the same options."""
        publishing, chosen = _options(options)
        return publishing.publish(await self._ask(fn, chosen, (judge, judge_model), (tags, case_ids, limit)))

    def run_on_cases(
        self,
        outputs: Iterable[tuple[AnyCase, Any]],
        latencies_ms: Sequence[float | None] | None = None,
        *,
        judge: Any = None,
        judge_model: str | Sequence[str] = "",
        **options: Any,
    ) -> EvalReport:
        """Check outputs that you already have; Latency is skipped if no latency is given.

        A case may occur with several outputs. Options are those of `run`.
        """
        publishing, chosen = _options({"store": None, **options})
        pairs = list(outputs)
        own = {id(case): checks for case, checks in self._cases}
        entries = records([(case, own.get(id(case), ())) for case, _ in pairs], repeated=True)
        latencies = latencies_of(latencies_ms, len(pairs))
        rows = [
            Row(Trial(case, output_of(output, latency)), scores={}, position=place, system=GIVEN)
            for place, ((case, _), (_, output), latency) in enumerate(zip(entries, pairs, latencies, strict=True))
        ]
        return publishing.publish(run_sync(self._check(entries, rows, chosen, (judge, judge_model))))

    def regrade(
        self, report: EvalReport | Run, *, judge: Any = None, judge_model: str | Sequence[str] = "", **options: Any
    ) -> EvalReport:
        """Check the outputs of a run again, every repeat of every case; no system is asked.

        Cases are found by their id, or by their input if they have none; their expected outputs may have changed.
        Options are those of `run`.
        """
        run = report.run if isinstance(report, EvalReport) else report
        earlier = {"regraded_from": run.id, "repeats": run.made.options.get("repeats", 1)}
        publishing, chosen = _options({"store": None, "about": earlier, **options})
        entries = records(self._cases)
        rows = rows_to_regrade(entries, run)
        kept = [entries[row.position] for row in rows if row.repeat == 0]
        return publishing.publish(run_sync(self._check(kept, rows, chosen, (judge, judge_model))))

    def validate(
        self,
        known: Sequence[KnownOutputs] | None = None,
        *,
        judges: bool = False,
        judge: Any = None,
        judge_model: str | Sequence[str] = "",
    ) -> SuiteValidation:
        """Test the checks on outputs that are known to be right or wrong; no system is asked.

        The right outputs of a case are its `reference_output`, or else its expected outputs; the wrong ones are
        `wrong_outputs` in its metadata. `known` replaces them, with one entry per case. Checks that ask a judge are
        left out unless `judges` is True or a `judge` is given.
        """
        entries = records(self._cases)
        pairs = zip(self.cases, entries, strict=True)
        found = [known_outputs(given, case) for given, (case, _) in pairs] if known is None else known
        if len(found) != len(entries):
            raise ConfigurationError(f"known: {len(found)} for {len(entries)} cases", parameter="known", value=known)
        wanted = judges or bool(judge)

        def kept_checks(checks: Sequence[WeightedCheck]) -> list[tuple[Any, float]]:
            return [(check.evaluator, check.weight) for check in checks if wanted or not is_awaited(check.evaluator)]

        trial = EvalSuite(self.name).add_evaluators(*kept_checks(self._checks))
        for case, checks in entries:
            trial.add_case(case, kept_checks(checks))
        unasked = [
            () if wanted else tuple(one.evaluator.name for one in (*self._checks, *checks) if is_awaited(one.evaluator))
            for _, checks in entries
        ]
        measured = [bool(judge or trial.evaluators or kept_checks(checks)) for _, checks in entries]

        def check(outputs: Sequence[tuple[int, str]]) -> Sequence[CaseResult]:
            chosen = [(trial.cases[place], text) for place, text in outputs]
            report = trial.run_on_cases(chosen, judge=judge, judge_model=judge_model, verbose=False)
            return report.case_results

        return validate_checks(self.name, [case for case, _ in entries], found, unasked, measured, check)

    def planned_checks(self) -> list[tuple[Case, list[str]]]:
        """Each case with the names of its checks; a plan that cannot run raises."""
        entries = records(self._cases)
        SuitePlan(self._checks, {case.id: checks for case, checks in entries}).plan([case for case, _ in entries])
        shared = [check.evaluator.name for check in self._checks]
        return [(case, [*shared, *(check.evaluator.name for check in checks)]) for case, checks in entries]

    def planned_scores(self, *, judge: Any = None, judge_model: str | Sequence[str] = "", **options: Any) -> list[str]:
        """The names of the scores of a run; none if a check of the user's own says them only when it measures."""
        return self._plan(records(self._cases), (judge, judge_model), _options(options)[1])[1].keys

    async def _ask(
        self,
        fn: Any,
        options: Options,
        judge: _Judge,
        chosen: tuple[Sequence[str] | None, Sequence[CaseId] | None, int | None],
    ) -> EvalReport:
        tags, case_ids, limit = chosen
        asked = {"tags": tags and [*tags], "case_ids": case_ids and [*map(str, case_ids)], "limit": limit}
        entries = select(records(self._cases), *chosen)
        if not entries:
            raise ConfigurationError(f"the suite {self.name!r} has no cases; add_cases([...])", parameter="cases")
        suite, plan = self._plan(entries, judge, options)
        job = Job(
            systems=[as_system(fn)],
            cases=[self._case(case) for case, _ in entries],
            plan=plan,
            options=options.with_facts(**self._facts(suite), **asked),
            datasets=(DatasetInfo(self.name, cases=len(entries)),),
            kind="suite",
            listener=RunProgress(shown=options.progress),
        )
        with RunStore.open(options.store) if options.store else KeepNothing() as keeper:
            return EvalReport(await job.run(keeper))

    async def _check(self, entries: Entries, rows: Sequence[Row], options: Options, judge: _Judge) -> EvalReport:
        """A report of outputs that exist already; nothing at all is a report of nothing."""
        suite, plan = self._plan(entries, judge, options) if entries else (SuitePlan(self._checks, {}), None)
        answers = [replace(row, trial=replace(row.trial, case=self._case(row.trial.case))) for row in rows]
        job = ReplayJob(
            systems=[Replay(name=name) for name in dict.fromkeys(row.system for row in answers)],
            cases=[row.trial.case for row in answers],
            answers=answers,
            plan=plan or Plan((as_evaluator(_nothing),)),
            options=options.with_facts(**self._facts(suite)),
            datasets=(DatasetInfo(self.name, cases=len(entries)),),
            kind="suite",
        )
        with RunStore.open(options.store) if options.store else KeepNothing() as keeper:
            return EvalReport(await job.run(keeper))

    def _case(self, case: Case) -> Case:
        """A case that says which suite it is of."""
        return replace(case, fields={**case.fields, "dataset": self.name})

    def _facts(self, suite: SuitePlan) -> dict[str, Json]:
        return {"suite": self.name, "model_id": self.model_id, "purpose": self.purpose, **suite.weights()}

    def _plan(self, entries: Entries, judge: _Judge, options: Options) -> tuple[SuitePlan, Plan]:
        """Return the plan of checks; a judge that no check would ask is a check of every case."""
        suite = SuitePlan(self._checks, {case.id: checks for case, checks in entries})
        checks = suite.plan([case for case, _ in entries])
        plan = with_judge(checks, *judge, **options.judging)
        own = {} if options.threshold is None else {one.name: options.threshold for one in plan.evaluators}
        added = map(WeightedCheck, plan.evaluators[len(checks.evaluators) :])
        return replace(suite, everywhere=[*suite.everywhere, *added]), replace(plan, thresholds=own)


_PUBLISHING = {item.name for item in fields(Publishing)}
_RENAMED = {"workers": "max_workers", "runs": "repeats"}
"""Arguments that have another name here."""


def _options(given: Mapping[str, Any]) -> tuple[Publishing, Options]:
    """Return the options of the report and of the suite's run."""
    for name in _RENAMED:
        if given.get(name) is not None:
            require_count(name, given[name])  # a wrong one is refused by the name the caller used
    publishing = Publishing(**{name: value for name, value in given.items() if name in _PUBLISHING})
    rest = {_RENAMED.get(name, name): value for name, value in given.items() if name not in _PUBLISHING}
    chosen = Options.of({"progress": publishing.verbose, **rest}, "run", sorted(_PUBLISHING))
    return publishing, chosen.require_this_machine("run")


def _nothing(output: str) -> None:
    """The check of a suite without cases."""
