"""`excerpt`: a piece of foreign text that is safe to show in a message."""

from __future__ import annotations

LIMIT = 200
_READ = 2000


def excerpt(text: str | bytes, secret: str = "") -> str:
    """At most 200 printable characters of a text, quoted, with the secret struck out."""
    piece = text[:_READ]
    cut = len(piece) < len(text)
    if isinstance(piece, bytes):
        piece = piece.decode("utf-8", "replace")
    if secret:
        piece = piece.replace(secret, "[key]")
        if cut:
            piece = piece[: -len(secret)]  # what is cut off in the middle of the secret is not recognised above
    words = " ".join(piece.split())
    printable = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in words[:LIMIT])
    return f"'{printable}…'" if cut or len(words) > LIMIT else f"'{printable}'"
