"""The parts of claim verification: what is said, where it is, and whether the sources bear it out."""
