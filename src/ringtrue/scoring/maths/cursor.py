"""A place in a list of tokens, and the bound on how deep a reader may go from there."""

from __future__ import annotations

from ringtrue.scoring.maths import vocabulary as known
from ringtrue.scoring.maths.latex import Token
from ringtrue.scoring.maths.limits import MAX_DEPTH, Beyond
from ringtrue.scoring.maths.units import is_unit

END = Token("end of text", "", False)
_ARITHMETIC = frozenset(("+", "-", "*", "/", "^", "+-", "-+", "_", "!"))
_ORDINALS = frozenset(("st", "nd", "rd", "th"))
_VOWELS = frozenset("aeiouAEIOU")


class Cursor:
    """Reads tokens from left to right."""

    def __init__(self, tokens: list[Token]) -> None:
        # Readers look up to three tokens ahead, and never move past the first end.
        self.tokens = [*tokens, END, END, END, END]
        self.at = 0
        self.depth = 0

    def peek(self, ahead: int = 0) -> Token:
        """The token at the cursor or some places ahead of it."""
        return self.tokens[self.at + ahead]

    def next(self) -> Token:
        """The token at the cursor, which moves on."""
        token = self.tokens[self.at]
        if token is not END:
            self.at += 1
        return token

    def accept(self, kind: str, *values: str) -> bool:
        """Move on if the token at the cursor is one of these."""
        token = self.tokens[self.at]
        if token[0] == kind and token[1] in values:
            self.at += 1
            return True
        return False

    def sign(self) -> str:
        """The operator at the cursor, or nothing."""
        token = self.tokens[self.at]
        return token[1] if token[0] == "operator" else ""

    def deeper(self) -> None:
        """Count one more level of nesting."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Beyond(f"the answer is nested more than {MAX_DEPTH} deep")

    def letters(self) -> tuple[str, ...] | None:
        """The symbols whose product the run of letters at the cursor is, or None where it is a word."""
        token = self.peek()
        run = token.value
        if run in ("a", "A") and self.peek(1).kind == "word" and len(self.peek(1).value) > 2 and self.peek(1).spaced:
            return None
        is_symbol = len(run) == 1 and run.lower() != run.upper()  # a letter of a script without cases counts things
        if is_symbol or run in known.FUNCTIONS or run in known.CONSTANTS or run in known.LETTERS:
            return (run,)
        if len(run) > 4 or run in ("and", "or") or not run.isascii():
            return None
        before = self.tokens[self.at - 1] if self.at else END
        after = self.peek(1)
        if before.kind in ("number", "close", "command"):
            return None if token.spaced or is_unit(run) or run in _ORDINALS else tuple(run)
        if before.value == "/" and (is_unit(run) or (len(run) > 2 and not _VOWELS.isdisjoint(run))):
            return None
        tied = before.value in _ARITHMETIC or after.value in _ARITHMETIC or (after.value == "(" and not after.spaced)
        return tuple(run) if tied or _VOWELS.isdisjoint(run) else None
