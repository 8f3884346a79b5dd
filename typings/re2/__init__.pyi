# The part of google-re2 that is used here; the package has no types of its own.
from typing import Generic, TypeVar

_Text = TypeVar("_Text", str, bytes)

class error(Exception): ...  # noqa: N801 - the library's name

class Options:
    class Encoding:
        UTF8: Options.Encoding
        LATIN1: Options.Encoding

    def __init__(self) -> None: ...
    encoding: Options.Encoding
    log_errors: bool
    max_mem: int

class _Match(Generic[_Text]): ...

class _Regexp(Generic[_Text]):
    @property
    def programsize(self) -> int: ...
    def search(self, text: _Text) -> _Match[_Text] | None: ...

def compile(pattern: _Text, options: Options | None = None) -> _Regexp[_Text]: ...  # noqa: A001 - the library's name
