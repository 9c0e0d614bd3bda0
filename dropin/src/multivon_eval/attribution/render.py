"""Changed prompts as a comment on a pull request."""

from ringtrue.prompts.diff import diff_markdown as render_markdown

__all__ = ["render_markdown"]
