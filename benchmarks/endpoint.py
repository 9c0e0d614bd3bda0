"""`Endpoint.ask` beside a bare aiohttp loop, on the same loopback server, turn by turn: ratios of speed and CPU.

    python benchmarks/endpoint.py [--requests 2000] [--rounds 5] [--in-flight 10 100 500] [--faults]

The bare loop posts and reads JSON, without limits or deadlines of its own. With `--faults`, 5% of the requests are
refused with a Retry-After of one second, 2% fail, 1% are never answered, and both sides give a request five seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import aiohttp
import orjson

from ringtrue.models.client.endpoint import Endpoint

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from support.endpoint import EndpointServer

LATENCY_SECONDS = 0.05
TIMEOUT_SECONDS = 5.0
FAULTS = {"429": 0.05, "500": 0.02, "hang": 0.01}


async def bare(base_url: str, requests: int, in_flight: int) -> int:
    """The least a client can do: a pool of workers, a session, JSON."""
    numbers = iter(range(requests))
    right = 0
    async with aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0), timeout=aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)
    ) as session:

        async def ask(number: int) -> bool:
            messages = [{"role": "user", "content": f"Question {number}: [[{number}]]"}]
            body = orjson.dumps({"model": "m", "messages": messages})
            headers = {"Content-Type": "application/json"}
            while True:
                try:
                    async with session.post(f"{base_url}/chat/completions", data=body, headers=headers) as response:
                        data = await response.read()
                        if response.status == 200:
                            return bool(orjson.loads(data)["choices"][0]["message"]["content"] == str(number))
                        if response.status == 429:
                            await asyncio.sleep(float(response.headers["Retry-After"]))
                except (TimeoutError, aiohttp.ClientError):
                    continue

        async def work() -> None:
            nonlocal right
            for number in numbers:
                answer = await ask(number)
                right += answer

        await asyncio.gather(*[work() for _ in range(in_flight)])
    return right


async def ours(base_url: str, requests: int, in_flight: int) -> int:
    """The same through an Endpoint, limiter, retries and deadlines on."""
    numbers = iter(range(requests))
    right = 0
    async with Endpoint(base_url, "a key", timeout_seconds=TIMEOUT_SECONDS, max_in_flight=in_flight) as endpoint:

        async def work() -> None:
            nonlocal right
            for number in numbers:
                messages = [{"role": "user", "content": f"Question {number}: [[{number}]]"}]
                reply = await endpoint.ask(endpoint.request("m", messages))
                right += reply.text == str(number)

        await asyncio.gather(*[work() for _ in range(in_flight)])
    return right


def measured(
    run: Callable[[str, int, int], Awaitable[int]], url: str, requests: int, width: int
) -> tuple[float, float]:
    """Wall and CPU seconds of one run in which every answer was right."""
    wall, cpu = time.perf_counter(), time.process_time()
    right = asyncio.run(run(url, requests, width))  # type: ignore[arg-type]
    taken = time.perf_counter() - wall, time.process_time() - cpu
    assert right == requests, f"{right} of {requests} answered rightly"
    return taken


def main() -> None:
    """Print one line for each width: medians of the ratios of neighbouring runs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--in-flight", type=int, nargs="+", default=[10, 100, 500])
    parser.add_argument("--faults", action="store_true")
    asked = parser.parse_args()
    print("in flight  throughput ours/bare  CPU per request ours/bare  more CPU per request")
    with EndpointServer() as server:
        for width in asked.in_flight:
            speeds, costs, added = [], [], []
            for round_ in range(asked.rounds):
                pair = []
                for run in (bare, ours):
                    faults = FAULTS if asked.faults else {}
                    server.plan(latency_seconds=LATENCY_SECONDS, shares=faults, seed=round_, log=False)
                    pair.append(measured(run, server.base_url, asked.requests, width))
                (bare_wall, bare_cpu), (our_wall, our_cpu) = pair
                speeds.append(bare_wall / our_wall)
                costs.append(our_cpu / bare_cpu)
                added.append((our_cpu - bare_cpu) / asked.requests * 1000)
            middle = [statistics.median(values) for values in (speeds, costs, added)]
            print(f"{width:9}  {middle[0]:20.2f}  {middle[1]:25.2f}  {middle[2]:17.3f} ms")


if __name__ == "__main__":
    main()
