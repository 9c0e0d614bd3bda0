"""The viewer in a real Chromium: attacks do nothing, axe finds nothing serious, keys and narrow screens work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ringtrue.viewer.server import ViewerServer
from support.browser import DESK, PHONE, TABLET
from support.viewed_runs import ATTACKS, HOSTILE, OTHER, RUN, keep_ranked_run, keep_runs, serve

PAGES = {
    "runs": "/",
    "run": f"/run/{RUN}",
    "nothing found": f"/run/{RUN}?q=zebra",
    "case": f"/run/{RUN}/case/4",
    "compare": f"/compare?a={RUN}:small&b={RUN}:large",
    "label": f"/run/{RUN}/label",
    "not there": "/run/zzz",
}
HOSTILE_PAGES = [
    "/?q=%3Cscript%3Ewindow.hacked%3D1%3C/script%3E",
    f"/run/{HOSTILE}",
    f"/run/{HOSTILE}?q=%22%3E%3Cimg%20src%3Dx%20onerror%3Dwindow.hacked%3D1%3E&status=failed",
    f"/compare?a={HOSTILE}:safe&b={HOSTILE}:%3C/title%3E%3Cscript%3Ewindow.hacked%3D1%3C/script%3E",
    f"/run/{HOSTILE}/label",
    *(f"/run/{HOSTILE}/case/{position}" for position in range(len(ATTACKS))),
]
OpenPage = Callable[..., Any]
SLOW_POSTS = """const real = fetch; window.fetch = async (where, how) => {
    if (how?.method === "POST") await new Promise((done) => setTimeout(done, 400));
    return real(where, how);
};"""
"""What is sent takes its time; what is asked for does not."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ViewerServer]:
    url = f"sqlite:///{tmp_path_factory.mktemp('store') / 'v.db'}"
    keep_runs(url)
    with serve(url) as found:
        yield found


def check_quiet(page: Any) -> None:
    assert page.evaluate("window.hacked") is None
    assert page.troubles == []


