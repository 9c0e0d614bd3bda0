"""`ringtrue skills`: what a coding agent should know of ringtrue, as files where it looks for them."""

from __future__ import annotations

import os
import shutil
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
class Installed:
    """The result for one skill: `written`, `linked`, `unchanged` or `kept`, and a reason if one is needed."""

    name: str
    place: Path
    outcome: Literal["written", "linked", "unchanged", "kept"]
    note: str = ""

    def line(self, *, dry_run: bool = False) -> str:
        """One line about it."""
        return f"{'would be ' if dry_run else ''}{self.outcome} {self.place}{f': {self.note}' if self.note else ''}"


@click.command("skills", cls=OnceCommand)
@click.argument("folder", required=False)
@click.option("--home", is_flag=True, help=f"Write below the home folder: ~/{PLACE}.")
@click.option("--link", is_flag=True, help="Link to the files of this installation instead of copying them.")
@click.option("--force", is_flag=True, help="Overwrite skills that differ.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, without writing.")
@json_option
def command(folder: str | None, home: bool, link: bool, force: bool, dry_run: bool, as_json: bool) -> int:
    """Write skill files for coding agents into FOLDER, by default .claude/skills.

    A skill that is there and differs is kept unless --force is given.
    """
    if folder and home:
        raise click.UsageError("give a FOLDER or --home, not both")
    place = Path(folder) if folder else Path.home() / PLACE if home else PLACE
    done = install(SKILLS, place, link=link, force=force, dry_run=dry_run)
    if as_json:
        click.echo(json_text({"dry_run": dry_run, "skills": [asdict(one) for one in done]}, indent=True))
        return OK
    for one in done:
        click.echo(printable(one.line(dry_run=dry_run)))
    return OK


def install(
    skills: Path, folder: Path, *, link: bool = False, force: bool = False, dry_run: bool = False
) -> list[Installed]:
    """Put each folder of `skills` into another folder; without `force`, nothing that is there is changed."""
    done = []
    for skill in sorted(path for path in skills.iterdir() if (path / "SKILL.md").is_file()):
        place = folder / skill.name
        if _same(skill, place) and not force:
            done.append(Installed(skill.name, place, "unchanged"))
        elif os.path.lexists(place) and not force:
            done.append(Installed(skill.name, place, "kept", KEPT))
        elif dry_run:
            done.append(Installed(skill.name, place, "linked" if link else "written"))
        else:
            check_place(folder / f".{skill.name}", "folder")
            done.append(_link(skill, place) if link else _write(skill, place))
    return done


def _same(skill: Path, place: Path) -> bool:
    try:
        return all((place / name).read_bytes() == data for name, data in _files(skill))
    except OSError:  # it is not there, or not to be read
        return False


def _files(skill: Path) -> list[tuple[Path, bytes]]:
    return [(path.relative_to(skill), path.read_bytes()) for path in sorted(skill.rglob("*")) if path.is_file()]


def _write(skill: Path, place: Path, note: str = "") -> Installed:
    _make_room(place, whole=False)
    for name, data in _files(skill):
        write_whole(place / name, data)
    return Installed(skill.name, place, "written", note)


def _link(skill: Path, place: Path) -> Installed:
    _make_room(place, whole=True)
    try:
        place.symlink_to(skill.absolute(), target_is_directory=True)
    except (OSError, NotImplementedError) as error:
        return _write(skill, place, f"no link can be made here ({error}): run this again after an upgrade")
    return Installed(skill.name, place, "linked")


def _make_room(place: Path, *, whole: bool) -> None:
    """Take away what cannot be written into: a link, whose files are another's, or a file; a folder, if `whole`."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.is_symlink() or place.is_file():
            place.unlink()
        elif whole and place.exists():
            shutil.rmtree(place)
    except OSError as error:
        raise InputError(f"cannot replace {str(place)!r}: {error.strerror or error}") from error
