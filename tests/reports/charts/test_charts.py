"""Every picture is well-formed SVG with a name and a text alternative, whatever the names are, and is right."""

from __future__ import annotations

import re
from collections.abc import Callable
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.metrics.pareto_rank import ParetoRank
from ringtrue.reports.charts import (
    Mean,
    QualityCost,
    Values,
    answer_times_chart,
    axis_cell,
    calibration_chart,
    case_differences_chart,
    change_scale,
    differences_chart,
    distribution_chart,
    mean_cell,
    pairs_chart,
    quality_cost_chart,
    share_scale,
)
from ringtrue.reports.charts.distributions import bin_counts
from ringtrue.reports.charts.quality_cost import pareto_front
from ringtrue.reports.charts.scale import difference_scale, log_scale, round_scale, tick_label
from ringtrue.stats.calibration_levels import Level

SVG = "{http://www.w3.org/2000/svg}"
NASTY = "</svg><script>alert(1)</script>\x00\x1b[31m\ud800\u202e\" ' &"

Draw = Callable[[str], str]
CHARTS: dict[str, Draw] = {
    "mean cell": lambda name: mean_cell(Mean(name, 0.79, (0.724, 0.843), 3), share_scale()),
    "differences": lambda name: differences_chart(
        [Mean(name, 0.1, (-0.05, 0.2), heading=name)], title=name, margin=0.02
    ),
    "distribution, few": lambda name: distribution_chart([Values(name, [0.0, 1.0, 1.0], 6)], title=name),
    "distribution, many": lambda name: distribution_chart([Values(name, [0.1] * 50, 4)], title=name, axis=name),
    "quality against cost": lambda name: quality_cost_chart(
        [QualityCost(name, 0.5, 2.0, (0.4, 0.6), 1), QualityCost("b", 0.4, 3.0, None, 9)], title=name
    ),
    "times": lambda name: answer_times_chart([Values(name, [0.3, 0.1, 9.0], 5)], title=name),
    "pairs": lambda name: pairs_chart(5, 25, 114, 31, title=name),
    "differences by case": lambda name: case_differences_chart(
        [-1.0, 0.0, 0.3], title=name, axis=name, mean=-0.2, mean_interval=(-0.9, 0.4)
    ),
    "calibration": lambda name: calibration_chart([Level(0.25, 0.2, 19, (0.1, 0.4)), Level(1, 1, 1)], title=name),
    "nothing": lambda name: quality_cost_chart([QualityCost(name, 0.5, None)], title=name),
    "no times": lambda name: answer_times_chart([Values(name, [])], title=name),
}


def read(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))


@pytest.mark.parametrize("name", ["large-70b", NASTY, "", "x" * 5000], ids=["plain", "nasty", "empty", "long"])
@pytest.mark.parametrize("chart", CHARTS)
def test_a_picture_is_sound_and_says_what_it_shows(chart: str, name: str) -> None:
    text = CHARTS[chart](name)
    root = read(text)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root.find(f"{SVG}title") is not None
    about = root.find(f"{SVG}desc")
    assert about is not None
    assert about.text
    assert not re.search(r'\sstyle="|<script|<style|\son\w+="|href=', text)
    assert not any(node.tag == f"{SVG}script" for node in root.iter())
    text.encode()


@pytest.mark.parametrize("chart", CHARTS)
def test_every_mark_stays_inside_its_picture(chart: str) -> None:
    root = read(CHARTS[chart]("a system of a long name and more"))
    wide = float(root.get("width") or 0)
    for node in root.iter():
        for key in ("x", "cx"):
            if (place := node.get(key)) is not None:
                assert -1 <= float(place) <= wide + 1, ElementTree.tostring(node)


def test_a_share_is_where_it_is() -> None:
    root = read(mean_cell(Mean("a", 0.5, (0.25, 0.75), 1), share_scale()))
    dot = root.find(f".//{SVG}circle")
    whiskers = next(node for node in root.iter(f"{SVG}path") if node.get("class") == "l")
    assert dot is not None
    assert float(dot.get("cx") or 0) == 104
    assert whiskers.get("d") == "M55.0 13.0H153.0"
    assert "50.0 %, 95 % interval 25.0–75.0" in ElementTree.tostring(root, "unicode")


