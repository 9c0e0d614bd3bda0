"""The number a text commits to, its units stripped."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ringtrue.scoring.facts.numbers import read_number, within


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", "12"),
        ("-3.5 °C", "-3.5"),
        ("−7", "-7"),
        ("1,234.50", "1234.5"),
        ("$12.50", "12.5"),
        ("€1,000", "1000"),
        ("99 €", "99"),
        ("12.5 kg", "12.5"),
        ("18,000/year", "18000"),
        ("3/4", "3/4"),
        ("1 3/4 cups", "7/4"),
        ("50%", "1/2"),
        ("1e-3", "1/1000"),
        ("5 x 10^3", "5000"),
        (r"\frac{1}{8}", "1/8"),
        ("x = 4", "4"),
        ("The room is 12 m long and 13.5 m wide.", "13.5"),
        ("between 3 and 5", "5"),
        ("The answer is 7. It took 3 steps.", "7"),
        (r"\boxed{9} as shown in 2 steps", "9"),
        ("6 * 3 = <<6*3=18>>18\n#### 18", "18"),
        ("About 40 of them", "40"),
        ("COVID-19", "19"),
        ("Ответ: 5", "5"),
        ("١٢", "12"),
    ],
)
def test_numbers_are_read(text: str, value: str) -> None:
    number = read_number(text)
    assert number is not None
    assert number.value == Fraction(value)


@pytest.mark.parametrize("text", ["", "  ", "no number", "x", "x + 1", "(10^9)!", "10**10**10", r"\text{east}", "1/0"])
def test_what_is_not_a_number_is_none(text: str) -> None:
    assert read_number(text) is None


def test_an_irrational_number_has_sixty_digits() -> None:
    number = read_number("√2")
    assert number is not None
    assert within(number.value**2, Fraction(2), Fraction(1, 10**59))


@settings(deadline=None)
@given(st.integers(), st.sampled_from(["{} apples", "${}", "It is {}.", "{} m/s", r"\boxed{{{}}}", "x = {}", "{:,}"]))
def test_any_integer_is_read_in_any_frame(number: int, frame: str) -> None:
    found = read_number(frame.format(number).replace("$-", "-$"))
    assert found is not None
    assert found.value == number


@settings(deadline=None)
@given(st.text(max_size=200))
def test_no_text_raises(text: str) -> None:
    found = read_number(text)
    assert found is None or isinstance(found.value, Fraction)


@settings(deadline=None)
@given(st.fractions(), st.fractions(), st.fractions(min_value=0))
def test_the_tolerance_is_closed_and_scales(one: Fraction, other: Fraction, tolerance: Fraction) -> None:
    assert within(one, one, tolerance)
    assert within(one + tolerance, one, tolerance)
    assert within(one, other, tolerance) == within(other, one, tolerance)
    assert within(one, other, tolerance, relative=True) == within(one * 7, other * 7, tolerance, relative=True)
