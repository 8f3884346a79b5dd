from __future__ import annotations

import pytest

from maxcode_lsp.executor.precompiled import header_for, leading_includes


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b"#include <vector>\n#include <map>\nint main(){}\n", (b"vector", b"map")),
        (
            b"\xef\xbb\xbf// said\n/* more\n lines */\n  #  include <a/b.h> // why\nint x;\n#include <map>\n",
            (b"a/b.h",),
        ),
        (b"#define X\n#include <vector>\n", ()),
        (b'#include <vector>\n#include "own.h"\n#include <map>\n', (b"vector",)),
        (b'#pragma GCC optimize("O3")\n#include <vector>\n', ()),
        (b"", ()),
        (b"#include <vector>", ()),
        (b"/* never closed #include <vector>\n", ()),
    ],
)
def test_only_what_comes_before_anything_else(text: bytes, found: tuple[bytes, ...]) -> None:
    assert leading_includes(text) == found


def test_header() -> None:
    assert header_for((b"map", b"set")) == b"#include <map>\n#include <set>\n"
