"""Reading the tests of a row: what they need, what they leave behind, where they can run."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.scoring.programs.stream_tests import StreamTests, same_output, stream_cases
from ringtrue.scoring.programs.tests_of_row import CallTests, read_tests, statement_at

json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=8)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)),
)


def calls(test: str, **fields: Any) -> CallTests:
    found = read_tests({"test": test, **fields}, fields.get("context", ""))
    assert isinstance(found, CallTests)
    return found


@pytest.mark.parametrize(
    ("test", "why"),
    [
        pytest.param("assert f(1) == 2", "", id="plain"),
        pytest.param("import math\nassert f(1) == math.pi", "", id="standard_module"),
        pytest.param("import numpy as np\nassert np.allclose(f(1), 2)", "", id="package_whose_values_cross"),
        pytest.param("import pandas as pd\nassert pd.isna(f(1))", "pandas", id="third_party"),
        pytest.param("from unittest.mock import patch\nassert f(1)", "unittest.mock", id="mock"),
        pytest.param("from unittest import mock\nassert f(1)", "unittest.mock", id="mock_by_name"),
        pytest.param("import sys\nsys.stdout = None\nf()", "stdout", id="stream"),
        pytest.param("import inspect\nassert 'for' in inspect.getsource(f)", "inspect", id="source"),
        pytest.param("assert type(f()) is Shape", "a class of the program", id="type_of_the_program"),
        pytest.param("assert f().__class__ in (Shape, int)", "a class of the program", id="one_of_its_types"),
        pytest.param("from collections import Counter\nassert type(f()) is Counter", "", id="type_of_a_module"),
        pytest.param("assert type(f()) == dict", "", id="plain_type"),
        pytest.param("from dataclasses import asdict\nassert asdict(f()) == {}", "asdict", id="fields_of_an_object"),
        pytest.param("async def t():\n    await f()", "asynchronous", id="async"),
        pytest.param("class Mine(Shape): pass\nassert f(Mine())", "derive a class", id="class_from_one_of_the_program"),
        pytest.param("import random\nrandom.seed(0)\nassert f(1)", "change random", id="seed"),
        pytest.param("import numpy as np\nnp.random.seed(0)\nassert f(1)", "change np", id="seed_of_numpy"),
        pytest.param("from random import seed\nseed(0)\nassert f(1)", "", id="a_name_that_may_be_a_number"),
        pytest.param("seed = 3\nassert f(seed).seed == 3", "", id="an_objects_seed"),
        pytest.param("import sys\nsys.argv = ['a']\nassert f(1)", "change sys", id="module_attribute_set"),
        pytest.param("import builtins\nbuiltins.input = lambda: '1'\nassert f(1)", "change builtins", id="input"),
        pytest.param("from os import environ\nenviron['A'] = 'b'\nassert f(1)", "environ", id="environment"),
        pytest.param("import sys\nsys.setrecursionlimit(10)\nassert f(1)", "setrecursionlimit", id="interpreter"),
        pytest.param("import types\nassert isinstance(f(), types.GeneratorType)", "GeneratorType", id="how_it_is_made"),
        pytest.param(
            "import collections.abc as a\nassert not isinstance(f(), (int, a.Iterator))", "Iterator", id="abc"
        ),
        pytest.param("from typing import Iterator\nx: Iterator = f()\nassert isinstance(x, list)", "", id="annotation"),
        pytest.param("r = f()\nr.items.append(1)\nassert f(r)", "object holds", id="list_of_an_object"),
        pytest.param("r = f()\nr.cells[0][1] = 2\nassert f(r)", "object holds", id="cell_of_an_object"),
        pytest.param("r = f()\nr.append(1)\nr[0] = 2\nassert f(r)", "", id="plain_list_changed"),
        pytest.param("import sys\nsys.path.append('x')\nassert f(1)", "", id="list_of_a_module"),
        pytest.param("def test_x(capsys):\n    f()\n    x = capsys", "capsys", id="pytest_fixture"),
    ],
)
def test_what_needs_the_programs_process_is_read_off_the_tests(test: str, why: str) -> None:
    shared = calls(test).shared
    assert why in shared
    assert bool(shared) == bool(why)


@pytest.mark.parametrize(
    ("test", "benign"),
    [
        pytest.param("def check(c):\n    assert c([1, 2]) == sorted([2, 1])", True, id="asserts"),
        pytest.param("import math\nassert math.isclose(f(1), 1)", True, id="harmless_module"),
        pytest.param("import random\nrandom.seed(0)\nassert f(random.random())", False, id="random"),
        pytest.param("import sys\nsys.setrecursionlimit(10)\nassert f(1)", False, id="interpreter"),
        pytest.param("import math\nmath.pi = 3\nassert f(1)", False, id="patched_module"),
        pytest.param("open('x', 'w')\nassert f(1)", False, id="files"),
        pytest.param("assert f(1).__class__ is int", False, id="inner_names"),
        pytest.param("class A: pass\nassert f(A())", False, id="class"),
        pytest.param("exec('x = 1')\nassert f(1)", False, id="exec"),
    ],
)
def test_only_tests_that_leave_nothing_behind_share_an_examiner(test: str, benign: bool) -> None:
    assert calls(test).benign is benign


@pytest.mark.parametrize(
    ("test", "names", "trusting"),
    [
        pytest.param("assert f(1) == g(2)", {"f", "g"}, False, id="functions"),
        pytest.param("assert f([Pair(1, 2)]) == 3", {"f", "Pair"}, False, id="class_of_the_program"),
        pytest.param("assert (V(2) * 3).x == 6", {"V"}, True, id="attribute_no_plain_value_has"),
        pytest.param("assert V(2) * 3 == V(6)", {"V"}, True, id="computed_objects"),
        pytest.param("assert repr(V(2) * 3) == 'V(6)'", {"V"}, True, id="computed_object_as_text"),
        pytest.param("assert abs(f(1) - 3) < 1 and str(f(2)) == '2'", {"f"}, False, id="computed_numbers"),
        pytest.param("import math\nassert f(math.pi).upper() == 'A'", {"f"}, False, id="attributes_of_plain_values"),
        pytest.param("assert sum(1, 2) == 3", {"sum"}, False, id="named_like_a_builtin"),
        pytest.param("assert sorted(f(1)) == [1]", {"f"}, False, id="builtin_beside_a_function"),
        pytest.param("class Mine: pass\nassert f(Mine())", {"f"}, False, id="class_of_the_tests"),
        pytest.param("x = 1\nfor i in range(3):\n    assert f(i, x) == [j for j in (1,)]", {"f"}, False, id="bound"),
        pytest.param(
            "import math as m\nassert f(m.pi)\ntry:\n    f()\nexcept E as e:\n    print(e)",
            {"f", "E"},
            False,
            id="fault",
        ),
        pytest.param("assert f(MAX)", {"f", "MAX"}, False, id="constant"),
        pytest.param("def w(f): return f()\nassert w(f) == 5", {"f"}, False, id="also_a_parameter"),
        pytest.param("def w(x, y=g): return x\nassert w(1) == [f for f in h]", {"g", "h"}, False, id="scopes"),
        pytest.param("assert f(1) == [f for f in (1,)]", {"f"}, False, id="also_a_variable_of_a_comprehension"),
        pytest.param("class T:\n    def f(self):\n        assert f(1)\nT().f()", {"f"}, False, id="also_a_method"),
        pytest.param("def t():\n    global n\n    n = f(1)\nt()\nassert n", {"f"}, False, id="global_of_the_tests"),
        pytest.param("match f(1):\n    case [a, *b] if a: assert b\n    case c: c", {"f"}, False, id="patterns"),
        pytest.param(
            "import unittest\nunittest.TestCase().assertAlmostEqual(f(2), 5)", {"f"}, False, id="object_of_a_module"
        ),
        pytest.param(
            "import unittest\nt = unittest.TestCase()\nt.assertAlmostEqual(f(2), 5)", {"f"}, False, id="variable_of_it"
        ),
        pytest.param("try:\n    f(1)\nexcept ValueError as e:\n    assert e.code", {"f"}, False, id="exception"),
        pytest.param("import copy\nassert copy.copy(f(1)).x == 2", {"f"}, True, id="object_through_a_module"),
        pytest.param("import re\nx = re.compile('a')\nx = f(x)\nassert x.y", {"f"}, True, id="variable_of_both"),
    ],
)
def test_what_the_tests_need_of_the_program(test: str, names: set[str], trusting: bool) -> None:
    found = calls(test)
    assert found.names == names
    assert found.trusting is trusting


@pytest.mark.parametrize(
    ("test", "defines", "idle"),
    [
        pytest.param("def check(c):\n    assert c(1)", ("check",), False, id="check"),
        pytest.param("def check(c):\n    assert c(1)\ncheck(f)", (), False, id="check_already_called"),
        pytest.param(
            "def test_a():\n    assert f(1)\ndef test_b():\n    assert f(2)",
            ("test_a", "test_b"),
            False,
            id="functions",
        ),
        pytest.param("import unittest\nclass T(unittest.TestCase):\n    x = f", ("T",), False, id="cases"),
        pytest.param("assert f(1)", (), False, id="statements"),
        pytest.param("def verify(c):\n    assert c(1)", (), True, id="nobody_runs_it"),
        pytest.param("assert min(1, 2) == max(0, 1)", (), True, id="nothing_of_the_program"),
        pytest.param("METADATA = {}\n'text'\npass", (), True, id="nothing_to_run"),
    ],
)
def test_what_is_left_to_run(test: str, defines: tuple[str, ...], idle: bool) -> None:
    found = calls(test)
    assert (found.defines, bool(found.idle)) == (defines, idle)


def test_a_long_list_of_inputs_is_still_read() -> None:
    test = "def check(c):\n" + "".join(f"    assert c({i}) == {i}\n" for i in range(8_000))
    assert calls(test).defines == ("check",)
    assert calls(test).benign


def test_the_statement_of_a_line() -> None:
    test = "def check(c):\n    x = 1\n    assert (\n        c(x)\n        == 2\n    )\n"
    assert statement_at(test, 2) == "x = 1"
    assert statement_at(test, 5).startswith("assert (")
    assert statement_at(test, 99) == statement_at("assert (", 1) == ""


@pytest.mark.parametrize(
    ("given_text", "expected", "same"),
    [
        pytest.param("3\n", "3", True, id="end_of_line"),
        pytest.param("3  \n4\r\n", "3\n4", True, id="trailing_blanks"),
        pytest.param("3\n\n\n", "3\n", True, id="blank_lines_at_the_end"),
        pytest.param("3\n\n4", "3\n4", False, id="blank_line_within"),
        pytest.param("\n a", "a", True, id="blanks_before"),
        pytest.param("1e-05 +3 .5", "0.00001 3 0.5", True, id="numbers_as_python_prints_them"),
        pytest.param("3.0 -1", "3 -1.00", True, id="equal_numbers"),
        pytest.param("3.01", "3", False, id="other_number"),
        pytest.param("0011", "11", True, id="leading_zeros_as_livecodebench_reads_them"),
        pytest.param("1_000 -INF", "1000 -Infinity", True, id="what_decimal_takes_for_a_number"),
        pytest.param("inf", "-inf", False, id="other_infinity"),
        pytest.param("\u0661.0", "1", True, id="a_digit_of_another_script"),
        pytest.param("sNaN", "1", False, id="a_number_that_compares_with_none"),
        pytest.param("_", "3", False, id="no_digit"),
        pytest.param("3 3", "3", False, id="more_numbers"),
        pytest.param("a 3.0", "a 3", False, id="number_beside_a_word"),
        pytest.param("sNaN", "3", False, id="not_a_number"),
        pytest.param("", "", True, id="nothing"),
    ],
)
def test_outputs_agree_line_by_line(given_text: str, expected: str, same: bool) -> None:
    assert same_output(given_text, expected) is same


@given(st.text(), st.text())
def test_agreement_is_symmetric_and_reflexive(one: str, other: str) -> None:
    assert same_output(one, one)
    assert same_output(one, other) == same_output(other, one)


fields_of_rows = st.sampled_from(
    [
        *("test", "test_list", "tests", "input_output", "stdin", "stdout", "inputs", "outputs"),
        *("public_test_cases", "private_test_cases", "metadata"),
    ]
)


@given(st.dictionaries(fields_of_rows, json_values))
def test_any_row_is_read(fields: dict[str, Any]) -> None:
    assert isinstance(read_tests(fields, ""), (CallTests, StreamTests, type(None)))
    for pair in stream_cases(fields):
        assert all(isinstance(text, str) for text in pair)
