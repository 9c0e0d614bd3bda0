# What every agent and task starts from: Python, uv, Node and Claude Code, which agents and tests of eval-recipes expect.
FROM ubuntu:24.04

ENV DEBIAN_FRONTEND=noninteractive
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates curl git nodejs npm python3 python3-pip \
    && rm -rf /var/lib/apt/lists/*
RUN pip install --no-cache-dir --break-system-packages uv
RUN npm install --global @anthropic-ai/claude-code

# Claude Code ends a shell command after two minutes unless it is told otherwise.
ENV BASH_DEFAULT_TIMEOUT_MS=300000 BASH_MAX_TIMEOUT_MS=600000

WORKDIR /project

{{agent_installation}}

{{task_installation}}
