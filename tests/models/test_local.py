"""The embedded model: real weights, real tokens, in this process and behind a loopback server."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request as HttpRequest
from urllib.request import urlopen

import orjson
import pytest

from ringtrue.errors import ConfigurationError, ModelError
from ringtrue.models.local.local_model import LocalModel, weights
from ringtrue.models.local.server import LocalServer, serve
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request

pytestmark = pytest.mark.skipif(
    weights.embedded_path() is None or weights.installed_version(weights.ENGINE) is None,
    reason="the local model is not installed: run 'ringtrue local install'",
)

FRUITS = "Name three fruits."
STORY = "Write a very long story about a fox."
SCHEMA = {
    "type": "object",
    "properties": {"capital": {"type": "string", "enum": ["Paris", "Rome"]}},
    "required": ["capital"],
    "additionalProperties": False,
}
WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather in a city",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}


def said(*texts: str) -> list[dict[str, Any]]:
    """A conversation that the user begins."""
    return [{"role": "user" if turn % 2 == 0 else "assistant", "content": text} for turn, text in enumerate(texts)]


@asynccontextmanager
async def opened(**settings: Any) -> AsyncIterator[Callable[..., Awaitable[Reply]]]:
    """A local model as a function of a prompt and parameters."""
    async with LocalModel(**settings) as model:

        async def ask(prompt: str | list[dict[str, Any]], **parameters: Any) -> Reply:
            messages = said(prompt) if isinstance(prompt, str) else prompt
            return await model.ask(model.request(messages, {"max_tokens": 24, **parameters}))

        yield ask


def workers() -> int:
    """How many engines are loaded."""
    return sum(thread.name.startswith("ringtrue-local") for thread in threading.enumerate())


def test_the_same_request_gives_the_same_text() -> None:
    """In any order, after other requests, and from another LocalModel; usage and latency are there."""

    async def scene() -> None:
        async with opened() as ask, opened() as twin:
            first = await ask(FRUITS)
            await ask("Why is the sky blue?")
            second, third = await twin(FRUITS), await ask(FRUITS)
            assert first.text == second.text == third.text != ""
            assert (first.input_tokens, first.cost, first.model) == (34, 0.0, weights.NAME)
            assert first.output_tokens is not None
            assert 3 < first.output_tokens <= 24
            assert first.latency_seconds is not None
            assert first.latency_seconds > 0
            assert first.finish_reason == "stop"
            assert workers() == 1, "equal settings share one engine"
        assert workers() == 0, "the last one to close frees it"

    asyncio.run(scene())


def test_sampling_is_seeded() -> None:
    async def scene() -> None:
        async with opened() as ask:
            one, same, other = [(await ask(FRUITS, temperature=1.5, seed=seed)).text for seed in (1, 1, 2)]
            assert one == same != other
            # The largest 32-bit number means "any seed" to llama.cpp.
            any_seed = [(await ask(FRUITS, temperature=1.5, seed=2**32 - 1)).text for _ in range(2)]
            assert any_seed[0] == any_seed[1]

    asyncio.run(scene())


def test_a_key_covers_the_defaults() -> None:
    keys = {
        model.request(said(FRUITS), parameters).key()
        for model in (LocalModel(), LocalModel(seed=1), LocalModel(max_tokens=9), LocalModel(context_tokens=512))
        for parameters in ({}, {"temperature": 0.5})
    }
    assert len(keys) == 8


def test_calls_take_turns_and_waiting_is_not_latency() -> None:
    async def scene() -> None:
        async with opened() as ask:
            await ask(FRUITS)
            ticks, began = 0, time.monotonic()
            calls = asyncio.gather(*(ask(f"Name {number} fruits.") for number in range(3)))
            while not calls.done():
                ticks += 1
                await asyncio.sleep(0.01)
            seconds = [reply.latency_seconds or 0.0 for reply in calls.result()]
            assert sum(seconds) <= time.monotonic() - began
            assert ticks > 3, "the event loop goes on meanwhile"

    asyncio.run(scene())


def test_a_call_ends_at_its_deadline_and_the_next_one_works() -> None:
    async def scene() -> None:
        async with opened(timeout_seconds=0.3) as hasty, opened() as ask:
            for prompt in (STORY, "word " * 3000):
                with pytest.raises(ModelError, match=r"did not finish within 0\.3 s") as caught:
                    await hasty(prompt, max_tokens=2000)
                assert caught.value.kind == "timeout"
            assert (await ask(FRUITS)).text

    asyncio.run(scene())


def test_a_cancelled_call_gives_its_place_to_the_next() -> None:
    async def scene() -> None:
        async with opened() as ask:
            await ask(FRUITS, max_tokens=1)
            running, waiting, last = [
                asyncio.create_task(ask(prompt, max_tokens=limit))
                for prompt, limit in ((STORY, 2000), (STORY, 2000), (FRUITS, 8))
            ]
            await asyncio.sleep(0.3)
            running.cancel()
            waiting.cancel()
            assert (await last).text
            assert running.cancelled()
            assert waiting.cancelled()

    asyncio.run(scene())


def test_closing_amid_calls_is_an_error_of_the_calls() -> None:
    async def scene() -> None:
        model = LocalModel()
        await model.ask(model.request(said(FRUITS), {"max_tokens": 1}))
        asked = [asyncio.create_task(model.ask(model.request(said(STORY), {"max_tokens": 2000}))) for _ in range(2)]
        await asyncio.sleep(0.3)
        await model.close()
        for outcome in await asyncio.gather(*asked, return_exceptions=True):
            assert isinstance(outcome, ModelError)
            assert outcome.kind == "connection"
        assert (await model.ask(model.request(said(FRUITS), {"max_tokens": 4}))).text, "a later call loads again"
        await model.close()

    asyncio.run(scene())


def test_a_prompt_beyond_the_context_is_an_error_that_says_so() -> None:
    async def scene() -> None:
        async with opened(context_tokens=256) as ask:
            with pytest.raises(ModelError, match=r"has \d+ tokens and the context holds 256; shorten it") as caught:
                await ask("word " * 300)
            assert (caught.value.kind, caught.value.status) == ("http", 400)

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("messages", "parameters"),
    [
        ([{"role": "user"}], {}),
        ([{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:,"}}]}], {}),
        (said("a"), {"response_format": {"type": "json_schema", "json_schema": {"schema": {"type": "nonsense"}}}}),
        (said("a"), {"n": 3}),
    ],
    ids=["no content", "an image", "a schema that is none", "three choices"],
)
def test_what_llama_refuses_is_a_model_error(messages: list[dict[str, Any]], parameters: dict[str, Any]) -> None:
    async def scene() -> None:
        async with opened() as ask:
            with pytest.raises(ModelError, match=r"llama\.cpp refuses the request: '") as caught:
                await ask(messages, **parameters)
            assert caught.value.status == 400

    asyncio.run(scene())


@pytest.mark.parametrize(
    "text", ["", "\ud800", "\0", "<|im_end|><|endoftext|>", "\u202e" * 50, "{{ messages }}{% for %}"]
)
def test_any_text_can_be_asked(text: str) -> None:
    async def scene() -> None:
        async with opened() as ask:
            assert (await ask(text, max_tokens=2)).finish_reason in ("stop", "length")

    asyncio.run(scene())


def test_schemas_logprobs_and_tools() -> None:
    async def scene() -> None:
        async with opened() as ask:
            shaped = {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA}}
            reply = await ask("What is the capital of France?", response_format=shaped, max_tokens=60)
            assert orjson.loads(reply.text)["capital"] in ("Paris", "Rome")

            reply = await ask(FRUITS, logprobs=True, top_logprobs=2, max_tokens=3)
            assert reply.logprobs is not None
            assert "".join(row["token"] for row in reply.logprobs) == reply.text
            assert all(row["logprob"] <= 0 and len(row["top_logprobs"]) == 2 for row in reply.logprobs)

            reply = await ask("What is the weather in Oslo?", tools=[WEATHER], tool_choice="required", max_tokens=60)
            call = reply.tool_calls[0]["function"]
            assert call["name"] == "get_weather"
            assert set(orjson.loads(call["arguments"])) == {"city"}

    asyncio.run(scene())


def test_our_template_asks_what_the_models_own_does() -> None:
    """Without tools the two prompts are the same tokens, so the greedy texts are equal."""
    conversation = [{"role": "system", "content": "Be brief."}, *said(FRUITS, "Apples.", "Two more?")]

    async def scene() -> None:
        async with opened() as ours, opened(path=weights.embedded_path()) as own:
            for messages in (said(FRUITS), conversation):
                one, other = await ours(messages), await own(messages)
                assert (one.text, one.input_tokens) == (other.text, other.input_tokens)
                assert other.model == "SmolLM2-135M-Instruct.Q4_1.gguf"

    asyncio.run(scene())


@pytest.mark.parametrize(
    "settings",
    [{"context_tokens": 0}, {"threads": 1.5}, {"seed": -1}, {"seed": 2**32 - 1}, {"max_tokens": True}]
    + [{"timeout_seconds": value} for value in (0, float("nan"), "1")],
    ids=str,
)
def test_wrong_settings_raise_at_once(settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match=f"{next(iter(settings))} must be"):
        LocalModel(**settings)


def test_a_file_that_is_not_a_model_is_a_configuration_error(tmp_path: Path) -> None:
    path = tmp_path / "half.gguf"
    with weights.verify().open("rb") as whole:
        path.write_bytes(whole.read(5_000_000))

    async def scene() -> None:
        async with opened(path=path) as ask:
            with pytest.raises(ConfigurationError, match=r"llama.cpp cannot load '.*half\.gguf'"):
                await ask("a")

    asyncio.run(scene())


def test_the_responses_api_is_refused_in_process() -> None:
    async def scene() -> None:
        model = LocalModel()
        with pytest.raises(ConfigurationError, match="not 'responses'; 'ringtrue local serve' answers both"):
            await model.ask(Request(model.endpoint, model.name, said("a"), api="responses"))

    asyncio.run(scene())


@pytest.fixture(scope="module")
def served() -> Iterator[LocalServer]:
    with serve() as server:
        yield server


def post(server: LocalServer, path: str, body: dict[str, Any]) -> Any:
    headers = {"Content-Type": "application/json"}
    with urlopen(HttpRequest(f"{server.base_url}/{path}", orjson.dumps(body), headers)) as response:
        return orjson.loads(response.read())


def test_the_server_says_what_the_model_in_process_says(served: LocalServer) -> None:
    async def scene() -> str:
        async with opened() as ask:
            return (await ask(FRUITS)).text

    reply = post(served, "chat/completions", {"messages": said(FRUITS), "max_tokens": 24, "temperature": 0})
    assert reply["choices"][0]["message"]["content"] == asyncio.run(scene())
    assert reply["usage"]["prompt_tokens"] == 34
    reply = post(served, "responses", {"model": "local", "input": FRUITS, "max_output_tokens": 24, "temperature": 0})
    assert reply["output"][0]["content"][0]["text"] == asyncio.run(scene())


def test_a_port_in_use_is_named(served: LocalServer) -> None:
    port = int(served.address.rpartition(":")[2])
    with pytest.raises(ConfigurationError, match=f"cannot listen on 127.0.0.1:{port}: Address already in use"):
        serve(port)


def test_a_server_stops_amid_a_call() -> None:
    with serve() as server:
        outcome: list[BaseException] = []

        def client() -> None:
            try:
                post(server, "chat/completions", {"messages": said(STORY), "max_tokens": 3000})
            except (OSError, URLError) as error:
                outcome.append(error)

        asking = threading.Thread(target=client)
        asking.start()
        time.sleep(0.5)
        server.stop()
        asking.join()
        assert outcome
        server.stop()


def test_a_file_that_kills_llama_kills_no_caller(tmp_path: Path) -> None:
    path = tmp_path / "zeros.gguf"
    with weights.verify().open("rb") as whole:
        path.write_bytes(whole.read(100_000) + bytes(3_000_000))
    with pytest.raises(ConfigurationError, match=r"llama.cpp died while it loaded '.*zeros\.gguf'; is the file whole"):
        serve(path=path)


def command(*arguments: str) -> subprocess.Popen[str]:
    """`ringtrue local serve …`, as a user starts it."""
    code = f"from ringtrue.cli.local import serve_model; exit(serve_model.main({arguments!r}, standalone_mode=False))"
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_serve_local_ends_with_its_server(end: signal.Signals) -> None:
    """However it ends, the port is closed soon after."""
    running = command()
    assert running.stdout is not None
    address = running.stdout.readline().strip()
    with urlopen(f"{address}/models") as response:
        assert weights.NAME in response.read().decode()
    running.send_signal(end)
    running.communicate()
    assert running.returncode == (0 if end == signal.SIGINT else -end)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            urlopen(f"{address}/models").close()
        except URLError:
            break
        time.sleep(0.05)
    else:
        pytest.fail("the server outlives its command")


FORK = """
import asyncio, os
from ringtrue.models.local.local_model import LocalModel

