"""The report of a run: the sentence first, every number with its interval, every row, and how it was made."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ringtrue import EvalCase, EvalSuite, evaluate
from ringtrue.evaluators import ExactMatch, NotEmpty
from ringtrue.records import Run
from ringtrue.reports.comparing.comparison_words import verdict_sentences
from ringtrue.reports.page import content_policy
from ringtrue.reports.pages.folded_text import fold_text
from ringtrue.reports.pages.run_report import run_page
from ringtrue.reports.verdict import compared_systems, run_verdict
from support.demo_run import demo_run
from support.page_attacks import ATTACKS


class Page(HTMLParser):
    """Reads a page as text and elements."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


@pytest.fixture(scope="module")
def run() -> Run:
    return demo_run(examples=12)


def test_the_sentence_comes_first_and_every_number_has_its_interval(run: Run) -> None:
    text = Page(run_page(run)).text
    compared = compared_systems(run)
    assert compared is not None
    sentences = [sentence for pair in compared.pairs for sentence in verdict_sentences(pair, compared.tests)]
    sentence = "".join(words.text for words in run_verdict(run, compared)).strip()
    assert sentence.count("95 % interval") == 2
    assert all(part.rstrip(".").split(": ")[-1] in " ".join(sentences) for part in sentence.split(". On "))
    text = text.replace(" : ", ": ").replace("\u00a0", " ")
    assert sentence in text
    share = run.summaries["nq@sample"]["large-70b+search"]["pass_rate"]
    assert share.interval is not None
    low, high = (f"{100 * end:.1f}" for end in share.interval)
    assert text.index(sentence) < text.index("Headline") < text.index("Pictures") < text.index("Rows, failures first")
    assert f"{low} to {high}" in text[text.index("Headline") :]
    assert text.index("nq@sample") < text.index("gsm8k")


def test_its_filters_count_rows_as_its_title_does(run: Run) -> None:
    """They counted cases, of which one may fail with several systems."""
    seen = Page(run_page(run)).text
    assert f"{len(run.rows)} rows" in seen
    assert f"All {len(run.rows)} " in seen
    failed = sum(one["pass_rate"].failed or 0 for systems in run.summaries.values() for one in systems.values())
    assert seen.count(f"{failed} failed") == 1
    assert f"Failed {failed} " in seen


def test_a_text_without_spaces_is_measured_in_characters() -> None:
    assert fold_text("w" * 3_000).size == "All 3,000 characters"
    assert fold_text("two words " * 300).size == "All 600 words"


def test_it_says_how_it_was_made(run: Run) -> None:
    text = Page(run_page(run)).text
    made = text[text.index("How these numbers were made") :]
    for one in (*run.made.evaluators, *run.made.systems):
        assert (one.signature or one.name) in made
    assert f"ringtrue {run.made.version}" in made
    assert "shares: Wilson 95 %" in made


def test_nothing_is_loaded_and_only_our_own_script_runs(run: Run) -> None:
    page = run_page(run)
    seen = Page(page)
    style = re.search(r"<style>(.*?)</style>", page, re.S)
    script = re.search(r"<script>(.*?)</script>", page, re.S)
    assert style is not None
    assert script is not None
    policy = next(attributes["content"] for tag, attributes in seen.tags if "http-equiv" in attributes)
    assert policy == content_policy(style[1], script[1])
    assert not [tag for tag, attributes in seen.tags if attributes.get("src") or "style" in attributes]
    assert all((one[1].get("href") or "#").startswith("#") for one in seen.tags)
    assert [tag for tag, _ in seen.tags].count("script") == 1


