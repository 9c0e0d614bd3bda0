"""Languages, as langdetect 1.0.9 detects them where all its seeds agree."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ringtrue.scoring.languages import codes, is_written_in
from ringtrue.scoring.languages.letters import has_two_scripts, letters_of
from ringtrue.scoring.languages.odds import gram_logarithms, logarithms, logarithms_of_capitals
from ringtrue.scoring.languages.profiles import profiles
from support.golden import golden

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
    ("52. ZACH\n90. LUCY\n100. VICTOR\n26. ZACHARY", "lv"),
    (
        """8. SELF-AWARENESS: RECOGNIZING ONE'S OWN STRENGTHS, WEAKNESSES, AND EMOTIONS.
        10. OPTIMISM: MAINTAINING A POSITIVE ATTITUDE AND BELIEVING IN ONE'S ABILITY TO SUCCEED.
        4. SKILLS: MASTERING NECESSARY ABILITIES TO EXCEL IN A PARTICULAR FIELD.""",
        "de",
    ),
    # Latin languages are ahead in the sum, but no one of them far enough to end a trial before Korean does.
    ("방법론 관리자들이 입니다 hotel video metro 방법론 입니다 좋다 함께 날씨가 오늘", "ko"),
    ("소프트웨어 오늘 data 입니다 studio 오늘 개발자와 날씨가", "ko"),
    ("12345 !!! ...", None),
    ("😀😀", None),
    ("http://example.com/this-is-english someone@example.com", None),
    ("see http://example.com/abc/def für weitere Informationen über das Thema", "de"),
]


def identify(text: str) -> str | None:
    """The one language a text is written in; None where that is unknown, whichever is asked for."""
    answers = {code: is_written_in(text, code) for code in codes()}
    if None in answers.values():
        assert set(answers.values()) == {None}
        return None
    (code,) = (code for code, answer in answers.items() if answer)
    return code


@pytest.mark.parametrize(("text", "code"), LANGUAGES)
def test_identifies_as_langdetect(text: str, code: str | None) -> None:
    """A text is in the language that langdetect detects, and in no other."""
    assert identify(text) == code


@pytest.mark.parametrize("repeats", [1, 5, 40])
def test_length_does_not_matter(repeats: int) -> None:
    """Long texts are decided by samples, short ones are read to the end; the answer is the same."""
    for text, code in LANGUAGES:
        assert identify(" ".join([text] * repeats)) == code


def test_samples_say_what_all_letters_say() -> None:
    """On the golden responses no sample contradicts the sum over all n-grams of a text."""
    long = 0
    for row in golden("ifeval"):
        letters = letters_of(row["input"]["response"] or "")
        if len(letters) < 200 or has_two_scripts(letters):
            continue
        long += 1
        numbers = profiles().unpack(logarithms(letters))
        foremost = codes()[numbers.index(max(numbers))]
        assert is_written_in(row["input"]["response"], foremost)
        assert is_written_in(row["input"]["response"], "en") == (foremost == "en")
    assert long > 2_000


def test_letters() -> None:
    """Addresses are spaces; accents join their letters; in a text of another script Latin letters are dropped."""
    assert letters_of("Mail me@example.com, or https://a.b/c?d=1 2x!").split() == ["Mail", "or", "x"]
    assert letters_of("Vie\u0323t Â\u0301i") == "Vi\u1eb9t \u1ea4i"
    assert letters_of("日本語 is ひらがな") == "日本語  ひらがな"
    assert letters_of("日本 is ひらがな plain") == "日本 is ひらがな plain"
    assert letters_of("\U00020000" * 5 + "ab") == "\U00020000" * 5


def test_what_the_profiles_do_not_tell_apart() -> None:
    """Marks and digits are spaces, more spaces are one, and a group of characters is as its first."""
    assert logarithms("«a»\u00a0b – “c” 2\n\n") == logarithms("a b c ")
    assert logarithms("日本語 ひらがな") == logarithms("日本語 ああああ".translate(profiles().normal))


def counted(letters: str) -> list[str]:
    """The n-grams that langdetect's reader takes of a text, letter by letter."""
    taken, kept, in_capitals = [], " ", False
    for letter in letters.translate(profiles().normal):
        before = kept[-1]
        if before == " ":
            kept, in_capitals = " ", False
            if letter == " ":
                continue
        kept = (kept + letter)[-3:]
        in_capitals = (in_capitals or before.isupper()) if letter.isupper() else False
        if not in_capitals:
            # Its buffer holds the space before a word but no letter of the word before.
            taken += [kept[-size:] for size in (1, 2, 3) if size <= len(kept) and kept[-size:] != " "]
    return taken


@settings(deadline=None, max_examples=200)
@given(st.text(st.sampled_from("aB cDé ş, \n日のxпр가é'Q1"), max_size=40))
def test_all_n_grams_are_summed(letters: str) -> None:
    """The sum over windows is the sum over the n-grams one by one, and over those langdetect's reader takes."""
    grams = gram_logarithms(letters)
    assert logarithms(letters) == sum(grams) == sum(map(profiles().pack, counted(letters)))


@settings(deadline=None, max_examples=200)
@given(st.text(st.sampled_from("THE QUICK  JX"), max_size=60))
def test_ends_of_words_in_capitals_are_enough(letters: str) -> None:
    """For Latin capitals the sum over the ends of words is the sum over all n-grams."""
    assert logarithms_of_capitals(letters) == logarithms(letters)


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=60), st.integers(1, 7))
def test_samples_share_out_all_n_grams(letters: str, step: int) -> None:
    """The samples that start at each letter of a step hold together all n-grams."""
    assert sum(logarithms(letters, start, step) for start in range(step)) == logarithms(letters)


def test_only_the_first_ten_thousand_characters_count() -> None:
    """As langdetect, but addresses are taken out before the cut."""
    german = " und das ist ein deutscher Satz über die Sprache" * 50
    assert identify("x " * 5_000 + german) == identify("x " * 5_000)
    assert identify("http://example.com/page " * 2_000 + german) == "de"


def test_wide_characters_are_not_taken_for_others() -> None:
    """A character of more than sixteen bits is in no profile, whatever comes before it."""
    assert identify("\U00020061" * 20) is None
    assert profiles().pack("d\U00020061") == profiles().pack("\U0001f600") == 0


@settings(deadline=None, max_examples=50)
@given(st.text())
def test_any_text_has_an_answer(text: str) -> None:
    """The answer is one known code or None, and the same again."""
    assert identify(text) == identify(text)
