"""Whatever a model replies: nothing raises, nothing is taken by half, and what was meant comes out."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maxcode_lsp.model.model import Answer, Ending, Usage
from maxcode_lsp.policy.llm.replies.reply import Reply, ReplyEnd, read_reply
from maxcode_lsp.text.tokens import tokens

SHOWN = Path(__file__).parents[3] / "replies" / "shown"
COUNT = (SHOWN / "count.cpp").read_bytes()
FASTER = COUNT.replace(b"<< std::endl", b"<< '\\n'")
BANNER = (SHOWN / "banner.cpp").read_bytes()
LONG = 100_000

PIECES = st.sampled_from(
    """<think> </think> ``` ```cpp ~~~ ```` ```diff <<<<<<<_SEARCH ======= >>>>>>>_REPLACE @@_-1_+1_@@ --- +++ {"code":
    "} [ ] // /* */ R"( )" #include_<map> #if #endif int_main() { } ; > - 1. &lt; <|im_end|> <|channel|>final<|message|>
    ... 1_|""".split()  # noqa: SIM905 - a list of so many quoted words cannot be read
).map(lambda piece: piece.replace("_", " "))
ANY = st.lists(st.one_of(PIECES, st.text(max_size=8), st.sampled_from([FASTER.decode(), "\n", "\r\n", "\ud800"])))


def read(text: str, shown: bytes = COUNT, ending: Ending = Ending.STOP) -> Reply:
    return read_reply(Answer(model="scripted", text=text, ending=ending, usage=Usage()), shown)


def essence(program: bytes) -> list[bytes]:
    return [token.text for token in tokens(program) if not token.text.startswith((b"//", b"/*"))]


@settings(max_examples=100, deadline=None)
@given(
    ANY,
    st.sampled_from(["", "\n", " "]),
    st.sampled_from(list(Ending)),
    st.sampled_from([COUNT, BANNER, b"", b"\xff{"]),
)
def test_nothing_raises(pieces: list[str], between: str, ending: Ending, shown: bytes) -> None:
    reply = read(between.join(pieces), shown, ending)
    assert (reply.text is not None) == (reply.end in {ReplyEnd.PROGRAM, ReplyEnd.HUNKS}) == (reply.complaint == "")
    if reply.text is not None:
        assert b"\r" not in reply.text and reply.text.endswith(b"\n")
        assert b"main" in reply.text or b"main" not in shown


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([COUNT, FASTER, BANNER]),
    st.floats(0, 1),
    st.sampled_from([("```", "cpp"), ("````", ""), ("~~~", "c++"), ("", "")]),
)
def test_no_part_of_a_program_is_taken_for_it(program: bytes, share: float, fence: tuple[str, str]) -> None:
    shown = BANNER if program == BANNER else COUNT
    text = program.decode()
    cut = text[: int(len(text) * share)]
    for behind in ("", f"\n{fence[0]}\n"):
        reply = read(f"{''.join(fence)}\n{cut}{behind}", shown)
        assert reply.text is None or essence(reply.text) == essence(program)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_program_comes_out_of_any_fence(data: st.DataObject) -> None:
    mark = data.draw(st.sampled_from(["`", "~"])) * data.draw(st.integers(3, 6))
    info = data.draw(st.sampled_from(["", "cpp", "c++", " C++ ", "cc", 'cpp title="a.cpp"', "{.cpp}", "c"]))
    lead = data.draw(st.sampled_from(["", " ", "   ", "> ", "- ", "1. ", "* > "]))
    hang = lead if lead.strip(" >") == "" else " " * len(lead.rstrip("> ")) + " " + "> " * (">" in lead)
    before, behind = (
        data.draw(st.sampled_from(["", "Faster output.\n\n", "# Faster\n\n```sh\nls\n```\n\n"])) for _ in "ab"
    )
    lines = [f"{mark}{info}", *FASTER.decode().split("\n")[:-1], mark + data.draw(st.sampled_from(["", "  ", "\t"]))]
    fenced = "\n".join((hang if at else lead) + line for at, line in enumerate(lines))
    text = (before + fenced + "\n\n" + behind).replace("\n", data.draw(st.sampled_from(["\n", "\r\n", "\r"])))
    reply = read(text)
    assert (reply.end, reply.text) == (ReplyEnd.PROGRAM, FASTER), text


