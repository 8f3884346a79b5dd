"""A process that says all that it knows, in every way in which libraries and faults do, and ends by an exception."""

from __future__ import annotations

import asyncio
import faulthandler
import gc
import logging
import sys
import threading
import warnings

from maxcode_lsp import log
from maxcode_lsp.server.connection.stderr import ToEditor
from tests.planted.keys import keys_of


class Unraisable:
    def __init__(self, key: str) -> None:
        self.key = key

    def __del__(self) -> None:
        raise ValueError(self.key)


class Odd:
    """Cannot be put into words, and says a key when it is tried."""

    def __init__(self, key: str) -> None:
        self.key = key

    def __str__(self) -> str:
        raise ValueError(self.key)


def fail(key: str) -> None:
    """A chain of three."""
    try:
        ask(key)
    except RuntimeError as error:
        raise OSError(f"could not ask https://user:{key}@host/v1?key={key}") from error


def ask(key: str) -> None:
    try:
        {}[key]
    except KeyError as error:
        raise RuntimeError(f"Authorization: Bearer {key}") from error


async def forgotten(key: str) -> None:
    asyncio.get_running_loop().create_task(asyncio.to_thread(fail, key))
    await asyncio.sleep(0.05)
    gc.collect()


def main() -> None:
    faulthandler.enable()
    log.configure()
    logging.getLogger().addHandler(ToEditor(logging.WARNING))
    library = logging.getLogger("LiteLLM")
    library.addHandler(logging.StreamHandler(sys.stdout))
    for key in keys_of("arguments of a log record"):
        library.warning("sent %s with %r", key, {"headers": {"Authorization": f"Bearer {key}"}, "raw": key.encode()})
        library.warning("%(key)s", {"key": key})
        library.error(key)
        library.error(Odd(key))
        library.error("%d", key)
    for key in keys_of("exception of a log record"):
        try:
            fail(key)
        except OSError:
            library.exception("asking failed")
    for key in keys_of("chain of exceptions"):
        try:
            fail(key)
        except OSError as error:
            error.add_note(key)
            log.record(error)
    for key in keys_of("warning"):
        warnings.warn(f"{key} will not be supported", DeprecationWarning, stacklevel=1)
        warnings.warn(key, ResourceWarning, stacklevel=1)
    for key in keys_of("uncaught exception"):
        thread = threading.Thread(target=fail, args=(key,))
        thread.start()
        thread.join()
        Unraisable(key)
        asyncio.run(forgotten(key))
    raise ExceptionGroup(keys_of("uncaught exception")[0], [ValueError(key) for key in keys_of("uncaught exception")])


if __name__ == "__main__":
    main()
