"""A run against a loopback endpoint: ours, durable and limited, beside a bare aiohttp loop; ratios only.

    python benchmarks/runner.py [--rounds 3] [--samples 2000] [--faults]

The endpoint is a process of its own that answers after 50 ms. Ours is `evaluate()` with its store, limiter, retries,
exact match and progress; the bare loop posts the same bodies and compares. Each side runs in a process of its own, in
alternating rounds; the best round counts. `--faults` adds 5% of 429 with Retry-After, 2% of 500 and 1% of connections
that never answer: both sides have a deadline of 5 s per call, and the bare loop asks again at once.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

FLOORS = {10: 0.7, 100: 0.7, 500: 0.4}
FAULTS = {"429": 0.05, "500": 0.02, "hang": 0.01}


def cases(count: int) -> list[dict[str, Any]]:
    return [{"id": n, "question": f"Say [[city {n}]] please.", "answer": f"city {n}"} for n in range(count)]


def ours(url: str, flight: int, count: int) -> float:
    from ringtrue import evaluate
    from ringtrue.evaluators import ExactMatch
    from ringtrue.systems.openai_proxy import OpenAIProxy

    system = OpenAIProxy(url, "m", "ours", timeout=5.0, max_retries=8, retry_base_delay=0.1, max_in_flight=flight)
    with tempfile.TemporaryDirectory() as folder:
        result = evaluate(system, cases(count), [ExactMatch()], max_workers=flight, cache_dir=folder)
    return result.details["ours"]["exact_match"].value or 0.0


def bare(url: str, flight: int, count: int) -> float:
    import aiohttp

    async def main() -> float:
        right, waiting = 0, iter(cases(count))

        async def worker(session: aiohttp.ClientSession) -> None:
            nonlocal right
            for case in waiting:
                body = {"model": "m", "messages": [{"role": "user", "content": case["question"]}]}
                while True:
                    try:
                        async with session.post(f"{url}/chat/completions", json=body) as reply:
                            if reply.status == 200:
                                text = (await reply.json())["choices"][0]["message"]["content"]
                                right += text.strip() == case["answer"]
                                break
                            await asyncio.sleep(float(reply.headers.get("Retry-After", 0)))
                    except (TimeoutError, aiohttp.ClientError):
                        continue

        timeout = aiohttp.ClientTimeout(total=5.0)
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), timeout=timeout) as session:
            await asyncio.gather(*(worker(session) for _ in range(flight)))
        return right / count

    return asyncio.run(main())


SIDES = {"ours": ours, "bare": bare}


def work(side: str, url: str, flight: str, count: str) -> None:
    SIDES[side](url, int(flight), 20)
    started, cpu = time.monotonic(), time.process_time()
    share = SIDES[side](url, int(flight), int(count))
    memory = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())
    done = {
        "seconds": time.monotonic() - started,
        "cpu": time.process_time() - cpu,
        "share": share,
        "megabytes": int(memory[1]) / 1024 if memory else None,
    }
    print(json.dumps(done))


def main() -> None:
    from support.endpoint import EndpointServer

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--samples", type=int, default=2_000)
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--worker", nargs=4)
    given = parser.parse_args()
    if given.worker:
        work(*given.worker)
        return
    print("| in flight | throughput, ours / bare | floor | CPU per sample, ours / bare | ours, MB | right |")
    print("|---|---|---|---|---|---|")
    plan: dict[str, Any] = {"latency_seconds": 0.05, "log": False}
    if given.faults:
        plan.update(shares=FAULTS, retry_after=1)
    for flight, floor in FLOORS.items():
        best: dict[str, dict[str, float]] = {}
        for number in range(given.rounds):
            for side in SIDES:
                with EndpointServer(**plan, seed=number) as server:
                    words = ["--worker", side, server.base_url, str(flight), str(given.samples)]
                    done = subprocess.run(
                        [sys.executable, __file__, *words], capture_output=True, text=True, check=False
                    )
                if done.returncode:
                    sys.exit(done.stderr)
                found = json.loads(done.stdout.splitlines()[-1])
                if side not in best or found["seconds"] < best[side]["seconds"]:
                    best[side] = found
        mine, other = best["ours"], best["bare"]
        print(
            f"| {flight} | {other['seconds'] / mine['seconds']:.2f} | {floor} | {mine['cpu'] / other['cpu']:.2f} "
            f"| {mine['megabytes']:.0f} | {mine['share']:.4f} |"
        )


if __name__ == "__main__":
    main()
