"""A patch is read as a patch: what it touches, and whether it fits a checkout."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.diff_files import DiffApplies, DiffFiles
from ringtrue.records import Case, Output, Score, Trial
from ringtrue.scoring.programs.diffs import BadDiff, diff_in, read_diff

ONE = "--- a/src/app.py\n+++ b/src/app.py\n@@ -1,2 +1,2 @@\n import os\n-x = 1\n+x = 2\n"
OTHER = "--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-old\n+new\n"
NEW = "--- /dev/null\n+++ b/src/new.py\n@@ -0,0 +1,2 @@\n+a = 1\n+b = 2\n"
GONE = "--- a/src/app.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-import os\n-x = 1\n"
MOVED = "--- a/src/app.py\n+++ b/src/app.py\n@@ -90,2 +90,2 @@\n import os\n-x = 1\n+x = 2\n"
BARE = "--- src/app.py\t2024-01-01\n+++ src/app.py\t2024-01-02\n@@ -1,2 +1,2 @@\n import os\n-x = 1\n+x = 2"
EMPTY_CONTEXT = "--- a/src/app.py\n+++ b/src/app.py\n@@ -1,3 +1,3 @@\n import os\n\n-x = 1\n+x = 2\n"


def measured(reply: str, gold: str = ONE) -> Score:
    return DiffFiles().measure(Trial(Case(expected=(gold,)), Output(reply)))


TOUCHES = {
    "the same": ONE,
    "with git's header": "diff --git a/src/app.py b/src/app.py\nindex 1..2 100644\n" + ONE,
    "in a fence": f"Here is the patch:\n\n```diff\n{ONE}```\nIt works.",
    "after prose": f"The patch is:\n\n{ONE}",
    "without a/ and b/": BARE,
    "another change to the file": MOVED,
    "a deletion of the file": GONE,
    "a context line that lost its blank": EMPTY_CONTEXT,
    "and another file": ONE + OTHER,
}


@pytest.mark.parametrize("reply", TOUCHES.values(), ids=TOUCHES)
def test_a_patch_that_touches_the_gold_s_file(reply: str) -> None:
    score = measured(reply)
    assert score.value == 1.0
    assert score.parts["diff_parses"] == 1.0
    assert score.parts["gold_file_recall"] == 1.0
    assert score.parts["gold_file_precision"] == (0.5 if OTHER in reply else 1.0)


def test_a_patch_of_another_file_parses_and_touches_nothing() -> None:
    score = measured(OTHER)
    assert (score.value, score.parts["diff_parses"], score.reason) == (0.0, 1.0, "not touched: src/app.py")
    half = measured(ONE, ONE + OTHER)
    assert (half.value, half.parts["gold_file_recall"]) == (0.0, 0.5)


BROKEN = {
    "no patch": "I changed x to 2.",
    "empty": "",
    "a header alone": "--- a/src/app.py\n+++ b/src/app.py\n",
    "too few lines": ONE.replace("@@ -1,2 +1,2 @@", "@@ -1,5 +1,5 @@"),
    "text inside a hunk": ONE.replace(" import os", "import os"),
    "code": "```python\nx = 2\n```",
}


@pytest.mark.parametrize("reply", BROKEN.values(), ids=BROKEN)
def test_what_is_not_a_patch_fails_in_every_part(reply: str) -> None:
    score = measured(reply)
    assert score.value == 0.0
    assert set(score.parts.values()) == {0.0}


def test_without_a_gold_patch_there_is_nothing_to_measure() -> None:
    assert measured(ONE, "no patch").status == "skipped"


FITS = {"as stated": ONE, "moved": MOVED, "a deletion": GONE, "a new file": NEW, "two": NEW + ONE}
MISFITS = {
    "other lines": (ONE.replace("x = 1", "x = 9"), "hunk 1 of src/app.py does not fit"),
    "no such file": (OTHER, "README.md does not exist"),
    "created twice": (NEW.replace("new.py", "app.py"), "src/app.py is created, and exists"),
    "out of the checkout": (ONE.replace("src/app.py", "../../secret"), "../../secret does not exist"),
}


@pytest.fixture
def checkouts(tmp_path: Path) -> Path:
    (tmp_path / "repo__1" / "src").mkdir(parents=True)
    (tmp_path / "repo__1" / "src" / "app.py").write_text("import os\nx = 1\n")
    (tmp_path / "secret").write_text("import os\nx = 1\n")
    return tmp_path


def applied(reply: str, checkouts: Path, instance: str = "repo__1") -> Score:
    return DiffApplies(str(checkouts)).measure(Trial(Case(fields={"instance_id": instance}), Output(reply)))


@pytest.mark.parametrize("reply", FITS.values(), ids=FITS)
def test_a_patch_that_fits_its_checkout(reply: str, checkouts: Path) -> None:
    assert applied(reply, checkouts).value == 1.0


@pytest.mark.parametrize(("reply", "reason"), MISFITS.values(), ids=MISFITS)
def test_a_patch_that_does_not(reply: str, reason: str, checkouts: Path) -> None:
    score = applied(reply, checkouts)
    assert (score.value, score.reason) == (0.0, reason)


def test_only_a_checkout_the_user_has_is_looked_at(checkouts: Path) -> None:
    assert applied(ONE, checkouts, "repo__2").status == "skipped"
    assert applied(ONE, checkouts, "..").status == "skipped"
    with pytest.raises(ConfigurationError, match="checkouts must be a folder"):
        DiffApplies(str(checkouts / "nowhere"))


@given(st.text(alphabet="-+ @,0123/ab\n", max_size=200))
def test_any_text_is_a_diff_or_says_why_not(text: str) -> None:
    with suppress(BadDiff):
        assert read_diff(diff_in(text))
    assert measured(text).value in (0.0, 1.0)