def test_a_stranger_opens_the_address_finds_a_failure_and_labels_an_answer(
    server: ViewerServer, open_page: OpenPage
) -> None:
    page = open_page(server.link())
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/run/*")
    page.goto(f"{server.address}/run/{RUN}")
    page.keyboard.press("f")
    page.wait_for_url("**status=failed**")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    assert page.locator(".rows details[open]").count() == 1
    page.goto(f"{server.address}/run/{OTHER}/label")
    subject = page.locator("[name=subject]").input_value()
    page.keyboard.press("y")
    page.locator(f".label:not([data-subject='{subject}'])").wait_for()
    page.locator(".seen li").wait_for()
    page.keyboard.press("u")
    page.locator(f".label[data-subject='{subject}']").wait_for()
    assert page.locator(".seen li").count() == 0
    check_quiet(page)


def test_labels_given_faster_than_they_are_saved_belong_to_the_answers_that_were_shown(
    server: ViewerServer, open_page: OpenPage
) -> None:
    """The reply to an older label brought its answer back, and the next key labelled it again."""
    page = open_page(server.link())
    page.add_init_script(SLOW_POSTS)
    page.goto(f"{server.address}/run/{RUN}/label")
    given = []
    for key in "ynyn":
        subject = page.locator("[name=subject]").input_value()
        given.append((subject, {"y": "right", "n": "wrong"}[key]))
        page.keyboard.press(key)
        page.locator(f".label:not([data-subject='{subject}'])").wait_for()
    page.locator(".seen li").nth(3).wait_for()
    kept = server.site.library.labels().given_in(RUN, 50)
    assert len(dict(given)) == 4
    assert sorted((label.subject, label.verdict) for label in kept) == sorted(given)
    check_quiet(page)


def test_what_is_folded_in_a_row_has_its_whole_width(server: ViewerServer, open_page: OpenPage) -> None:
    """Its words were squeezed into the column of the marks."""
    page = open_page(server.link())
    page.goto(f"{server.address}/run/{RUN}?status=error")
    page.locator(".rows > li > details > summary").first.click()
    raised = page.get_by_text("Where it was raised").first
    assert raised.bounding_box()["height"] < 40
    check_quiet(page)


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_the_marks_of_many_systems_leave_the_question_alone(tmp_path: Path, open_page: OpenPage, width: int) -> None:
    """The fourth mark was drawn over the first letter."""
    url = f"sqlite:///{tmp_path / 'v.db'}"
    keep_ranked_run(url, {f"system {number}": number for number in range(9)})
    with serve(url) as found:
        page = open_page(found.link(f"/run/{RUN}"), width=width)
        row = page.locator(".rows li").first
        marks = [one.bounding_box() for one in row.locator(".marks .m").all()]
        question = row.locator(".q").bounding_box()
    assert max(box["x"] + box["width"] for box in marks) <= question["x"]


@pytest.mark.heavy
def test_no_attack_runs_loads_or_sends_anything(server: ViewerServer, open_page: OpenPage) -> None:
    page = open_page(server.link())
    for path in HOSTILE_PAGES:
        page.goto(server.address + path)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        page.mouse.move(200, 300)
        page.keyboard.press("Tab")
        check_quiet(page)
        assert page.evaluate("document.querySelectorAll('script').length") == 1, path
        assert page.url.startswith(server.address), path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


@pytest.mark.heavy
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(server: ViewerServer, open_page: OpenPage, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = open_page(server.link(), color_scheme=scheme)
    for name, path in PAGES.items():
        page.goto(server.address + path)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        found = Axe().run(page).response["violations"]
        serious = [
            (one["id"], one["nodes"][0]["html"][:200]) for one in found if one["impact"] in ("serious", "critical")
        ]
        assert serious == [], name


@pytest.mark.heavy
@pytest.mark.parametrize("width", [PHONE, TABLET, DESK])
def test_nothing_scrolls_sideways(server: ViewerServer, open_page: OpenPage, width: int) -> None:
    page = open_page(server.link(), width=width)
    for name, path in PAGES.items():
        page.goto(server.address + path)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, name
        check = page.troubles
        assert [one for one in check if "404" not in one] == [], name


@pytest.mark.heavy
def test_everything_works_by_keyboard(server: ViewerServer, open_page: OpenPage) -> None:
    page = open_page(server.link())
    keys = page.keyboard
    page.locator("input[name=run]").nth(1).wait_for()
    for _ in range(2):
        keys.press("j")
        keys.press("x")
    assert page.locator("#compare").is_enabled()
    keys.press("c")
    page.wait_for_url("**/compare**")
    keys.press("Escape")
    page.wait_for_url(f"{server.address}/")
    keys.press("/")
    keys.type("large")
    keys.press("Enter")
    page.wait_for_url("**q=large**")
    keys.press("?")
    assert page.locator("#keys[open]").count() == 1
    keys.press("Escape")
    assert page.locator("#keys[open]").count() == 0
    page.goto(f"{server.address}/run/{RUN}?status=failed")
    keys.press("e")
    page.wait_for_url("**status=error**")
    keys.press("a")
    page.wait_for_url(lambda url: "status" not in url)
    page.locator(".rows summary").first.focus()
    keys.press("Enter")
    page.locator(".rows details[open] a.go").first.focus()
    keys.press("Enter")
    page.wait_for_url("**/case/**")
    first = page.url
    keys.press("j")
    page.wait_for_url(lambda url: url != first)
    keys.press("k")
    page.wait_for_url(first)
    keys.press("Escape")
    page.wait_for_url("**/run/*")
    keys.press("g")
    keys.press("r")
    page.wait_for_url(f"{server.address}/")
    check_quiet(page)


@pytest.mark.heavy
def test_labels_go_by_keys_and_undo_goes_back_to_the_first(server: ViewerServer, open_page: OpenPage) -> None:
    page = open_page(server.link(f"/run/{RUN}/label"))
    subjects = []
    for key in ("y", "n", "d", "s", "4"):
        subjects.append(page.locator("[name=subject]").input_value())
        page.keyboard.press(key)
        page.locator(f".label:not([data-subject='{subjects[-1]}'])").wait_for()
        page.locator("main:not([aria-busy]) .seen li").nth(len(subjects) - 1).wait_for()
    assert len(set(subjects)) == 5
    for subject in reversed(subjects):
        page.keyboard.press("u")
        page.locator(f".label[data-subject='{subject}']").wait_for()
    page.keyboard.press("c")
    page.keyboard.type("y is a letter here")
    assert page.locator("#comment").input_value() == "y is a letter here"
    check_quiet(page)


@pytest.mark.heavy
def test_pages_work_without_script(server: ViewerServer, open_page: OpenPage) -> None:
    page = open_page(server.link(f"/run/{OTHER}"), java_script_enabled=False)
    page.locator("a.chip", has_text="Failed").click()
    assert "status=failed" in page.url
    page.locator("input[type=search]").fill("magic")
    page.locator("input[type=search]").press("Enter")
    assert "q=magic" in page.url
    assert page.locator(".rows li").count() > 0
    page.goto(f"{server.address}/run/{OTHER}/label")
    page.locator("button[value=right]").click()
    assert page.locator(".seen li").count() == 1
    page.locator("#undo button").click()
    assert page.locator(".seen li").count() == 0
