"""The page of agreement with the official scorers."""

from __future__ import annotations

from generate.markdown import fill, table
from ringtrue.api.certify import certify


def agreement_page() -> str:
    """What `ringtrue certify` counts on the shipped golden files."""
    rows = (
        (item.family, f"{item.rows:,}", f"{item.checks:,}", f"{item.agreed:,}", item.reference) for item in certify()
    )
    return fill("agreement.md", families=table(("family", "rows", "checks", "agreed", "made by"), rows))
