"""Libraries that come only with an extra of the package (``pip install 'maxcode-lsp[llm]'``).

``llm`` and ``local`` are for language models, ``bench`` for plots; the others are named so that their versions are
settled.
"""

from __future__ import annotations

import importlib
from types import ModuleType

from maxcode_lsp.errors import ToolMissing

EXTRAS = {
    "llm": "litellm",
    "local": "xllamacpp",
    "bench": "matplotlib",
    "gpu": "pynvml",
    "cluster": "distributed",
    "train": "torch",
}
"""Extra to the module that shows whether it is installed."""


def need(module: str, extra: str) -> ModuleType:
    """Import a module of an extra. Raises ToolMissing that says how to get it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        if error.name is None or error.name.partition(".")[0] != module.partition(".")[0]:
            raise
        message = f"This needs {module}, which is not installed. Get it with: pip install 'maxcode-lsp[{extra}]'"
        raise ToolMissing(message) from error
