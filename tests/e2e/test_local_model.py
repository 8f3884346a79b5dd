"""A real model on this machine, from its weights to the report. It need not find anything: it is a very small one."""

from __future__ import annotations

import json
from pathlib import Path

from maxcode_lsp.model.local.store import models_folder
from maxcode_lsp.policy.llm.replies.reply import ReplyEnd
from tests.e2e.processes import started_with
from tests.e2e.terminal import optimize
from tests.model.local import conftest as weights

small_model = weights.small_model
TINY = """#include <cstdio>
#include <string>

static long count(std::string text) {
    long found = 0;
    for (char c : text) found += c == 'a';
    return found;
}

int main() {
    std::string text(20000, 'a');
    long total = 0;
    for (int i = 0; i < 20000; ++i) {
        text[i] = char('a' + i % 3);
        total += count(text);
    }
    std::printf("%ld\\n", total);
}
"""
SETTINGS = """budget = 3
seconds = 170
search = "best-of-n"
[llm]
answer_tokens = 256
"""
OWN = "llm.max_tokens = 3000\n"
"""Enough for two questions."""


def test_it_is_asked_and_its_replies_are_counted(small_model: Path, tmp_path: Path) -> None:
    file = tmp_path / "tiny.cpp"
    file.write_text(TINY)
    (tmp_path / "maxcode.toml").write_text(SETTINGS)
    (tmp_path / "config" / "maxcode").mkdir(parents=True)
    (tmp_path / "config" / "maxcode" / "maxcode.toml").write_text(OWN)
    own = tmp_path / "cache" / "maxcode" / models_folder().name
    own.mkdir(parents=True)
    (own / small_model.name).symlink_to(small_model)
    ended = optimize(tmp_path, str(file), "--model", "local/0.5b", "--json")
    assert ended.returncode == 0, ended
    said = json.loads(ended.stdout)
    spent = said["spent"]
    assert said["replies"], said
    assert set(said["replies"]) <= {end.value for end in ReplyEnd}
    assert sum(said["replies"].values()) == spent["calls"] - spent["cached"] > 0
    assert spent["tokens_in"] > 0 and spent["tokens_out"] > 0
    assert spent["cost_usd"] == 0
    assert "Traceback" not in ended.stderr
    assert not started_with(str(tmp_path)), "something of it still runs"
