"""A run against a loopback endpoint: ours, durable and limited, beside a bare aiohttp loop; ratios only.

    python benchmarks/runner.py [--rounds 3] [--samples 2000] [--faults] [--peers] [--flight 100] [--defaults]
    python -m venv .peers/inspect && .peers/inspect/bin/pip install inspect-ai openai
    python -m venv .peers/lmeval_api && .peers/lmeval_api/bin/pip install "lm-eval[api]"

The endpoint is a process of its own that answers after 50 ms. Ours is `evaluate()` with its store, limiter, retries,
exact match and progress; the bare loop posts the same bodies and compares. Each side runs in a process of its own, in
alternating rounds; the best round counts. `--faults` adds 5% of 429 with Retry-After, 2% of 500 and 1% of connections
that never answer: both sides have a deadline of 5 s per call, and the bare loop asks again at once. `--peers` adds
inspect_ai and lm-evaluation-harness from their own environments, on the same endpoint with exact match.

`--defaults` asks difficult endpoints with nothing set but how many are in flight (100 where there are faults): the same
faults, one request in five refused at random with and without Retry-After, a token bucket of 50 a second, and one that
bears four at once. Each row ends in `holds` or `FAILS`.
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
REFUSALS = {"429": 0.1, "500": 0.05, "503": 0.05}


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


def inspect(url: str, flight: int, count: int) -> float:
    import os

    import inspect_ai  # type: ignore[import-not-found]
    from inspect_ai.dataset import MemoryDataset, Sample  # type: ignore[import-not-found]
    from inspect_ai.scorer import exact  # type: ignore[import-not-found]
    from inspect_ai.solver import generate  # type: ignore[import-not-found]

    os.environ["OPENAI_API_KEY"] = "none"
    samples = [Sample(input=case["question"], target=case["answer"]) for case in cases(count)]
    task = inspect_ai.Task(dataset=MemoryDataset(samples), solver=generate(), scorer=exact())
    settings = {"max_connections": flight, "max_samples": flight, "display": "none", "log_level": "error"}
    with tempfile.TemporaryDirectory() as folder:
        model = {"model": "openai/m", "model_base_url": url, "model_args": {"responses_api": False}}
        (log,) = inspect_ai.eval(task, log_dir=folder, **model, **settings)
    return float(log.results.scores[0].metrics["mean"].value)


def lm_eval(url: str, flight: int, count: int) -> float:
    from lm_eval import simple_evaluate  # type: ignore[import-not-found]
    from lm_eval.api.task import ConfigurableTask  # type: ignore[import-not-found]

    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder, "rows.jsonl")
        rows.write_text("".join(json.dumps(case) + "\n" for case in cases(count)))
        task = ConfigurableTask(
            config={
                "task": "cities",
                "dataset_path": "json",
                "dataset_kwargs": {"data_files": {"test": str(rows)}, "cache_dir": folder},
                "test_split": "test",
                "output_type": "generate_until",
                "doc_to_text": "{{question}}",
                "doc_to_target": "{{answer}}",
                "generation_kwargs": {"until": []},
                "metric_list": [{"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}],
            }
        )
        settings = {"base_url": f"{url}/chat/completions", "model": "m", "num_concurrent": flight}
        found = simple_evaluate(
            model="local-chat-completions",
            model_args=settings,
            tasks=[task],
            apply_chat_template=True,
            bootstrap_iters=0,
        )
    return float(found["results"]["cities"]["exact_match,none"])


SIDES = {"ours": ours, "bare": bare, "inspect": inspect, "lm_eval": lm_eval}
PEERS = {"inspect": ".peers/inspect/bin/python", "lm_eval": ".peers/lmeval_api/bin/python"}


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
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--samples", type=int, default=2_000)
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--flight", type=int, action="append", choices=FLOORS)
    parser.add_argument("--defaults", action="store_true")
    parser.add_argument("--worker", nargs=4)
    given = parser.parse_args()
    if given.defaults:
        difficult_endpoints(given.rounds)
        return
    if given.worker:
        work(*given.worker)
        return
    sides = {"ours": sys.executable, "bare": sys.executable} | (PEERS if given.peers else {})
    print("| in flight | throughput, ours / bare | floor | CPU per sample, ours / bare | ours, MB | right |", end="")
    print("".join(f" throughput, ours / {peer} | CPU, {peer} / ours |" for peer in list(sides)[2:]))
    print("|---" * (6 + 2 * (len(sides) - 2)) + "|")
    for flight in given.flight or FLOORS:
        best = measured(sides, flight, given)
        mine, other = best["ours"], best["bare"]
        print(
            f"| {flight} | {other['seconds'] / mine['seconds']:.2f} | {FLOORS[flight]} "
            f"| {mine['cpu'] / other['cpu']:.2f} | {mine['megabytes']:.0f} | {mine['share']:.4f} |",
            end="",
        )
        print(
            "".join(
                f" {best[peer]['seconds'] / mine['seconds']:.1f} | {best[peer]['cpu'] / mine['cpu']:.1f} |"
                for peer in list(sides)[2:]
            ),
            flush=True,
        )


def at_defaults(count: int, workers: int | None, **plan: Any) -> tuple[float, dict[str, Any], int, int]:
    """Seconds, what the endpoint saw, how many were answered, and how many were asked again too early."""
    from ringtrue import evaluate
    from ringtrue.evaluators import ExactMatch
    from ringtrue.systems.openai_proxy import OpenAIProxy
    from support.endpoint import EndpointServer

    with EndpointServer(**plan) as server, tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        system = OpenAIProxy(server.base_url, "m", "ours")
        result = evaluate(system, cases(count), [ExactMatch()], max_workers=workers, cache_dir=folder, progress=False)
        seconds = time.monotonic() - started
        return seconds, server.stats(), result.details["ours"]["exact_match"].n, len(server.early())


def difficult_endpoints(rounds: int) -> None:
    """One line for each endpoint and round."""

    def report(name: str, holds: bool, words: str) -> None:
        print(f"| {name} | {words} | {'holds' if holds else 'FAILS'} |", flush=True)

    print("| endpoint | what happened | |\n|---|---|---|")

    for number in range(rounds):
        plain, *_ = at_defaults(2_000, 100, latency_seconds=0.05)
        for name, shares, retry_after in (
            ("faults", FAULTS, 1),
            ("one in five refused, Retry-After", REFUSALS, 1),
            ("one in five refused", REFUSALS, None),
        ):
            plan = {"latency_seconds": 0.05, "shares": shares, "retry_after": retry_after, "seed": number}
            seconds, stats, answered, early = at_defaults(2_000, 100, **plan)
            least = 1_999 if shares is REFUSALS else 2_000  # six refusals in a row: one question in sixteen thousand
            holds = answered >= least and not early and seconds <= 4 * plain + 10
            words = f"{answered} of 2000 answered, {early} early, {seconds:.1f} s, without faults {plain:.1f} s"
            report(name, holds, f"{words}, at most {stats['most_at_once']} at once")

        seconds, stats, answered, early = at_defaults(1_000, None, latency_seconds=0.05, bucket=[50, 50])
        since = stats["log"][0]["at"] + 3
        late = [entry["fault"] == "429" for entry in stats["log"] if entry["at"] > since]
        share = sum(late) / len(late)
        words = f"{answered} of 1000 answered, {early} early, {seconds:.1f} s where 20 are ideal"
        holds = answered == 1_000 and not early and share <= 0.1
        report("50 a second", holds, f"{words}, {share:.1%} refused after 3 s")

        seconds, stats, answered, early = at_defaults(200, None, latency_seconds=0.1, capacity=4)
        holds = answered == 200 and not early and 5 / seconds >= 0.6
        words = f"{answered} of 200 answered, {early} early, {seconds:.1f} s"
        report("four at once", holds, f"{words}, used to {5 / seconds:.2f}")


def measured(sides: dict[str, str], flight: int, given: argparse.Namespace) -> dict[str, dict[str, float]]:
    """The best round of each side, all against endpoints with the same faults."""
    from support.endpoint import EndpointServer

    plan: dict[str, Any] = {"latency_seconds": 0.05, "log": False}
    if given.faults:
        plan.update(shares=FAULTS, retry_after=1)
    best: dict[str, dict[str, float]] = {}
    for number in range(given.rounds):
        for side, python in sides.items():
            with EndpointServer(**plan, seed=number) as server:
                words = ["--worker", side, server.base_url, str(flight), str(given.samples)]
                done = subprocess.run([python, __file__, *words], capture_output=True, text=True, check=False)
            if done.returncode:
                sys.exit(done.stderr)
            found = json.loads(done.stdout.splitlines()[-1])
            if side not in best or found["seconds"] < best[side]["seconds"]:
                best[side] = found
    return best


if __name__ == "__main__":
    main()
