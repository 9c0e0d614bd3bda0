"""What holds for all answers: identity, symmetry, no exceptions, and an end to every comparison."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from ringtrue.scoring.maths import MAX_TEXT, compare, equivalent

NUMBERS = st.one_of(
    st.integers(-99, 99).map(str),
    st.fractions(-99, 99, max_denominator=500).map(lambda value: rf"\frac{{{value.numerator}}}{{{value.denominator}}}"),
    st.sampled_from(["x", "y", r"\pi", "n", r"\sqrt{2}", "3i", "e"]),
)


def combined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, inner).map(lambda pair: f"{pair[0]} + {pair[1]}"),
        st.tuples(inner, inner).map(lambda pair: rf"\left({pair[0]}\right)\left({pair[1]}\right)"),
        st.tuples(inner, inner).map(lambda pair: rf"\frac{{{pair[0]}}}{{1 + \left({pair[1]}\right)^2}}"),
        inner.map(lambda one: rf"-\left({one}\right)"),
        inner.map(lambda one: rf"\left({one}\right)^{{2}}"),
        inner.map(lambda one: rf"\sqrt{{{one}}}"),
        inner.map(lambda one: rf"\sin\left({one}\right)"),
    )


EXPRESSIONS = st.recursive(NUMBERS, combined, max_leaves=6)
SIGNS = r"\frac{}()[]|^_+-*/=<>,.:;!%$#&'0123456789xyabi\sqrt\pi\sin\text\boxed{\cup\infty\pm\le\begin{pmatrix}\end \\ "
PIECES = [
    *("\\frac", "\\sqrt", "\\pm", "\\boxed{", "\\text{", "\\cup", "\\infty", "\\log_", "\\sin", "\\overline", "\\circ"),
    *(
        "\\{",
        "\\}",
        "\\begin{pmatrix}",
        "\\end{pmatrix}",
        "\\\\",
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        "|",
        "^",
        "_",
        "-",
        "!",
    ),
    *("$", "#### ", "answer is", "or", "cm", "%", ",", "=", "<", ":", "&", "...", "\n", "1", "2.5", "x", "e", "i"),
]
NOISE = st.one_of(
    st.text(max_size=60),
    st.text(alphabet=SIGNS, max_size=60),
    st.lists(st.sampled_from(PIECES), max_size=14).map("".join),
)


@settings(deadline=None)
@given(EXPRESSIONS)
def test_an_expression_equals_itself_in_another_dress(expression: str) -> None:
    assert equivalent(expression, expression)
    assert equivalent(expression, rf"\left( {expression} \right)")
    assert equivalent(rf"The answer is \boxed{{{expression}}}.", expression)


@settings(deadline=None)
@given(EXPRESSIONS, EXPRESSIONS)
def test_equality_is_symmetric(one: str, other: str) -> None:
    assert equivalent(one, other) == equivalent(other, one)


@settings(deadline=None)
@given(EXPRESSIONS, EXPRESSIONS)
def test_sums_and_products_commute(one: str, other: str) -> None:
    assert equivalent(rf"\left({one}\right) + \left({other}\right)", rf"\left({other}\right) + \left({one}\right)")
    assert equivalent(rf"\left({one}\right)\left({other}\right)", rf"\left({other}\right) \cdot \left({one}\right)")


@settings(deadline=None)
@given(EXPRESSIONS)
def test_one_more_is_something_else(expression: str) -> None:
    assume("sin" not in expression)  # of imaginary numbers it grows beyond the digits in which one more shows
    assert not equivalent(expression, rf"\left({expression}\right) + 1")


@settings(deadline=None)
@given(st.fractions(max_denominator=10**6), st.fractions(max_denominator=10**6))
def test_fractions_are_equal_exactly_when_their_values_are(one: Fraction, other: Fraction) -> None:
    assert equivalent(str(one), str(other)) == (one == other)
    assert equivalent(str(one), f"{one.numerator * 6}/{one.denominator * 6}")


@settings(deadline=None)
@given(st.integers(), st.integers())
def test_integers_are_never_equal_by_nearness(one: int, other: int) -> None:
    assert equivalent(str(one), str(other)) == (one == other)
    assert equivalent(str(one), f"{one:,}")
    assert not equivalent(str(one), str(one + 1))


@settings(deadline=None)
@given(st.lists(st.integers(-99, 99), min_size=2, max_size=6, unique=True), st.randoms(use_true_random=False))
def test_sets_have_no_order_and_points_have_one(items: list[int], chance: object) -> None:
    shuffled = list(items)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = (", ".join(map(str, order)) for order in (items, shuffled))
    assert equivalent(rf"\{{{one}\}}", rf"\{{{other}\}}")
    assert equivalent(f"({one})", f"({other})") == (items == shuffled)
    assert not equivalent(rf"\{{{one}\}}", rf"\{{{one}, 100\}}")


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=4, unique=True), st.data())
def test_repetitions_count_in_lists_and_points_and_not_in_sets(items: list[int], data: st.DataObject) -> None:
    more = [*items, data.draw(st.sampled_from(items))]
    one, other = (", ".join(map(str, each)) for each in (items, more))
    assert equivalent(rf"\{{{one}\}}", rf"\{{{other}\}}")
    for gold, candidate in ((one, other), (f"({one})", f"({other})"), (rf"\{{{one}\}}", other), (one, f"({other})")):
        assert not equivalent(gold, candidate)
        assert not equivalent(candidate, gold)


@settings(deadline=None, max_examples=400)
@given(NOISE, NOISE)
@example("[ =>", "1")
def test_nothing_raises(one: str, other: str) -> None:
    verdict = compare(one, other)
    assert verdict.reason
    assert compare(other, one).reason


@settings(deadline=None, max_examples=200)
@given(NOISE)
def test_any_text_that_is_not_blank_equals_itself(text: str) -> None:
    assume(text.strip())
    assert equivalent(text, text)
    assert equivalent(text, f" {text}\n")


HOSTILE = {
    "power tower": "9^" * 20 + "9",
    "python power": "10**10**10**10",
    "towers in braces": "10^{" * 20 + "10" + "}" * 20,
    "factorial": "(10^9)!",
    "many factorials": "3" + "!" * 5_000,
    "binomial": r"\binom{10^9}{5\cdot 10^8}",
    "brackets": "(" * 100_000,
    "closed brackets": "(" * 20_000 + "1" + ")" * 20_000,
    "fractions": r"\frac{1}{" * 3_000 + "2" + "}" * 3_000,
    "roots": r"\sqrt{" * 1_000 + "2" + "}" * 1_000,
    "texts": r"\text{" * 1_000 + "a" + "}" * 1_000,
    "boxes": r"\boxed{" * 20_000,
    "digits": "9" * 50_000,
    "decimals": "0." + "3" * 50_000,
    "minus signs": "-" * 50_000 + "5",
    "sum": "1" + "+1" * 700,
    "long sum": "1" + "+1" * 50_000,
    "sines": "+".join([r"\sin(x)"] * 250),
    "set of roots": r"\{" + ",".join(rf"\sqrt{{{number}}}" for number in range(2, 250)) + r"\}",
    "plus-minus": r"1 \pm " * 30 + "1",
    "overflow": r"e^{10^{15}}",
    "symbolic power": "(x+1)^{10^{9}}",
    "long product": "x" * 5_000,
    "cosine": r"\cos(10^{50})",
    "announcements": "the answer is " * 7_000,
    "dollars": "$1 " * 30_000,
    "display": r"\[" * 50_000,
    "one letter": "a" * 900_000,
    "surrogates": "\ud800" * 1_000,
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("other", ["5", r"\frac{x}{2}", r"\text{yes}"])
def test_hostile_answers_end_with_a_reason(name: str, other: str) -> None:
    hostile = HOSTILE[name]
    for gold, candidate in ((other, hostile), (hostile, other), (other, f"The answer is {hostile}")):
        verdict = compare(gold, candidate)
        assert not verdict.equal
        assert verdict.reason


@pytest.mark.parametrize(
    ("gold", "candidate", "bound"),
    [
        ("5", "(" * 100 + "1" + ")" * 100, "nested more than 25 deep"),
        ("5", "10^{10^{10^{10}}}", "more than 20,000 bits"),
        ("5", "(10^9)!", "of more than 1,000"),
        ("5", "1" + "+1" * 900, "more than 1,500 tokens"),
        (r"\frac12", "9" * 5_000, "5,000 digits"),
        ("5", "a" * (MAX_TEXT + 1), "1,000,000 are searched"),
        (r"\{1, 2\}", r"\{" + ", ".join(["1"] * 400) + r"\}", "more than 300 items"),
        ("1, 2, 3, 4", r"\pm 1 \pm 2 \pm 3 \pm 4 \pm 5", "more than 4 plus-minus"),
    ],
)
def test_beyond_a_bound_the_verdict_names_it(gold: str, candidate: str, bound: str) -> None:
    verdict = compare(gold, candidate)
    assert not verdict.equal
    assert bound in verdict.reason