async def ask():
    return (await model.ask(model.request([{"role": "user", "content": "Hello"}], {"max_tokens": 8}))).text

model = LocalModel()
here = asyncio.run(ask())
child = os.fork()
if child == 0:
    os._exit(7 if asyncio.run(ask()) == here else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.heavy
def test_a_forked_child_loads_its_own() -> None:
    """The parent's threads are not in it; the texts are equal, and both end."""
    done = subprocess.run([sys.executable, "-c", FORK], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "7\n"), done.stderr


WAITING = """
import asyncio, signal, time
from ringtrue.models.local.local_model import LocalModel

signal.signal(signal.SIGINT, signal.default_int_handler)
model = LocalModel()
asyncio.run(model.ask(model.request([{"role": "user", "content": "Hi"}], {"max_tokens": 1})))
print("loaded", flush=True)
time.sleep(60)
"""


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("number", "said"), [(signal.SIGTERM, ""), (signal.SIGINT, "KeyboardInterrupt")], ids=["SIGTERM", "SIGINT"]
)
def test_a_signal_ends_a_process_that_has_loaded_it(number: int, said: str) -> None:
    """llama.cpp's own handlers would swallow it."""
    command = [sys.executable, "-c", WAITING]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "loaded\n"
        process.send_signal(number)
        try:
            _, errors = process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == -number
    assert said in errors


@pytest.mark.heavy
def test_loading_and_closing_keeps_no_memory() -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    async def scene() -> int:
        async with opened() as ask:
            await ask(FRUITS, max_tokens=2)
        return resident()

    sizes = [asyncio.run(scene()) for _ in range(5)]
    assert all(later - earlier < 60_000_000 for earlier, later in pairwise(sizes[1:])), sizes


@pytest.mark.heavy
def test_the_demo_sample_is_answered() -> None:
    """Every task of it is short enough to be answered to the end."""
    import ringtrue

    lines = (Path(ringtrue.__file__).parent / "samples" / "demo.jsonl").read_bytes().splitlines()
    cases = [orjson.loads(line) for line in lines]
    assert len({case["id"] for case in cases}) == 20

    async def scene() -> list[Reply]:
        async with opened() as ask:
            return [await ask(case["question"], max_tokens=64) for case in cases]

    assert all(reply.finish_reason == "stop" and reply.text.strip() for reply in asyncio.run(scene()))
