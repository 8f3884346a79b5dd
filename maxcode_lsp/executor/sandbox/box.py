"""The live sandbox: the host's end of the conversation with the launcher inside."""

from __future__ import annotations

import asyncio
import math
import os
import resource
import signal
import socket
import struct
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

from maxcode_lsp.errors import InfrastructureError, SandboxLost, SandboxUnavailable
from maxcode_lsp.executor.child import start
from maxcode_lsp.executor.sandbox import cgroup, levels
from maxcode_lsp.executor.sandbox.contract import Command, Conduct, Exit, Level, Mount
from maxcode_lsp.executor.sandbox.uids import DedicatedUid

PATH = "/usr/local/bin:/usr/bin:/bin"
_START_S = 15.0
_GRACE_S = 5.0
_SETTLE_S = 0.5
"""Ours: closing, for which there is a second, must fit into the 2 s with it where the launcher does not answer."""
_STDERR_BYTES = 64 << 10
_MOST_STACK_BYTES = 256 << 20
_THREAD_STACK_BYTES = 8 << 20
_KILL = struct.pack("<I", 0)


class Box:
    """One sandbox; see :class:`~maxcode_lsp.executor.sandbox.contract.Sandbox`. Made by ``open_sandbox``."""

    def __init__(
        self,
        level: Level,
        mounts: Sequence[Mount],
        *,
        launcher: Path,
        uid: DedicatedUid | None,
        group: cgroup.Cgroup | None,
        process_limit: int,
    ) -> None:
        """``process_limit``: RLIMIT_NPROC of commands that may start processes; 0: none."""
        self.level = level
        self.mounts = tuple(mounts)
        self.uid = uid.uid if uid is not None else None
        """The dedicated user id that commands run under; None: the user's own."""
        self.launcher = str(launcher)
        """The launcher's path inside."""
        self._host_launcher = launcher
        self._dedicated = uid
        self._group = group
        self._process_limit = process_limit
        self._process: asyncio.subprocess.Process | None = None
        self._control: socket.socket | None = None
        self._received = b""
        self._mid_frame = False
        self._asking: asyncio.Task[bytes] | None = None
        self._turn = asyncio.Lock()
        self._settling: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None

    def path(self, name: str) -> str:
        return levels.inside_path(self.level, self.mounts, name)

    async def start(self, *, toolchain: bool) -> None:
        """Start the launcher inside. Raises SandboxUnavailable with the reason; the caller then closes."""
        way = levels.confine(self.level, self.mounts, self._host_launcher, toolchain=toolchain)
        self.launcher = way.launcher
        host, inside = socket.socketpair()
        said = os.memfd_create("launcher-stderr")
        try:
            host.setblocking(False)
            self._control = host
            kept = [inside.fileno()]
            options: list[str] = [*way.enter]
            for file in self._group.joins if self._group is not None else ():
                options += ["--join", str(file)]
            if self._dedicated is not None:
                options += ["--uid", str(self._dedicated.uid)]
                kept.append(self._dedicated.lock)
            for descriptor in kept:
                options += ["--keep", str(descriptor)]
            serve = [way.launcher, "serve", str(inside.fileno())]
            if self._alone:
                serve.append("alone")
            self._process = await start(
                (str(self._host_launcher), "enter", *options, "--", *way.wrap, *serve),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=said,
                env={"PATH": PATH},
                cwd="/",
                pass_fds=kept,
            )
            inside.close()
            try:
                async with asyncio.timeout(_START_S):
                    await self._line()
            except (SandboxLost, TimeoutError, OSError) as problem:
                words = os.pread(said, 2000, 0).decode(errors="replace").strip() or "it did not answer"
                raise SandboxUnavailable(words) from problem
        finally:
            inside.close()
            os.close(said)

    @property
    def _alone(self) -> bool:
        """Whether the launcher may end every process it can reach: nothing else is in its reach."""
        return self._dedicated is not None or self.level is Level.BUBBLEWRAP

    async def run(self, command: Command) -> Exit:
        async with self._turn:
            await self._settled()
            if self._closing is not None or self._control is None:
                raise SandboxLost("The sandbox is closed. Open a new one for further commands.")
            frame = self._frame(command)
            out, err = os.memfd_create("stdout"), os.memfd_create("stderr")
            # A task of its own: when a cancellation and the answer meet, neither may lose the other.
            asking = self._asking = asyncio.ensure_future(self._exchange(frame, out, err))
            try:
                async with asyncio.timeout(command.wall_s + _GRACE_S):
                    line = await asyncio.shield(asking)
                return await self._exit(command, line, out, err)
            except (TimeoutError, OSError, SandboxLost) as problem:
                await self.close()
                raise SandboxLost(
                    f"The sandbox stopped answering while “{Path(command.argv[0]).name}” ran, and was ended. "
                    "If this happens again, check the machine's memory and its kernel log."
                ) from problem
            except asyncio.CancelledError:
                self._settling = asyncio.ensure_future(self._settle(asking))
                await asyncio.shield(self._settling)
                raise
            finally:
                os.close(out)
                os.close(err)

    async def close(self) -> None:
        if self._closing is None:
            self._closing = asyncio.ensure_future(self._end())
        await asyncio.shield(self._closing)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _exchange(self, frame: bytes, out: int, err: int) -> bytes:
        assert self._control is not None
        loop = asyncio.get_running_loop()
        self._mid_frame = True
        socket.send_fds(self._control, [struct.pack("<I", len(frame))], [out, err])
        await loop.sock_sendall(self._control, frame)
        self._mid_frame = False
        return await self._line()

    async def _line(self) -> bytes:
        control = self._control
        assert control is not None
        while b"\n" not in self._received:
            more = await asyncio.get_running_loop().sock_recv(control, 4096)
            if not more:
                raise SandboxLost("The sandbox ended.")
            self._received += more
        line, _, self._received = self._received.partition(b"\n")
        return line

    async def _settle(self, asking: asyncio.Task[bytes]) -> None:
        """After a cancelled run: end its command and take its answer, or else end the whole sandbox."""
        if not self._mid_frame and self._control is not None:
            with suppress(TimeoutError, OSError, SandboxLost):
                if not asking.done():
                    self._control.send(_KILL)
                async with asyncio.timeout(_SETTLE_S):
                    await asking
                return
        await self.close()

    async def _settled(self) -> None:
        if self._settling is not None:
            await asyncio.shield(self._settling)
            self._settling = None

    def _frame(self, command: Command) -> bytes:
        tool = command.conduct is Conduct.TOOL
        env = {"PATH": PATH, "LC_ALL": "C"}
        room = next((mount for mount in self.mounts if mount.writable), None)
        if tool and room is not None:
            env["TMPDIR"] = self.path(room.name)
        env.update(command.env)
        stdin = [] if command.stdin is None else [command.stdin]
        fields: list[object] = [
            command.conduct.value,
            *_counted(stdin),
            self._cwd() if command.cwd is None else command.cwd,
            int(command.wall_s * 1e9),
            max(1, math.ceil(command.cpu_s)),
            command.memory_bytes,
            command.output_bytes + 1,  # one more, so that too much can be told from just enough
            self._process_limit if tool or self._alone else 0,
            _THREAD_STACK_BYTES if command.conduct is Conduct.THREADED else _stack_bytes(),
            -1 if command.core is None else command.core,
            int(command.meter_s * 1e9),
            *_counted(command.argv),
            *_counted([f"{name}={value}" for name, value in env.items()]),
        ]
        parts = [os.fsencode(str(field)) for field in fields]
        if any(b"\0" in part for part in parts):
            raise ValueError("A command, its environment and its paths cannot hold null characters.")
        return b"".join(struct.pack("<I", len(part)) + part for part in parts)

    def _cwd(self) -> str:
        if not self.mounts:
            return "/"
        first = self.mounts[0]
        where = self.path(first.name)
        return where if first.source.is_dir() else str(Path(where).parent)

    async def _exit(self, command: Command, line: bytes, out: int, err: int) -> Exit:
        numbers, stage = line.decode().rsplit(" ", 1)
        code, ended_by, late, leftovers, wall_ns, cpu_ns, rss, memory_time, error = map(int, numbers.split())
        if stage and stage != "exec":
            what = command.stdin if stage == "stdin" else command.cwd if stage == "cwd" else command.argv[0]
            raise InfrastructureError(
                f"“{command.argv[0]}” could not be started in the sandbox: {stage} ({what}): {os.strerror(error)}."
            )
        out_bytes, err_bytes = os.fstat(out).st_size, os.fstat(err).st_size
        stdout = await asyncio.to_thread(_read, out, 0, min(out_bytes, command.output_bytes))
        stderr = _read(err, max(0, err_bytes - _STDERR_BYTES), _STDERR_BYTES)
        if stage:
            stderr = os.fsencode(f"cannot start {command.argv[0]}: {os.strerror(error)}\n")
        return Exit(
            code=code if code >= 0 else None,
            signal=ended_by or None,
            timed_out=bool(late) or ended_by == signal.SIGXCPU or cpu_ns >= command.cpu_s * 1e9,
            overflowed=max(out_bytes, err_bytes) > command.output_bytes or ended_by == signal.SIGXFSZ,
            leftovers=leftovers,
            wall_ns=wall_ns,
            cpu_ns=cpu_ns,
            max_rss_bytes=rss,
            memory_time_mbs=memory_time * 1.024e-9,  # from kilobytes times microseconds
            stdout=stdout,
            stderr=stderr,
        )

    async def _ended(self) -> bool:
        """Whether the launcher ended by itself and well; it is killed where it takes too long."""
        if self._process is None:
            return True
        try:
            async with asyncio.timeout(1.0):
                return await self._process.wait() == 0
        except TimeoutError:
            if self._process.returncode is None:
                self._process.kill()
            with suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    await self._process.wait()
            return False

    async def _end(self) -> None:
        """Closing the connection makes the launcher end everything inside; whatever does not obey is killed."""
        control, self._control = self._control, None
        if control is not None:
            with suppress(OSError):
                control.shutdown(socket.SHUT_RDWR)  # not close: a pending read would never wake
        try:
            clean = await self._ended()
            if self._asking is not None:
                await asyncio.wait([self._asking], timeout=1.0)
        finally:  # also where the event loop ends before the launcher has
            if control is not None:
                control.close()
        if not clean and self._dedicated is not None:
            sweeper = await start(
                (str(self._host_launcher), "sweep", str(self._dedicated.uid)),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
                env={"PATH": PATH},
            )
            with suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    await sweeper.wait()
        if self._group is not None:
            for pause_s in cgroup.remove_within(self._group, 1.0):
                await asyncio.sleep(pause_s)
        if self._dedicated is not None:
            self._dedicated.release()


def _stack_bytes() -> int:
    """The user's own limit: a recursion too deep for it must fail here as it would there."""
    soft, _ = resource.getrlimit(resource.RLIMIT_STACK)
    return _MOST_STACK_BYTES if soft == resource.RLIM_INFINITY else min(soft, _MOST_STACK_BYTES)


def _counted(items: Sequence[str]) -> list[object]:
    return [len(items), *items]


def _read(descriptor: int, start: int, size: int) -> bytes:
    parts: list[bytes] = []
    while size > 0 and (part := os.pread(descriptor, min(size, 1 << 24), start)):
        parts.append(part)
        start += len(part)
        size -= len(part)
    return b"".join(parts)
