"""Makes the pictures of this folder: the report and a notebook's cell in both themes, on a desk and on a phone.

Run it from the repository: `.venv/bin/python docs/images/make_pictures.py`. It needs Debian's chromium and playwright.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "tests"))

from ringtrue.reports.pages.run_report import run_page  # noqa: E402
from support.browser import ARGUMENTS, DESK, PHONE, chromium_path  # noqa: E402
from support.demo_run import demo_run  # noqa: E402

SHOTS = [
    ("report-light", "report.html", DESK, 1280, "light"),
    ("report-dark", "report.html", DESK, 1280, "dark"),
    ("report-380", "report.html", PHONE, 1600, "light"),
    ("notebook-light", "notebook.html", 900, 520, "light"),
]
"""The name of the picture, the page, how wide and how high it is, and the theme."""


def main() -> None:
    """Draw the pages of one run, and look at them."""
    from playwright.sync_api import sync_playwright

    run = demo_run()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        Path(folder, "report.html").write_text(run_page(run), "utf-8")
        head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Notebook</title>'
        Path(folder, "notebook.html").write_text(head + run._repr_html_(), "utf-8")
        browser = play.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
        for name, page_name, width, height, theme in SHOTS:
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=theme)
            page.goto(Path(folder, page_name).as_uri())
            page.screenshot(path=HERE / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
