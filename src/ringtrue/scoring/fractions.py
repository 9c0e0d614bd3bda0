"""Compare a fraction with a threshold that was written with few decimals."""

from __future__ import annotations

from decimal import Decimal


def meets(found: int, total: int, threshold: float) -> bool:
    """Whether found/total is at the threshold or, for one below 1, rounds to it at the decimals it was written with.

    2 of 3 meets 0.67 as it meets 0.66; a threshold of 1 needs all.
    """
    if found / total >= threshold or threshold >= 1:
        return found / total >= threshold
    written = Decimal(repr(float(threshold)))
    digits = -int(written.as_tuple().exponent)
    rounded = (2 * found * 10**digits + total) // (2 * total)
    return bool(rounded == written.scaleb(digits))


def least(total: int, threshold: float) -> int:
    """The smallest count of `total` that meets the threshold."""
    return next((found for found in range(total) if meets(found, total, threshold)), total)
