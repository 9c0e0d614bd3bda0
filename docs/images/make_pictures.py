"""Makes the pictures of this folder: the report, a notebook's cell and the viewer's pages, from one run.

Run it from the repository: `.venv/bin/python docs/images/make_pictures.py`. It needs Debian's chromium and playwright.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "tests"))

from ringtrue.reports.pages.run_report import run_page  # noqa: E402
from support.browser import ARGUMENTS, DESK, PHONE, chromium_path  # noqa: E402
from support.demo_run import demo_run  # noqa: E402
from support.viewed_runs import serve  # noqa: E402

SHOTS = [
    ("report-light", "report.html", DESK, 1280, "light"),
    ("report-dark", "report.html", DESK, 1280, "dark"),
    ("report-380", "report.html", PHONE, 1600, "light"),
    ("notebook-light", "notebook.html", 900, 520, "light"),
]
"""The name of the picture, the page, how wide and how high it is, and the theme."""

VIEWS = {
    "view-runs": "/",
    "view-run": "/run/{run}",
    "view-case": "/run/{run}/case/7",
    "view-compare": "/compare?a={run}:large-70b&b={run}:large-70b%2Bsearch",
    "view-label": "/run/{run}/label",
}
"""The name of the picture, and the page of the viewer."""


def main() -> None:
    """Draw the pages of one run, and look at them."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        store = f"sqlite:///{folder}/runs.db"
        run = demo_run(store=store)
        demo_run(("gsm8k@sample",), ("large-70b", "small-8b"), store=store, name="sums")
        Path(folder, "report.html").write_text(run_page(run), "utf-8")
        head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Notebook</title>'
        Path(folder, "notebook.html").write_text(head + run._repr_html_(), "utf-8")
        browser = play.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
        for name, page_name, width, height, theme in SHOTS:
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=theme)
            page.goto(Path(folder, page_name).as_uri())
            page.screenshot(path=HERE / f"{name}.png")
        with serve(store) as server:
            page = browser.new_page(viewport={"width": DESK, "height": 760}, color_scheme="light")
            page.goto(server.link())
            for name, path in VIEWS.items():
                page.goto(server.address + path.format(run=run.id))
                if name == "view-label":
                    label_some(page)
                page.screenshot(path=HERE / f"{name}.png")
        browser.close()


def label_some(page: Any) -> None:
    """Label four answers by what was expected, so that the page shows what labels come to."""
    for _ in range(4):
        subject = page.locator("[name=subject]").input_value()
        expected, answer = page.locator(".label dd code").all_inner_texts(), page.locator(".answer").inner_text()
        page.keyboard.press("y" if any(one in answer for one in expected) else "n")
        page.locator(f".label:not([data-subject='{subject}'])").wait_for()
    page.get_by_text("of 4 answers").wait_for()


if __name__ == "__main__":
    main()
