"""What the catalogue states about a benchmark is stated by a place that is named and that anybody can open."""

from __future__ import annotations

import re

import pytest

from ringtrue.datasets.catalogue.cited import FACTS
from ringtrue.datasets.catalogue.table import ENTRIES, find
from ringtrue.datasets.worked_examples import GENERAL

PLACES = (
    re.compile(
        r"huggingface\.co/datasets/[\w.-]+/[\w.-]+(?:/(?:tree|blob|raw|commit|commits|discussions|viewer)/\S+)?"
    ),
    re.compile(r"github\.com/[\w.-]+/[\w.-]+@[0-9a-f]{40}/\S+"),
    re.compile(r"github\.com/[\w.-]+/[\w.-]+/pull/\d+"),
    re.compile(r"[\w-]+ \d[\w.]* on PyPI, [\w-]+\S*/\S+"),
    re.compile(r"arXiv:\d{4}\.\d{5}, section [\d.]+"),
)


def stated(name: str) -> list[tuple[str, list[str]]]:
    """The sources of a benchmark: each place, and the facts it states."""
    split = [source.rpartition(": ") for source in find(name).sources]
    return [(place, facts.split(", ")) for place, _, facts in split]


@pytest.mark.parametrize("name", ENTRIES)
def test_a_source_is_a_place_and_the_facts_it_states(name: str) -> None:
    """An address, or a package or repository at one version with a path in it; never "several evaluations"."""
    for place, facts in stated(name):
        assert any(form.fullmatch(place) for form in PLACES), place
        assert set(facts) <= set(FACTS), f"{place} is said to state {facts}"
    assert len({place for place, _ in stated(name)}) == len(stated(name)), "a place is named once"


@pytest.mark.parametrize("name", ENTRIES)
def test_every_fact_has_a_source_and_no_source_is_for_what_is_not_there(name: str) -> None:
    benchmark = find(name)
    facts = [fact for _, stated_there in stated(name) for fact in stated_there]
    assert "schema" in facts
    assert ("revision" in facts) == (benchmark.revision is not None)
    assert ("size" in facts) == (benchmark.size is not None)
    assert ("licence" in facts) == (benchmark.licence != "unknown")
    assert ("examples" in facts) == (benchmark.example_format is not GENERAL)


@pytest.mark.parametrize("name", [name for name in ENTRIES if find(name).revision])
def test_a_revision_is_a_whole_commit(name: str) -> None:
    assert re.fullmatch(r"[0-9a-f]{40}", find(name).revision or "")


@pytest.mark.parametrize("name", ENTRIES)
def test_the_address_of_a_revision_is_of_that_commit(name: str) -> None:
    """Where the place that states the revision holds a commit of this dataset, it is that commit."""
    benchmark = find(name)
    for place, facts in stated(name):
        commit = re.search(r"/(?:tree|commit)/([0-9a-f]{40})", place)
        if "revision" in facts and commit and f"datasets/{benchmark.path}/" in place:
            assert commit[1] == benchmark.revision
