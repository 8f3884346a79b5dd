"""What machine this is, for the record beside every number."""

from __future__ import annotations

import os
import platform
from functools import cache
from pathlib import Path

from maxcode_lsp.messages import phrases


@cache
def machine() -> str:
    """Processor model, usable cores and system: ``Intel(R) Xeon(R) Processor, 2 cores, Linux 6.1``."""
    model = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    except OSError:
        pass
    return f"{model}, {phrases.counted(len(os.sched_getaffinity(0)), 'core')}, {platform.system()} {platform.release()}"
