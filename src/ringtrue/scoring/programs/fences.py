"""Markdown code fences around an answer."""

from __future__ import annotations


def fenced_block(text: str) -> str | None:
    """The content of the first fenced code block, whatever is around it, or None where there is no fence.

    A block without its closing fence reaches to the end. Fences within one line, as in ```` ```json {"a": 1}``` ````,
    count where they enclose all there is.
    """
    bare = text.strip()
    if bare.startswith("```") and bare.endswith("```") and len(bare) >= 6 and "\n" not in bare:
        inside = bare.strip("`").strip()
        tag, _, rest = inside.partition(" ")
        return rest if rest and tag.isalnum() and not tag.isdigit() else inside
    lines = text.split("\n")
    for number, line in enumerate(lines):
        mark = _fence(line)
        if mark:
            return "\n".join(_until_closed(lines[number + 1 :], mark))
    return None


def unfenced_text(text: str) -> str:
    """The content of the first fenced code block, or the text itself if it has no fence."""
    inside = fenced_block(text)
    return text if inside is None else inside


def _fence(line: str) -> str:
    # The run of backticks or tildes that opens a block: three or more, and no backtick after them.
    bare = line.strip()
    mark = bare[: len(bare) - len(bare.lstrip(bare[:1]))] if bare[:1] in ("`", "~") else ""
    return mark if len(mark) >= 3 and "`" not in bare[len(mark) :] else ""


def _until_closed(lines: list[str], mark: str) -> list[str]:
    for number, line in enumerate(lines):
        bare = line.strip()
        if len(bare) >= len(mark) and not bare.strip(mark[0]):
            return lines[:number]
    return lines
