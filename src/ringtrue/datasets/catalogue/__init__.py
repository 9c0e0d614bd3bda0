"""The catalogue: one file per benchmark, with what is known about it and how its rows become cases."""
