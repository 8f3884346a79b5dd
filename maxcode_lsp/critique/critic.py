"""The ``Critic`` seam: one view on a version of a target. A new critic is one file and one line in ``critique.py``."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from maxcode_lsp.critique.evidence import Evidence
from maxcode_lsp.critique.kinds import Kind
from maxcode_lsp.records import Finding, Span


class Report(Struct, frozen=True):
    """What one critic has to say."""

    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    """Why it could not say anything, one sentence each."""


class Critic(Protocol):
    """Finds one family of kinds. May raise InfrastructureError; what the code does is never an exception."""

    @property
    def name(self) -> str:
        """For people: ``hot code``."""
        ...

    async def criticise(self, evidence: Evidence) -> Report:
        """Findings in any order; limits and duplicates are the caller's business."""
        ...


def finding(kind: Kind, lines: tuple[int, int], message: str, evidence: str, share: float | None = None) -> Finding:
    """A finding about the ``lines`` (first, last); its id is made unique when reports are merged."""
    return Finding(f"{kind.value}:{lines[0]}", kind.value, Span(*lines), message, evidence, share)
