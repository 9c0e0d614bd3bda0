"""The jobs of a benchmark whose tasks are ranked by a judge."""
