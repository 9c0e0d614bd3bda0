"""`ringtrue doctor` tries to escape and says what became of it."""

from __future__ import annotations

from click.testing import CliRunner

from ringtrue.cli.doctor import command
from ringtrue.sandbox import Sandbox
from ringtrue.sandbox.proof import COMMANDS, PROGRAMS, prove


def test_every_attempt_is_held_here(box: Sandbox) -> None:
    attempts = prove(box)
    assert [attempt.name for attempt in attempts] == [*PROGRAMS, *COMMANDS]
    assert {attempt.outcome for attempt in attempts} == {"held"}, attempts


def test_the_doctor_says_so() -> None:
    result = CliRunner().invoke(command, standalone_mode=False)
    assert result.return_value == 0, result.output
    assert "seccomp" in result.output
    assert (
        f"{len(PROGRAMS) + len(COMMANDS)} of {len(PROGRAMS) + len(COMMANDS)} attempts to escape were held"
        in result.output
    )
