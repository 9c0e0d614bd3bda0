"""Projects to start from, which `multivon-eval init` writes: one suite each, and what it needs."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from string import Template

from multivon_eval import __version__

_EXTRAS = {
    "quickstart": "",
    "rag": "",
    "agent": "",
    "agent-langgraph": "langgraph",
    "agent-openai-sdk": "openai-agents",
    "conversation": "",
    "regulated": "",
}
"""The templates, in the order they are shown -> the extra of multivon-eval whose packages they need."""

_PACKAGES = {"langgraph": ("langgraph", "langchain-openai"), "openai-agents": ("openai-agents",)}
_ENVIRONMENT = "# Copy to .env; one key is enough.\nANTHROPIC_API_KEY=\nOPENAI_API_KEY=\n"
_IGNORED = ".env\n__pycache__/\neval-reports/\naudit-logs/\n"
_KEYS = "Judges need a key: copy `.env.example` to `.env`. Without one, a model of ollama on this machine is asked."
_WIRING = {
    "langgraph": (
        "The tracer sees the graph through its callbacks: the function takes `**kwargs` and passes\n"
        '`config={"callbacks": kwargs.get("callbacks", [])}` on to `graph.invoke`.'
    ),
    "openai-agents": (
        "The tracer reads the result of a run: `result = Runner.run_sync(...)`, then `TRACER.capture(result)`, before\n"
        "the function returns."
    ),
}
_FROM_MANUAL = (
    "Migrating from the template `agent`: drop the blocks of `tracer.step`; cases and checks stay as they are."
)


def list_templates() -> list[str]:
    """The names of the templates."""
    return [*_EXTRAS]


def render(template: str, with_ci: str | None = None) -> dict[str, str]:
    """The files of a template, and with `github` a workflow that runs it."""
    if template not in _EXTRAS:
        raise ValueError(f"no template {template!r}; there are {', '.join(_EXTRAS)}")
    if with_ci not in (None, "github"):
        raise ValueError(f"a workflow can be written for 'github'; got {with_ci!r}")
    written = dict(_files()[template])
    if with_ci:
        written[".github/workflows/eval.yml"] = Template(_text("workflow")).substitute(name=template)
    return written


@cache
def _files() -> dict[str, dict[str, str]]:
    return {name: _project(name) for name in _EXTRAS}


def _project(name: str) -> dict[str, str]:
    judged, extra = name != "quickstart", _EXTRAS[name]
    source = _text(name)
    purpose = source.partition('"""')[2].partition('"""')[0]
    more = [*([_KEYS] if judged else []), *([_WIRING[extra], _FROM_MANUAL] if extra else [])]
    packages = [f"ringtrue-dropin>={__version__}", *(["python-dotenv"] if judged else []), *_PACKAGES.get(extra, ())]
    stands_for = "multivon-eval" + (f"[{extra}]" if extra else "")
    return {
        "eval.py": Template(source).substitute(judge=_text("judge").rstrip()) if judged else source,
        "README.md": Template(_text("readme")).substitute(name=name, purpose=purpose, more="\n\n".join(more)).rstrip()
        + "\n",
        "requirements.txt": f"# stands in for {stands_for}\n" + "".join(f"{package}\n" for package in packages),
        ".gitignore": _IGNORED,
        **({".env.example": _ENVIRONMENT} if judged else {}),
    }


def _text(name: str) -> str:
    return files(__package__).joinpath(f"{name}.txt").read_text("utf-8")


def __getattr__(name: str) -> dict[str, dict[str, str]]:
    # The files are read when somebody asks for them, not at import.
    if name != "TEMPLATES":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _files()
