"""Small files of real answers that come with the package."""

from __future__ import annotations

from pathlib import Path

from ringtrue.errors import UnknownName

SAMPLE = "@sample"
"""How the names of samples end."""
SAMPLES = {
    "demo": "20 short tasks for a first run: MMLU, BIG-Bench Hard (MIT).",
    "nq": "200 answers of five systems to Natural Questions, with gold answers (EVOUNA, Apache-2.0).",
    "ifeval": "60 answers of GPT-4 to IFEval prompts, with their instructions (google-research, CC BY 4.0).",
    "gsm8k": "60 solutions to GSM8K problems with gold answers (openai/grade-school-math, MIT).",
}

_FOLDER = Path(__file__).parent.parent / "samples"


def sample_path(name: str) -> str:
    """The file of a sample, named `nq@sample`."""
    bare = name.removesuffix(SAMPLE)
    if bare not in SAMPLES:
        raise UnknownName("sample", name, [known + SAMPLE for known in SAMPLES])
    return str(_FOLDER / f"{bare}.jsonl")
