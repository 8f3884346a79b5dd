# Every target sets itself up first (packages, .venv): on a bare Debian machine `make demo` is all there is to type.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup demo test check format bench screenshots extension pins clean

PYTHON := .venv/bin/python
WORKERS ?= 2

help:  ## this list
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 14

setup:  ## install what is missing (done by all the others)
	@.ci/setup

demo: setup  ## make the programs in examples/ faster, in at most 6 minutes
	@.venv/bin/maxcode demo examples

test: setup  ## run all tests
	@.ci/editors
	@cd vscode-client && PATH="$(CURDIR)/.venv/bin:$$PATH" npm run --silent test
	@$(PYTHON) -m pytest -n $(WORKERS) --dist worksteal

check: setup  ## formatting, lint, types
	@$(PYTHON) -m ruff format --check .
	@$(PYTHON) -m ruff check .
	@$(PYTHON) -m pyright --pythonpath $(PYTHON)
	@.ci/editors client
	@cd vscode-client && PATH="$(CURDIR)/.venv/bin:$$PATH" npm run --silent typecheck
	@cd vscode-client && PATH="$(CURDIR)/.venv/bin:$$PATH" npm run --silent lint

extension: setup  ## pack the extension for VS Code: vscode-client/maxcode-VERSION.vsix
	@.ci/editors client
	@cd vscode-client && PATH="$(CURDIR)/.venv/bin:$$PATH" npm run --silent package

screenshots: setup  ## take the pictures of the docs anew, in a real VS Code and a real Neovim
	@.ci/editors
	@$(PYTHON) -m tests.e2e.vscode.pictures docs/images
	@$(PYTHON) -m tests.e2e.nvim.pictures docs/images

format: setup  ## put the code into shape
	@$(PYTHON) -m ruff format .
	@$(PYTHON) -m ruff check --fix .

bench: setup  ## take the figures of the judge, the language server and the searches (about an hour; QUICK=1: a rough look)
	@.venv/bin/maxcode bench timing $(if $(QUICK),--quick)
	@.venv/bin/maxcode bench evaluator $(if $(QUICK),--quick)
	@.venv/bin/maxcode bench lsp $(if $(QUICK),--quick)
	@.venv/bin/maxcode bench search --suite test --replay --seeds $(if $(QUICK),10,200)

pins: setup  ## write requirements/llm.txt anew: what comes with litellm, with hashes
	@.ci/pins

clean:  ## remove .venv and everything that was built here
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis build dist
	find . -name __pycache__ -not -path './.git/*' -prune -exec rm -rf {} +
