"""The parts of claim verification: what is said, where it stands, and whether the sources bear it out."""
