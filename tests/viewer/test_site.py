"""Every page as text: what it says, that every text in it is text, and that absence and emptiness have words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ringtrue.identity import digest
from ringtrue.store.human_labels import subject_of
from ringtrue.viewer.bundle import write_bundle
from ringtrue.viewer.library import Library
from ringtrue.viewer.page_state import PageState, ServerLinks
from ringtrue.viewer.site import NotThere, Site
from support.viewed_runs import ATTACKS, HOSTILE, HOSTILE_SYSTEM, OTHER, RUN, keep_apart_run, keep_ranked_run, keep_runs

EVERY: dict[str, Callable[[Site], str]] = {
    "runs": lambda site: site.runs({}),
    "run": lambda site: site.run(RUN, PageState()),
    "failed": lambda site: site.run(RUN, PageState().but(status="failed")),
    "case": lambda site: site.case(RUN, 0, PageState()),
    "compare": lambda site: site.compare(f"{RUN}:small", f"{RUN}:large"),
    "label": lambda site: site.label(RUN),
    "hostile runs": lambda site: site.runs({"q": "<script>", "dataset": ATTACKS[1]}),
    "hostile run": lambda site: site.run(HOSTILE, PageState()),
    "hostile search": lambda site: site.run(HOSTILE, PageState().but(text=ATTACKS[4])),
    "hostile compare": lambda site: site.compare(f"{HOSTILE}:safe", f"{HOSTILE}:{HOSTILE_SYSTEM}"),
    "hostile label": lambda site: site.label(HOSTILE),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    url = f"sqlite:///{tmp_path_factory.mktemp('store') / 'v.db'}"
    keep_runs(url)
    with Library((), url) as library:
        yield Site(library, ServerLinks(), form_token="form", who="me")


class Elements(HTMLParser):
    """What elements and attributes a page has, and which of them are still open."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs


@pytest.mark.parametrize("name", EVERY)
def test_no_text_becomes_markup(site: Site, name: str) -> None:
    check_markup(EVERY[name](site))


@pytest.mark.parametrize("position", range(len(ATTACKS)))
def test_no_attack_becomes_markup_on_its_own_page(site: Site, position: int) -> None:
    check_markup(site.case(HOSTILE, position, PageState()))


def check_markup(text: str) -> None:
    found = Elements()
    found.feed(text)
    assert found.tags.count("script") == 1
    assert found.tags.count("style") == 1
    assert not {"iframe", "object", "embed", "base", "img", "link", "animate", "plaintext"} & set(found.tags)
    assert not [name for name, _ in found.attributes if name.startswith("on") or name in ("style", "srcdoc", "src")]
    links = [value or "" for key, value in found.attributes if key in ("href", "action")]
    assert all(link == "" or link.startswith(("/", "#")) for link in links), links
    assert "\0" not in text
    assert "\x1b" not in text
    assert len(text) < 2_000_000


def test_template_syntax_in_a_text_is_text(site: Site) -> None:
    page = site.case(HOSTILE, ATTACKS.index(next(one for one in ATTACKS if one.startswith("{{"))), PageState())
    assert "{{ 7 * 7 }}" in page
    assert "Undefined" not in page


def test_the_runs_name_dataset_best_system_errors_and_lead_to_them(site: Site) -> None:
    page = site.runs({})
    assert "A run" in page
    assert f'href="/run/{RUN}"' in page
    assert "nq · small and 1 more" in page or "nq · large and 1 more" in page
    assert f"/run/{RUN}?status=error" in page
    assert "No run matches “zebra”" in site.runs({"q": "zebra"})
    assert f"/run/{OTHER}" in site.runs({"q": "a run", "page": "1"})


def test_a_run_says_the_sentence_the_counts_and_its_failures_first(site: Site) -> None:
    page = site.run(RUN, PageState())
    assert "passes" in page
    assert page.index("question 5") < page.index("question 1 about")  # an error comes before what passed
    assert 'aria-current="true">All<i>12</i>' in page.replace("\n", "")
    assert "Open the case" in page
    assert "Clear the filters" in site.run(RUN, PageState().but(text="zebra"))


def test_a_state_is_what_its_address_says() -> None:
    query = {
        "status": "failed",
        "dataset": "nq",
        "system": "a b&c",
        "q": "magic",
        "sort": "asked",
        "after": "1_0_0.5_7",
    }
    assert PageState.parse(query).query() == query
    assert PageState.parse({"status": "nonsense", "after": "x", "sort": "?"}) == PageState()


def test_a_case_shows_conversation_checks_evidence_replies_and_the_sandbox(site: Site) -> None:
    page = site.case(RUN, 0, PageState())
    texts = ["calls tool", "<b>search</b>", "query: magic", "tool result", "What the judge replied", "2 != 3"]
    for words in [*texts, "What the sandbox saw", "Claims and their evidence", "headline", "Passes at"]:
        assert words in page, words
    mark, back = 'id="s0-1-e1">released on October 14, 2016', 'href="#s0-1-c1">1</a>'
    assert mark in page
    assert back in page
    assert 'href="#s0-1-e1">1</a>' in page
    assert f'rel="next" href="/run/{RUN}/case/' in site.case(RUN, 5, PageState())
    with pytest.raises(NotThere):
        site.case(RUN, 99, PageState())


def test_a_comparison_shows_lost_cases_before_gained_ones(site: Site) -> None:
    page = site.compare(f"{RUN}:small", f"{RUN}:large")
    assert page.index("Lost: passed with A") < page.index("Gained: failed with A")
    assert "Choose two systems" in site.compare(RUN, OTHER)
    with pytest.raises(NotThere):
        site.compare(f"{RUN}:nobody", OTHER)


