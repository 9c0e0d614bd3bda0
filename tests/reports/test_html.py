"""A page is one file without scripts; every text stays text."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.reports.html import CELL_CHARS, Folded, Grid, Link, Section, html_page

ANY_TEXT = st.text(st.characters(), max_size=200)
TAGS = {
    "html", "head", "meta", "title", "style", "body", "h1", "table", "caption", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.cells: list[str] = []
        self.inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self.inside = tag == "td"
        if self.inside:
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.cells[-1] += data


@given(ANY_TEXT)
def test_any_text_is_text_and_nothing_else(text: str) -> None:
    page = html_page(text, [Grid(text, (text,), [[text, "fixed"]], ["failed"])])
    seen = Page(page)
    assert set(seen.tags) == TAGS
    assert {name for name, _ in seen.attributes} == {"lang", "charset", "http-equiv", "content", "class"}
    assert page.encode()


@given(ANY_TEXT)
def test_any_text_is_a_section_a_folded_text_and_a_link(text: str) -> None:
    cells = [[Link(text, text)], [[Link(text, "a"), text]]]
    page = html_page(text, [Section(text), Grid("c", ("h",), cells), Folded(text, text), Section("last")])
    seen = Page(page)
    assert set(seen.tags) == {*TAGS, "nav", "a", "h2", "details", "summary", "p", "span"}
    leads = [value or "" for name, value in seen.attributes if name == "href"]
    assert leads[:2] == ["#part-1", "#part-2"]
    assert all(lead.startswith("./") for lead in leads[2:])
    assert [value for name, value in seen.attributes if name == "id"] == ["part-1", "part-2"]
    assert page.encode()


@pytest.mark.parametrize(
    ("path", "lead"),
    [
        pytest.param("javascript:alert(1)", "./javascript%3Aalert%281%29", id="a-scheme-is-a-name"),
        pytest.param("a b/c#d?e.log", "./a%20b/c%23d%3Fe.log", id="signs-of-an-address"),
        pytest.param("//elsewhere/x", ".///elsewhere/x", id="another-host-is-a-folder"),
    ],
)
def test_a_link_leads_to_a_file_beside_the_page(path: str, lead: str) -> None:
    seen = Page(html_page("t", [Grid("c", ("h",), [[Link("x", path)]])]))
    assert ("href", lead) in seen.attributes


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("<script>alert(1)</script>", "<script>alert(1)</script>", id="script"),
        pytest.param("</td></table><h1>", "</td></table><h1>", id="closing-tags"),
        pytest.param("&lt;b&gt; & &amp;", "&lt;b&gt; & &amp;", id="entities"),
        pytest.param("a\x00b\x1b\ud800", r"a\x00b\x1b\ud800", id="what-no-page-can-hold"),
        pytest.param("a" * CELL_CHARS + "b", "a" * CELL_CHARS + f"… ({CELL_CHARS + 1:,} characters)", id="cut"),
    ],
)
def test_text_is_shown_as_it_is(text: str, shown: str) -> None:
    assert Page(html_page("t", [Grid("c", ("h",), [[text]])])).cells == [shown]


def test_nothing_is_loaded_and_nothing_runs() -> None:
    page = html_page("t", [])
    assert "default-src 'none'" in page
    for words in ("<script", "http://", "https://", "url(", "@import"):
        assert words not in page
