"""The benchmark kit: its table is sound, its results can be read, and the page is what it writes from them."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent.parent / "benchmarks"))
from kit import FAMILIES, RESULTS, read_tables
from result_page import page, pictures, result_of, speed_claim

ROOT = Path(__file__).parent.parent
KEPT = {file.stem: result_of(file) for file in sorted(RESULTS.glob("*.json"))}


@pytest.mark.parametrize("name", FAMILIES)
def test_the_script_of_a_family_takes_its_arguments(name: str) -> None:
    script, *arguments = FAMILIES[name].command.split()
    said = (ROOT / "benchmarks" / script).read_text("utf-8")
    assert [word for word in arguments if word.startswith("--") and f'"{word}"' not in said] == []


@pytest.mark.parametrize("name", KEPT)
def test_a_result_belongs_to_a_family_and_its_tables_are_rectangular(name: str) -> None:
    result = KEPT[name]
    assert result.family == name
    assert name in FAMILIES
    assert all(len(table) > 1 and len({len(row) for row in table}) == 1 for table in result.tables)
    assert result.measured
    assert result.machine


def test_the_page_and_its_pictures_are_what_the_kit_writes() -> None:
    """`python benchmarks/kit.py --page` mends it."""
    results = {name: KEPT[name] for name in FAMILIES if name in KEPT}
    published = (RESULTS / "published.md").read_text("utf-8")
    assert (ROOT / "docs" / "benchmarks.md").read_text("utf-8") == page(FAMILIES, results, published)
    drawn = pictures(FAMILIES, results)
    assert {file.name for file in (ROOT / "docs" / "images").glob("benchmark-*")} == drawn.keys()
    for name, picture in drawn.items():
        assert (ROOT / "docs" / "images" / name).read_text("utf-8") == picture
        assert ElementTree.fromstring(picture)[0].text


def test_the_readme_claims_the_speed_that_was_measured() -> None:
    """`python benchmarks/kit.py --page` mends it."""
    assert speed_claim(FAMILIES, KEPT) in (ROOT / "README.md").read_text("utf-8")


def test_every_script_is_named_in_the_readme_of_benchmarks() -> None:
    folder = ROOT / "benchmarks"
    said = (folder / "README.md").read_text("utf-8")
    assert [file.name for file in folder.glob("*.py") if f"`{file.name}`" not in said] == []


@pytest.mark.parametrize("name", [name for name in KEPT if FAMILIES[name].peers])
def test_a_result_names_the_versions_of_its_peers(name: str) -> None:
    packages = {one.split()[-1].partition("[")[0] for peers in FAMILIES[name].peers.values() for one in peers}
    assert {peer.rpartition(" ")[0] for peer in KEPT[name].peers} == packages


def test_tables_are_read_from_between_other_lines() -> None:
    printed = "hello\n| a | b |\n|---|---|\n| x | |\n\n| c |\n|---|\n| 1 |\nbye\n"
    assert read_tables(printed) == [[["a", "b"], ["x", ""]], [["c"], ["1"]]]


def test_an_unknown_family_is_refused_with_those_there_are() -> None:
    command = [sys.executable, str(ROOT / "benchmarks" / "kit.py"), "rogue"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert "no family named 'rogue'; the families are: squad, rouge," in done.stderr
