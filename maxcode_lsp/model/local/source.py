"""What the sources of weights have in common: each adds bytes to the same partial file, so that one goes on where
another, or an earlier pull, broke off.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from maxcode_lsp.model.local.catalogue import Weights


class SourceFailed(Exception):
    """A source cannot give the weights; ``str()`` is a clause that says why."""


class Partial:
    """The first bytes of the weights. Close it, or use it as a context manager.

    That they are the right ones is known only when all are there: their hash is settled.
    """

    def __init__(self, path: Path, weights: Weights, seen: Callable[[int], None]) -> None:
        """``seen``: told how many bytes are there whenever that changes. Raises OSError."""
        self.path = path
        self._weights = weights
        self._seen = seen
        self._file = path.open("ab", buffering=0)
        self.size = os.fstat(self._file.fileno()).st_size
        if self.size > weights.size_bytes:
            self.truncate()
        self.added = 0
        """Bytes that were fetched since it was opened."""
        seen(self.size)

    @property
    def whole(self) -> bool:
        """Nothing is missing."""
        return self.size == self._weights.size_bytes

    def add(self, data: bytes) -> None:
        """What comes next. Raises OSError, ValueError where it is more than there can be."""
        if self.size + len(data) > self._weights.size_bytes:
            raise ValueError("too much")
        view = memoryview(data)
        while view:
            view = view[self._file.write(view) :]
        self.size += len(data)
        self.added += len(data)
        self._seen(self.size)

    def coming(self, count: int) -> None:
        """So many bytes more have come but were not added yet."""
        self._seen(min(self.size + count, self._weights.size_bytes))

    def truncate(self) -> None:
        """Throw all away. Raises OSError."""
        self._file.truncate(0)
        self.size = 0
        self._seen(0)

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file; what is in it stays."""
        self._file.close()
