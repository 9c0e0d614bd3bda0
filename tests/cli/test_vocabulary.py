"""One vocabulary: the same option means the same in every command, and is given once where it takes one value."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click
import pytest

import ringtrue.cli
from ringtrue.cli import COMMANDS, GROUPS, main

SHARED = (
    "evaluators", "maps", "limit", "judge_urls", "judge_models", "max_workers", "timeout", "threshold", "floors",
    "max_errors", "max_cost", "store", "name", "output", "html", "junit", "markdown", "as_json", "quiet",
)  # fmt: skip
"""What DESIGN's table of shared options names, by the names of their values."""


def command_of(name: str) -> click.Command:
    command: click.Command = import_module(f"ringtrue.cli.{name}").command
    return command


def commands() -> Iterator[tuple[list[str], click.Command]]:
    """Every command with its words, those of groups included."""
    for name in COMMANDS:
        command = command_of(name)
        if isinstance(command, click.Group):
            yield from (([name, under], one) for under, one in command.commands.items())
        else:
            yield [name], command


def single_options() -> Iterator[tuple[list[str], str]]:
    for words, command in commands():
        for param in command.params:
            if isinstance(param, click.Option) and not (param.multiple or param.is_flag):
                yield words, max(param.opts, key=len)


def option(command: str, name: str) -> click.Option:
    (found,) = [param for param in command_of(command).params if param.name == name]
    assert isinstance(found, click.Option)
    return found


@pytest.mark.parametrize(("words", "option"), list(single_options()), ids=lambda value: "".join(value))
def test_a_single_valued_option_given_twice_is_refused(
    words: list[str], option: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = {tuple(each): command for each, command in commands()}[tuple(words)]
    (param,) = [one for one in found.params if isinstance(one, click.Option) and option in one.opts]
    value = ["1"] * param.nargs
    with pytest.raises(SystemExit) as ended:
        main([*words, option, *value, option, *value])
    assert ended.value.code == 64
    complained = capsys.readouterr().err
    assert f"{option} is given 2 times; it takes one value; 'ringtrue {' '.join(words)} --help' shows how" in complained
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    "words",
    [["-n", "1", "--limit=2"], ["-n1", "--max-examples", "2"], ["-qn", "1", "-n2"]],
    ids=" ".join,
)
def test_two_spellings_of_one_option_are_the_same_option(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["run", "-d", "q.jsonl", *words])
    assert ended.value.code == 64
    assert "is given 2 times" in capsys.readouterr().err


def test_an_option_s_value_is_not_taken_for_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    """`--name --name` is one option whose value looks like another."""
    with pytest.raises(SystemExit) as ended:
        main(["score", "nq@sample", "-e", "exact_match", "-n", "2", "--name", "--name", "-q"])
    assert ended.value.code == 0, capsys.readouterr().err


@pytest.mark.parametrize("name", SHARED)
def test_shared_options_are_the_same_everywhere(name: str) -> None:
    found = [option(command, name) for command in ("run", "score", "suite", "rescore")]
    for one in found[1:]:
        assert (one.opts, one.help, one.default, one.multiple, one.metavar) == (
            found[0].opts, found[0].help, found[0].default, found[0].multiple, found[0].metavar,
        )  # fmt: skip
        assert repr(one.type) == repr(found[0].type)
    assert found[0].help


@pytest.mark.parametrize("name", ["judge_urls", "judge_models", "store", "as_json"])
def test_what_further_commands_share_is_the_same_there(name: str) -> None:
    for words, command in commands():
        for param in command.params:
            if param.name == name and isinstance(param, click.Option):
                assert (param.opts, param.help) == (option("run", name).opts, option("run", name).help), words


def test_help_shows_the_five_groups_and_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    places = [said.index(f"\n{title}:\n") for title in ("Every day", "Look", "Decide", "Build", "Machine")]
    assert places == sorted(places)
    assert list(GROUPS) == ["Every day", "Look", "Decide", "Build", "Machine"]
    for (title, own), start, end in zip(GROUPS.items(), places, [*places[1:], len(said)], strict=True):
        block = said[start:end]
        for name, about in own.items():
            assert f"\n  {name} " in block, title
            assert about.split()[0] in block


def test_every_command_that_is_listed_exists_and_no_other() -> None:
    folder = Path(str(ringtrue.cli.__file__)).parent
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__", "show_dataset"}
    assert modules == set(COMMANDS)
    for name in COMMANDS:
        assert command_of(name).name == name


@pytest.mark.parametrize("words", [["judge"], ["serve-local"], ["run", "--epochs", "2"], ["suite", "--runs", "2"]])
def test_names_that_have_gone(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 64
    complained = capsys.readouterr().err
    assert "help' shows" in complained or "did you mean" in complained
