"""The same application in tests of one's own: any evaluator is an assertion."""

from shop import answer

from ringtrue import EvalCase


def test_warranty(ringtrue):
    case = EvalCase("How long is the warranty?", expected_output="two years")
    ringtrue.check(answer, case, ["answer_found", "latency(max_ms=500)"])
