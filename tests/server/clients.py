"""What three kinds of clients say they can do."""

from __future__ import annotations

from typing import Any

CLIENTS: dict[str, dict[str, Any]] = {
    "VS Code": {
        "general": {"positionEncodings": ["utf-16"]},
        "workspace": {
            "applyEdit": True,
            "workspaceEdit": {"documentChanges": True, "changeAnnotationSupport": {"groupsOnLabel": True}},
        },
        "textDocument": {
            "codeAction": {
                "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "refactor.rewrite"]}},
                "dataSupport": True,
                "disabledSupport": True,
                "resolveSupport": {"properties": ["edit"]},
            }
        },
        "window": {
            "workDoneProgress": True,
            "showDocument": {"support": True},
            "showMessage": {"messageActionItem": {"additionalPropertiesSupport": True}},
        },
    },
    "Neovim": {
        "general": {"positionEncodings": ["utf-8", "utf-16", "utf-32"]},
        "workspace": {"applyEdit": True, "workspaceEdit": {"resourceOperations": ["rename"]}},
        "textDocument": {
            "codeAction": {
                "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "refactor.rewrite"]}},
                "dataSupport": True,
                "resolveSupport": {"properties": ["edit", "command"]},
            }
        },
        "window": {
            "workDoneProgress": True,
            "showDocument": {"support": True},
            "showMessage": {"messageActionItem": {}},
        },
    },
    "plain": {"workspace": {"applyEdit": True}, "window": {"showMessage": {"messageActionItem": {}}}},
}
"""What three kinds of clients say they can do, as far as edits and messages go."""
