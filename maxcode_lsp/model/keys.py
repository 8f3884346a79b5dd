"""Keys of providers: from the environment or the editor's secret store, never from a file in a workspace."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from maxcode_lsp.redaction import hide, hide_environment

_NAMES = {
    "azure": ("AZURE_API_KEY", "AZURE_OPENAI_API_KEY"),
    "cohere": ("COHERE_API_KEY", "CO_API_KEY"),
    "cohere_chat": ("COHERE_API_KEY", "CO_API_KEY"),
    "fireworks_ai": ("FIREWORKS_AI_API_KEY", "FIREWORKS_API_KEY"),
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "huggingface": ("HUGGINGFACE_API_KEY", "HF_TOKEN"),
    "lambda_ai": ("LAMBDA_API_KEY",),
    "meta_llama": ("LLAMA_API_KEY",),
    "ollama_chat": ("OLLAMA_API_KEY",),
    "perplexity": ("PERPLEXITYAI_API_KEY", "PERPLEXITY_API_KEY"),
    "together_ai": ("TOGETHERAI_API_KEY", "TOGETHER_API_KEY"),
}
"""Variables of the providers whose key is not in ``PROVIDER_API_KEY``."""
_NEEDED = frozenset(
    (
        *("anthropic", "azure", "cerebras", "codestral", "cohere", "dashscope", "deepinfra", "deepseek"),
        *("fireworks_ai", "gemini", "groq", "mistral", "moonshot", "nvidia_nim", "openai", "openrouter"),
        *("perplexity", "together_ai", "xai", "zai"),
    )
)
"""Providers that answer nobody without a key."""
_INSTEAD = {"anthropic": ("ANTHROPIC_AUTH_TOKEN",), "azure": ("AZURE_AD_TOKEN", "AZURE_CLIENT_ID")}
"""With one of these, litellm needs no key."""


class Keys:
    """Where keys are looked for. Every key that is seen is hidden from logs first."""

    def __init__(self, given: Mapping[str, str] | None = None, environment: Mapping[str, str] = os.environ) -> None:
        """``given``: from the editor, by the name of the environment variable that it stands for; it goes first."""
        self._given = given or {}
        self._environment = environment
        hide(self._given.values())
        hide_environment(environment)

    def find(self, name: str) -> str | None:
        """The key under the name of an environment variable, without white space around it; None: there is none."""
        for place in (self._given, self._environment):
            if key := place.get(name, "").strip():
                hide([key])
                return key
        return None

    def first(self, names: Sequence[str]) -> str | None:
        """The key under the first name that has one."""
        return next((key for name in names if (key := self.find(name)) is not None), None)

    def lacks(self, provider: str) -> bool:
        """Whether a provider is known to answer nobody without a key, and there is none."""
        if provider not in _NEEDED:
            return False
        return self.first((*names_of(provider), *_INSTEAD.get(provider, ()))) is None


def names_of(provider: str) -> tuple[str, ...]:
    """The environment variables that a provider's key may be in, the usual one first."""
    usual = provider.removeprefix("text-completion-").upper().replace("-", "_")
    return _NAMES.get(provider, (f"{usual}_API_KEY",))
