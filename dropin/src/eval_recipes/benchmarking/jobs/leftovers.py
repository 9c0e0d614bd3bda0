"""What a run leaves in the container engine, found again by whoever comes next: also after a run that was killed.

A trial's containers carry a label and are removed with it; images are listed and removed at the end of the run, for
the next trials are built from their layers.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

from ringtrue.sandbox.engine import Engine, EngineError
from ringtrue.sandbox.image import Image
from ringtrue.sandbox.workbench import Workbench

from eval_recipes.benchmarking.jobs.places import IMAGES


def label(trial: Path) -> str:
    """What the containers of a trial with this folder are labelled with."""
    place = str(trial.absolute()).encode("utf-8", "surrogateescape")
    return f"eval-recipes-trial={hashlib.sha256(place).hexdigest()[:32]}"


def remove_containers(engine: Engine, trial: Path) -> None:
    """Remove the containers of a trial, and all that runs in them."""
    with suppress(EngineError):
        found = engine.call("ps", "--all", "--quiet", "--no-trunc", f"--filter=label={label(trial)}")
        for name in found.decode().split():
            Workbench(engine, name).remove()


def note_image(run: Path, name: str) -> None:
    """Write down an image that the run is about to build."""
    with (run / IMAGES).open("a") as notes:
        notes.write(f"{name}\n")


def remove_images(engine: Engine, run: Path) -> None:
    """Remove the images that are written down, and the notes of those that are gone."""
    path = run / IMAGES
    kept = []
    for name in dict.fromkeys(path.read_text().split() if path.is_file() else ()):
        try:
            Image.named(engine, name).remove()
        except EngineError as error:
            kept += [] if error.kind == "absent" else [f"{name}\n"]
    path.unlink(missing_ok=True)
    if kept:  # whoever comes next tries again
        path.write_text("".join(kept))
