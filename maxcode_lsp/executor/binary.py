"""What a built program is: its machine code's identity, and whether it uses threads."""

from __future__ import annotations

import hashlib
import io

from elftools.common.exceptions import ELFError
from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

THREAD_IMPORTS = (
    "pthread_create",
    "thrd_create",
    "GOMP_parallel",
    "_ZNSt6thread15_M_start_thread",
    "__kmpc_fork_call",
    "tbb",
)
"""Prefixes (after mangling, anywhere for C++ names) of imported symbols that start threads."""


def identity(program: bytes) -> str:
    """SHA-256 over everything that is loaded when the program runs: code, constants, relocations.

    Two builds with the same identity behave and perform alike. Notes (build id, compiler name) and
    debug information do not count. A file that is not ELF is identified by all its bytes.
    """
    digest = hashlib.sha256()
    try:
        for section in ELFFile(io.BytesIO(program)).iter_sections():
            if section["sh_flags"] & SH_FLAGS.SHF_ALLOC and section["sh_type"] != "SHT_NOTE":
                digest.update(section.name.encode())
                digest.update(section["sh_size"].to_bytes(8, "little"))
                if section["sh_type"] != "SHT_NOBITS":
                    digest.update(section.data())
    except (ELFError, ValueError, KeyError):
        digest.update(program)
    return digest.hexdigest()


OUTSIDE_IMPORTS = frozenset(
    """
    fork vfork system popen execl execlp execle execv execvp execve execvpe posix_spawn posix_spawnp socket
    socketpair
    """.split()  # noqa: SIM905 - a list of so many quoted words cannot be read
)
"""Imported functions by which a program reaches beyond itself: it cannot be judged by its output alone."""


def imports(program: bytes) -> frozenset[str]:
    """Names of the functions that a program takes from shared libraries."""
    try:
        symbols = ELFFile(io.BytesIO(program)).get_section_by_name(".dynsym")
        if not isinstance(symbols, SymbolTableSection):
            return frozenset()
        return frozenset(s.name for s in symbols.iter_symbols() if s["st_shndx"] == "SHN_UNDEF")
    except (ELFError, ValueError, KeyError):
        return frozenset()


def uses_threads(program: bytes) -> bool:
    """Whether the program imports anything that starts threads."""
    return any(mark in name for name in imports(program) for mark in THREAD_IMPORTS)
