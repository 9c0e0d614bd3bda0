"""`Hub`: a dataset repository on the Hugging Face hub, read as far as rows are asked for; no loading script runs."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cached_property
from typing import BinaryIO, TypeVar, cast

from ringtrue.datasets.hub.repository import CONVERTED, Repository, copying
from ringtrue.datasets.hub.revisions import Revisions
from ringtrue.errors import ConfigurationError, InputError, MissingExtra

try:
    import huggingface_hub
    from huggingface_hub import errors
except ImportError as error:
    raise MissingExtra("loading a dataset from the Hugging Face hub", "hub") from error

from ringtrue.datasets.hub.silence import WatchedFile, unless_silent

Result = TypeVar("Result")

ANSWER_SECONDS = 30.0
"""How long the hub may be silent before reading ends with a message."""

BUFFER_BYTES = 256 * 1024
"""How much of a file is taken from the library at once."""

PARQUET_AHEAD = 1024 * 1024
"""Bytes that are fetched beyond those asked for; of Parquet, whole columns of a row group are asked for at once."""

# The library's own errors and those of its HTTP client, which has been a different one from version to version.
_FAILURES = (OSError, cast(type[Exception], errors.HfHubHTTPError.__bases__[0]))


class Hub(Repository):
    """The files of one dataset at one commit; without a revision, at the one recorded, else at the newest."""

    def __init__(
        self, path: str, revision: str | None, revisions: Revisions, *, token: str | None = None, gated: bool = False
    ) -> None:
        self.path, self._revisions, self._gated = path, revisions, gated
        self._token = token or huggingface_hub.get_token()
        if gated and not self._token:
            raise ConfigurationError(f"{path} is gated; {_admission(path)}", parameter="dataset", value=path)
        pinned = revision is not None and revision != CONVERTED
        key = path if revision is None else f"{path}@{revision}"
        self.revision = wanted = revision if pinned else revisions.of(key) or revision
        found = self.ask(lambda: huggingface_hub.HfApi(token=self._token).dataset_info(path, revision=wanted))
        self.revision = found.sha
        if not pinned and found.sha:
            revisions.record(key, found.sha)

    def names(self) -> list[str]:
        """The names of all files, with `/` between folders."""
        return self._names

    @cached_property
    def _names(self) -> list[str]:
        api = huggingface_hub.HfApi(token=self._token)
        return self.ask(lambda: sorted(api.list_repo_files(self.path, repo_type="dataset", revision=self.revision)))

    @contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        """The bytes of a file, fetched in ranges, unpacked where it is gzipped."""
        files = huggingface_hub.HfFileSystem(token=self._token)
        ahead = PARQUET_AHEAD if name.endswith(".parquet") else None
        file = self.ask(lambda: files.open(self._address(name), "rb", block_size=ahead))
        with self._explain_refusals(), closing(file):
            stream = io.BufferedReader(WatchedFile(file, ANSWER_SECONDS), BUFFER_BYTES)
            if name.endswith(".gz"):
                with gzip.GzipFile(fileobj=stream) as unpacked:
                    yield cast(BinaryIO, unpacked)
            else:
                yield stream

    def converted_repository(self) -> Repository | None:
        """The same dataset as the hub has converted it; None where it has not."""
        try:
            return Hub(self.path, CONVERTED, self._revisions, token=self._token, gated=self._gated)
        except InputError:
            return None

    def ask(self, call: Callable[[], Result]) -> Result:
        """Return the result of a call to the hub; its refusals and its silence become our own errors."""
        with self._explain_refusals():
            return unless_silent(call, ANSWER_SECONDS)

    def _address(self, name: str) -> str:
        return f"datasets/{self.path}@{self.revision}/{name}"

    @contextmanager
    def _explain_refusals(self) -> Iterator[None]:
        """Say in our words what the hub refuses."""
        try:
            yield
        except errors.GatedRepoError as error:
            raise self._refusal() from error
        except errors.RepositoryNotFoundError as error:
            private = "it is not there, or it is private and needs HF_TOKEN"
            raise InputError(f"the hub has no dataset {self.path}: {private}") from error
        except errors.RevisionNotFoundError as error:
            raise InputError(f"the hub has no revision {self.revision} of {self.path}") from error
        except _FAILURES as error:
            said = str(error).partition("\n")[0] or type(error).__name__
            if "is a gated dataset" in said:  # so the datasets library, which does not pass the hub's own error on
                raise self._refusal() from error
            raise InputError(
                f"the hub cannot be read for {self.path}: {said}; "
                f"--data-dir DIR (or RINGTRUE_DATA_DIR) reads a copy in DIR/{self.path} instead, made with: "
                f"{copying(self.path, self.revision, 'DIR')}"
            ) from error

    def _refusal(self) -> InputError:
        return InputError(f"the hub refuses {self.path}: it is gated; {_admission(self.path)}")


def _admission(path: str) -> str:
    return (
        f"accept its terms at https://huggingface.co/datasets/{path}, make a token at "
        "https://huggingface.co/settings/tokens, and set HF_TOKEN; or give a copy with --data-dir"
    )
