"""The Hugging Face `datasets` library: which files make up a dataset, and streams of formats that only it reads.

A card decides configurations, splits and files in ways the library alone follows. The rows of Parquet, Arrow, JSON and
CSV are read by this package all the same: the library fetches most of a file for its first row, and reads the text
`2020-01-01` as a time and `007` as 7.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, fields
from tempfile import TemporaryDirectory
from typing import Any

from ringtrue.errors import ConfigurationError, InputError, MissingExtra
from ringtrue.records import Json

try:  # by name: a folder called datasets in the working directory would be imported, too
    from datasets import exceptions, get_dataset_config_names, load_dataset_builder
except ImportError as error:
    raise MissingExtra("a dataset that is not in the catalogue", "datasets") from error

STREAM_BYTES = 1024 * 1024
"""Of formats the library reads in chunks of bytes, the size of one."""

_OF_NO_FORMAT = frozenset({"name", "version", "data_dir", "data_files", "description", "features"})


@dataclass(frozen=True)
class HFDataset:
    """One configuration of a dataset, as the library understands the repository."""

    builder: Any

    @property
    def config(self) -> str:
        """The configuration's name."""
        return str(self.builder.config.name)

    @property
    def splits(self) -> list[str]:
        """The names of the splits."""
        return [str(split) for split in self.builder.config.data_files]

    def files(self, split: str) -> list[str]:
        """The addresses of the files of a split."""
        return [str(file) for file in self.builder.config.data_files[split]]

    @property
    def format(self) -> str:
        """The format that the library assumes for the files: `text`, `xml`, `webdataset` …"""
        return str(type(self.builder).__module__.rpartition(".")[2])

    @property
    def is_plain(self) -> bool:
        """Whether nothing is said about how to read the files that their names do not say."""
        config = self.builder.config
        usual = type(config)()
        names = {item.name for item in fields(config)} - _OF_NO_FORMAT
        said = {name: getattr(config, name) for name in names if getattr(config, name) != getattr(usual, name)}
        tabs = all(file.removesuffix(".gz").endswith(".tsv") for split in self.splits for file in self.files(split))
        return not said or (said == {"sep": "\t"} and tabs)

    def stream_rows(self, split: str) -> Iterator[dict[str, Json]]:
        """The rows of a split, streamed; pictures and sounds stay bytes, and what was opened is closed."""
        if self.format in ("text", "json"):
            self.builder.config.chunksize = STREAM_BYTES
        try:
            stream = self.builder.as_streaming_dataset(split=split)
            with closing(iter(stream.decode(False) if stream.features else stream)) as rows:
                yield from rows
        except Exception as error:  # each of thirty formats has a reader, and each reader errors of its own
            problem = _in_short(error.__cause__ or error)
            raise InputError(f"the datasets library cannot read split {split!r} as {self.format}: {problem}") from error


def build(place: str, config: str | None, revision: str | None = None, token: str | None = None) -> HFDataset | None:
    """A configuration of the repository at a place, a folder or a path on the hub; None where a script would load it.

    An unknown configuration, or none where there are several, raises with those there are.
    """
    try:
        with TemporaryDirectory() as nothing:  # it is read and never prepared, yet the library leaves locks of each
            builder = load_dataset_builder(place, config, revision=revision, token=token, cache_dir=nothing)
        if not builder.config.data_files:
            raise FileNotFoundError(place)
        return HFDataset(builder)
    except exceptions.DatasetNotFoundError:
        raise  # what the hub refuses is reported elsewhere
    except FileNotFoundError as error:
        raise InputError(f"{place} has no files of rows that the datasets library knows") from error
    except OSError:
        raise
    except Exception as error:  # a card is anybody's YAML, and each part of the library errors in its own way
        if "scripts are no longer supported" in str(error):
            return None
        known = _configs(place, revision, token) if isinstance(error, ValueError) else []
        if not known or config in known:
            raise InputError(f"the datasets library cannot read {place}: {_in_short(error)}") from error
        what = f"no configuration {config!r}" if config else "several configurations"
        raise ConfigurationError(
            f"{place} has {what}; it has {', '.join(known)}; write hf:ORG/NAME:{known[0]}",
            parameter="dataset",
            value=config,
        ) from error


def _configs(place: str, revision: str | None, token: str | None) -> list[str]:
    with suppress(ValueError):
        return list(get_dataset_config_names(place, revision=revision, token=token))
    return []


def _in_short(error: BaseException) -> str:
    return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
