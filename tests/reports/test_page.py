"""A page shows text and never obeys it, and allows nothing but its own style and script."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import pytest

from ringtrue.reports.page import content_policy, render, stylesheet
from ringtrue.reports.pages.folded_text import MOST_KEPT, fold_text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "one.html").write_text('<p title="{{ text }}">{{ text }}</p>{% import "parts.html" as parts %}'
                                       "{{ parts.long_text(text) }}{{ parts.mark('failed', text) }}")  # fmt: skip
    return tmp_path


def test_every_text_is_escaped_and_what_is_unseen_is_shown(folder: Path) -> None:
    page = render("one.html", folder, text="</p><script>\" '\x00\x1b\x7f\x85\ud800\u202e\r\nend\t&amp;")
    assert "<script" not in page
    assert 'title="&lt;/p&gt;&lt;script&gt;&#34; &#39;␀␛␡\\x85\\ud800\\u202e\nend\t&amp;amp;"' in page
    page.encode()


def test_the_policy_allows_the_one_style_and_the_one_script() -> None:
    digest = base64.b64encode(hashlib.sha256(b"run()").digest()).decode()
    policy = content_policy("p {}", "run()")
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert f"script-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy
    assert "script-src" not in content_policy("p {}")
    assert "form-action 'self'" in content_policy("", further="form-action 'self'")


def test_no_style_can_close_its_element() -> None:
    assert "</" not in stylesheet()


def test_long_texts_fold_and_say_how_long_they_are() -> None:
    assert fold_text("short").whole == ""
    lines = fold_text("\n".join(f"line {number}" for number in range(20)))
    assert lines.beginning.count("\n") == 6
    assert lines.size == "All 40 words"
    wide = fold_text("word " * 1000)
    assert len(wide.beginning) <= 900
    assert wide.whole == "word " * 1000
    assert wide.size == "All 1,000 words"
    huge = fold_text("x" * (MOST_KEPT + 5))
    assert len(huge.whole) == MOST_KEPT
    assert huge.left_out == "5 more characters in the run"
