"""Sentences that editors show. Each says what happened, why, and what to do next; the tone is calm and exact."""

from __future__ import annotations
