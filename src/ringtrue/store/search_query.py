"""`SearchQuery`: a search in the language of the database, which answers it row by row."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple
from unicodedata import normalize

from ringtrue.identity import digest
from ringtrue.records import RowFilter
from ringtrue.store.database import Database

LONGEST_PREFIX, MOST_COMPLETIONS = 3, 100
"""Beginnings of at most this many letters have an index of their own; longer ones are looked up among the words."""
_VOCABULARY = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.row_vocabulary USING fts5vocab('main', 'row_words', 'instance')"
_NEXT_WORD = "SELECT term FROM temp.row_vocabulary WHERE term >= ? LIMIT 1"
_WORD = re.compile(r"[^\W_]+")
_ACCENTS = re.compile("[\u0300-\u036f]")
_WITHOUT_SPACES = re.compile("([\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])")
"""Letters of scripts that set no spaces between words: each is a word of its own."""


class SearchQuery(NamedTuple):
    """A search, and what of it has no beginning of a word; nothing where the database needs no help with one."""

    whole: str
    exact: str = ""


def search_query(database: Database, words: Sequence[str], wanted: RowFilter) -> SearchQuery:
    """The condition that a row holds all words, the last one at least as a beginning, and matches the rest.

    Every word is quoted, none is an operator.
    """
    *others, last = words
    facets = facets_of(wanted.status, wanted.system, wanted.dataset)
    if database.engine.dialect.name == "postgresql":
        exact = " & ".join([*(f"'{word}':A" for word in others), *(f"'{facet}':B" for facet in facets)])
        beginning = f"'{last}':{ending_of(last)}A"
        return SearchQuery(f"{beginning} & {exact}" if exact else beginning, exact)
    ending = " OR ".join(f'"{word}"' for word in _completions(database, last)) or f'"{last}" {ending_of(last)}'
    found = " AND ".join([*(f'"{word}"' for word in others), f"({ending})"])
    return SearchQuery(f"words : ({found}) AND facets : ({' AND '.join(facets)})" if facets else f"words : ({found})")


def _completions(database: Database, beginning: str) -> list[str]:
    """The indexed words with a beginning; none where FTS5 finds them as fast itself, or there are too many.

    FTS5 collects the rows of all these words before it gives the first one; those of whole words it gives one by one.
    """
    if len(beginning) <= LONGEST_PREFIX:
        return []
    found: list[str] = []
    with database.reading() as connection:
        connection.exec_driver_sql(_VOCABULARY)
        next_word = beginning
        while len(found) <= MOST_COMPLETIONS:
            word = connection.exec_driver_sql(_NEXT_WORD, (next_word,)).scalar()
            if word is None or not word.startswith(beginning):
                return found
            found.append(word)
            next_word = f"{word}\1"  # the next one from there on: `>` would read all rows of this word
    return []


def ending_of(word: str) -> str:
    """One letter begins too many words: it is a word."""
    return "*" if len(word) > 1 else ""


def searched_words(text: str) -> list[str]:
    """The words of a text, small and without accents: what is indexed, and what is looked for, in every database."""
    text = text.casefold()
    if not text.isascii():
        parts = normalize("NFKD", text.encode("utf-8", "replace").decode())
        text = _WITHOUT_SPACES.sub(r" \1 ", normalize("NFC", _ACCENTS.sub("", parts))).casefold()
    return _WORD.findall(text)


def facets_of(status: str | None, system: str | None, dataset: str | None) -> list[str]:
    """Conditions as words that no text holds beside them."""
    named = (("system", system), ("dataset", dataset))
    found = [f"{kind}{digest(name)[:16]}" for kind, name in named if name is not None]
    return found if status is None else [f"status{status}", *found]
