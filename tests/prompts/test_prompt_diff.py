"""Changes of prompts are told by kind, and no prompt leaves its quotation."""

from __future__ import annotations

import pytest

from ringtrue.prompts.diff import diff_markdown, diff_records
from ringtrue.prompts.fingerprint import fingerprint_text
from ringtrue.prompts.record import PromptDiff, PromptRecord


def record(line: int, text: str, *, dynamic: bool = False, inside: str = "f") -> PromptRecord:
    place = ("a.py", line, "anthropic", "messages.create", "system", -1, inside)
    return PromptRecord(*place, text, dynamic, fingerprint_text(text))


def test_changes_are_told_in_the_order_of_their_kinds() -> None:
    base = [record(1, "a"), record(2, "gone", inside="g"), record(3, "<dynamic:Name>", dynamic=True), record(4, "same")]
    head = [record(1, "b"), record(3, "<dynamic:Call>", dynamic=True), record(4, "same"), record(5, "new", inside="h")]
    found = diff_records(base, head)
    assert [diff.change_type for diff in found] == ["modified", "added", "removed", "dynamic"]
    assert [(diff.file_path, diff.role, diff.sdk) for diff in found[:1]] == [("a.py", "system", "anthropic")]


@pytest.mark.parametrize(
    ("base", "head", "told"),
    [
        pytest.param([record(1, "a")], [record(2, "a")], [], id="a line above"),
        pytest.param([record(1, "a")], [record(9, "b")], [("modified", "a.py:9:anthropic.system")], id="and edited"),
        pytest.param(
            [record(1, "a"), record(5, "b", inside="g")],
            [record(5, "a"), record(9, "b", inside="g")],
            [],
            id="onto the line of another",
        ),
        pytest.param([record(1, "a")], [record(1, "a", inside="renamed")], [], id="a renamed function"),
    ],
)
def test_a_prompt_that_moved_is_the_same(
    base: list[PromptRecord], head: list[PromptRecord], told: list[tuple[str, str]]
) -> None:
    assert [(diff.change_type, diff.call_site_id) for diff in diff_records(base, head)] == told


def test_two_prompts_at_one_place_are_two() -> None:
    found = diff_records([record(1, "a"), record(1, "b")], [record(1, "a"), record(1, "c"), record(1, "d")])
    assert [(diff.change_type, diff.after and diff.after.text) for diff in found] == [("modified", "c"), ("added", "d")]
    with pytest.raises(ValueError, match="neither"):
        _ = PromptDiff("a.py:1", "added", None, None).role


def test_a_prompt_cannot_leave_its_quotation() -> None:
    text = "a\n```\n# heading <script>\n````` \x1b[31m"
    page = diff_markdown(diff_records([], [record(1, text)]), dynamic_unscanned_count=2)
    fence = "`" * 6
    inside = page.partition(f"{fence}text\n")[2].partition(f"\n{fence}\n")[0]
    assert inside.startswith("a\n```\n# heading")
    assert "\x1b" not in page
    assert "1 added" in page
    assert "2 prompt source" in page


@pytest.mark.parametrize("text", ["x" * 1_000, "\n".join("abcdefghij")])
def test_a_long_prompt_is_cut_and_says_so(text: str) -> None:
    page = diff_markdown(diff_records([], [record(1, text)]))
    assert text not in page
    assert "truncated" in page
