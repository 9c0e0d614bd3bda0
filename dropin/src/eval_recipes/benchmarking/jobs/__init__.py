"""What a benchmark consists of: jobs that run agents, score their work and write reports."""
