"""The environment variables that ringtrue reads: one table, for the reference page and for `ringtrue doctor`."""

from __future__ import annotations

VARIABLES = {
    "OPENAI_API_KEY": "Key for endpoints and judges that no other key is given for.",
    "OPENAI_BASE_URL": "Address of the endpoint that judges ask by default.",
    "AZURE_OPENAI_API_KEY": "Key for judges with provider='azure_openai'.",
    "AZURE_OPENAI_ENDPOINT": "Address for judges with provider='azure_openai'.",
    "AZURE_OPENAI_VERSION": "API version to ask Azure for, if not its default.",
    "RINGTRUE_PRICES": "JSON file with prices of models, added to the packaged table (see file formats).",
    "RINGTRUE_CACHE": "0 turns off the memory of judge replies inside a process.",
    "RINGTRUE_DATA_DIR": "Folder with datasets in the hub's layout, read instead of the hub.",
    "HF_TOKEN": "Token for gated datasets of the Hugging Face hub.",
    "HF_HUB_OFFLINE": "1 reads datasets from the hub's cache only.",
    "HF_DATASETS_OFFLINE": "The same as HF_HUB_OFFLINE.",
    "HF_HUB_CACHE": "Folder of the hub's cache.",
    "HF_HOME": "Folder that holds the hub's cache, if HF_HUB_CACHE is not set.",
    "NO_COLOR": "Any value turns off colour in the terminal.",
}

KEYS = ("OPENAI_API_KEY", "AZURE_OPENAI_API_KEY", "HF_TOKEN")
"""Variables whose values are secret: say whether they are set, never what they are."""
