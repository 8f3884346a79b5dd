"""What a built program is: its machine code's identity, and whether it uses threads."""

from __future__ import annotations

import hashlib
import io
import re
import struct
from collections.abc import Iterator

from elftools.common.exceptions import ELFError
from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

THREAD_IMPORTS = re.compile(
    r"pthread_create$|thrd_create$|GOMP_parallel|__kmpc_fork_call|_ZNSt6thread15_M_start_thread"
    # Namespace tbb itself, not any name that ends in these letters.
    r"|_Z\w*?N[rVK]*3tbb\d"
)
"""Matches, from its first letter, the name of a function that starts threads: of the system, of OpenMP
(GCC's and LLVM's), of the C++ library, of TBB (which carries the parallel algorithms)."""


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


LINKED_IN = frozenset({"socket"})
"""What a statically linked C library brings along unasked, so that having it says nothing."""


def imports(program: bytes) -> frozenset[str]:
    """Names of the functions that a program has from libraries.

    Those that it takes from shared ones; where it is statically linked, all that are in it.
    """
    try:
        elf = ELFFile(io.BytesIO(program))
        names = {name for name, section in _symbols(elf, ".dynsym") if section == _UNDEFINED}
        if not names:
            names = {name for name, section in _symbols(elf, ".symtab") if section != _UNDEFINED} - LINKED_IN
        return frozenset(names)
    except (ELFError, ValueError, KeyError, struct.error):
        return frozenset()


_UNDEFINED = 0


def _symbols(elf: ELFFile, table: str) -> Iterator[tuple[str, int]]:
    """Names, and the section that each is defined in. The library's own way takes a second for a static program."""
    section = elf.get_section_by_name(table)
    if not isinstance(section, SymbolTableSection):
        return
    names = section.stringtable.data()
    order = "<" if elf.little_endian else ">"
    entry = struct.Struct(order + ("I2xHQQ" if elf.elfclass == 64 else "I10xH"))
    for at, in_section, *_ in entry.iter_unpack(section.data()):
        yield names[at : names.index(b"\0", at)].decode(errors="replace"), in_section


def uses_threads(program: bytes) -> bool:
    """Whether the program has anything by which threads are started."""
    return any(map(THREAD_IMPORTS.match, imports(program)))
