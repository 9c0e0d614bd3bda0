"""What is said where a benchmark's rows cannot be read as they are wanted: what to copy, what is there instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from ringtrue.datasets import Origin, load
from ringtrue.errors import ConfigurationError, InputError

NOTES = ".cache/huggingface/download"
OTHER = "0" * 40


def test_a_copy_of_a_loading_script_differs_from_a_conversion(tmp_path: Path) -> None:
    folder = tmp_path / "allenai" / "qasper"
    (folder / NOTES).mkdir(parents=True)
    (folder / NOTES / "qasper.py.metadata").write_text(f"{OTHER}\n")
    (folder / "qasper.py").write_text("raise SystemExit\n")
    with pytest.raises(InputError) as raised:
        next(load("qasper", origin=Origin(tmp_path)))
    assert ".cache" not in str(raised.value)
    assert "it has qasper.py; a loading script is not run" in str(raised.value)
    assert "--revision refs/convert/parquet --local-dir DIR/allenai/qasper" in str(raised.value)


@pytest.mark.parametrize("name", ["qasper", "multi-news"])
def test_the_first_advice_works_for_a_loading_script(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"make one with: hf download .*, with --revision refs/convert/parquet: "):
        next(load(name, origin=Origin(tmp_path)))


def test_a_copy_at_another_commit_than_the_pinned_one_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "openai" / "gsm8k"
    (folder / NOTES).mkdir(parents=True)
    (folder / NOTES / "a.metadata").write_text(f"{OTHER}\n")
    (folder / "main").mkdir()
    (folder / "main" / "test.jsonl").write_text('{"question": "1 + 1?", "answer": "#### 2"}\n')
    row = next(load("gsm8k", origin=Origin(tmp_path)))
    assert row["source"] == f"openai/gsm8k@{OTHER}, not the pinned cc7b047b6e5b"


def test_the_sample_is_named_where_there_is_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a few rows come with the package: gsm8k@sample"):
        next(load("gsm8k", origin=Origin(tmp_path)))
    with pytest.raises(InputError) as raised:
        next(load("hotpotqa", origin=Origin(tmp_path)))
    assert "@sample" not in str(raised.value)


def test_a_category_that_is_not_here_says_why() -> None:
    with pytest.raises(ConfigurationError, match="bfcl:memory is not here: it needs live services"):
        load("bfcl:memory")
