"""Prompts are found by reading source; what reading cannot tell is called dynamic, and no file holds the scan up."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.prompts.fingerprint import fingerprint_text, loose_fingerprint_text
from ringtrue.prompts.record import PromptRecord
from ringtrue.prompts.source import MAX_BYTES, scan, scan_file, scan_file_with_reason, scan_with_skips

CALL = "client.messages.create(model='m', system={})\n"


def prompts(folder: Path, source: str) -> list[PromptRecord]:
    (folder / "app.py").write_text(dedent(source))
    records, reason = scan_file_with_reason(folder / "app.py", folder)
    assert reason is None
    return records


SHAPES = {
    "anthropic": ("c.messages.create(system='s')", "anthropic", "messages.create", ["system"]),
    "a client made in place": ("a.A().beta.messages.create(system='s')", "anthropic", "messages.create", ["system"]),
    "openai": (
        "c.chat.completions.create(messages=[{'role': 'developer', 'content': 's'}, {'role': 'user', 'content': 'u'}])",
        "openai",
        "chat.completions.create",
        ["developer#0", "user#1"],
    ),
    "litellm": ("litellm.completion(messages=[{'role': 'user', 'content': 'u'}])", "litellm", "completion", ["user#0"]),
    "litellm's function under another name": (
        "from litellm import acompletion as ask\nask(messages=[{'role': 'user', 'content': 'u'}])",
        "litellm",
        "acompletion",
        ["user#0"],
    ),
    "a name in other letters": ("c.messages.\uff43reate(system='s')", "anthropic", "messages.create", ["system"]),
    "a list that is spread keeps what is told": (
        "c.messages.create(messages=[*past, {'role': 'user', 'content': 'u'}])",
        "anthropic",
        "messages.create",
        ["user#1"],
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_call_of_a_library_is_a_site(name: str, tmp_path: Path) -> None:
    source, sdk, call_site, roles = SHAPES[name]
    found = prompts(tmp_path, source)
    assert {(record.sdk, record.call_site) for record in found} == {(sdk, call_site)}
    assert [record.call_site_id.rpartition(".")[2] for record in found] == roles
    assert not any(record.is_dynamic for record in found)


NO_SITES = {
    "another function of that name": "completion(messages=[{'role': 'user', 'content': 'u'}])",
    "another method": "c.messages.created(system='s')",
    "an empty list": "c.messages.create(messages=[])",
    "no prompt": "c.messages.create(model='m')",
    "text": "text = \"c.messages.create(system='s')\"",
    "another package": "from lite import completion\ncompletion(messages=m)",
}


@pytest.mark.parametrize("name", NO_SITES)
def test_other_code_is_no_site(name: str, tmp_path: Path) -> None:
    assert prompts(tmp_path, NO_SITES[name]) == []


TEXTS = {
    "implicit joining": ("", "'a ' 'b'", "a b"),
    "an f-string without holes": ("", "f'a {{b}}'", "a {b}"),
    "a constant": ("X = 'a'\n", "X", "a"),
    "an annotated constant": ("X: str = 'a'\n", "X", "a"),
    "a constant below a star import": ("from y import *\nX = 'a'\n", "X", "a"),
    "a name that a method's class has, too": (
        "X = 'a'\nclass C:\n    X = 'b'\n    def f(self):\n        client.messages.create(system=X)\n",
        "X",
        "a",
    ),
    "a method's own call is not hidden by a sibling": ("X = 'a'\ndef g(X): pass\n", "X", "a"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_that_the_source_tells_is_told(name: str, tmp_path: Path) -> None:
    before, value, text = TEXTS[name]
    found = prompts(tmp_path, before + CALL.format(value))
    assert {(record.text, record.is_dynamic) for record in found} == {(text, False)}
    assert found[0].fingerprint == fingerprint_text(text)


REBOUND = {
    "an if": "X = 'a'\nif y:\n    X = 'b'\n",
    "a loop": "X = 'a'\nfor X in y: pass\n",
    "an import": "X = 'a'\nimport X\n",
    "an import in a try": "X = 'a'\ntry:\n    from y import *\nexcept ImportError: pass\n",
    "a with": "X = 'a'\nwith y as X: pass\n",
    "an except": "X = 'a'\ntry: pass\nexcept E as X: pass\n",
    "a walrus": "X = 'a'\nprint(X := 'b')\n",
    "a walrus in a comprehension": "X = 'a'\n[(X := y) for y in z]\n",
    "a pattern": "X = 'a'\nmatch y:\n    case {'k': 1, **X}: pass\n",
    "a definition": "X = 'a'\ndef X(): pass\n",
    "del": "X = 'a'\ndel X\n",
    "global in a nested function": "X = 'a'\ndef f():\n    def g():\n        global X\n        X = 'b'\n",
    "an addition": "X = 'a'\nX += 'b'\n",
    "two names at once": "X = Y = 'a'\n",
    "a sum": "X = 'a' + 'b'\n",
    "no value": "X: str\n",
}


@pytest.mark.parametrize("name", REBOUND)
def test_a_name_that_may_have_another_value_is_dynamic(name: str, tmp_path: Path) -> None:
    (record,) = prompts(tmp_path, REBOUND[name] + CALL.format("X"))
    assert (record.is_dynamic, record.text) == (True, "<dynamic:Name>")


HIDDEN = {
    "a parameter": "def f(X):\n    {}",
    "a keyword-only parameter": "async def f(*, X):\n    {}",
    "a lambda's parameter": "f = lambda X: {}",
    "a comprehension": "[{} for X in y]",
    "the parameter of an outer function": "def f(X):\n    def g():\n        {}",
    "a name of the class the call stands in": "class C:\n    X = 'b'\n    {}",
    "an import inside": "def f():\n    import X\n    {}",
}


@pytest.mark.parametrize("name", HIDDEN)
def test_a_name_that_means_something_nearer_is_dynamic(name: str, tmp_path: Path) -> None:
    (record,) = prompts(tmp_path, "X = 'a'\n" + HIDDEN[name].format(CALL.format("X")))
    assert record.is_dynamic


def test_what_only_the_running_program_knows_is_one_dynamic_record(tmp_path: Path) -> None:
    source = "c.messages.create(messages=made())\nc.messages.create(**given)\nc.messages.create(system='s', **given)\n"
    found = prompts(tmp_path, source)
    assert [(record.role, record.text) for record in found] == [
        ("messages", "<dynamic:Call>"),
        ("messages", "<dynamic:KwargsUnpack>"),
        ("system", "s"),
    ]


def test_a_record_says_in_which_function_it_is(tmp_path: Path) -> None:
    source = f"class A:\n    def f(self):\n        async def g():\n            {CALL.format(repr('s'))}"
    (record,) = prompts(tmp_path, source)
    assert (record.qualname, record.line, record.file_path) == ("A.f.g", 4, "app.py")
    assert record.anchor == ("app.py", "A.f.g", "anthropic", "system", -1)


BROKEN = {
    "too large": (b"#" * (MAX_BYTES + 1), "too large: "),
    "brackets": (b"(" * 100_000, "syntax error: "),
    "a chain of attributes": (b"a" + b".b" * 100_000, "syntax error: "),
    "minus signs": (b"-" * 100_000 + b"1", "syntax error: "),
    "nested blocks": (b"".join(b" " * n + b"if a:\n" for n in range(200)), "syntax error: "),
    "a NUL": (b"a = 1\0", "syntax error: "),
    "not UTF-8": (b"a = '\xff'", "encoding error: "),
    "an unknown encoding": (b"# coding: klingon\n", "encoding error: "),
    "an encoding that is none of text": (b"# coding: rot13\n", "encoding error: "),
    "an encoding that takes its time": (b"# coding: punycode\n" + b"a" * 900_000, "encoding error: "),
    "a number too long": (b"a = " + b"9" * 5_000, "syntax error: "),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_cannot_be_read_is_skipped_with_a_reason(name: str, tmp_path: Path) -> None:
    data, reason = BROKEN[name]
    (tmp_path / "bad.py").write_bytes(data)
    (tmp_path / "good.py").write_text(CALL.format("'s'"))
    records, skipped = scan_with_skips(tmp_path)
    assert [record.file_path for record in records] == ["good.py"]
    ((path, why),) = skipped
    assert path == "bad.py"
    assert why.startswith(reason)
    assert len(why) > len(reason)
    assert scan_file(tmp_path / "bad.py", tmp_path) == []


def test_links_and_pipes_end(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "folder.py").mkdir(parents=True)
    (tmp_path / "outside.py").write_text(CALL.format("'s'"))
    (root / "app.py").write_text(CALL.format("'s'"))
    links = {"again": "app.py", "circle": "circle.py", "gone": "nothing", "zero": "/dev/zero", "out": "../outside.py"}
    for name, target in links.items():
        (root / f"{name}.py").symlink_to(target)
    (root / "itself").symlink_to(".")
    os.mkfifo(root / "pipe.py")
    records, skipped = scan_with_skips(root)
    assert [record.file_path for record in records] == ["app.py"]
    assert {path: why.partition(":")[0] for path, why in skipped} == {
        "circle.py": "unreadable",
        "gone.py": "unreadable",
        "out.py": "resolves outside repo root",
        "pipe.py": "unreadable",
        "zero.py": "resolves outside repo root",
    }


def test_nothing_is_run_or_imported_and_nobody_is_warned(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    source = "raise SystemExit\nimport a_module_of_no_one\n"
    (tmp_path / "app.py").write_text(source + "open('ran', 'w')\n" + CALL.format(r"'\d'"))
    assert [record.text for record in scan(tmp_path)] == [r"\d"]
    assert not (tmp_path / "ran").exists()
    assert "a_module_of_no_one" not in sys.modules
    assert not recwarn.list


def test_files_are_read_as_python_reads_them(tmp_path: Path) -> None:
    (tmp_path / "latin.py").write_bytes(b"# coding: latin-1\n" + CALL.format("'caf\xe9'").encode("latin-1"))
    (tmp_path / "mark.py").write_bytes(b"\xef\xbb\xbf" + CALL.format("'a'").encode())
    (tmp_path / "half.py").write_text(CALL.format(r"'\ud800'"))
    (tmp_path / "lines.py").write_bytes(CALL.format("'''a\r\nb'''").encode())
    found = {record.file_path: record for record in scan(tmp_path)}
    assert {name: record.text for name, record in found.items()} == {
        "half.py": "\ud800",
        "latin.py": "café",
        "lines.py": "a\nb",
        "mark.py": "a",
    }
    assert found["half.py"].fingerprint != fingerprint_text("?")


def test_folders_of_others_are_passed_over(tmp_path: Path) -> None:
    for folder in ("src", "node_modules", ".hidden", "build", "mine"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.py").write_text(CALL.format("'s'"))
    assert [record.file_path for record in scan(tmp_path, {"mine"})] == ["src/a.py"]


@given(st.text())
def test_a_fingerprint_is_of_what_is_seen(text: str) -> None:
    assert fingerprint_text(text) == fingerprint_text(f"\n {text}\t\n")
    assert loose_fingerprint_text(text) == loose_fingerprint_text(" \n ".join(text.split()))
    assert len(fingerprint_text(text)) == 64
