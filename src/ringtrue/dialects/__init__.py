"""The documented dialects, as pure functions from and to records."""
