"""A copy to share: every link leads to a file of it, and files of rows are runs like any other."""

from __future__ import annotations

import os
import re
from html import unescape
from pathlib import Path

import pytest

from ringtrue.errors import AbsentFile, ConfigurationError, StoreError
from ringtrue.store.human_labels import HumanLabel
from ringtrue.viewer.bundle import write_bundle
from ringtrue.viewer.library import Library
from support.command import ringtrue
from support.viewed_runs import HOSTILE, RUN, keep_runs


def test_every_link_of_a_copy_leads_to_a_page_of_it(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'v.db'}"
    keep_runs(url)
    with Library((RUN, HOSTILE), url) as library:
        assert write_bundle(library, tmp_path / "copy") == len(list((tmp_path / "copy").iterdir()))
    pages = {path.name: path.read_text("utf-8") for path in (tmp_path / "copy").iterdir()}
    assert {"index.html", f"run-{RUN}.html", f"run-{RUN}-failed.html", f"case-{RUN}-0.html"} <= set(pages)
    assert any(name.startswith("compare-") for name in pages)
    for name, text in pages.items():
        assert 'http-equiv="Content-Security-Policy"' in text, name
        assert "<form" not in text.replace('<form method="dialog"', ""), name
        for link in re.findall(r'href="([^"]*)"', text.split("</style>")[1]):
            target = unescape(link).partition("#")[0]
            assert target == "" or target in pages, (name, link)


def test_a_copy_is_not_written_over_anything(tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / "mine.txt").write_text("x")
    keep_runs(f"sqlite:///{tmp_path / 'v.db'}")
    with (
        Library((RUN,), f"sqlite:///{tmp_path / 'v.db'}") as library,
        pytest.raises(ConfigurationError, match="not an empty folder"),
    ):
        write_bundle(library, tmp_path / "copy")


def test_runs_of_a_store_that_cannot_be_changed_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages need indexes, which such a store may not have."""
    file = tmp_path / "v.db"
    keep_runs(f"sqlite:///{file}")
    content = file.read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(os, "access", lambda *_: False)
        with Library((RUN,), f"sqlite:///{file}") as library:
            assert write_bundle(library, tmp_path / "copy") > 3
            with pytest.raises(StoreError, match="readonly"):
                library.labels().add(HumanLabel("s", "right", run=RUN))
    assert file.read_bytes() == content


def test_a_file_of_rows_is_a_run(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    ringtrue("score", "nq@sample", "-e", "answer_quality", "--limit", "5", "-o", str(rows), "-q", cwd=tmp_path)
    found = ringtrue("view", str(rows), "--bundle", "copy", cwd=tmp_path)
    assert found.stdout.strip() == "copy/index.html"
    assert "rows.jsonl" in (tmp_path / "copy" / "index.html").read_text("utf-8")
    assert not (tmp_path / ".ringtrue").exists()


@pytest.mark.parametrize(("name", "error"), [("nobody", ConfigurationError), ("none.jsonl", AbsentFile)])
def test_a_run_that_is_not_there_is_named(tmp_path: Path, name: str, error: type[Exception]) -> None:
    with pytest.raises(error, match=name.partition(".")[0]):
        Library((name,), f"sqlite:///{tmp_path / 'v.db'}")
