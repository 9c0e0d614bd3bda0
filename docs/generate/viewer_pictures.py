"""The pictures of the viewer in the docs: `python docs/generate/viewer_pictures.py` takes them in Chromium."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from playwright.sync_api import sync_playwright  # noqa: E402

from support.browser import ARGUMENTS, chromium_path  # noqa: E402
from support.demo_run import demo_run  # noqa: E402
from support.viewed_runs import RUN, keep_runs, serve  # noqa: E402

WIDTH, HEIGHT = 1280, 760


def take(folder: Path) -> None:
    """Take a picture of each page."""
    with tempfile.TemporaryDirectory() as place:
        url = f"sqlite:///{place}/pictures.db"
        keep_runs(url)
        alone = [demo_run(("nq@sample",), (name,), 60, url).id for name in ("small-8b", "large-70b")]
        whole = demo_run(store=url).id
        pair = f"/compare?a={whole}:large-70b&b={whole}:large-70b%2Bsearch"
        pages = {"run": f"/run/{whole}", "case": f"/run/{RUN}/case/4", "compare": pair, "label": f"/run/{whole}/label"}
        with serve(url, whole, *alone, RUN) as server, sync_playwright() as play:
            browser = play.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
            with serve(url, whole, *alone) as few:
                page.goto(few.link())
                page.screenshot(path=folder / "view-runs.png")
            page.goto(server.link())
            for name, path in pages.items():
                page.goto(server.address + path)
                if name == "label":
                    for key in "ynyyn":
                        page.keyboard.press(key)
                        page.wait_for_timeout(500)
                page.screenshot(path=folder / f"view-{name}.png")
            browser.close()


if __name__ == "__main__":
    take(ROOT / "docs" / "images")
