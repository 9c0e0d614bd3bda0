"""Writes chats.jsonl: three conversations with two tools, as an agent's log would have them."""

import json


def tool(name, description, parameter):
    schema = {"type": "object", "properties": {parameter: {"type": "string"}}, "required": [parameter]}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}


def chat(id, question, *calls):
    made = [
        {"id": str(at), "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        for at, (name, arguments) in enumerate(calls)
    ]
    answer = {"role": "assistant", "content": None if made else "It is Paris.", "tool_calls": made or None}
    return {"id": id, "messages": [{"role": "user", "content": question}, answer], "tools": TOOLS}


TOOLS = [tool("weather", "The weather in a city", "city"), tool("search", "Search the web", "query")]
CHATS = [
    chat("right", "What is the weather in Lima?", ("weather", {"city": "Lima"})),
    chat("wrong-tool", "What is the weather in Oslo?", ("search", {"query": "Oslo"})),
    chat("wrong-argument", "What is the weather in Rome?", ("weather", {"town": "Rome"})),
    chat("no-tool", "What is the capital of France?"),
]

with open("chats.jsonl", "w") as file:
    file.writelines(json.dumps(one) + "\n" for one in CHATS)
