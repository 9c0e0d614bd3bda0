"""Jobs that depend on one another, kept so that a killed run goes on where it was."""
