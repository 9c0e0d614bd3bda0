"""Languages, as langdetect 1.0.9 tells them where all its seeds agree."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ringtrue.scoring.languages import codes, identify, is_written_in
from ringtrue.scoring.languages.letters import letters_of
from ringtrue.scoring.languages.profiles import profiles

# Made with langdetect 1.0.9 and twelve seeds, which agree on each; None where it raises.
LANGUAGES = [
    ("The quick brown fox jumps over the lazy dog and runs away from the bear.", "en"),
    ("Der schnelle braune Fuchs springt über den faulen Hund und läuft weg.", "de"),
    ("El veloz zorro marrón salta sobre el perro perezoso y se escapa del oso.", "es"),
    ("Le renard brun rapide saute par-dessus le chien paresseux et s'enfuit.", "fr"),
    ("Быстрая коричневая лиса прыгает через ленивую собаку.", "ru"),
    ("यह एक हिन्दी वाक्य है और इसे समझना आसान है।", "hi"),
    ("ಇದು ಕನ್ನಡ ವಾಕ್ಯ ಮತ್ತು ಅರ್ಥಮಾಡಿಕೊಳ್ಳಲು ಸುಲಭ.", "kn"),
    ("これは日本語の文章です。とても簡単です。", "ja"),
    ("이것은 한국어 문장입니다.", "ko"),
    ("这是一个中文句子，很容易理解。", "zh-cn"),
    ("Đây là một câu tiếng Việt rất dễ hiểu và ngắn gọn.", "vi"),
    ("هذه جملة عربية سهلة الفهم للغاية", "ar"),
    ("یہ ایک اردو جملہ ہے اور اسے سمجھنا آسان ہے", "ur"),
    ("זה משפט בעברית קל להבנה", "he"),
    ("Hii ni sentensi ya Kiswahili na ni rahisi kuelewa.", "sw"),
    ("Tämä on suomenkielinen lause ja se on helppo ymmärtää.", "fi"),
    (
        "THIS IS A LONG ENGLISH SENTENCE THAT IS WRITTEN IN CAPITAL LETTERS BY THE MODEL BECAUSE IT WAS ASKED TO.",
        "en",
    ),
    ("12345 !!! ...", None),
    ("😀😀", None),
    ("http://example.com/this-is-english someone@example.com", None),
    ("see http://example.com/abc/def für weitere Informationen über das Thema", "de"),
]


@pytest.mark.parametrize(("text", "code"), LANGUAGES)
def test_identifies_as_langdetect(text: str, code: str | None) -> None:
    assert identify(text) == code


@pytest.mark.parametrize(("text", "code"), LANGUAGES)
def test_is_written_in_no_other(text: str, code: str | None) -> None:
    """A text is in the language that is identified, and in no other."""
    answers = {other: is_written_in(text, other) for other in codes()}
    assert answers == {other: None if code is None else other == code for other in codes()}


@pytest.mark.parametrize("repeats", [1, 5, 40])
def test_length_does_not_matter(repeats: int) -> None:
    """Long texts are decided by trials, short ones without; the answer is the same."""
    for text, code in LANGUAGES:
        assert identify(" ".join([text] * repeats)) == code


def test_letters() -> None:
    """Addresses, digits and marks are spaces; accents join their letters; another script drops Latin letters."""
    assert letters_of("Mail me@example.com, or https://a.b/c?d=1 2x!") == "Mail or x "
    assert letters_of("Vie\u0323t Â\u0301i") == "Vi\u1ec3t \u1ec3i"
    assert letters_of("日本語 is ひらがな") == "日本語 ああああ".replace(
        "日本語", "日本語".translate(profiles().normal)
    )
    assert letters_of("«a»\u00a0b – “c”") == "a b c "


def test_only_the_first_ten_thousand_characters_count() -> None:
    """As langdetect, but addresses are taken out before the cut."""
    german = " und das ist ein deutscher Satz über die Sprache" * 50
    assert identify("x " * 5_000 + german) == identify("x " * 5_000)
    assert identify("http://example.com/page " * 2_000 + german) == "de"


def test_wide_characters_are_not_taken_for_others() -> None:
    """A character of more than sixteen bits is in no profile, whatever stands before it."""
    assert identify("\U00020061" * 20) is None
    assert profiles().uses("d\U00020061") == profiles().uses("\U0001f600")


@settings(deadline=None, max_examples=50)
@given(st.text())
def test_any_text_has_an_answer(text: str) -> None:
    """The answer is a known code or None, and the same again."""
    answer = identify(text)
    assert answer is None or answer in codes()
    assert identify(text) == answer
