"""A report on the terminal and as HTML."""
