"""The entry points: each wires sources, systems, evaluators, the runner, the store and reports."""
