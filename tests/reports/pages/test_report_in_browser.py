"""The report in a real Chromium: filters, search, sorting, phone, paper, both themes, and texts that attack."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ringtrue import evaluate
from ringtrue.reports.pages.run_report import run_page
from support.browser import DESK, PHONE, TABLET
from support.demo_run import demo_run
from support.page_attacks import ATTACKS

if TYPE_CHECKING:
    from playwright.sync_api import Page

OpenPage = Callable[..., "Page"]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(run_page(demo_run()), "utf-8")
    return path


def rows(page: Page) -> Any:
    return page.locator("#rows > li")


def test_filters_search_and_sorting_live_in_the_address(open_page: OpenPage, report: Path) -> None:
    """The one smoke of the fast suite."""
    from playwright.sync_api import expect

    page = open_page(report)
    assert rows(page).count() == 100
    page.get_by_role("button", name="Errors").click()
    expect(page.locator("#shown")).to_have_text("4 of 240 cases. ")
    assert page.url.endswith("#status=error")
    page.go_back()
    expect(rows(page)).to_have_count(100)
    page.get_by_label("Search questions and answers").fill("MAGIC")
    expect(page.locator("#shown")).to_contain_text(" of 240 cases")
    assert all("magic" in text.lower() for text in rows(page).all_text_contents())
    page.get_by_label("Search questions and answers").fill("no such words anywhere")
    expect(page.locator("#none")).to_contain_text("Nothing matches “no such words anywhere”")
    page.get_by_role("link", name="Clear the filters").click()
    expect(rows(page)).to_have_count(100)
    page.get_by_label("Sort").select_option("slow")
    slowest = [float(row.get_attribute("data-t") or 0) for row in rows(page).all()]
    assert slowest == sorted(slowest, reverse=True)
    page.get_by_label("Dataset").select_option("gsm8k")
    expect(rows(page)).to_have_count(40)
    assert page.troubles == []  # type: ignore[attr-defined]


@pytest.mark.heavy
def test_a_count_leads_to_its_rows_and_keys_walk_them(open_page: OpenPage, report: Path) -> None:
    from playwright.sync_api import expect

    page = open_page(report)
    count = page.locator(".headline tbody").first.locator("tr").nth(1).locator("td[data-l=failed] a")
    failed = int(count.inner_text())
    count.click()
    expect(page.locator("#shown")).to_contain_text(f"{failed} of 240")
    page.keyboard.press("a")
    expect(page.locator("#shown")).to_have_text("")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    page.keyboard.press("Enter")
    assert page.locator("#rows details[open]").count() == 1
    page.keyboard.press("/")
    assert page.evaluate("() => document.activeElement.id") == "q"
    page.keyboard.press("Escape")
    page.get_by_role("button", name="100 more of 140").click()
    expect(rows(page)).to_have_count(200)
    assert page.troubles == []  # type: ignore[attr-defined]


@pytest.mark.heavy
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [DESK, TABLET, PHONE])
def test_it_fits_the_screen_and_axe_finds_nothing_serious(
    open_page: OpenPage, report: Path, width: int, theme: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = open_page(report, width=width, color_scheme=theme, bypass_csp=True)
    page.locator("#rows summary").first.click()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    found = Axe().run(page, context="body").response["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == [], found


@pytest.mark.heavy
def test_without_a_script_every_row_is_there(open_page: OpenPage, report: Path) -> None:
    page = open_page(report, java_script_enabled=False)
    assert page.locator(".rows > li").count() == 240
    assert page.locator(".tools").is_hidden()
    last = page.locator(".rows > li").last
    last.locator("summary").first.click()
    assert last.locator(".answers").is_visible()


@pytest.mark.heavy
def test_paper_has_every_row_and_no_buttons(open_page: OpenPage, report: Path) -> None:
    page = open_page(report, color_scheme="dark")
    page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert rows(page).count() == 240
    assert page.locator(".tools").is_hidden()
    assert page.locator("#rows .answers").first.bounding_box()["height"] > 0  # type: ignore[index]
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(253, 253, 252)"


@pytest.mark.heavy
def test_texts_that_attack_stay_text(open_page: OpenPage, tmp_path: Path) -> None:
    """Every attack as question, answer, expected answer, id, dataset, reason and error; drawn at first and later on."""
    texts = list(ATTACKS.values())
    cases = [
        {"id": text, "question": text, "answer": text, "context": text, "dataset": text[:200]} for text in texts * 5
    ]

    def first(question: str) -> str:
        if question.startswith("<img"):
            raise ValueError(question)
        return question

    def second(question: str) -> str:
        return f"{question} and more"

    def check(case: Any, output: str) -> Any:
        return {"score": 0.0, "reason": output}

    found = evaluate([first, second], cases, [check], progress=False, store=None, name=texts[0])
    path = tmp_path / "attacked.html"
    path.write_bytes(run_page(found.run).encode())
    page = open_page(path)
    page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    assert rows(page).count() == len(cases)
    for _ in range(3):
        page.get_by_label("Search questions and answers").fill("alert")
        page.wait_for_timeout(300)
        page.get_by_label("Search questions and answers").fill("")
        page.wait_for_timeout(300)
    page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.wait_for_timeout(500)
    assert page.troubles == []  # type: ignore[attr-defined]
    assert page.evaluate("() => document.querySelectorAll('script').length") == 1
    foreign = "main :is(img, iframe, object, embed, form, base, meta, style)"
    assert page.locator(foreign).count() == 0
    assert page.locator("#c-forged-0-0").count() == 0
    for width in (DESK, PHONE):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width


@pytest.mark.heavy
def test_ten_thousand_rows_open_at_once(open_page: OpenPage, tmp_path: Path) -> None:
    """Few elements are drawn at first, however many rows there are; a search reads them all."""
    from playwright.sync_api import expect

    cases = [{"question": f"Question {number}?", "answer": "yes", "dataset": "many"} for number in range(10_000)]
    found = evaluate(lambda question: question, cases, ["exact_match"], progress=False, store=None)
    path = tmp_path / "many.html"
    path.write_text(run_page(found.run), "utf-8")
    page = open_page(path)
    assert page.evaluate("() => document.querySelectorAll('*').length") < 5_000
    page.get_by_label("Search questions and answers").fill("question 9999?")
    expect(page.locator("#shown")).to_have_text("1 of 10,000 cases. ")
    assert page.troubles == []  # type: ignore[attr-defined]
