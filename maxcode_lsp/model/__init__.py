"""Language models: reached through litellm, or local. Asked by the ``llm`` policy and the ``llm`` critic."""
