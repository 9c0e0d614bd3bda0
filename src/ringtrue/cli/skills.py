"""`ringtrue skills`: what a coding agent should know of ringtrue, as files where it looks for them."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import click

from ringtrue.atomic_file import check_place, write_whole
from ringtrue.cli import OK
from ringtrue.cli.shared.command import OnceCommand
from ringtrue.cli.shared.options import json_option
from ringtrue.errors import InputError
from ringtrue.jsontext import json_text
from ringtrue.safetext import printable

SKILLS = Path(__file__).parent / "agent_skills"
PLACE = Path(".claude") / "skills"
KEPT = "it exists and differs; --force replaces it"


@dataclass(frozen=True)
class WrittenSkill:
    """The result for one skill: `written`, `unchanged` or `kept`, and a reason if one is needed."""

    name: str
    place: Path
    outcome: Literal["written", "unchanged", "kept"]
    note: str = ""

    def line(self) -> str:
        """One line about it."""
        return f"{self.outcome} {self.place}{f': {self.note}' if self.note else ''}"


@click.command("skills", cls=OnceCommand)
@click.argument("folder", required=False)
@click.option("--force", is_flag=True, help="Overwrite skills that differ.")
@json_option
def command(folder: str | None, force: bool, as_json: bool) -> int:
    """Write skill files for coding agents into FOLDER, by default .claude/skills.

    A skill that is there and differs is kept unless --force is given.
    """
    done = install(SKILLS, Path(folder) if folder else PLACE, force=force)
    if as_json:
        click.echo(json_text({"skills": [asdict(one) for one in done]}, indent=True))
        return OK
    for one in done:
        click.echo(printable(one.line()))
    return OK


def install(skills: Path, folder: Path, *, force: bool = False) -> list[WrittenSkill]:
    """Put each folder of `skills` into another folder; without `force`, nothing that is there is changed."""
    done = []
    for skill in sorted(path for path in skills.iterdir() if (path / "SKILL.md").is_file()):
        place = folder / skill.name
        if _same(skill, place) and not force:
            done.append(WrittenSkill(skill.name, place, "unchanged"))
        elif os.path.lexists(place) and not force:
            done.append(WrittenSkill(skill.name, place, "kept", KEPT))
        else:
            check_place(folder / f".{skill.name}", "folder")
            done.append(_write(skill, place))
    return done


def _same(skill: Path, place: Path) -> bool:
    try:
        return all((place / name).read_bytes() == data for name, data in _files(skill))
    except OSError:  # it is not there, or not to be read
        return False


def _files(skill: Path) -> list[tuple[Path, bytes]]:
    return [(path.relative_to(skill), path.read_bytes()) for path in sorted(skill.rglob("*")) if path.is_file()]


def _write(skill: Path, place: Path) -> WrittenSkill:
    _make_room(place)
    for name, data in _files(skill):
        write_whole(place / name, data)
    return WrittenSkill(skill.name, place, "written")


def _make_room(place: Path) -> None:
    """Take away what cannot be written into: a link, whose files are another's, or a file."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.is_symlink() or place.is_file():
            place.unlink()
    except OSError as error:
        raise InputError(f"cannot replace {str(place)!r}: {error.strerror or error}") from error
