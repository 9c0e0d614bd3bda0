"""The tokenizers split as sacreBLEU 2.6.0 does; its own output is the table."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ringtrue.scoring.overlap.tokenizers import _SYMBOLS, TOKENIZERS, _in_passes, forget, tokens_of


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        pytest.param(text, name, expected, id=f"{name}-{text!a}")
        for text, split in [
            ("1..5", {"13a": "1 . . 5", "intl": "1 . . 5", "zh": "1 . . 5"}),
            ("a..5", {"13a": "a . .5", "intl": "a . .5", "zh": "a . .5"}),
            ("1...5 2,,3", {"13a": "1 . . .5 2 , , 3", "intl": "1 . . .5 2 , , 3"}),
            ("3.14, 1,000.5.", {"13a": "3.14 , 1,000.5 .", "intl": "3.14 , 1,000.5.", "zh": "3.14 , 1,000.5."}),
            ("1-2 a-1 5--3", {"13a": "1 - 2 a-1 5 - -3", "intl": "1-2 a - 1 5 - - 3", "zh": "1 - 2 a-1 5 - -3"}),
            ("&quot;x&quot; &amp;lt; 5%", {"13a": '" x " < 5 %', "intl": "& quot ; x & quot ; & amp ; lt ; 5%"}),
            ("end-\nof-line\nx", {"13a": "endof-line x", "intl": "end - of - line x", "zh": "end- of-line x"}),
            ("end-\n", {"13a": "end-", "intl": "end -"}),
            ("<skipped>It's 5pm.", {"13a": "It's 5pm .", "zh": "< skipped > It's 5pm ."}),
            ("don't (stop)!", {"13a": "don't ( stop ) !", "intl": "don ' t ( stop ) !"}),
            ("$5.00/kg", {"13a": "$ 5.00 / kg", "intl": "$ 5.00 / kg", "zh": "$ 5.00 / kg"}),
            ("2016. ", {"13a": "2016 .", "intl": "2016.", "zh": "2016."}),
            (".5", {"13a": ". 5", "intl": ".5", "zh": ".5"}),
            ("“quoted” – 3 €", {"13a": "“quoted” – 3 €", "intl": "“ quoted ” – 3 €", "zh": "“ quoted ” – 3 €"}),
            ("中文abc，2.5。", {"13a": "中文abc，2.5。", "intl": "中文abc ， 2.5。", "zh": "中 文 abc ， 2.5 。"}),
            ("𠀀𠀁", {"13a": "𠀀𠀁", "zh": "𠀀𠀁"}),
            ("٣.٤", {"13a": "٣ . ٤", "intl": "٣.٤", "zh": "٣ . ٤"}),
            ("a\u00a0b 中", {"none": "a b 中", "char": "a b 中"}),
            ("a.b c", {"none": "a.b c", "char": "a . b c"}),
            ("", {"13a": "", "intl": "", "zh": "", "char": "", "none": ""}),
        ]
        for name, expected in split.items()
    ],
)
def test_table(text: str, name: str, expected: str) -> None:
    assert TOKENIZERS[name](text) == expected.split()


@given(st.text(st.sampled_from("ab1 .,-'$&/\n\t12é"), max_size=30))
@example("1.2-3,a.")
def test_the_short_cuts_of_13a_change_nothing(text: str) -> None:
    """The passes of the script, on everything, give what the quick ways give."""
    line = text.rstrip().replace("-\n", "")
    for symbol in _SYMBOLS:
        line = line.replace(symbol, f" {symbol} ")
    assert TOKENIZERS["13a"](text) == _in_passes(f" {line} ")


@given(st.text())
@pytest.mark.parametrize("name", TOKENIZERS)
def test_no_token_is_blank_and_nothing_raises(name: str, text: str) -> None:
    assert all(token.split() == [token] for token in TOKENIZERS[name](text))


@pytest.mark.parametrize("text", ["a b. 1.5", "xy " * 300])
def test_what_is_remembered_is_what_would_be_split(text: str) -> None:
    forget()
    assert [list(tokens_of(text, name)) for name in TOKENIZERS] == [split(text) for split in TOKENIZERS.values()]
    assert tokens_of(text, "13a") == tokens_of(text, "13a") != tokens_of(text, "char")
