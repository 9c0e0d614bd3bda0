"""Getting the program out of a chat answer: fences, prose, several blocks, a whole program, only a function's body."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection
from functools import lru_cache
from textwrap import dedent, indent

from ringtrue.scoring.programs.code_blocks import blocks
from ringtrue.scoring.programs.syntax import DEFINITIONS, PARSED_CHARS, SCENERY, Reader, names_of, source_of

_THOUGHT_ENDS = ("</think>", "</thinking>", "</thought>", "</reasoning>", "</scratchpad>")
_STOPS = ("\n[DONE]", "<|endoftext|>", "<|im_end|>", "<|eot_id|>", "<|end|>", "</s>", "<eos>", "<end_of_turn>")
_OPENING = re.compile(r"(?:async def |def |class |import |from [\w.]{1,200} import |@\w)")
_CODE = re.compile(
    r"""[ \t]+\S|[)\]}@]|\"{3}|'{3}
    |(?:async[ ]def|def|class|import|from|return|raise|assert|del|global|elif|except|lambda)\b
    |(?:if|for|while|with|try|else|finally|match)\b.{0,500}:[ ]*(?:\#|$)
    |[A-Za-z_][\w.]{0,200}[ ]?(?:\[[^\]]{0,200}\][ ]?)?(?:[-+*/%|&^]|//|\*\*|>>|<<)?=(?!=)
    |[A-Za-z_]\w{0,60}(?:,[ ]?[A-Za-z_]\w{0,60}){1,10}[ ]?=(?!=)
    |[A-Za-z_][\w.]{0,200}\(.{0,2000}[),:(\[{\\]$""",
    re.VERBOSE,
)
"""How a line of code begins; a sentence begins otherwise."""

_ODD_MARGIN = re.compile(r"(?m)^[ \t]*[\u00a0\u3000][ \t\u00a0\u3000]*")
_TABS = re.compile(r"(?m)^\t+")
_FIELDS = ("code", "solution", "program", "python", "completion", "answer", "response")
_ATTEMPTS = 60


def program_in(response: str, *, context: str = "", wanted: Collection[str] = ()) -> str:
    """The program a response means: `context + response` where it continues the context, else what it holds of code.

    `wanted` are the names the tests use. A body keeps its indentation; a response that defines a wanted name itself
    still gets the context's imports and helpers. Where no reading makes sense, the response is returned as it is, so
    that running it shows what is wrong with it.
    """
    text = _spoken(response)
    pieces = blocks(text)
    if len(text) + len(context) > PARSED_CHARS:
        return context + ("\n".join(pieces) or text)
    reader = Reader()
    stub = complete(context)
    names = set(wanted) or set(_last_definition(reader, stub))
    if pieces:
        return _from_blocks(reader, pieces, context, stub, names)
    if not stub and text[:1] in (" ", "\t") and reader.parse(text) is None:
        text = dedent(text)
    found = _join(reader, text, context, stub, names)
    return found if found is not None else _from_prose(reader, text, context, stub, names)


def last_function(program: str) -> str:
    """The name of the last function a program defines; empty where it defines none."""
    tree = Reader().parse(program) if program else None
    names = [item.name for item in tree.body if isinstance(item, ast.FunctionDef)] if tree is not None else []
    return names[-1] if names else ""


@lru_cache(maxsize=256)  # many answers continue the same context
def complete(context: str) -> str:
    """A context that is complete, an open function given an empty body; empty where it is not code at all."""
    if not context.strip() or len(context) > PARSED_CHARS:
        return ""
    reader = Reader()
    for ending in ("", "\n    pass\n", "\n        pass\n"):
        tree = reader.parse(context + ending)
        if tree is not None and any(isinstance(item, SCENERY) for item in tree.body):
            return context + ending
    return ""


def helpers(context: str, entry_point: str) -> str:
    """Return what a context defines beside the wanted function: imports, constants, functions the tests may use."""
    stub = complete(context)
    tree = Reader().parse(stub) if stub else None
    if tree is None:
        return ""
    asked = entry_point or next(iter(names_of(tree.body[-1:])), "")
    kept = [item for item in tree.body if isinstance(item, SCENERY) and asked not in names_of([item])]
    return source_of(stub, kept)


def _spoken(response: str) -> str:
    text = response.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "").replace("\u2028", "\n")
    if not text.isascii():
        text = _ODD_MARGIN.sub(lambda margin: " " * len(margin[0].expandtabs(4)), text)
    for tag in _THOUGHT_ENDS:
        before, found, after = text.rpartition(tag)
        if found and after.strip():
            text = after
        elif found:
            text = before.partition(tag.replace("/", ""))[0] or before
    for stop in _STOPS:
        head, found, _ = text.partition(stop)
        text = head if found else text
    return _unwrapped_code(text)


def _unwrapped_code(text: str) -> str:
    """The code of a reply that is nothing but a JSON object with the code in one of its fields."""
    if not text.lstrip().startswith("{") or len(text) > PARSED_CHARS:
        return text
    try:
        held = json.loads(text)
    except (ValueError, RecursionError):
        return text
    found = [held[name] for name in _FIELDS if isinstance(held.get(name), str)]
    return found[0] if found else text


def _from_blocks(reader: Reader, pieces: list[str], context: str, stub: str, names: set[str]) -> str:
    trees = [reader.parse(piece) for piece in pieces]
    defining = [i for i, tree in enumerate(trees) if tree is not None and names & names_of(tree.body)]
    if not defining and stub:
        for piece in pieces:
            continued = _continue(reader, piece, context, names)
            if continued is not None:
                return continued
    reading = [i for i, piece in enumerate(pieces) if "input(" in piece or "stdin" in piece]
    if not defining and not names and reading:
        defining = reading  # a program that is fed: later blocks show what it prints
    if not defining:
        whole = "\n".join(pieces)
        found = _join(reader, whole, context, stub, names)
        return found if found is not None else _from_prose(reader, whole, context, stub, names)
    last = defining[-1]
    scenery = [
        source_of(pieces[i], [item for item in tree.body if isinstance(item, SCENERY)])
        for i, tree in enumerate(trees[:last])
        if tree is not None
    ]
    return _put_together(stub, *scenery, *_missing(pieces, trees, last), pieces[last])


def _missing(pieces: list[str], trees: list[ast.Module | None], last: int) -> list[str]:
    """The functions and classes that the program uses and only later blocks define: "with this helper: …"."""
    known = {name for tree in trees[: last + 1] if tree is not None for name in names_of(tree.body)}
    used = {node.id for node in ast.walk(trees[last] or ast.Module([], [])) if isinstance(node, ast.Name)} - known
    found = []
    for piece, tree in zip(pieces[last + 1 :], trees[last + 1 :], strict=True):
        items = [item for item in tree.body if isinstance(item, DEFINITIONS) and item.name in used] if tree else []
        found += [source_of(piece, items)] if items else []
    return found


def _join(reader: Reader, code: str, context: str, stub: str, names: set[str]) -> str | None:
    tree = reader.parse(code)
    if tree is not None and (names & names_of(tree.body) or not stub):
        return _put_together(stub, code)
    if stub:
        continued = _continue(reader, code, context, names)
        if continued is not None:
            return continued
    return _put_together(stub, code) if tree is not None and names_of(tree.body) else None


def _continue(reader: Reader, code: str, context: str, names: set[str]) -> str | None:
    """Context and body as one text; the body's own indentation is kept, or given back where all of it was lost."""
    margin = _margin(context)
    bare = code.lstrip("\n")
    apart = context if context.endswith("\n") else context + "\n"
    spaced = _TABS.sub(lambda tabs: "    " * len(tabs[0]), bare)
    mended = (apart + margin + bare.lstrip(" \t"), apart + indent(bare, margin), apart + spaced)
    for text in (context + code, apart + bare, *mended):
        tree = reader.parse(text)
        if tree is not None and (not names or names & names_of(tree.body)) and not _is_empty(tree, names, code):
            return text if text.endswith("\n") else text + "\n"
    return None


def _is_empty(tree: ast.Module, names: set[str], code: str) -> bool:
    """Whether the asked function is still without a body, so that the code is beside it and not inside."""
    if not code.strip():
        return False
    for item in tree.body:
        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)) and item.name in names:
            return all(isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant) for part in item.body)
    return False


def _margin(context: str) -> str:
    lines = [line for line in context.split("\n") if line.strip()]
    last = lines[-1] if lines else ""
    inner = last[: len(last) - len(last.lstrip())]
    return inner + "    " if last.rstrip().endswith(":") else inner or "    "


def _from_prose(reader: Reader, text: str, context: str, stub: str, names: set[str]) -> str:
    """The code between sentences: regions that begin like code, each up to where it stops being a program."""
    lines = text.split("\n")
    opening = _OPENING if names or stub else _CODE
    regions: list[str] = []
    at = 0
    for _ in range(_ATTEMPTS):
        if reader.spent:
            break
        start = next((i for i in range(at, len(lines)) if opening.match(lines[i])), None)
        if start is None:
            break
        region, at = _longest(reader, lines, start)
        if region.strip():
            regions.append(region)
    code = "\n".join(regions)
    tree = reader.parse(code) if code and not _loses_code(lines, regions) else None
    if tree is not None and (names & names_of(tree.body) or not stub):
        return _put_together(stub, code)
    if stub:
        body = _body(reader, lines, context, names)
        if body is not None:
            return body
    return _put_together(stub, code) if tree is not None else _put_together(stub, text)


def _loses_code(lines: list[str], regions: list[str]) -> bool:
    """Whether what is left out of a text is more than sentences: broken code must not be mended by leaving it out."""
    kept = {line for region in regions for line in region.split("\n")}
    return any(line not in kept and _CODE.match(line) for line in lines)


def _longest(reader: Reader, lines: list[str], start: int) -> tuple[str, int]:
    end = len(lines)
    for _ in range(_ATTEMPTS):
        if reader.spent:
            break
        text = "\n".join(lines[start:end]) + "\n"
        if reader.parse(text) is not None:
            return text, end
        fault = reader.fault_line
        end = min(end - 1, start + fault - 1) if fault else end - 1
        if end <= start:
            break
    return "", start + 1


def _body(reader: Reader, lines: list[str], context: str, names: set[str]) -> str | None:
    """A function's body with sentences before or after it."""
    first = next((i for i, line in enumerate(lines) if line[:1] in (" ", "\t") and line.strip()), None)
    starts = [0] if first in (0, None) else [0, first]
    for start in starts:
        end = len(lines)
        while end > start and not reader.spent:
            code = "\n".join(lines[start:end]) + "\n"
            continued = _continue(reader, code, context, names)
            if continued is not None:
                return continued
            margin = next((i for i in range(end - 1, start, -1) if lines[i][:1] not in (" ", "\t", "")), start)
            if _CODE.match(lines[margin]):
                break  # broken code is not a sentence: leaving it out would mend the program
            end = margin
    return None


def _put_together(*parts: str) -> str:
    kept = [part if part.endswith("\n") else part + "\n" for part in parts if part.strip()]
    return "\n".join(kept)


def _last_definition(reader: Reader, stub: str) -> list[str]:
    tree = reader.parse(stub) if stub else None
    names = [item.name for item in tree.body if isinstance(item, DEFINITIONS)] if tree is not None else []
    return names[-1:]
