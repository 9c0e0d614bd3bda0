"""A tally of pieces equals the tally of the whole, absence never enters a mean, and one source is one observation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.records import Case, EvaluatorInfo, Output, Row, Score, Summary, Trial
from ringtrue.stats.intervals import wilson
from ringtrue.stats.summarise import RunTally, part_keys
from ringtrue.stats.tally import Numbers, Tally
from support.clusters import clustered_interval

F1 = EvaluatorInfo("quality", keys={"f1": "f1", "recall": "recall"}, main="f1")
EXACT = EvaluatorInfo("exact", keys={"exact": "exact"}, main="exact", threshold=1.0)

values = st.floats(0, 1)
sources = st.one_of(st.none(), st.integers(0, 4))
scores = st.one_of(
    values.map(lambda value: Score(value, passed=value >= 0.5, parts={"f1": value, "recall": 1 - value})),
    st.sampled_from(["in process", "too small"]).map(
        lambda caveat: Score(1.0, passed=True, parts={"f1": 1.0, "recall": 0.0}, metadata={"caveat": caveat})
    ),
    st.just(Score.skipped("no answer")),
    st.just(Score.error("boom")),
)


def numbers(found: Sequence[float], origins: Sequence[object] | None = None) -> Numbers:
    made = Numbers()
    made.add(found, origins)  # type: ignore[arg-type]
    return made


def same(one: Summary, other: Summary) -> None:
    """Equal but for the last digits of sums."""
    close = ("value", "interval", "bounds")
    assert replace(one, **dict.fromkeys(close)) == replace(other, **dict.fromkeys(close))
    for name in close:
        assert getattr(one, name) == (
            None if getattr(other, name) is None else pytest.approx(getattr(other, name), abs=1e-6)
        )


@given(st.lists(st.tuples(values, sources)), st.lists(st.tuples(values, sources)))
def test_numbers_merge_as_if_they_were_added_together(
    left: list[tuple[float, int | None]], right: list[tuple[float, int | None]]
) -> None:
    first, second, whole = (
        numbers([value for value, _ in pairs], [source for _, source in pairs])
        for pairs in (left, right, [*left, *right])
    )
    first.merge(second)
    assert (first.n, first.ones, first.zeros, first.low, first.high, first.sources) == (
        whole.n, whole.ones, whole.zeros, whole.low, whole.high, whole.sources,
    )  # fmt: skip
    assert first.independent == whole.independent
    assert first.total == pytest.approx(whole.total)


@given(st.lists(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=4), min_size=1, max_size=6))
def test_the_interval_of_sources_is_the_clustered_one(clusters: list[list[float]]) -> None:
    """Where no source has two values, none is named: the two ways to say it agree."""
    pairs = [
        (value, place if len(cluster) > 1 else None) for place, cluster in enumerate(clusters) for value in cluster
    ]
    found = numbers([value for value, _ in pairs], [source for _, source in pairs])
    flat = [value for value, _ in pairs]
    interval, method = found.interval()
    wanted = clustered_interval(clusters)
    if len(set(flat)) == 1 or (found.independent and set(flat) <= {0.0, 1.0}):
        assert method == "wilson"
    elif wanted is None or wanted[1] - wanted[0] < 1e-9:
        assert interval is None
    else:
        assert interval == pytest.approx((max(0.0, wanted[0]), min(1.0, wanted[1])), abs=1e-6)
        assert method == ("t" if found.independent else "clustered t")


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_values_that_do_not_spread_have_wilsons_interval_over_their_sources(value: float) -> None:
    """Ten repeats of one case once had the interval 100.0 to 100.0 in two cases."""
    alone = numbers([value] * 6).interval()
    assert alone == (wilson(int(6 * value), 6), "wilson")
    repeated = numbers([value] * 6, [1, 1, 1, 2, 2, 2]).interval()
    assert repeated == (wilson(int(2 * value), 2), "wilson")


def test_equal_values_between_zero_and_one_are_no_proof_either() -> None:
    found, method = numbers([0.3] * 5).interval()
    assert found == pytest.approx((wilson(1, 5)[0], wilson(2, 5)[1]))
    assert method == "wilson"


def test_sources_that_cancel_out_show_nothing() -> None:
    assert numbers([1.0, 0.0, 0.0, 1.0], ["a", "a", "b", "b"]).interval() == (None, "")


def test_one_source_alone_has_no_interval() -> None:
    assert numbers([1.0, 0.0], ["a", "a"]).interval() == (None, "")


def test_a_value_taken_in_often_is_taken_in_as_often() -> None:
    often, each = numbers([0.5, 0.25]), numbers([0.5, 0.25, 1.0, 1.0, 1.0])
    often.add_often(1.0, 3)
    often.add_often(7.0, 0)
    same(often.summary(), each.summary())


@given(st.lists(scores), st.lists(scores))
def test_merging_is_counting_together(left: list[Score], right: list[Score]) -> None:
    whole, first, second = Tally(F1), Tally(F1), Tally(F1)
    whole.add([*left, *right])
    first.add(left)
    second.add(right)
    first.merge(second)
    merged = first.summaries(F1.keys)
    for key, summary in whole.summaries(F1.keys).items():
        same(merged[key], summary)
    same(first.pass_share(), whole.pass_share())


@given(st.lists(scores))
def test_the_mean_is_over_what_was_measured(column: list[Score]) -> None:
    tally = Tally(F1)
    tally.add(column)
    summary = tally.summaries(F1.keys)["f1"]
    known = [score.value for score in column if score.value is not None]
    assert summary.n == len(known)
    assert summary.value == (pytest.approx(fmean(known), abs=1e-12) if known else None)
    assert summary.n + summary.skipped + summary.errors == len(column)
    if summary.interval:
        assert summary.interval[0] - 1e-12 <= summary.value <= summary.interval[1] + 1e-12


def test_zeros_and_ones_get_wilson_and_others_student() -> None:
    tally = Tally(F1)
    tally.add([Score(1.0, passed=True)] * 9)
    assert tally.summaries(F1.keys)["f1"].method == "wilson"
    assert tally.summaries(F1.keys)["f1"].interval == (pytest.approx(0.7008, abs=1e-4), 1.0)
    assert tally.summaries(F1.keys)["f1"].unit == "share"
    tally.add([Score(0.5, passed=True)])
    assert tally.summaries(F1.keys)["f1"].method == "t"
    assert tally.summaries(F1.keys)["f1"].unit == "score"


def test_only_the_main_part_has_the_verdicts_and_their_threshold() -> None:
    tally = Tally(replace(F1, threshold=0.7))
    tally.add([Score(value, passed=value >= 0.7, parts={"f1": value, "recall": 1.0}) for value in (0.8, 0.6, 0.2)])
    found = tally.summaries(F1.keys)
    assert (found["f1"].passed, found["f1"].failed, found["f1"].threshold) == (1, 2, 0.7)
    assert (found["recall"].passed, found["recall"].failed, found["recall"].threshold) == (None, None, None)


def test_the_share_that_passed_counts_sources() -> None:
    tally = Tally(F1)
    tally.add([Score(value, passed=value >= 0.5) for value in (0.9, 0.8, 0.2, 0.1)], ["a", "a", "b", "b"])
    share = tally.pass_share()
    assert (share.value, share.n, share.passed, share.failed, share.unit) == (0.5, 4, 2, 2, "share")
    assert (share.method, share.threshold) == ("clustered t", 0.5)


def test_a_users_part_outside_the_unit_range_is_kept() -> None:
    tally = Tally(EvaluatorInfo("ratio"))
    tally.add([Score(1.0, parts={"ratio": 2.5}), Score(0.5, parts={"ratio": 0.5})])
    assert tally.summaries({"ratio": "ratio"})["ratio"].value == 1.5


def test_the_first_skip_says_why() -> None:
    tally, other = Tally(F1), Tally(F1)
    tally.add([Score(1.0), Score.error("it broke")])
    other.add([Score.skipped("no answer"), Score.skipped("no question")])
    tally.merge(other)
    assert (tally.skipped, tally.why_skipped) == (2, "no answer")


def test_zeros_of_a_count_are_no_failures() -> None:
    keys = {"win_rate": "win_rate", "order_disagreement": "order_disagreement"}
    tally = Tally(EvaluatorInfo("pairwise", keys=keys, main="win_rate", counts=("order_disagreement",)))
    tally.add([Score(1.0, passed=True, parts={"win_rate": 1.0, "order_disagreement": 0.0})])
    found = tally.summaries(keys)
    assert (found["win_rate"].passed, found["win_rate"].failed) == (1, 0)
    assert (found["order_disagreement"].passed, found["order_disagreement"].failed) == (None, None)


def row(position: int, dataset: str = "d", system: str = "s", repeat: int = 0, **found: Score) -> Row:
    trial = Trial(Case(7, fields={"dataset": dataset}), Output("x"))
    return Row(trial, found, position, system, repeat)


run_rows = st.builds(
    row,
    position=st.integers(0, 5),
    dataset=st.sampled_from("de"),
    system=st.sampled_from("st"),
    quality=scores,
    exact=st.sampled_from([Score(1.0, passed=True), Score(0.0, passed=False), Score.skipped("no answer")]),
)


@given(st.lists(run_rows), st.lists(run_rows))
def test_runs_merge_as_if_they_were_one(left: list[Row], right: list[Row]) -> None:
    """A run is cut between cases, not between the rows of one."""
    right = [replace(one, position=one.position + 10) for one in right]
    first, second, whole = RunTally((F1, EXACT)), RunTally((F1, EXACT)), RunTally((F1, EXACT))
    first.add(left)
    second.add(right)
    whole.add([*left, *right])
    first.merge(second)
    assert first.rows == whole.rows
    assert first.first_skips().keys() == whole.first_skips().keys()
    merged, wanted = first.summaries(), whole.summaries()
    assert set(merged) == set(wanted)
    for dataset, systems in wanted.items():
        for system, found in systems.items():
            assert list(merged[dataset][system]) == list(found)
            for key, summary in found.items():
                same(merged[dataset][system][key], summary)


def test_repeats_are_one_piece_of_evidence_and_cases_of_one_id_are_not() -> None:
    good, bad = Score(1.0, passed=True), Score(0.0, passed=False)
    repeated, apart = RunTally((EXACT,)), RunTally((EXACT,))
    repeated.add([row(place, repeat=n, exact=found) for place, found in enumerate((good, good, bad)) for n in (0, 1)])
    apart.add([row(place, exact=found) for place, found in enumerate((good, good, bad))])
    assert repeated.summaries()["d"]["s"]["exact"].method == "clustered t"
    assert apart.summaries()["d"]["s"]["exact"].method == "wilson"


def test_an_evaluator_that_measured_nothing_of_a_block_is_left_out() -> None:
    tally = RunTally((F1, EXACT))
    tally.add([row(0, "d", exact=Score(1.0)), row(1, "e", quality=Score.skipped("no answer"))])
    assert {dataset: list(systems["s"]) for dataset, systems in tally.summaries().items()} == {
        "d": ["exact"],
        "e": ["f1", "recall"],
    }
    assert tally.first_skips() == {"quality": "no answer"}


names = st.text("abc.", min_size=1, max_size=3)


@given(st.dictionaries(names, st.lists(names, max_size=4, unique=True), min_size=1, max_size=4), st.sets(names))
def test_keys_are_never_shared_except_where_a_name_imitates_one(seen: dict[str, list[str]], taken: set[str]) -> None:
    keys = part_keys([EvaluatorInfo(name) for name in seen], seen, taken)
    plain = [key for own in keys.values() for part, key in own.items() if key == part]
    assert len(set(plain)) == len(plain)
    assert not taken & set(plain)
    for name, own in keys.items():
        assert list(own) == (seen[name] or [name])


def test_a_broken_output_stays_in_the_denominator_of_a_dict_evaluator() -> None:
    """It has a value and no parts: it is a 0 of the first part, and is counted as skipped by the others."""
    tally = Tally(EvaluatorInfo("mine", main="mine"))
    tally.add([Score(1.0, passed=True, parts={"hit": 1.0, "length": 7.0}), Score(0.0, passed=False, reason="None")])
    found = tally.summaries({"hit": "hit", "length": "length"})
    assert [(found[key].value, found[key].n, found[key].skipped) for key in found] == [(0.5, 2, 0), (7.0, 1, 1)]
    assert (found["hit"].passed, found["hit"].failed) == (1, 1)
