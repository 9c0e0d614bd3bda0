# Every target starts from nothing: it makes the virtual environment it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test test-heavy lint docs bench clean

demo: $(VENV)/.ready
	$(BIN)/ringtrue score nq@sample -e answer_quality -e not_empty -e "word_count(max_words=50)"
	@echo
	@echo "Next: score a file of your own, or see what else there is:"
	@echo "  $(BIN)/ringtrue score answers.jsonl -e answer_quality"
	@echo "  $(BIN)/ringtrue list evaluators"

test: lint
	$(BIN)/pytest -m "not heavy" -n 2

test-heavy: $(VENV)/.ready
	$(BIN)/pytest -m heavy

lint: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(VENV)/.ready
	$(BIN)/python docs/generate.py

clean:
	rm -rf $(VENV)

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet --editable . --group dev
	touch $@
