"""Text and LaTeX cut into tokens."""

from __future__ import annotations

import re
from typing import NamedTuple

from ringtrue.scoring.maths import vocabulary as known
from ringtrue.scoring.maths.limits import MAX_ANSWER, MAX_DEPTH, MAX_TOKENS, Beyond, Unreadable


class Token(NamedTuple):
    """A piece of notation; `spaced`: white space comes before it."""

    kind: str
    """`number`, `word` (letters in mathematics), `text` (letters in prose), `command`, `operator`, `open`, `close`,
    `currency`, `begin` or `end` (of an environment)."""
    value: str
    spaced: bool


_MARK = r"(?![\d\u0964\u0965\u0e3f])[\u0300-\u036f\u0900-\u0eff]"
"""Signs of a word above, below and behind its letters, from Devanagari to Lao; `re` takes them for no letters."""
_PIECE = re.compile(
    r"(?P<number>\d{1,3}(?:(?:\{,\}|(?:\\!)?,\\!\s?|\\[,;:]|,|[ ](?=\d{3}(?![\d/])))\d{3})+(?!\d)(?:\.\d*)?"
    r"|\d+(?:\.\d*)?|\.\d+)"
    rf"|(?P<word>[^\W\d_](?:[^\W\d_]|{_MARK})*)"
    r"|(?P<command>\\(?:[A-Za-z]+\*?|.))"
    r"|(?P<space>[\s~]+)"
    r"|(?P<operator>\*\*|<=|>=|!=|==|:=|\.\.\.|=>|[-+*/^_!=<>,;:|&%'])"
    r"|(?P<open>[(\[{])|(?P<close>[)\]}])"
    r"|(?P<dollar>\$)|(?P<mark>[.\"?`])",
    re.DOTALL,
)
_EXPONENT = re.compile(r"[eE][+-]?\d{1,6}(?![\w.])")
_SPELLED = {"**": "^", "==": "=", ":=": "=", ";": ","}


def tokens(text: str) -> list[Token]:
    """The tokens of an answer in ASCII notation; a text that is too long or has a foreign character is refused."""
    if len(text) > MAX_ANSWER:
        raise Beyond(f"the answer has {len(text):,} characters; {MAX_ANSWER:,} are compared")
    lexer = _Lexer(text)
    lexer.run()
    return lexer.found


class _Lexer:
    def __init__(self, text: str, depth: int = 0) -> None:
        if depth > MAX_DEPTH:
            raise Beyond(f"the answer is nested more than {MAX_DEPTH} deep")
        self.text = text
        self.depth = depth
        self.found: list[Token] = []
        self.position = 0
        self.spaced = False
        self.brackets = 0

    def run(self) -> None:
        text, end = self.text, len(self.text)
        while self.position < end:
            piece = _PIECE.match(text, self.position)
            if piece is None:
                raise Unreadable(f"the character {text[self.position]!r} is not understood")
            kind = piece.lastgroup or ""
            self.position = piece.end()
            if kind == "space":
                self.spaced = True
            elif kind != "mark":
                getattr(self, kind)(piece[0])
            if len(self.found) > MAX_TOKENS:
                raise Beyond(f"the answer has more than {MAX_TOKENS:,} tokens")

    def add(self, kind: str, value: str) -> None:
        self.found.append(Token(kind, value, self.spaced))
        self.spaced = False

    def number(self, written: str) -> None:
        if self.brackets and "," in written:
            written = self.first_item(written)
        digits = re.sub(r"[^\d.]", "", written) if not written.isdigit() else written
        exponent = _EXPONENT.match(self.text, self.position)
        if exponent and digits != ".":
            self.position = exponent.end()
            digits += exponent[0].lower()
        self.add("number", digits)

    def first_item(self, written: str) -> str:
        # Between brackets a bare comma separates items: (1,200) is a point, unless an item would start with a zero.
        for comma in re.finditer(r"(?<!\{),(?![}\\])(?!0\d\d)", written):
            self.position -= len(written) - comma.start()
            return written[: comma.start()]
        return written

    def word(self, letters: str) -> None:
        self.add("text" if self.depth else "word", letters)

    def operator(self, sign: str) -> None:
        self.add("operator", _SPELLED.get(sign, sign))

    def open(self, bracket: str) -> None:
        self.brackets += bracket != "{"
        self.add("open", bracket)

    def close(self, bracket: str) -> None:
        self.brackets -= bracket != "}"
        self.add("close", bracket)

    def dollar(self, sign: str) -> None:
        # A pair of dollar signs delimits mathematics; an odd one before a digit is money.
        if self.text.count("$") % 2 and self.text[self.position : self.position + 1].isdigit():
            self.add("currency", known.CURRENCIES[sign])

    def command(self, written: str) -> None:
        name = written[1:].rstrip("*") or "*"
        name = known.RENAMED.get(name, name)
        if name in known.SPACING:
            self.spaced = True
        elif name in ("quad", "qquad"):
            self.quad()
        elif name in known.IGNORED:
            return
        elif name in known.WITH_ARGUMENT:
            self.argument()
        elif name in known.UPRIGHT:
            self.words(name)
        elif name in known.OPERATORS:
            self.add("operator", known.OPERATORS[name])
        elif name in known.BRACKETS:
            self.brackets += 1 if known.BRACKETS[name][0] == "open" else -1
            self.add(*known.BRACKETS[name])
        elif name in known.CURRENCIES:
            self.add("currency", known.CURRENCIES[name])
        elif name in ("begin", "end"):
            self.add(name, self.argument().strip().rstrip("*"))
        elif name == "mathbb":
            self.add("command", rf"\mathbb{{{self.argument().strip()}}}")
        else:
            self.add("command", name)

    def quad(self) -> None:
        # Wide space between two equations separates them; elsewhere it is only space.
        self.spaced = True
        if "=" in self.text[: self.position] and "=" in self.text[self.position :]:
            self.add("operator", ",")

    def words(self, name: str) -> None:
        content = self.argument()
        letters = content.strip()
        mathematical = name in ("mathrm", "operatorname")
        if mathematical and (letters in known.FUNCTIONS or letters in ("e", "i")):
            self.add("word", letters)
            return
        inner = _Lexer(content, self.depth + 1)
        inner.spaced = self.spaced
        inner.brackets = self.brackets
        inner.run()
        self.found += inner.found
        self.spaced = inner.spaced

    def argument(self) -> str:
        """The text of the next brace group, or of the next character where there is none."""
        text = self.text
        start = self.position
        while start < len(text) and text[start] == " ":
            start += 1
        if start >= len(text) or text[start] != "{":
            self.position = start + 1
            return text[start : start + 1]
        end = closing_brace(text, start)
        self.position = end + 1
        return text[start + 1 : end]


def closing_brace(text: str, start: int) -> int:
    """The index of the brace that closes the one at `start`, or the length of the text where none does."""
    depth = 0
    for brace in _BRACE.finditer(text, start):
        sign = brace[0]
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
            if not depth:
                return brace.start()
    return len(text)


_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
