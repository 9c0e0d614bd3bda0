"""The documented tongues, as pure functions from and to records."""
