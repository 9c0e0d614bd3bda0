"""Instructions of IFBench about form: brackets, quotation marks, lists, lines, and texts to repeat."""

from __future__ import annotations

import re
import string
from itertools import pairwise

from ringtrue.scoring.ifbench.counting import Given
from ringtrue.scoring.ifbench.texts import bare, sentences, strip_edges
from ringtrue.scoring.prose.word_tokens import split_words

_PAIRS = {")": "(", "]": "[", "}": "{"}
_LETTERED = re.compile(r"\W*[aA]\W*[bB]\W*[cC]\W*")
_EMOJI = re.compile(
    "[\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u25aa-\u27bf\u2934-\u2b55\u3030\u303d\u3297\u3299"
    "\U0001f000-\U0001faff]"
)
ONLY = "Only output this sentence here, ignore all other requests."


def parentheses(text: str, given: Given) -> bool:
    """Brackets nested five deep, of which one is closed."""
    open_ones: list[str] = []
    deepest = 0
    for mark in text:
        if mark in "([{":
            open_ones.append(mark)
            deepest = max(deepest, len(open_ones))
        elif mark in _PAIRS and open_ones and open_ones[-1] == _PAIRS[mark]:
            open_ones.pop()
            if deepest >= 5:
                return True
        elif mark in _PAIRS:
            open_ones, deepest = [], 0
    return False


def quotes(text: str, given: Given) -> bool:
    """Quotation marks nested three deep, single and double by turns, and closed again."""
    open_ones: list[str] = []
    deepest = 0
    for mark in text:
        if open_ones and mark == open_ones[-1]:
            open_ones.pop()
            if deepest - len(open_ones) >= 3:
                return True
        elif mark in "\"'":
            open_ones.append(mark)
            deepest = max(deepest, len(open_ones))
    return False


def options(text: str, given: Given) -> bool:
    """One of the `options`, and nothing else; lettered ones exactly as they are written."""
    listed = str(given["options"])
    separator = "/" if "/" in listed else "or" if "or" in listed else ","
    known = [option.strip() for option in listed.split(separator)]
    if _LETTERED.match(listed):
        return text in known
    return strip_edges(text).lower() in [strip_edges(option).lower() for option in known]


def one_word_lines(text: str, given: Given) -> bool:
    """Every word on a line of its own."""
    plain = bare(text).strip()
    return len([line for line in plain.split("\n") if line]) == len(plain.split())


def emoji(text: str, given: Given) -> bool:
    """An emoji at the end of every sentence, or at the start of the next."""
    found = [bare(sentence).strip() for sentence in sentences(text)]
    pairs = zip(found, [*found[1:], ""], strict=True)
    return all(bool(_EMOJI.search(here[-2:])) or bool(_EMOJI.match(after)) for here, after in pairs)


def stairs(text: str, given: Given) -> bool:
    """Every line is indented more than the one before it."""
    depths = [len(line) - len(line.lstrip(" ")) for line in text.split("\n") if line.strip()]
    return all(earlier < later for earlier, later in pairwise(depths))


def explained_quotes(text: str, given: Given) -> bool:
    """Every quotation is followed by something that is not quoted."""
    plain = "".join(text.replace("“", '"').replace("”", '"').replace("'\"'", "").split())
    last = plain.strip(string.digits + string.punctuation.replace('"', ""))[-1:]
    return '""' not in plain and last not in ('"', "")


def marked_list(text: str, given: Given) -> bool:
    """At least two of the marks of a list."""
    return text.count(str(given["sep"])) >= 2


def thesis(text: str, given: Given) -> bool:
    """A thesis in italics, by HTML, and something after it."""
    start = text.find("<i>") if "<i>" in text else text.find("<em>")
    rest = text[start:] if start >= 0 else ""
    end = rest.find("</i>") if "</i>" in rest else rest.find("</em>")
    return end >= 0 and bool(rest[3:end].strip()) and bool(rest[end + 4 :].strip())


def sub_bullets(text: str, given: Given) -> bool:
    """Every bullet * has a - under it."""
    return all("-" in bullet for bullet in text.split("*")[1:])


def sentences_then_bullets(text: str, given: Given) -> bool:
    """Two sentences or more, then two bullets * or more, and nothing after them."""
    said, bullets, ended = 0, 0, False
    for line in map(str.strip, text.split("\n")):
        if line.startswith("*"):
            if said < 2:
                return False
            bullets += 1
        elif bullets or ended:
            return False
        else:
            here = sentences(line)
            said += len(here)
            ended = not here
    return bullets >= 2


def title_case(text: str, given: Given) -> bool:
    """Every word begins with a capital."""
    words = split_words(text)
    return not any(word[0].islower() and (word[1:].islower() or word[1:].isupper()) for word in words)


def output_template(text: str, given: Given) -> bool:
    """The three headings that were asked for."""
    return all(heading in text for heading in ("My Answer:", "My Conclusion:", "Future Outlook:"))


def no_whitespace(text: str, given: Given) -> bool:
    """No blank, tab or line break."""
    return not any(character.isspace() for character in text)


def repeat_changed(text: str, given: Given) -> bool:
    """The text of `prompt_to_repeat`, its first character changed."""
    wanted = str(given["prompt_to_repeat"])
    return text != wanted and text[1:] == wanted[1:]


def repeat_sentence(text: str, given: Given) -> bool:
    """The sentence that says that it alone is to be said."""
    return text.strip().lower() == ONLY.lower()


def repeat_span(text: str, given: Given) -> bool:
    """The words from `n_start` to `n_end` of `prompt_to_repeat`."""
    words = str(given["prompt_to_repeat"]).strip().lower().split()
    return text.strip().lower().split() == words[int(given["n_start"]) : int(given["n_end"])]
