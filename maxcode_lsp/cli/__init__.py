"""The ``maxcode`` command: a thin face over the engine. No judgement on code is made here."""
