"""Sentences for people, one file a topic, so that one hand can keep their tone.

Each says what happened, why, and what to do next. Nothing here imports anything of ours, and every file is light.
"""