def test_the_choice_offers_each_pair_of_a_run_once_by_the_names_of_its_systems(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'v.db'}"
    keep_ranked_run(url, {"worst": 1, "best": 9, "middle": 5})
    with Library((), url) as library:
        page = Site(library, ServerLinks()).compare(RUN, RUN)
        against_one = Site(library, ServerLinks()).compare(f"{RUN}:best", RUN)
    assert re.findall('<a class="go" [^>]+>([^<]+)<', against_one) == ["worst against best", "middle against best"]
    offered = re.findall('<a class="go" href="([^"]+)">([^<]+)<', page)
    assert [words for _, words in offered] == ["best against worst", "middle against worst", "middle against best"]
    assert offered[0][0] == f"/compare?a={RUN}%3Aworst&amp;b={RUN}%3Abest"


def test_links_below_the_sentence_lead_to_what_it_compares(tmp_path: Path) -> None:
    """The best system with the next one, not with the first, in the viewer and in a copy of it."""
    url = f"sqlite:///{tmp_path / 'v.db'}"
    keep_ranked_run(url, {"worst": 1, "best": 9, "middle": 5})
    with Library((), url) as library:
        page = Site(library, ServerLinks()).run(RUN, PageState())
        write_bundle(library, tmp_path / "copy")
    links = f"/compare?a={RUN}%3Amiddle&amp;b={RUN}%3Abest", f"/compare?a={RUN}%3Aworst&amp;b={RUN}%3Abest"
    assert "whether best is better than middle" in page or "best is better than middle" in page
    assert 0 < page.index(links[0]) < page.index(links[1])
    titles = {
        path.read_text("utf-8").split("<h1>")[1].split("</h1>")[0] for path in (tmp_path / "copy").glob("compare*")
    }
    assert titles == {"best against middle", "best against worst"}


def test_a_run_has_the_pictures_the_scores_and_the_warnings_of_its_report(site: Site) -> None:
    """Only its report had them."""
    page = site.run(RUN, PageState())
    assert "large minus the others" in page
    assert "Every score with its interval" in page
    assert re.search(r'<span class="w error">\d answers? missing', page)
    assert re.search(r'<span class="w failed">\d failed</span>', page)


def test_systems_that_answered_different_cases_are_not_offered_as_pairs(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'v.db'}"
    keep_apart_run(url)
    with Library((), url) as library:
        site = Site(library, ServerLinks())
        page, comparison = site.run(RUN, PageState()), site.compare(f"{RUN}:small", f"{RUN}:large")
    assert "Paired by case" not in page
    assert "Marks from left to right" not in page
    assert "large and small have no case in common" in comparison
    assert "Lost: passed with A" not in comparison


def test_a_label_hides_the_system_and_the_score_until_it_is_given(site: Site) -> None:
    page = site.label(OTHER)
    label = page[page.index('<div class="label"') :]
    assert "large" not in label
    assert "rated" not in label
    one = site.library.find(OTHER)
    assert one is not None
    assert "<b>No label yet</b>: your labels show how far llm_judge can be trusted" in page
    subject = label.split('data-subject="')[1].split('"')[0]
    site.keep_label(OTHER, {"subject": subject, "verdict": "right"})
    after = site.label(OTHER)
    assert "large: " in after
    assert "<b>You and llm_judge agree on " in after
    assert subject not in after.split('name="subject"')[1][:200]
    site.undo_label(OTHER)
    assert f'data-subject="{subject}"' in site.label(OTHER)
    for form in ({}, {"subject": subject}, {"subject": "x", "verdict": "right"}, {"subject": subject, "grade": "9"}):
        with pytest.raises(NotThere):
            site.keep_label(OTHER, form)
    assert site.label(OTHER, skip=subject) != page
    assert {subject_of(row.trial) for rows in one.pages.page(PageState().wanted).cases for row in rows} >= {subject}


def test_a_large_run_is_indexed_in_the_background(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first page begins that; a search says how much it has seen, an order waits."""
    url = f"sqlite:///{tmp_path / 'v.db'}"
    keep_runs(url)
    with Library((), url) as library:
        check_indexing(Site(library, ServerLinks()), monkeypatch)


def check_indexing(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("ringtrue.viewer.site", "ringtrue.store.text_search"):
        monkeypatch.setattr(f"{place}.INDEXED_AT_ONCE", 5)
    held = site.library.find(OTHER)
    assert held is not None
    lease = held.pages.database.lease(digest("search_numbers"))
    assert lease.acquire()  # the index is not built before it is released
    assert "question 0 about magic" in site.run(OTHER, PageState())
    wanted = PageState().but(text="magic")
    assert "Searched so far: 0 of" in site.run(OTHER, wanted)
    assert " rows are indexed so far" in site.run(OTHER, PageState(order="-cost"))
    lease.release()
    site._preparing[OTHER].join(60)
    page = site.run(OTHER, wanted)
    assert "question 0 about magic" in page
    assert "Searched so far" not in page


def test_rows_are_sorted_by_a_link_that_turns_its_order(site: Site) -> None:
    page = site.run(OTHER, PageState.parse({"sort": "-id"}))
    assert page.index("question 1 ") < page.index("question 0 ")
    assert f'href="/run/{OTHER}?sort=id#rows" aria-current="true">id ↓' in page
    assert PageState.parse({"sort": "nonsense"}).order == "worst"


def test_an_empty_library_says_what_to_do(tmp_path: Path) -> None:
    with Library((), f"sqlite:///{tmp_path / 'none.db'}") as library:
        page = Site(library, ServerLinks()).runs({})
    assert "ringtrue run demo@sample" in page
    assert "compare the chosen ·" not in page, "there is nothing that its keys could do"
    assert not (tmp_path / "none.db").exists()
