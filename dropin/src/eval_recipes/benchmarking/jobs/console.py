"""What a command in a container said, as the outputs of jobs keep it; the logs beside them hold more."""

from __future__ import annotations

from ringtrue.sandbox.workbench import Ran

HEAD, TAIL = 500_000, 1_500_000


def console(ran: Ran, note: str = "") -> str:
    """What was said, within bounds, with a note behind it."""
    return bounded(ran.output + note.encode()).decode("utf-8", "replace")


def bounded(said: bytes) -> bytes:
    """What was said; of what is too long to be kept with every job and read by a model, the middle is left out."""
    if len(said) <= HEAD + TAIL:
        return said
    return b"%s\n[... %d bytes ...]\n%s" % (said[:HEAD], len(said) - HEAD - TAIL, said[-TAIL:])


def ending(ran: Ran, who: str, seconds: float) -> str:
    """The lines that say what became of a command whose words were cut or whose time was up; empty for any other."""
    cut = f"\n[{who} said more than is kept; the rest was thrown away]\n" if ran.overflow else ""
    return cut + (f"\n[{who} was ended after {seconds:g} seconds]\n" if ran.timed_out else "")
