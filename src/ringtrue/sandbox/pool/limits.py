"""`Limits`: how much a program may use."""

from __future__ import annotations

from dataclasses import dataclass

from ringtrue.errors import ConfigurationError

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """The resources that one execution may use; exceeding a limit ends or fails the program, never the caller.

    The time of a program is processor time, its own and that of its examiner together: `cpu_seconds`, or as many as
    `seconds`. `seconds` is wall time: for the shell, and for a program that waits; one that works may take ten times
    as long, so that a busy machine does not change a verdict. `memory_bytes` binds each process by its
    address space, and in the shell profile also all of them together. `processes` counts only where a profile lets a
    program start others. `disk_bytes` is the size of the private directory.
    """

    seconds: float = 10.0
    cpu_seconds: float | None = None
    memory_bytes: int = 512 * MIB
    processes: int = 64
    file_bytes: int = 64 * MIB
    disk_bytes: int = 128 * MIB
    open_files: int = 64
    output_bytes: int = 4 * MIB

    def __post_init__(self) -> None:
        for name in self.__slots__:
            value = getattr(self, name)
            if value is None and name == "cpu_seconds":
                continue
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < 1 << 62:
                raise ConfigurationError(
                    f"{name} must be a positive number; got {value!r}", parameter=name, value=value
                )

    def standing(self) -> tuple[int, ...]:
        """The limits of a worker itself, the same for all its programs."""
        return self.memory_bytes, self.processes, self.file_bytes, self.disk_bytes, self.open_files

    def numbers(self) -> dict[str, float]:
        """The limits as plain numbers, for the worker that enforces them."""
        return {name: getattr(self, name) or self.seconds for name in self.__slots__}
