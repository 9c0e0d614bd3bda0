"""Published outputs are replayed in every shape their authors give them: layouts, names of fields, empty replies."""

from __future__ import annotations

import gzip
import json
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parent.parent / "benchmarks" / "published" / "replay.py"

SHAPES: dict[str, tuple[str, list[dict[str, Any]], float, float | None, str]] = {
    "a folder a model": (
        "claude2/preds_kv_retrieval.jsonl",
        [{"ground_truth": "c1-4c", "prediction": "It is 'c1-4c'."}, {"ground_truth": "x", "prediction": "no"}],
        50.0, 65.4, "",
    ),
    "labels in lists, ids that repeat": (
        "yi-6b-200k/preds_code_run.jsonl",
        [{"id": 0, "prediction": " 4.", "ground_truth": [4]}, {"id": 0, "prediction": "\n", "ground_truth": [8]}],
        50.0, None, "published: <5",
    ),
    "a blank before the letter": (
        "yi-6b-200k_longbook_choice_eng.jsonl.gz",
        [{"prediction": " A", "ground_truth": ["Bo", "A"]}, {"prediction": "", "ground_truth": ["Al", "C"]}],
        50.0, 36.68, "",
    ),
    "no output": (
        "odd/preds_passkey.jsonl",
        [{"prediction": None, "label": "1"}, {"pred": "00846.", "label": ["00846"]}, {"label": "2"}],
        100 / 3, None, "; 2 rows without an output",
    ),
    "a list in a list, an output in parts": (
        "odd_math_calc.jsonl",
        [{"prediction": "[1, 2]", "ground_truth": [[1, 2, 3, 4]]}, {"pred": ["1", "2"], "label": [1, 2]}],
        75.0, None, "",
    ),
    "a summary with one reference": (
        "odd/preds_longbook_sum_eng.jsonl",
        [{"prediction": "a b", "ground_truth": "a b"}, {"prediction": "", "ground_truth": ["x", "y"]}],
        50.0, None, "",
    ),
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_infinitebench_is_replayed_in_every_shape(shape: str, tmp_path: Path) -> None:
    name, rows, ours, published, note = SHAPES[shape]
    path = tmp_path / "infinitebench" / name
    path.parent.mkdir(parents=True)
    data = "\n\n".join(map(json.dumps, rows)).encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    (figure,) = runpy.run_path(str(SCRIPT))["infinitebench"](tmp_path, tmp_path)
    assert (figure.rows, figure.published, figure.note) == (len(rows), published, note)
    assert figure.ours == pytest.approx(ours)


def test_without_arguments_it_says_how_to_use_it() -> None:
    said = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True, check=False)
    assert said.returncode == 2
    assert "python benchmarks/published/replay.py PUBLISHED" in said.stderr
    assert "Traceback" not in said.stderr


def test_outputs_of_another_model_have_no_figure_of_the_published_one_beside_them(tmp_path: Path) -> None:
    rows = [
        {"input": "…\n\nQ: not True is", "target": "False", "prediction": "So the answer is False."},
        {"input": "…\n\nQ: not False is", "target": "True", "prediction": "So the answer is False."},
    ]
    for folder in (tmp_path / "bbh", tmp_path / "bbh" / "odd-7b"):
        folder.mkdir()
        (folder / "cot-boolean_expressions.json").write_text(json.dumps({"outputs": rows}))
    figures = {one.what: one for one in runpy.run_path(str(SCRIPT))["bbh"](tmp_path, tmp_path)}
    assert figures["bbh boolean_expressions"][1:4] == (2, 50.0, 92.8)
    assert figures["bbh odd-7b boolean_expressions"][1:4] == (2, 50.0, None)