def test_the_axis_of_a_column_is_drawn_once_for_all_its_cells() -> None:
    labels = [node.text for node in read(axis_cell(share_scale())).iter(f"{SVG}text")]
    assert labels == ["0", "25", "50", "75", "100"]
    changes = [node.text for node in read(axis_cell(change_scale([-0.2, 0.43]))).iter(f"{SVG}text")]
    assert changes[0] == "−50"
    assert changes[-1] == "+50"
    assert "0" in changes


@pytest.mark.parametrize(
    ("found", "hollow"), [((0.05, 0.17), False), ((-0.06, 0.16), True), ((-0.2, -0.1), False), (None, True)]
)
def test_a_difference_that_may_be_zero_is_hollow(found: tuple[float, float] | None, hollow: bool) -> None:
    root = read(differences_chart([Mean("b − a", 0.05, found)], title="t"))
    dot = root.find(f".//{SVG}circle")
    assert dot is not None
    assert dot.get("class") == ("h" if hollow else "p")


def test_a_system_that_another_beats_on_both_is_hollow() -> None:
    systems = [QualityCost("good", 0.8, 1.0, None, 1), QualityCost("bad", 0.7, 2.0, None, 1)]
    kinds = [node.get("class") for node in read(quality_cost_chart(systems, title="t")).iter(f"{SVG}circle")]
    assert kinds == ["p", "h"]


points = st.lists(st.tuples(st.integers(0, 20), st.integers(1, 20)), min_size=1, max_size=8)


@given(points)
def test_the_staircase_is_the_first_front_of_the_pareto_rank(found: list[tuple[int, int]]) -> None:
    systems = [QualityCost(str(place), one / 20, cost) for place, (one, cost) in enumerate(found)]
    numbers = {one.label: {"mean_score": one.quality, "cost_of_pass": one.cost} for one in systems}
    first = {name for name, rank in ParetoRank().rank(numbers).items() if rank == 1}
    assert {one.label for one in pareto_front(systems)} == first


@given(st.lists(st.floats(0, 1), max_size=80), st.integers(1, 40))
def test_no_value_falls_between_bins(values: list[float], bins: int) -> None:
    counts = bin_counts(values, bins)
    assert sum(counts) == len(values)
    assert len(counts) == bins


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_a_scale_holds_every_value_between_round_ends(values: list[float]) -> None:
    for scale in (round_scale(values, 0, 100), difference_scale(values, 0, 100)):
        slack = 1e-6 + 1e-8 * (max(values) - min(values))
        assert scale.low <= min(values) + slack
        assert scale.high >= max(values) - slack
        assert all(0 <= scale.at(value) <= 100 for value in values)
        assert 2 <= len(scale.ticks) <= 8
    assert difference_scale(values, 0, 100).at(0) == pytest.approx(50)


@given(st.lists(st.floats(1e-9, 1e9), min_size=1, max_size=20))
def test_a_logarithmic_scale_does_too(values: list[float]) -> None:
    scale = log_scale(values, 0, 100)
    assert scale.low <= min(values)
    assert scale.high >= max(values)
    assert len(scale.ticks) <= 8
    assert all(tick_label(tick) for tick in scale.ticks)


@pytest.mark.parametrize(
    ("value", "label"), [(0, "0"), (-10, "−10"), (10, "+10"), (0.05, "+0.05"), (2000, "+2,000"), (5e6, "+5e6")]
)
def test_round_numbers_at_an_axis(value: float, label: str) -> None:
    assert tick_label(value, signed=True) == label


def test_the_systems_of_one_picture_are_drawn_alike() -> None:
    """One with 39 values was dots beside the bars of one with 40."""
    drawn = distribution_chart([Values("a", [0.5] * 40, 1), Values("b", [0.5] * 39, 2)], title="f1")
    assert "<circle" not in drawn


def test_a_label_keeps_off_the_title_of_the_axis() -> None:
    drawn = read(answer_times_chart([Values("search", [0.001] * 9 + [9.0], 1)], title="Time"))
    label = next(one for one in drawn.iter() if one.tag.endswith("text") and one.text == "search")
    assert float(label.get("x", 0)) > 64 or float(label.get("y", 0)) - 11 > 14


def test_nothing_measured_is_not_a_mark() -> None:
    assert "–" not in mean_cell(Mean("a", None), share_scale())
