"""The ``llm`` policy: language models propose. Prompts, the reading of replies, the repair of includes."""
