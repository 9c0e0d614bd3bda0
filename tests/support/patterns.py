"""Regular expressions of `re`, made by hypothesis, over letters on which engines are known to disagree."""

from __future__ import annotations

import re

from hypothesis import strategies as st

ALPHABET = "abkKsSiI_1 \n-:[]" + "ſKİıßµς½²\u0301\x1c\u2028ǅ"
_LITERALS = [*"abkKsi1 _:", r"\n", r"\.", r"\[", r"\]", "ſ", "K", "İ", "ı", "µ", "ς", "ǅ", r"\x1c", "{e<=1}", "{,1}"]
_CLASSES = [r"\d", r"\w", r"\s", r"\D", r"\W", r"\S", ".", "[a-s]", "[^a-k]", r"[\w-]", r"[^\W_]", r"[\s\d]", "[K-ſ]"]
_CLASSES += ["[^ki]", "[A-Z]", r"[\W]", r"[^\S]", "[ı]", "[İa]", "[[:alpha:]]", "[a&&b]", "[a--b]", "[[a]"]
_POSITIONS = ["^", "$", r"\b", r"\B", r"\A", r"\Z"]
_COUNTS = ["*", "+", "?", "{2}", "{1,2}", "{0,3}", "{2,}", "{0}"]
_OPENINGS = ["(", "(?:", "(?>", "(?=", "(?!", "(?i:", "(?-i:", "(?s:", "(?m:", "(?a:", "(?u:"]

FLAGS = st.sampled_from([0, re.I, re.I | re.A, re.M, re.S, re.I | re.M | re.S, re.A])


def _sequences(items: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(items, max_size=3).map("".join)


def _larger(patterns: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    branches = st.lists(_sequences(patterns), min_size=1, max_size=3).map("|".join)
    groups = st.builds("{}{})".format, st.sampled_from(_OPENINGS), branches)
    return groups | st.builds("{}{}{}".format, groups, st.sampled_from(_COUNTS), st.sampled_from(["", "?", "+"]))


_ITEMS = st.sampled_from(_LITERALS + _CLASSES)
_LEAVES = (
    _ITEMS
    | st.sampled_from(_POSITIONS)
    | st.builds("{}{}{}".format, _ITEMS, st.sampled_from(_COUNTS), st.sampled_from(["", "?", "+"]))
    | st.builds("{}{})".format, st.sampled_from(["(?<=", "(?<!"]), _ITEMS)
)
PATTERNS = st.lists(st.recursive(_LEAVES, _larger, max_leaves=8), min_size=1, max_size=4).map("".join)
TEXTS = st.text(ALPHABET, max_size=8)
