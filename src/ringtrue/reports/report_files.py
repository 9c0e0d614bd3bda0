"""`ReportFiles`: a report of a suite, written."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ringtrue.atomic_file import Where, write_whole
from ringtrue.jsontext import json_text
from ringtrue.records import Json


class ReportFiles(ABC):
    """Adds the files to a report that knows its texts; each is written whole, and missing folders are made."""

    @abstractmethod
    def to_dict(self) -> dict[str, Json]:
        """The report as plain values."""

    @abstractmethod
    def to_junit_xml(self) -> str:
        """The report as JUnit XML: one testcase per check, each with its own verdict."""

    @abstractmethod
    def to_csv(self) -> str:
        """One line per check; a case without checks has one line, too."""

    @abstractmethod
    def to_html(self) -> str:
        """The report as one HTML file that needs nothing else."""

    def to_json(self) -> str:
        """The report as JSON, without Infinity or NaN."""
        return json_text(self.to_dict(), indent=True)

    def save_json(self, path: Where) -> None:
        """Write the JSON whole; missing folders are made."""
        write_whole(path, self.to_json().encode())

    def save_junit_xml(self, path: Where) -> None:
        """Write the JUnit XML whole; missing folders are made."""
        write_whole(path, self.to_junit_xml().encode())

    def save_csv(self, path: Where) -> None:
        """Write the CSV whole; missing folders are made."""
        write_whole(path, self.to_csv().encode())

    def save_html(self, path: Where) -> None:
        """Write the HTML whole; missing folders are made."""
        write_whole(path, self.to_html().encode())
