"""Instructions of IFBench that want one particular thing: a list, a table, dates, questions."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from itertools import pairwise

from ringtrue.scoring.ifbench.counting import Given
from ringtrue.scoring.ifbench.texts import bare, sentences, strip_edges

_CAPITALS = (
    "Reykjavik Helsinki Oslo Tallinn Stockholm Riga Moscow Copenhagen Vilnius Minsk Dublin Berlin Amsterdam Warsaw "
    "London Brussels Prague Luxembourg Paris Vienna Bratislava Budapest Vaduz Chisinau Bern Ljubljana Zagreb"
)
_QUESTION = re.compile(r"\n*(?:Question \d+[.|):;]?\s*)")
_OPTION = re.compile(r"^[A-Ea-e][.|)]\s*\w+")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_SPECIAL = re.compile(r'".*[^\d\w\s].*"')
_LENGTHS = {2: 29, 4: 30, 6: 30, 9: 30, 11: 30}


def multiples(text: str, given: Given) -> bool:
    """The multiples of seven from 14 to 49, and no other number."""
    return re.findall(r"\d+", text.replace(",", ", ")) == [str(number) for number in range(14, 51, 7)]


def questions(text: str, given: Given) -> bool:
    """Four questions with five options each, every one longer than the one before it."""
    if not text.startswith("Question"):
        return False
    parts = [part.strip() for part in _QUESTION.split(text) if part.strip()]
    lengths = []
    for part in parts:
        lines = [line.strip() for line in part.split("\n")]
        marked = [place for place, line in enumerate(lines) if _OPTION.match(line)]
        if len(marked) != 5:
            return False
        lengths.append(len(" ".join(lines[: marked[0]]).strip()))
    return len(parts) == 4 and all(earlier < later for earlier, later in pairwise(lengths))


def african_countries(text: str, given: Given) -> bool:
    """Fifty-two lines or more from Zimbabwe on, in the reverse of the alphabet."""
    lines = [strip_edges(line) for line in text.split("\n") if strip_edges(line)]
    start = next((place for place, line in enumerate(lines) if "Zimbabwe" in line), None)
    found = [_ascii(line) for line in lines[start:]] if start is not None else []
    return len(found) >= 52 and found == sorted(found, reverse=True)


def reversed_words(text: str, given: Given) -> bool:
    """A bald eagle, in one sentence whose words are in reverse."""
    turned = " ".join(bare(text.lower().strip()).split()[::-1])
    return "bald eagle" in turned and turned in sentences(turned)


def reversed_characters(text: str, given: Given) -> bool:
    """A bald eagle, letter by letter in reverse."""
    return "elgae dlab" in text.lower()


def sentence_alphabet(text: str, given: Given) -> bool:
    """Twenty-six sentences, the first beginning with a, the last with z."""
    firsts = [sentence.split()[0][0].lower() if sentence.split() else "" for sentence in sentences(text)]
    return "".join(firsts) == "abcdefghijklmnopqrstuvwxyz" and len(firsts) == 26


def capitals(text: str, given: Given) -> bool:
    """The capitals of Europe north of 45 degrees, from north to south, between commas."""
    return [part.strip() for part in _ascii(text).split(",") if part.strip()] == _CAPITALS.split()


def city_table(text: str, given: Given) -> bool:
    """A CSV of seven rows under the five columns that were asked for."""
    rows = list(csv.reader(io.StringIO(text)))
    return (
        len(rows) == 8 and rows[0] == ["ID", "Country", "City", "Year", "Count"] and all(len(row) == 5 for row in rows)
    )


def special_table(text: str, given: Given) -> bool:
    """A CSV of fourteen rows, one of whose fields holds a special character between quotation marks."""
    rows = _quoted_rows(text, "ProductID Category Brand Price Stock", ",")
    if rows is None or len(rows) != 15:
        return False
    for row in rows[1:]:
        if len(row) != 5:
            return False
        if any(_SPECIAL.match(field) for field in row):
            return True
    return False


def quoted_table(text: str, given: Given) -> bool:
    """A table of three rows with tabs between the fields, every one of them in quotation marks."""
    rows = _quoted_rows(text, "StudentID Subject Grade Semester Score", "\t")
    fields = [field.strip() for row in rows or () for field in row]
    shaped = rows is not None and len(rows) == 4 and all(len(row) == 5 for row in rows)
    return shaped and all(field[:1] == '"' == field[-1:] for field in fields)


def dates(text: str, given: Given) -> bool:
    """Dates as YYYY-MM-DD between commas, of the years 1769 to 1821."""
    for date in text.strip().split(","):
        if not _DATE.fullmatch(date.strip()):
            return False
        year, month, day = map(int, date.strip().split("-"))
        if not 1769 <= year <= 1821 or month > 12 or (month and day > _LENGTHS.get(month, 31)):
            return False
    return True


def _quoted_rows(text: str, columns: str, separator: str) -> list[list[str]] | None:
    """The rows of a table under these columns, quotation marks kept in its fields."""
    named = [rf'(?:{name}|"{name}")' for name in columns.split()]
    between = rf"{separator}[ \t]*" if separator == "," else rf"{separator} *"
    if not re.fullmatch(between.join(named), text.split("\n")[0].strip()):
        return None
    return list(csv.reader(io.StringIO(text.replace('"', '"""')), delimiter=separator))


def _ascii(text: str) -> str:
    # Sign by sign: only the order of marks would differ, which are left out, and sorting long rows of them takes long.
    return "".join(unicodedata.normalize("NFKD", sign) for sign in text).encode("ascii", "ignore").decode()
