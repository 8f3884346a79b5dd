"""A model and a mixture whose answers are ready, for what no server need be asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from maxcode_lsp.errors import ModelFault, ModelTrouble
from maxcode_lsp.model.mixture import Mixture
from maxcode_lsp.model.model import Answer, Ending, Model, Question, Usage
from maxcode_lsp.policy.llm.policy import Asked, LlmPolicy

Said = str | Ending | ModelFault
"""An answer's text, how it ended without one, or why there is none."""


class ReadyModel:
    """Answers by a function of the number of its question."""

    def __init__(self, script: Callable[[int], Said], name: str = "ready/model", context_tokens: int = 8192) -> None:
        self.name = name
        self.context_tokens = context_tokens
        self.questions: list[Question] = []
        self._script = script

    def count(self, text: str) -> int:
        return -(-len(text) // 3)

    async def ask(self, question: Question) -> Answer:
        self.questions.append(question)
        said = self._script(len(self.questions) - 1)
        if isinstance(said, ModelFault):
            raise ModelTrouble(f"{self.name}: {said.value}.", said)
        ending = said if isinstance(said, Ending) else Ending.STOP
        text = ("int main() {" if said is Ending.LENGTH else "") if isinstance(said, Ending) else said
        return Answer(model=self.name, text=text, ending=ending, usage=Usage(100, 10, None))

    async def close(self) -> None:
        """Nothing is held."""


class ReadyMixture(Mixture):
    """Chooses in turn by the draw."""

    def __init__(self, *models: Model) -> None:
        self.models = models
        self.names = tuple(model.name for model in models)
        self.local = False

    def choose(self, draw: str) -> Model:
        return self.models[sum(draw.encode()) % len(self.models)]

    async def ask(self, model: Model, question: Question) -> Answer:
        return await model.ask(question)

    async def close(self) -> None:
        """Nothing is held."""


class Lane:
    """A lane of the policy, and what it told."""

    def __init__(self, *models: Model, lane: int = 0, lanes: int = 1, answer_tokens: int = 2048) -> None:
        self.asked: list[Asked] = []
        self.troubles: list[str] = []
        self.policy = LlmPolicy(
            ReadyMixture(*models),
            lane=lane,
            lanes=lanes,
            temperature=0.8,
            answer_tokens=answer_tokens,
            on_asked=self.asked.append,
            on_trouble=self.troubles.append,
        )

    @property
    def ends(self) -> list[str]:
        """How the replies ended."""
        return [asked.reply.end.value for asked in self.asked]


def script(*said: Said) -> Callable[[int], Said]:
    """In order, the last again and again."""
    ready: Sequence[Said] = said
    return lambda number: ready[min(number, len(ready) - 1)]
