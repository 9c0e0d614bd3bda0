"""The test run of deepeval: `.deepeval/.latest_test_run.json`, or a `test_run_*.json` of its results folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ringtrue.records import Case, Json, Output, Row, Score, Trial

VERDICT = "deepeval"
"""What the verdict over all metrics of a test case is called."""


def is_deepeval_run(log: Json) -> bool:
    """Whether a value is a test run of deepeval."""
    return isinstance(log, Mapping) and ("testRunData" in log or isinstance(log.get("testCases"), list))


def deepeval_rows(log: Mapping[str, Json]) -> list[Row]:
    """The test cases as rows; the system is what the test run is identified by."""
    run = log.get("testRunData", log)
    if run.get("conversationalTestCases"):
        raise ValueError("conversational test cases cannot be read, only those with one input")
    system, dataset = str(run.get("identifier") or "deepeval"), str(run.get("datasetAlias") or "deepeval")
    return [
        Row(Trial(_case(one, dataset), _output(one)), scores=_scores(one), position=place, system=system)
        for place, one in enumerate(run["testCases"])
    ]


def _case(one: Mapping[str, Json], dataset: str) -> Case:
    expected = one.get("expectedOutput")
    fields = {
        name: one[name]
        for name in ("context", "retrievalContext", "expectedTools", "metadata")
        if one.get(name) is not None
    }
    return Case(
        id=str(one["name"]),
        input=str(one["input"]),
        expected=None if expected is None else (str(expected),),
        context="\n\n".join(map(str, one.get("retrievalContext") or one.get("context") or ())),
        tags=tuple(map(str, one.get("tags") or ())),
        fields={**fields, "dataset": dataset},
    )


def _output(one: Mapping[str, Json]) -> Output:
    said = one.get("actualOutput")
    return Output(
        text=str(said or ""),
        problem="deepeval kept no actual output" if said is None else "",
        latency_seconds=one.get("completionTime"),
        input_tokens=one.get("inputTokenCount"),
        output_tokens=one.get("outputTokenCount"),
        cost=one.get("tokenCost"),
    )


def _scores(one: Mapping[str, Json]) -> dict[str, Score]:
    """The verdict of the test case first, then each metric by its name; equal ones are numbered."""
    metrics = one.get("metricsData") or ()
    scores = {VERDICT: _verdict(one, metrics)}
    seen: Counter[str] = Counter()
    for metric in metrics:
        name = str(metric["name"])
        seen[name] += 1
        scores[name if seen[name] == 1 else f"{name}-{seen[name]}"] = _score(metric)
    return scores


def _verdict(one: Mapping[str, Json], metrics: Sequence[Mapping[str, Json]]) -> Score:
    """Whether the test case passed; an error where no metric failed but one has no number."""
    passed = one.get("success")
    deciding = [metric for metric in metrics if not metric.get("flaky")]
    failed = [str(metric["name"]) for metric in deciding if not metric.get("success") and not metric.get("error")]
    errors = [str(metric["error"]) for metric in deciding if metric.get("error")]
    if errors and not failed:
        return Score.error(errors[0])
    if passed is None:
        return Score.skipped("deepeval gave no verdict")
    return Score(float(passed), passed=bool(passed), reason=f"failed: {', '.join(failed)}" if failed else "")


def _score(metric: Mapping[str, Json]) -> Score:
    value = metric.get("score")
    if metric.get("error"):
        return Score.error(str(metric["error"]))
    if not isinstance(value, (int, float)) or not 0 <= value <= 1:
        return Score.skipped(f"deepeval scored {value!r}, which is not a number in [0, 1]")
    return Score(float(value), passed=bool(metric.get("success")), reason=str(metric.get("reason") or ""))
