"""The sandbox contract: what a sandboxed child may do, what it is asked to do, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Protocol

from msgspec import Struct, field


class Level(str, Enum):
    """How children are confined, strongest first."""

    BUBBLEWRAP = "bubblewrap"
    """Own uid (as root), namespaces by bubblewrap, seccomp, rlimits, cgroup where writable."""
    LANDLOCK = "landlock"
    """Own uid (as root), landlock, seccomp, rlimits."""
    UNCONFINED = "unconfined"
    """Only seccomp and rlimits; used only where the user allowed it."""


class Conduct(str, Enum):
    """What a command may do. Every level enforces it with seccomp."""

    TOOL = "tool"
    """A compiler, profiler or generator: may start processes and threads, may write to its mounts."""
    PROGRAM = "program"
    """Code under judgement: no new process or thread, no exec, no socket, no shared memory that
    outlives it, no signal to others, no tracing, nothing writable but its standard output."""
    THREADED = "threaded"
    """``PROGRAM``, but threads are allowed."""


class Mount(Struct, frozen=True):
    """A host file or folder made visible. Inside, it is found at ``Sandbox.path(name)``."""

    source: Path
    name: str
    """Absolute path inside where the level has its own file tree, for example ``/src``."""
    writable: bool = False


class Command(Struct, frozen=True):
    """One process to start inside an open sandbox. Paths are inside paths (``Sandbox.path``)."""

    argv: tuple[str, ...]
    conduct: Conduct
    stdin: str | None = None
    """File to read from; None: /dev/null."""
    cwd: str | None = None
    """None: the sandbox's root of the first mount."""
    wall_s: float = 10.0
    cpu_s: float = 10.0
    memory_bytes: int = 2 << 30
    """Address space (RLIMIT_AS); 0: none (sanitizer builds), then only the cgroup bounds it."""
    output_bytes: int = 64 << 20
    """Largest standard output, and largest file written."""
    core: int | None = None
    """Pin to this core; None: any."""
    meter_s: float = 0.0
    """Look at its resident memory so often; 0: not at all."""
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    """The whole environment besides PATH and LC_ALL=C."""


class Exit(Struct, frozen=True):
    """How a command ended. ``stdout`` is whole (bounded by ``output_bytes``); ``stderr`` its last 64 KiB."""

    code: int | None
    """Exit status; None: killed by ``signal``."""
    signal: int | None
    timed_out: bool
    """It reached its wall or CPU limit."""
    overflowed: bool
    """It wrote more than ``output_bytes``."""
    leftovers: int
    """Processes it left running (killed); only possible for TOOL."""
    wall_ns: int
    cpu_ns: int
    """User plus system time of it and of the descendants it waited for."""
    max_rss_bytes: int
    stdout: bytes
    stderr: bytes
    memory_time_mbs: float = 0.0
    """Integral of its resident memory over time, in megabytes times seconds; 0 where it was not metered."""

    @property
    def ok(self) -> bool:
        """Ended by itself with status 0, within all bounds."""
        return self.code == 0 and not (self.timed_out or self.overflowed or self.leftovers)


class Sandbox(Protocol):
    """One live sandbox: a trusted launcher inside starts commands one after the other."""

    level: Level

    def path(self, name: str) -> str:
        """Inside path of a mount name or of a file below one (``/src/a.cpp``)."""
        ...

    async def run(self, command: Command) -> Exit:
        """Start the command and wait. Raises SandboxLost if the sandbox died; never hangs: past
        ``wall_s`` + 5 s the whole sandbox is killed. Cancelling kills the command.
        """
        ...

    async def close(self) -> None:
        """Kill whatever runs inside and free everything. Idempotent, within 2 s."""
        ...
