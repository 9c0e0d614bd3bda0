# Every target starts from nothing: it makes the virtual environment it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test test-heavy lint docs bench clean

demo: $(VENV)/.local
	$(BIN)/ringtrue run --dataset demo@sample --fresh
	@echo
	@echo "That was SmolLM2-135M in this process, on 20 real tasks, offline. Next:"
	@echo "  $(BIN)/ringtrue run --dataset questions.jsonl --proxy http://localhost:8000 --model my-model"
	@echo "  $(BIN)/ringtrue score nq@sample -e answer_found       # answers you already have"
	@echo "  $(BIN)/ringtrue list evaluators"

test: lint $(VENV)/.local
	$(BIN)/pytest -m "not heavy" -n 2

test-heavy: $(VENV)/.dev $(VENV)/.local
	$(BIN)/pytest -m heavy -n 2

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(VENV)/.dev
	$(BIN)/python docs/generate
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

# Side by side with its peers, in virtual environments of their own below .peers: make bench FAMILY=rouge
bench: $(VENV)/.dev
	$(BIN)/python benchmarks/kit.py $(FAMILY)

clean:
	rm -rf $(VENV)

# What running needs, and nothing else.
$(VENV)/.run: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet --editable .
	touch $@

# What developing needs beside it.
$(VENV)/.dev: $(VENV)/.run dropin/pyproject.toml
	$(BIN)/pip install --quiet --editable . --editable dropin --group dev
	$(BIN)/pip install --quiet --no-deps bfcl-eval mpmath
	touch $@

$(VENV)/.local: $(VENV)/.run
	$(BIN)/ringtrue local install
	touch $@
