"""Packages beside the standard library: shown by name, missed with a reason; arrays judged apart from the program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.code_execution import CodeExecution
from ringtrue.sandbox import Sandbox
from support.agreeable import Counting, agreeing
from support.code_scores import measured
from support.conformance.shapes import PLUS


@pytest.fixture(scope="module")
def code() -> Iterator[CodeExecution]:
    with Sandbox(workers=2, packages=["numpy"]) as sandbox:
        yield CodeExecution(timeout=5.0, sandbox=sandbox)


PLUS_CHECK = (
    PLUS
    + """
def check(candidate):
    inputs = [[[1.0, 2.0]], [[4.0, 4.0]]]
    results = [1.5, 4.0]
    for i, (inp, exp) in enumerate(zip(inputs, results)):
        assertion(candidate(*inp), exp, 0)
"""
)
"""The shape of the tests of HumanEval+ and MBPP+."""

MODULE_LEVEL = (
    PLUS
    + """
inputs = [[[1.0, 2.0]], [[4.0, 4.0]]]
results = [1.5, 4.0]
for i, (inp, exp) in enumerate(zip(inputs, results)):
    assertion(mean(*inp), exp, 0)
"""
)

NO_DIFFERENCE = [
    "import numpy as np\nclass Zero:\n    def __sub__(self, other): return 0.0\n    __rsub__ = __sub__\n"
    "    def __abs__(self): return 0.0\n" + f"def mean(xs):\n    return {expression}\n"
    for expression in ("Zero()", "[Zero()]", "np.array([Zero()], dtype=object)")
]
"""Objects whose difference from anything is nothing: `allclose` subtracts."""

MEAN = "def mean(xs):\n    return sum(xs) / len(xs) + 1e-9\n"


@pytest.mark.parametrize(
    "original", [{"test": PLUS_CHECK, "entry_point": "mean"}, {"test": MODULE_LEVEL}], ids=["check", "loop"]
)
def test_tests_with_numpy_are_judged_apart_from_the_program(code: CodeExecution, original: dict[str, str]) -> None:
    for program in (MEAN, "import numpy as np\ndef mean(xs):\n    return np.mean(np.array(xs))\n"):
        score = measured(code, original, program)
        assert (score.value, score.metadata["verdict"]) == (1.0, "separate"), score.reason
    for program in (MEAN.replace("/", "*"), agreeing(["mean"]), "def mean(xs):\n    return 'x'\n", *NO_DIFFERENCE):
        score = measured(code, original, program)
        assert (score.value, score.metadata["verdict"]) == (0.0, "separate"), program


@pytest.mark.parametrize(
    ("expression", "test"),
    [
        ("np.arange(6).reshape(2, 3)", "f().shape == (2, 3) and (f() == np.arange(6).reshape(2, 3)).all()"),
        ("np.array([1.5, 2])", "f().dtype == np.float64 and np.allclose(f(), [1.5, 2])"),
        ("np.float32(0.5)", "f() == 0.5 and isinstance(f(), np.float32)"),
        ("np.array(['ab', 'c'])", "list(f()) == ['ab', 'c']"),
        ("np.array([True, False])", "f().any() and not f().all()"),
        ("np.array(['2024-01-01'], dtype='datetime64[D]')", "f()[0] == np.datetime64('2024-01-01')"),
        ("{'a': np.zeros(2)}", "(f()['a'] == 0).all()"),
        ("np.array([[1, None]], dtype=object)", "f()[0, 0] == 1"),
    ],
)
def test_arrays_cross_as_arrays(code: CodeExecution, expression: str, test: str) -> None:
    program = f"import numpy as np\ndef f():\n    return {expression}\n"
    score = measured(code, {"test": f"import numpy as np\nassert {test}"}, program)
    assert score.value == 1.0, score.reason
    assert measured(code, {"test": f"import numpy as np\nassert not ({test})"}, program).value == 0.0


def test_an_array_is_changed_in_place(code: CodeExecution) -> None:
    test = "import numpy as np\na = np.zeros(3)\nf(a)\nassert (a == 1).all()"
    assert measured(code, {"test": test}, "def f(a):\n    a += 1\n").value == 1.0


def test_a_package_the_sandbox_lacks_is_an_error_before_the_program() -> None:
    with Sandbox(workers=1) as sandbox:
        counting = Counting(sandbox)
        evaluator = CodeExecution(sandbox=counting)
        score = measured(evaluator, {"test": "import numpy as np\nassert f(1) == 2"}, "def f(x):\n    return 2\n")
        assert (score.status, counting.runs) == ("error", 0)
        assert "packages=['numpy']" in score.reason
        absent = measured(evaluator, {"test": "import no_such_package\nassert f(1) == 2"}, "def f(x):\n    return 2\n")
        assert absent.status == "error"
        assert "not installed here" in absent.reason
        optional = "try:\n    import no_such_package\nexcept ImportError:\n    pass\nassert f(1) == 2"
        assert measured(evaluator, {"test": optional}, "def f(x):\n    return 2\n").value == 1.0


def test_a_program_that_lacks_a_package_fails_and_the_reason_says_how_to_get_it(code: CodeExecution) -> None:
    for original in ({"test": "assert f(1) == 2"}, {"stdin": "", "stdout": "2"}):
        score = measured(code, original, "import pytest\ndef f(x):\n    return 2\n")
        assert (score.status, score.value) == ("scored", 0.0)
        assert "CodeExecution(packages=['numpy', 'pytest'])" in score.reason
        nowhere = measured(code, original, "import no_such_package\n")
        assert "packages" not in nowhere.reason


def test_numpy_is_shown_without_asking_and_packages_choose_otherwise() -> None:
    program, original = "import numpy\ndef f(x):\n    return 2\n", {"test": "assert f(1) == 2"}
    assert measured(CodeExecution(), original, program).value == 1.0
    assert measured(CodeExecution(packages=[]), original, program).value == 0.0
    assert measured(CodeExecution(packages=["numpy"]), original, program).value == 1.0
    assert 'packages=["numpy"]' in CodeExecution(packages=["numpy"]).signature()


@pytest.mark.parametrize(
    "settings",
    [
        {"packages": "numpy"},
        {"packages": [3]},
        {"packages": ["no_such_package"]},
        {"packages": [], "sandbox": "docker"},
    ],
)
def test_wrong_packages_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match="package"):
        CodeExecution(**settings)
