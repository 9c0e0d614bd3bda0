"""The help of every command fits a terminal, and a long one shows its options in sections."""

from __future__ import annotations

from importlib import import_module

import click
import pytest

from ringtrue.cli import COMMANDS, main
from ringtrue.cli.shared.help_sections import MANY


def command_of(name: str) -> click.Command:
    return import_module(f"ringtrue.cli.{name}").command  # type: ignore[no-any-return]


def help_of(name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit):
        main([name, "--help"])
    return capsys.readouterr().out


@pytest.mark.parametrize("name", COMMANDS)
def test_it_fits_80_columns(name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    lines = help_of(name, monkeypatch, capsys).splitlines()
    assert [line for line in lines if len(line) > 80 and not line.startswith("  ringtrue ")] == []


@pytest.mark.parametrize("name", ["run", "score", "suite", "rescore"])
def test_every_option_is_in_a_section(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = command_of(name)
    assert len(command.params) > MANY
    shown, _, other = help_of(name, monkeypatch, capsys).partition("\nOther:\n")
    assert other.split()[-5:] == ["Show", "this", "message", "and", "exit."]
    assert len(other.split()) <= 7
    for option in command.params:
        if isinstance(option, click.Option):
            assert f"{option.opts[0]}" in shown, option.opts
    assert shown.index("\nData:\n") < shown.index("\nScores:\n") < shown.index("\nResults:\n")