def test_failures_come_first_and_every_row_is_there_without_a_script() -> None:
    cases = [{"question": f"q{number}", "answer": "yes", "dataset": "many"} for number in range(450)]
    found = evaluate(lambda question: "no" if question == "q449" else "yes", cases, ["exact_match"],
                     progress=False, store=None)  # fmt: skip
    seen = Page(run_page(found.run))
    ids = [attributes["id"] for tag, attributes in seen.tags if tag == "li" and "data-s" in attributes]
    assert ids[0] == "c-many-449-0"
    assert len(ids) == len(set(ids)) == 450
    assert [tag for tag, _ in seen.tags].count("noscript") == 2


def test_two_systems_have_their_words_marked() -> None:
    def first(question: str) -> str:
        return "It is Paris, I think."

    def second(question: str) -> str:
        return "It is Lyon, I think."

    found = evaluate([first, second], [{"question": "Which city?", "answer": "Paris"}], ["exact_match"],
                     progress=False, store=None)  # fmt: skip
    page = run_page(found.run)
    assert "It is <del>Paris</del>, I think." in page
    assert "It is <ins>Lyon</ins>, I think." in page


def test_a_suite_shows_everything() -> None:
    def answer(question: str) -> str:
        if question == "c":
            raise RuntimeError("<down>")
        return {"a": "yes", "b": "<b>no</b>"}[question]

    cases = [EvalCase(question, expected_output="yes") for question in "abc"]
    suite = EvalSuite("<s>", model_id="m").add_cases(cases).add_evaluators(NotEmpty(), ExactMatch())
    page = suite.run(answer, verbose=False, store=None).to_html()
    text = Page(page).text
    for words in ("<s> · ringtrue", "<b>no</b>", "RuntimeError: <down>", "1 of 2 cases , 50.0 %", "model m",
                  "a case passes if every check passes", "the output is not the expected one"):  # fmt: skip
        assert words in text, words
    assert "<b>no" not in page


def test_repeats_are_rows_of_their_own() -> None:
    answers = iter(["yes", "no"])
    suite = EvalSuite("s").add_case(EvalCase("q", expected_output="yes")).add_evaluators(ExactMatch())
    text = Page(suite.run(lambda question: next(answers), verbose=False, store=None, runs=2).to_html()).text
    assert "#1 (repeat 2)" in text


def test_a_run_saves_its_page(tmp_path: Path) -> None:
    suite = EvalSuite("\ud800").add_case(EvalCase("q", expected_output="yes")).add_evaluators(ExactMatch())
    report = suite.run(lambda question: "yes", verbose=False, store=None, save_html=tmp_path / "deep" / "page.html")
    page = (tmp_path / "deep" / "page.html").read_text(encoding="utf-8")
    assert page == report.to_html()
    assert "\\ud800" in page


def test_a_run_without_a_number_says_so() -> None:
    def broken(question: str) -> str:
        raise ValueError("database is down")

    found = evaluate(broken, [{"question": "q", "answer": "a"}], ["exact_match"], progress=False, store=None)
    text = Page(run_page(found.run)).text
    assert "Nothing was measured : 1 row, 1 error. First reason: ValueError: database is down" in text
    assert "ValueError: database is down" in text


@pytest.mark.parametrize("name", ATTACKS)
def test_a_hostile_text_stays_text(name: str) -> None:
    nasty = ATTACKS[name]
    cases = [{"id": nasty, "question": nasty, "answer": nasty, "context": nasty, "dataset": nasty}]

    def answer(question: str) -> str:
        return nasty

    page = run_page(evaluate(answer, cases, [lambda case, output: 0.0], progress=False, store=None, name=nasty).run)
    page.encode()
    plain = {"question": "q", "answer": "a", "context": "c", "dataset": "d"}
    usual = run_page(evaluate(answer_plainly, [plain], [lambda case, output: 0.0], progress=False, store=None).run)
    tags = {tag for tag, _ in Page(page).tags}
    assert tags <= {tag for tag, _ in Page(usual).tags} | {"div", "details", "br"}
    assert not any(key.startswith("on") for _, attributes in Page(page).tags for key in attributes)


def answer_plainly(question: str) -> str:
    return "plain"
