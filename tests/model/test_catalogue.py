"""What is known of models without asking anybody."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.model import catalogue


@pytest.mark.parametrize("name", ["openai/gpt-4o", "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash"])
async def test_models_that_are_known(name: str) -> None:
    known = await catalogue.known(name)
    assert known.context_tokens is not None
    assert known.context_tokens >= 100_000
    assert known.price is not None
    assert 0 < known.price.most_usd(1000, 1000) < 1


@pytest.mark.parametrize("name", ["openai/ours", "nonsense", "", "/"])
async def test_models_that_are_not(name: str) -> None:
    assert await catalogue.known(name) == catalogue.Known()


@pytest.mark.parametrize(
    ("text", "tokens"),
    # as the tokenizer of Qwen2.5 counts; digits stand alone there
    [("int main() { return 0; }", 9), ("for (int i = 0; i < 1000000; ++i) sum += a[i];", 26), ("größer – 大", 5)],
)
def test_rather_too_many(text: str, tokens: int) -> None:
    assert tokens <= catalogue.count(text) <= 2 * tokens + 2


@given(st.text(), st.text())
def test_more_text_is_not_fewer_tokens(one: str, other: str) -> None:
    assert catalogue.count(one + other) >= max(catalogue.count(one), catalogue.count(other))
    assert catalogue.count(one) <= 2 * len(one)
