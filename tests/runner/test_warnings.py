"""A warning never changes a result: `-W error` gives the numbers that plain runs give."""

from __future__ import annotations

import subprocess
import sys

CODE = r"""
import warnings

from ringtrue import evaluate, score_file
from ringtrue.evaluators import CodeExecution, IFEvalChecker, RegexMatch
from ringtrue.pythontext import parse_python

row = {"id": 1, "question": "q", "instruction_id_list": ["x:unknown"], "kwargs": [{}], "response": "a b"}
result = evaluate(lambda text: "a b", [row], [IFEvalChecker()], store=None, progress=False)
print(result.rows[0].status, result.rows[0].scores)
parse_python(r'x = "\d"')
run = score_file([dict(row, id=n) for n in range(3)], [IFEvalChecker()])
print(run.summary("ifeval_strict").value, run.summary("ifeval_strict").errors)


def old(text):
    warnings.warn("an old library", FutureWarning)
    return "a [b]"


class Old:
    name = "old"

    def score(self, original, processed):
        warnings.warn("another one", DeprecationWarning)
        return {"old": 1.0}


result = evaluate(old, [row], [RegexMatch("[[b]"), Old()], store=None, progress=False)
print(result.rows[0].status, result.rows[0].scores)
run = score_file([row], [Old()])
print(run.summary("old").value, run.summary("old").errors)
try:
    warnings.warn("outside")
except UserWarning:
    print("outside they are errors")
"""


def test_warnings_as_errors_change_no_score() -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", CODE], capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines() == [
        "ok {'ifeval_strict': 1.0, 'ifeval_loose': 1.0}",
        "1.0 0",
        "ok {'regex_match': 1.0, 'old': 1.0}",
        "1.0 0",
        "outside they are errors",
    ], done.stderr[-2000:]
