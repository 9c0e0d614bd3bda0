"""`ringtrue explain` shows every setting of an evaluator, those of its config included."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from ringtrue.cli.explain import command


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("not_empty", ["threshold=1.0"]),
        ("check_criteria", ["criteria=()", "passed_threshold=75", "weights=None"]),
        ("claim_verification", ["votes=1", "max_lost_share=0.2", "order='completion'"]),
        ("rubric_judge", ["levels={}", "threshold=0.5", "repeats=1"]),
        ("tool_usage", ["tool_thresholds={}"]),
        ("judge_panel", ["judges", "vote='mean'", "quorum=None"]),
    ],
)
def test_settings(name: str, settings: list[str]) -> None:
    done = CliRunner().invoke(command, [name])
    assert done.exception is None, done.exception
    shown = " ".join(done.output.partition("settings ")[2].split()).split(", ")
    assert set(settings) <= set(shown), done.output
    assert "name=..." in shown
    assert len(shown) == len({one.partition("=")[0] for one in shown}), "a setting is shown once"
