"""`Command`: a program as a system."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ringtrue import evaluate
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators import ExactMatch
from ringtrue.systems.command import Command, _wait_for_end


def run(command: Command, rows: list[dict[str, Any]], **options: Any) -> Any:
    return evaluate(command, rows, [ExactMatch()], store=None, progress=False, **options).rows


def python(code: str) -> Command:
    return Command([sys.executable, "-c", code], "program")


ROWS = [{"id": n, "question": f"é {n}\nline", "answer": f"É {n}\nLINE"} for n in range(5)]


def test_the_question_goes_in_and_the_answer_comes_out() -> None:
    rows = run(python("import sys; print(sys.stdin.buffer.read().decode().upper())"), ROWS)
    assert [row.scores for row in rows] == [{"exact_match": 1.0}] * 5
    assert rows[0].response == "É 0\nLINE"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (python("import sys; sys.exit('went wrong')"), "ended with code 1: went wrong"),
        (python("import os; os.kill(os.getpid(), 9)"), "ended with code -9"),
        (Command("no-such-program --at all"), "cannot start 'no-such-program': "),
        (python("while True: print('x' * 1_000_000)"), "printed more than the 10,000,000 bytes that are read"),
    ],
    ids=["code", "signal", "missing", "flood"],
)
def test_a_program_that_fails_costs_its_row(command: Command, words: str) -> None:
    (row,) = run(command, ROWS[:1])
    assert row.status == "system_error"
    assert words in row.metadata["problem"]


def test_the_end_of_a_program_is_seen_though_its_output_lies_unread() -> None:
    async def scene() -> int | None:
        words = [sys.executable, "-u", "-c", "while True: print('x' * 100_000)"]
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*words, stdout=pipe, stderr=pipe)
        assert process.stdout is not None
        while not process.stdout._paused:  # type: ignore[attr-defined]
            await asyncio.sleep(0.01)
        process.kill()
        await asyncio.wait_for(_wait_for_end(process), 30)
        return process.returncode

    assert asyncio.run(scene()) == -9


def test_a_program_need_not_read_its_question() -> None:
    (row,) = run(python("print('hello')"), [{"question": "x" * 1_000_000, "answer": "hello"}])
    assert row.scores == {"exact_match": 1.0}


def test_a_program_that_complains_without_end_is_read_to_the_end() -> None:
    (row,) = run(python("import sys; sys.stderr.write('x' * 3_000_000); print('done')"), ROWS[:1])
    assert row.response == "done"


def test_a_program_that_never_ends_is_ended_with_its_children(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    code = f"import os, time; child = os.fork(); open({str(pid)!r}, 'a').write(f'{{os.getpid()}} '); time.sleep(60)"
    (row,) = run(python(code), ROWS[:1], timeout=4)
    assert (row.status, row.metadata["problem"]) == ("timeout", "no answer within 4 s")
    processes = [int(number) for number in pid.read_text().split()]
    assert len(processes) == 2
    for process in processes:
        assert gone(process)


def gone(process: int) -> bool:
    for _ in range(200):
        try:
            with open(f"/proc/{process}/stat") as stat:
                if stat.read().rpartition(")")[2].split()[0] == "Z":  # ended; its parent has yet to look
                    return True
            os.kill(process, 0)
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("command", ["", "   ", [], "unclosed 'quote"])
def test_a_command_that_is_none_is_refused(command: Any) -> None:
    with pytest.raises(ConfigurationError):
        Command(command)


def test_names_and_words() -> None:
    command = Command("/usr/bin/env printf 'a b'")
    assert (command.name, command.words) == ("env", ["/usr/bin/env", "printf", "a b"])
    assert command.signature() == "env=/usr/bin/env printf 'a b'"
