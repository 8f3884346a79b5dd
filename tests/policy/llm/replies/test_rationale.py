from __future__ import annotations

import pytest

from maxcode_lsp.policy.llm.replies.blocks import parsed
from maxcode_lsp.policy.llm.replies.rationale import LONGEST, bounded, rationale
from maxcode_lsp.policy.llm.replies.refusal import declines


@pytest.mark.parametrize(
    ("reply", "sentence"),
    [
        ("I replaced `std::map` by a **hash table**. It is faster.", "I replaced std::map by a hash table."),
        ("Sure! I replaced the map. Done.", "I replaced the map."),
        ("Certainly! Here is the optimized version of your program:\n\nThe map is gone now.", "The map is gone now."),
        ("Here's the code.\n\n```cpp\nint x;\n```\n\n- **Hashing**: the map is gone.", "Hashing: the map is gone."),
        ("# Optimized Program\n\n**Rationale:** The map is gone.", "The map is gone."),
        ("Change made - the map is gone, e.g. replaced. More.", "the map is gone, e.g. replaced."),
        ("To make it faster, we use a better approach. Also more.", "To make it faster, we use a better approach."),
        ("The sum is kept in\na register, 1.5 times as fast.", "The sum is kept in a register, 1.5 times as fast."),
        ("A \u202elink\u202c [to](http://x) of\x1b[31m the map\u2028is gone.", "A link to of[31m the map is gone."),
        ("```cpp\nint main() {}\n```", ""),
        ("Sure!", ""),
        ("Output:\n\n```\n1\n```\n", ""),
        ("", ""),
    ],
)
def test_the_first_sentence_about_the_change(reply: str, sentence: str) -> None:
    assert rationale(parsed(reply)) == sentence


def test_it_is_short() -> None:
    long = bounded("word, " * 100)
    assert len(long) <= LONGEST
    assert long.endswith("word…")


@pytest.mark.parametrize(
    "reply", ["I'm sorry, but I can't help with that.", "I cannot assist.", "As an AI language model, no."]
)
def test_who_declines(reply: str) -> None:
    assert declines(reply)


@pytest.mark.parametrize("reply", ["The program is fast already.", "x" * 2000 + " I cannot", "Use a hash table."])
def test_who_does_not(reply: str) -> None:
    assert not declines(reply)
