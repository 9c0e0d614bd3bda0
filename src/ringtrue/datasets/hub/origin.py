"""`Origin`: where the rows of the catalogue are read from."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ringtrue.datasets.hub.mirror import Mirror, Sample
from ringtrue.datasets.hub.repository import Repository
from ringtrue.datasets.hub.revisions import Revisions

_TRUE = frozenset({"1", "true", "yes", "on"})
SAMPLES = Path(__file__).parent.parent.parent / "samples" / "hub"
"""A mirror of a few rows of some benchmarks, which comes with the package."""


@dataclass(frozen=True)
class Origin:
    """A mirror folder, the hub's cache where offline, else the hub."""

    data_dir: str | Path | None = None
    token: str | None = None
    offline: bool = False
    cache: str | Path = "~/.cache/huggingface/hub"
    revisions: Revisions = field(default_factory=Revisions)

    @classmethod
    def from_env(cls, data_dir: str | Path | None = None, environment: Mapping[str, str] = os.environ) -> Origin:
        """As the environment says: RINGTRUE_DATA_DIR, HF_TOKEN, HF_HUB_OFFLINE, HF_HUB_CACHE, HF_HOME."""
        home = environment.get("HF_HOME")
        return cls(
            data_dir or environment.get("RINGTRUE_DATA_DIR") or None,
            environment.get("HF_TOKEN") or None,
            any(environment.get(name, "").lower() in _TRUE for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE")),
            environment.get("HF_HUB_CACHE") or (Path(home) / "hub" if home else cls.cache),
        )

    @classmethod
    def samples(cls) -> Origin:
        """The rows that come with the package."""
        return cls(SAMPLES)

    def repository(self, path: str, revision: str | None = None, *, gated: bool = False) -> Repository:
        """The files of a dataset."""
        if self.data_dir is not None:
            kind = Sample if self.data_dir is SAMPLES else Mirror
            return kind(Path(self.data_dir).expanduser(), path, revision)
        if self.offline:
            return Mirror(Path(self.cache).expanduser(), path, revision)
        from ringtrue.datasets.hub.hub_repository import Hub

        return Hub(path, revision, self.revisions, token=self.token, gated=gated)