STATEMENTS = st.lists(
    st.sampled_from(["    x += 1;", "    x *= 3;", "\tx ^= 5;  ", "", "    // note", "    y = x;"]), max_size=4
)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_hunks_make_what_they_were_made_from(data: st.DataObject) -> None:
    body = [line for part in data.draw(st.lists(STATEMENTS, min_size=1, max_size=6)) for line in part]
    old = ["#include <cstdio>", "int main() {", "    int x = 0, y = 0;", *body, '    printf("%d %d", x, y);', "}"]
    shown = "\n".join(old) + "\n"
    new, hunks, at = list[str](), list[str](), 0
    while at < len(old):
        end = at + data.draw(st.integers(1, 5))
        sought = old[at:end]
        unique = [old[n : n + len(sought)] for n in range(len(old))].count(sought) == 1
        if any(line.strip() for line in sought) and unique and at > 2 and end < len(old) - 1:
            put = data.draw(STATEMENTS)
            hunks.append("\n".join(["<<<<<<< SEARCH", *sought, "=======", *put, ">>>>>>> REPLACE"]))
            new += put
        else:
            new += sought
        at = end
    order = data.draw(st.permutations(hunks))
    wrap = data.draw(st.sampled_from(["{}", "Words.\n\n```cpp\n{}\n```\n", "~~~\n{}\n~~~"]))
    reply = read(wrap.format("\n\n".join(order)), shown.encode())
    text = ("\n".join(new) + "\n").encode()
    if essence(text) == essence(shown.encode()):
        assert reply.text is None
    else:
        assert (reply.end, reply.text) == (ReplyEnd.HUNKS, text), reply.complaint


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 3), st.integers(2, 4), st.sampled_from(["", "  ", "\t"]), st.booleans())
def test_a_hunk_that_fits_twice_is_never_made(height: int, times: int, tail: str, unindented: bool) -> None:
    block = [f"    x += {number};" for number in range(height)]
    between = [["    y = x;"] for _ in range(times)]
    body = [line for other in between for line in (*block, *other)]
    shown = "\n".join(["int main() {", "    int x = 0, y = 0;", *body, "    return x + y;", "}"]) + "\n"
    sought = [(line.strip() if unindented else line) + tail for line in block]
    hunk = "\n".join(["<<<<<<< SEARCH", *sought, "=======", "    x = 7;", ">>>>>>> REPLACE"])
    reply = read(hunk, shown.encode())
    assert reply.end is ReplyEnd.HUNK_FAILED and reply.text is None
    assert f"found {times} times" in reply.complaint


@pytest.mark.parametrize(
    "piece",
    [
        "```cpp\nint main() { return 0; }\n```\n",
        "```cpp\nint x;\n",
        "```\n",
        "> a\n",
        "- > ",
        "- a\n  - b\n    - c\n",
        "<think></think>",
        "<<<<<<< SEARCH\nint x;\n=======\n>>>>>>> REPLACE\n",
        "=======\n",
        "[",
        "{",
        "@@ -1 +1 @@\n-int x;\n+int y;\n",
        "1 int main() {}\n",
        'R"(',
        '"\n',
    ],
)
@pytest.mark.timeout(120)
def test_a_huge_reply_is_read_in_time(piece: str) -> None:
    text = piece * (LONG // len(piece))
    assert read(text).end in ReplyEnd
    assert read(f"<<<<<<< SEARCH\n{text}").text is None
    assert read(f"````cpp\n{text}\n````\n").end in ReplyEnd


def test_marks_that_the_program_has_itself_are_none() -> None:
    marks = b'static const char *const marks = "<think> </think> <|im_end|> &lt; <<<<<<< SEARCH";\n'
    shown = COUNT.replace(b"int main", marks + b"\nint main")
    reply = read(f"```cpp\n{shown.replace(b'std::endl', b'10').decode()}```\n", shown)
    assert (reply.end, reply.text) == (ReplyEnd.PROGRAM, shown.replace(b"std::endl", b"10"))


def test_what_is_no_reply_any_more() -> None:
    assert read("x" * 1_000_001).end is ReplyEnd.NOT_A_PROGRAM
