"""A reply is a yes or a no where it commits to one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.scoring.yes_no import yes_or_no
from support.hostile import LARGE, SMALL

REPLIES: list[tuple[str, bool | None]] = [
    ("Yes", True),
    ("no", False),
    ("YES!", True),
    ("'No'", False),
    ("**Yes**", True),
    ("_No_.", False),
    ("Yes: it names the capital.", True),
    ("No — nothing of that is said.", False),
    ("No. It is supported by another source.", False),
    ("Yes\n\nIt does not contradict the source.", True),
    ("<think>Is it? No, rather not.</think>\nYes", True),
    ("Answer: no", False),
    ("My verdict: **Yes**.", True),
    ("The answer is yes.", True),
    ("I think the answer is no.", False),
    ("The source says so in its first line.\nFinal answer: Yes", True),
    ("", None),
    ("\u200b", None),
    ("Perhaps", None),
    ("Yes or no, who knows", None),
    ("No and yes.", None),
    ("Neither yes nor no", None),
    ("Nothing of the kind", None),
    ("Yesterday it was", None),
    ("Not quite", None),
    ("I would not say yes.", None),
    ("There is no source for it.", None),
    ("I do not think the answer is yes.", None),
    ("The word no stands in its title.", None),
    ('{"answer": true}', None),
    ("True", None),
]


@pytest.mark.parametrize(("reply", "answer"), REPLIES, ids=[repr(reply)[:40] for reply, _ in REPLIES])
def test_replies(reply: str, answer: bool | None) -> None:
    assert yes_or_no(reply) is answer


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    assert yes_or_no(text) in (True, False, None)
    assert yes_or_no(f"Yes. {text}") in (True, None)


HOSTILE = {name: text for name, text in (SMALL | LARGE).items() if isinstance(text, str)}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_read(name: str) -> None:
    yes_or_no(HOSTILE[name])
    assert yes_or_no(f"Let us see. {HOSTILE[name]}.\nFinal answer: no") is False
