"""The policies of a run, from settings."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from maxcode_lsp.executor.original import Room
from maxcode_lsp.executor.sandbox import Command, Exit, Mount, Sandbox, open_sandbox
from maxcode_lsp.policy.policy import Policy
from maxcode_lsp.policy.rewrites.clang_tidy import ClangTidy
from maxcode_lsp.policy.rewrites.policy import RewritesPolicy
from maxcode_lsp.settings import RewriteSettings, Settings
from maxcode_lsp.target.job import EvaluationJob


def names(settings: Settings) -> tuple[str, ...]:
    """Of the policies that settings ask for, in the order in which a search has them."""
    return ("rewrites", "clang-tidy", *(("llm",) if settings.asks_models else ()))


class Policies:
    """The policies that need no model. Close it."""

    def __init__(self, job: EvaluationJob, rewrites: RewriteSettings, room: Room) -> None:
        self._room = room
        self._memory_bytes = job.limits.build_memory_bytes
        files = {f.path: job.blobs[f.sha256] for f in job.files}
        self.tidy = ClangTidy(job.unit, files, job.flags, self.run_tool)
        self.all: tuple[Policy, ...] = (
            RewritesPolicy(disabled=rewrites.disabled, input=rewrites.input),
            # A policy of its own, as it takes seconds: what the rules propose need not wait for it.
            RewritesPolicy(disabled=rewrites.disabled, tidy=self.tidy, rules=False),
        )

    async def run_tool(self, mounts: tuple[Mount, ...], command: Callable[[Sandbox], Command]) -> Exit:
        """A :class:`~maxcode_lsp.executor.wheel.RunTool` on a core of this run."""
        async with self._room.cores.any() as core:
            box = await open_sandbox(
                mounts, toolchain=True, memory_bytes=self._memory_bytes, allow_unconfined=self._room.allow_unconfined
            )
            try:
                return await box.run(replace(command(box), core=core))
            finally:
                await box.close()

    async def close(self) -> None:
        """Free everything. Idempotent."""
        await self.tidy.close()
