"""Sandboxes: where every compiler, generator and program under judgement runs.

``open_sandbox`` gives a live :class:`Sandbox` at the strongest :class:`Level` that holds on this machine;
a small trusted launcher inside starts one :class:`Command` after the other and says how it ended.
"""

from maxcode_lsp.executor.sandbox.contract import Command, Conduct, Exit, Level, Mount, Sandbox
from maxcode_lsp.executor.sandbox.probe import Support, forced, open_sandbox, probe, try_level
from maxcode_lsp.executor.sandbox.scratch import Scratch, disk_full, filling

__all__ = [
    "Command",
    "Conduct",
    "Exit",
    "Level",
    "Mount",
    "Sandbox",
    "Scratch",
    "Support",
    "disk_full",
    "filling",
    "forced",
    "open_sandbox",
    "probe",
    "try_level",
]
