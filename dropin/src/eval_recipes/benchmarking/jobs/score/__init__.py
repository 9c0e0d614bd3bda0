"""The jobs of a benchmark whose tasks are scored by a script."""
