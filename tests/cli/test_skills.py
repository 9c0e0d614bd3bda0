"""`ringtrue skills`: what an agent reads is true, and nothing that a person wrote is lost."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from ringtrue.cli import main
from ringtrue.cli import skills as command
from ringtrue.errors import ConfigurationError
from test_docs import FENCE, run_console

NAMES = ["ringtrue-score", "ringtrue-suite"]
TEXTS = {path.parent.name: path.read_text() for path in sorted(command.SKILLS.glob("*/SKILL.md"))}


def outcomes(folder: Path, **options: bool) -> list[str]:
    return [one.outcome for one in command.install(command.SKILLS, folder, **options)]


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    """A folder of one skill with two files."""
    folder = tmp_path / "given"
    (folder / "one" / "more").mkdir(parents=True)
    (folder / "one" / "SKILL.md").write_text("first")
    (folder / "one" / "more" / "about.md").write_text("second")
    (folder / "no-skill").mkdir()
    return folder


def test_a_second_time_changes_nothing(tmp_path: Path) -> None:
    assert outcomes(tmp_path / "new") == ["written"] * 2
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    assert outcomes(tmp_path / "new") == ["unchanged"] * 2
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


def test_what_someone_changed_is_kept_until_it_is_forced(skill: Path, tmp_path: Path) -> None:
    place = tmp_path / "new" / "one"
    command.install(skill, place.parent)
    (place / "SKILL.md").write_text("mine")
    (found,) = command.install(skill, place.parent)
    assert (found.outcome, (place / "SKILL.md").read_text()) == ("kept", "mine")
    assert "--force" in found.note
    (place / "my-notes.md").write_text("mine, too")
    (found,) = command.install(skill, place.parent, force=True)
    assert found.outcome == "written"
    assert (place / "more" / "about.md").read_text() == "second"
    assert (place / "SKILL.md").read_text() == "first"
    assert (place / "my-notes.md").exists(), "a copy takes nothing away"


def test_nothing_is_written_through_a_link(skill: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "SKILL.md").write_text("another's")
    place = tmp_path / "new" / "one"
    place.parent.mkdir()
    place.symlink_to(elsewhere)
    assert [one.outcome for one in command.install(skill, place.parent)] == ["kept"]
    assert [one.outcome for one in command.install(skill, place.parent, force=True)] == ["written"]
    assert (elsewhere / "SKILL.md").read_text() == "another's"
    assert (place / "SKILL.md").read_text() == "first"
    assert not place.is_symlink()


def test_a_broken_link_and_a_file_are_kept_too(skill: Path, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "one").symlink_to(tmp_path / "gone")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "one").write_text("a file")
    for folder in (tmp_path / "a", tmp_path / "b"):
        assert [one.outcome for one in command.install(skill, folder)] == ["kept"]
        assert [one.outcome for one in command.install(skill, folder, force=True)] == ["written"]
        assert (folder / "one" / "SKILL.md").read_text() == "first"


def test_a_place_that_cannot_be_is_named(skill: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match="file"):
        command.install(skill, tmp_path / "file")


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)

    def said(*words: str) -> str:
        with pytest.raises(SystemExit) as ended:
            main(["skills", *words])
        assert ended.value.code == 0
        return capsys.readouterr().out

    assert said() == "".join(f"written .claude/skills/{name}\n" for name in NAMES)
    skills = json.loads(said("there", "--json"))["skills"]
    assert [(one["place"], one["outcome"]) for one in skills] == [(f"there/{name}", "written") for name in NAMES]


@pytest.mark.parametrize("name", NAMES)
def test_what_a_skill_says_of_itself(name: str) -> None:
    """Agents read the name and the description alone until they need the rest."""
    _, front, _ = TEXTS[name].split("---\n", 2)
    about = yaml.safe_load(front)
    assert about["name"] == name
    assert set(about) == {"name", "description"}
    assert 40 < len(about["description"]) < 1024


@pytest.mark.parametrize("name", NAMES)
def test_every_command_of_a_skill_works(name: str, tmp_path: Path) -> None:
    blocks = [match for match in FENCE.finditer(TEXTS[name]) if not match["why"]]
    assert len(blocks) >= 2
    for block in blocks:
        # A skill shows what is typed, not what is said.
        run_console(re.sub(r"^(\$ .*)$", r"\1\n…", block["body"], flags=re.M), tmp_path)
