"""Regular expressions of settings. They are matched by RE2, in time linear in the text: Python's ``re`` can be
brought to run for years by a short pattern, and cannot be interrupted.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

LONGEST = 1000
"""Characters of a pattern."""
LARGEST_PROGRAM = 1000
"""Instructions that a pattern becomes; the time for a text grows with it. Ordinary patterns have under 100."""
MEMORY_BYTES = 1 << 20


class Pattern(Protocol):
    """A compiled expression."""

    def search(self, text: bytes) -> object | None:
        """Something where it is found in a line, else None."""
        ...


@lru_cache(256)
def pattern(text: str) -> Pattern:
    """Compile a pattern. Raises ValueError with a clause that says what is wrong with it."""
    import re2

    if len(text) > LONGEST:
        raise ValueError(f"it is longer than {LONGEST} characters")
    options = re2.Options()
    # Lines of output are bytes of any encoding.
    options.encoding = re2.Options.Encoding.LATIN1
    options.log_errors = False
    options.max_mem = MEMORY_BYTES
    try:
        compiled = re2.compile(text.encode(), options)
    except UnicodeEncodeError as error:
        raise ValueError("it is not text") from error
    except re2.error as error:
        said = error.args[0] if error.args else b""
        raise ValueError(said.decode(errors="replace") if isinstance(said, bytes) else str(said)) from error
    if compiled.programsize > LARGEST_PROGRAM:
        raise ValueError("it repeats too much")
    return compiled
