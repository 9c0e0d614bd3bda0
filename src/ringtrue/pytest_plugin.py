"""The pytest plugin: suite files as tests, a `ringtrue` fixture, and `assert_evaluators`.

It loads nothing of ringtrue until a suite file is collected or the fixture is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ringtrue.dialects.suite import CheckResult
    from ringtrue.records import Case, CaseId
    from ringtrue.reports.case_result import CaseResult
    from ringtrue.reports.eval_report import EvalReport
    from ringtrue.suites.suite import EvalSuite

SUFFIXES = (".suite.yaml", ".suite.yml", ".suite.toml", ".suite.json")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of every run of suites under pytest."""
    group = parser.getgroup("ringtrue", "checks of what LLM systems say")
    group.addoption("--ringtrue-runs", type=_count, metavar="N", help="Ask every case N times; all runs must pass.")
    group.addoption("--ringtrue-workers", type=_count, metavar="N", help="Have N cases of a suite in flight at once.")
    group.addoption("--ringtrue-store", metavar="URL", help="Keep answers and scores in this store; none by default.")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Suite files are collected by their names."""
    return SuiteNode.from_parent(parent, path=file_path) if file_path.name.endswith(SUFFIXES) else None


@pytest.fixture
def ringtrue(request: pytest.FixtureRequest) -> Checking:
    """Checks and suites with the options of this pytest run."""
    return Checking(request.config)


def assert_evaluators(
    case: Any, output: Any, evaluators: Iterable[Any], latency_ms: float | None = None
) -> list[CheckResult]:
    """`ringtrue.assert_evaluators`: an AssertionError unless every check that measures something passes."""
    from ringtrue.suites import assertions

    __tracebackhide__ = True
    return assertions.assert_evaluators(case, output, evaluators, latency_ms)


class Checking:
    """The value of the `ringtrue` fixture: the options, and checks that heed them."""

    def __init__(self, config: pytest.Config) -> None:
        self.runs: int = config.getoption("--ringtrue-runs") or 1
        self.workers: int | None = config.getoption("--ringtrue-workers")
        self.store: str | None = config.getoption("--ringtrue-store")

    def assert_evaluators(
        self, case: Any, output: Any, evaluators: Iterable[Any], latency_ms: float | None = None
    ) -> list[CheckResult]:
        """Check an output that exists already."""
        __tracebackhide__ = True
        return assert_evaluators(case, output, evaluators, latency_ms)

    def check(self, fn: Any, case: Any, evaluators: Iterable[Any]) -> list[CheckResult]:
        """Ask `fn` the case, as often as --ringtrue-runs says, and check what it answers and how long it takes."""
        from ringtrue.suites.assertions import assert_passed
        from ringtrue.suites.suite import EvalSuite

        __tracebackhide__ = True
        suite = EvalSuite("check").add_case(case).add_evaluators(*evaluators)
        return assert_passed(self.report(suite, fn).case_results[0])

    def run(self, suite: EvalSuite, fn: Any, **options: Any) -> EvalReport:
        """Run a suite with the options of this pytest run; a case that does not pass fails the test.

        With `fail_threshold` the suite's pass rate decides instead.
        """
        from ringtrue.suites.assertions import assert_all_passed

        __tracebackhide__ = True
        report = self.report(suite, fn, **options)
        return report if options.get("fail_threshold") is not None else assert_all_passed(report)

    def report(self, suite: EvalSuite, fn: Any, **options: Any) -> EvalReport:
        """Run a suite with the options of this pytest run; nothing is asserted."""
        given = {"verbose": False, "runs": self.runs, "workers": self.workers, "store": self.store}
        return suite.run(fn, **{**given, **options})


class SuiteNode(pytest.File):
    """A suite file; its cases are asked when their first check is run."""

    def collect(self) -> Iterator[CaseNode]:
        """One node per case, with an item per check."""
        from ringtrue.errors import RingtrueError
        from ringtrue.suites.load import load_suite

        self.results: dict[CaseId, CaseResult] = {}
        self.asked: Any = None
        try:
            self.loaded = load_suite(self.path)
            planned = self.loaded.suite.planned_checks()
        except RingtrueError as error:
            raise self.CollectError(str(error)) from error
        names: set[str] = set()
        for number, (case, checks) in enumerate(planned, 1):
            name = _node_name(case)
            name = name if name not in names else f"{name} #{number}"
            names.add(name)
            yield CaseNode.from_parent(self, name=name, case=case, checks=checks)

    def result(self, case: Case) -> CaseResult:
        """Return the result of a case; it is asked once, alone, or with the others if there are workers or a store."""
        if case.id not in self.results:
            given = Checking(self.config)
            options = dict(self.loaded.file.options)
            runs = self.config.getoption("--ringtrue-runs") or options.get("runs", 1)
            workers = given.workers or options.get("workers")
            alone = hasattr(self.config, "workerinput")  # a process of xdist comes to some of the cases only
            together = not alone and ((workers or 1) > 1 or given.store is not None)
            self.asked = self.asked or self.loaded.system()
            report = self.loaded.suite.run(
                self.asked,
                verbose=False,
                workers=workers,
                runs=runs,
                store=given.store,
                timeout=options.get("timeout"),
                case_ids=self._selected_cases() if together else [case.id],
            )
            self.results.update({found.case_id: found for found in report.case_results})
        return self.results[case.id]

    def _selected_cases(self) -> list[CaseId]:
        """The cases of this file that are still to be asked."""
        ours = [item for item in self.session.items if isinstance(item, CheckItem) and item.suite is self]
        return list(dict.fromkeys(item.case.id for item in ours if item.case.id not in self.results))


class CaseNode(pytest.Collector):
    """One case of a suite file."""

    def __init__(self, *, case: Case, checks: list[str], **rest: Any) -> None:
        super().__init__(**rest)
        self.case, self.checks = case, checks

    def collect(self) -> Iterator[CheckItem]:
        """One item per check."""
        for check in self.checks:
            yield CheckItem.from_parent(self, name=check)


class CheckItem(pytest.Item):
    """One check of one case: an error where there is no verdict, else passed, failed or skipped."""

    parent: CaseNode

    def __init__(self, **rest: Any) -> None:
        super().__init__(**rest)
        self.case = self.parent.case
        self.extra_keyword_matches.update(self.case.tags)
        self.found: CaseResult | None = None

    @property
    def suite(self) -> SuiteNode:
        """The file the check is from."""
        found = self.parent.parent
        assert isinstance(found, SuiteNode)
        return found

    def setup(self) -> None:
        """Run the suite once; what gives no verdict is an error of the set-up, as pytest and JUnit know it."""
        from ringtrue.errors import RingtrueError

        words = ""
        try:
            self.found = self.suite.result(self.case)
        except RingtrueError as error:
            words = str(error)
        if self.found is None or self._check.status == "error":
            pytest.fail(words or self._failure(), pytrace=False)

    def runtest(self) -> None:
        """Give the verdict."""
        check = self._check
        if check.score is None:
            pytest.skip(check.reason)
        self.user_properties.append(("score", check.score))
        if not check.passed:
            pytest.fail(self._failure(), pytrace=False)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return the file of the check, and its name."""
        return self.path, None, f"{self.parent.name} :: {self.name}"

    def _failure(self) -> str:
        from ringtrue.safetext import xml_text
        from ringtrue.suites.assertions import failure_text

        assert self.found is not None
        return xml_text(failure_text(self.found, self.name))

    @property
    def _check(self) -> CheckResult:
        assert self.found is not None
        return next(result for result in self.found.results if result.evaluator == self.name)


def _node_name(case: Case) -> str:
    """The id of a case, with the beginning of its input where the id is only its place; a name pytest can address."""
    from ringtrue.reports.junit import case_label
    from ringtrue.safetext import printable

    placed = isinstance(case.id, str) and case.id.startswith("#")
    return printable(case_label(case.id, case.input if placed else "")).replace("::", ":")


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(f"{number} is less than 1")
    return number
