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
_EMOJI_RANGES = (
    "A9 AE 203C 2049 2122 2139 2194-2199 21A9-21AA 231A-231B 2328 23CF 23E9-23F3 23F8-23FA 24C2 25AA-25AB 25B6 "
    "25C0 25FB-25FE 2600-2604 260E 2611 2614-2615 2618 261D 2620 2622-2623 2626 262A 262E-262F 2638-263A 2640 "
    "2642 2648-2653 265F-2660 2663 2665-2666 2668 267B 267E-267F 2692-2697 2699 269B-269C 26A0-26A1 26A7 "
    "26AA-26AB 26B0-26B1 26BD-26BE 26C4-26C5 26C8 26CE-26CF 26D1 26D3-26D4 26E9-26EA 26F0-26F5 26F7-26FA 26FD "
    "2702 2705 2708-270D 270F 2712 2714 2716 271D 2721 2728 2733-2734 2744 2747 274C 274E 2753-2755 2757 "
    "2763-2764 2795-2797 27A1 27B0 27BF 2934-2935 2B05-2B07 2B1B-2B1C 2B50 2B55 3030 303D 3297 3299 1F004 1F0CF "
    "1F170-1F171 1F17E-1F17F 1F18E 1F191-1F19A 1F201-1F202 1F21A 1F22F 1F232-1F23A 1F250-1F251 1F300-1F321 "
    "1F324-1F393 1F396-1F397 1F399-1F39B 1F39E-1F3F0 1F3F3-1F3F5 1F3F7-1F4FD 1F4FF-1F53D 1F549-1F54E 1F550-1F567 "
    "1F56F-1F570 1F573-1F57A 1F587 1F58A-1F58D 1F590 1F595-1F596 1F5A4-1F5A5 1F5A8 1F5B1-1F5B2 1F5BC 1F5C2-1F5C4 "
    "1F5D1-1F5D3 1F5DC-1F5DE 1F5E1 1F5E3 1F5E8 1F5EF 1F5F3 1F5FA-1F64F 1F680-1F6C5 1F6CB-1F6D2 1F6D5-1F6D9 "
    "1F6DC-1F6E5 1F6E9 1F6EB-1F6EC 1F6F0 1F6F3-1F6FC 1F7E0-1F7EB 1F7F0 1F90C-1F93A 1F93C-1F945 1F947-1F9FF "
    "1FA70-1FA7C 1FA80-1FAC6 1FAC8 1FACC-1FADD 1FADF-1FAEB 1FAEF-1FAFA"
)
"""The single code points that Unicode 17 lists as emoji (emoji-test.txt), as the library `emoji` 2.16.0 holds them."""

_EMOJI = re.compile(
    "[" + "".join("-".join(chr(int(end, 16)) for end in one.split("-")) for one in _EMOJI_RANGES.split()) + "]"
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
    return all(bool(here) and bool(_EMOJI.search(here[-2:]) or _EMOJI.match(after)) for here, after in pairs)


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
