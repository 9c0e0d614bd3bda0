# Every target starts from nothing: it makes the virtual environment it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test test-heavy lint docs clean

demo: $(VENV)/.ready $(VENV)/.local
	$(BIN)/ringtrue run --dataset demo@sample --fresh
	@echo
	@echo "That was SmolLM2-135M in this process, on 20 real tasks, offline. Next:"
	@echo "  $(BIN)/ringtrue run --dataset questions.jsonl --proxy http://localhost:8000 --model my-model"
	@echo "  $(BIN)/ringtrue score nq@sample -e answer_quality     # answers you already have"
	@echo "  $(BIN)/ringtrue list evaluators"

test: lint $(VENV)/.local
	$(BIN)/pytest -m "not heavy" -n 2

test-heavy: $(VENV)/.ready $(VENV)/.local
	$(BIN)/pytest -m heavy -n 2

lint: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(VENV)/.ready
	$(BIN)/python docs/generate.py

clean:
	rm -rf $(VENV)

$(VENV)/.ready: pyproject.toml dropin/pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet --editable . --editable dropin --group dev
	touch $@

$(VENV)/.local: $(VENV)/.ready
	$(BIN)/ringtrue local install
	touch $@
