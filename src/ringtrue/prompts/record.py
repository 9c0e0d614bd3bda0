"""`PromptRecord`: one prompt at one call; `PromptDiff`: what became of it between two states of a repository."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

PREVIEW = 200
"""How many characters of a prompt a list shows."""


@dataclass(frozen=True)
class PromptRecord:
    """A prompt that a call hands to a model; `is_dynamic` says that its text is not known before the call is made."""

    file_path: str
    line: int
    sdk: str
    call_site: str
    role: str
    role_position: int
    """The place in `messages`; -1 for `system=`."""
    qualname: str
    """The functions and classes around the call, or `<module>`."""
    text: str
    is_dynamic: bool
    fingerprint: str
    loose_fingerprint: str = ""

    @property
    def call_site_id(self) -> str:
        """Where it is: `app/extract.py:42:anthropic.user#0`."""
        place = "" if self.role_position < 0 else f"#{self.role_position}"
        return f"{self.file_path}:{self.line}:{self.sdk}.{self.role}{place}"

    @property
    def anchor(self) -> tuple[str, str, str, str, int]:
        """What stays when lines are put above the call."""
        return self.file_path, self.qualname, self.sdk, self.role, self.role_position

    def told(self) -> str:
        """A line for people: where it is, and how it begins."""
        words = " [dynamic]" if self.is_dynamic else f": {(self.text.strip().splitlines() or [''])[0][:PREVIEW]!r}"
        return f"{self.call_site_id} in {self.qualname}{words}"

    def preview(self) -> dict[str, Any]:
        """Plain values: where it is, its fingerprint, and its text as far as a list shows it."""
        names = ("file_path", "line", "sdk", "call_site", "role", "role_position", "qualname")
        told = {name: getattr(self, name) for name in (*names, "fingerprint", "is_dynamic")}
        text = self.text[:PREVIEW] + "…" * (len(self.text) > PREVIEW)
        return {"call_site_id": self.call_site_id, **told, "text_preview": text}


@dataclass(frozen=True)
class PromptDiff:
    """A prompt that was `added`, `removed` or `modified`, or is `dynamic`: nobody can tell by reading."""

    call_site_id: str
    change_type: str
    before: PromptRecord | None
    after: PromptRecord | None

    @property
    def file_path(self) -> str:
        """The file it is or was in."""
        return self._record.file_path

    @property
    def role(self) -> str:
        """Whose words it is."""
        return self._record.role

    @property
    def sdk(self) -> str:
        """Through which library it is sent."""
        return self._record.sdk

    @property
    def _record(self) -> PromptRecord:
        found = self.after or self.before
        if found is None:
            raise ValueError(f"a PromptDiff has a record before or after the change; {self.call_site_id!r} has neither")
        return found
