"""A run against a loopback endpoint: ours, durable and limited, beside a bare aiohttp loop; ratios only.

    python benchmarks/runner.py [--rounds 3] [--samples 1000 5000] [--faults] [--peers] [--flight 100] [--difficult]

The endpoint is a process of its own that answers after 50 ms. Ours is `evaluate()` at its default options, with store,
limiter, retries, exact match and progress; nothing is set but how many are in flight. The bare loop posts the same
bodies and compares. Each side runs in a process of its own, in alternating rounds; the best round counts, for the clock
and for CPU time. At 500 in flight, 1,000 samples are two waves: there the start counts, in which the limiter finds out
how many the endpoint bears.

`--faults` adds 5% of 429 with Retry-After, 2% of 500 and 1% of connections that never answer; the bare loop then gives
a call 5 s and asks again at once. `--peers` adds inspect_ai and lm-evaluation-harness from their own environments, on
the same endpoint with exact match, at 100 in flight.

`--difficult` asks endpoints with the same faults, with one request in five refused at random with and without
Retry-After, with a token bucket of 50 a second, and one that bears four at once. Each row ends in `holds` or `FAILS`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
import tempfile
import time
from itertools import product
from pathlib import Path
from typing import Any

from sides import peer_python, run_worker

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

AIMS = {10: "", 100: "0.75", 500: "0.65"}
"""How many are in flight -> the throughput that we aim at, over the bare loop's."""
CPU_AIM = {10: "", 100: "0.8", 500: ""}
PEER_SAMPLES = 500
FAULTS = {"429": 0.05, "500": 0.02, "hang": 0.01}
REFUSALS = {"429": 0.1, "500": 0.05, "503": 0.05}


def cases(count: int) -> list[dict[str, Any]]:
    return [{"id": n, "question": f"Say [[city {n}]] please.", "answer": f"city {n}"} for n in range(count)]


def ours(url: str, flight: int, count: int) -> float:
    from ringtrue import evaluate
    from ringtrue.evaluators import ExactMatch
    from ringtrue.systems.openai_proxy import OpenAIProxy

    system = OpenAIProxy(url, "m", "ours")
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
PEERS = {"inspect": "inspect", "lm_eval": "lmeval_api"}
"""Side -> its environment below `.peers`."""


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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--samples", type=int, nargs="+", default=[1_000, 5_000])
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--flight", type=int, action="append", choices=AIMS)
    parser.add_argument("--difficult", action="store_true")
    parser.add_argument("--worker", nargs=4, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.difficult:
        difficult_endpoints(given.rounds)
        return
    if given.worker:
        work(*given.worker)
        return
    print("| in flight | samples | throughput, ours / bare | aim ", end="")
    print("| CPU ms per sample, ours | aim | CPU, ours / bare | MB | right |\n" + "|---" * 9 + "|")
    own = {"ours": sys.executable, "bare": sys.executable}
    for flight, samples in product(given.flight or AIMS, given.samples):
        best = measured(own, flight, samples, given.rounds, given.faults)
        mine, other = best["ours"], best["bare"]
        print(
            f"| {flight} | {samples:,} | {other['seconds'] / mine['seconds']:.2f} | {AIMS[flight]} "
            f"| {mine['cpu'] / samples * 1000:.2f} | {CPU_AIM[flight]} | {mine['cpu'] / other['cpu']:.2f} "
            f"| {mine['megabytes']:.0f} | {mine['share']:.4f} |",
            flush=True,
        )
    if given.peers:
        sides = {"ours": sys.executable, **{side: peer_python(home) for side, home in PEERS.items()}}
        best = measured(sides, 100, PEER_SAMPLES, 1, given.faults)
        print("\n| peer | throughput, ours / theirs | CPU per sample, theirs / ours | right |\n|---|---|---|---|")
        for peer in PEERS:
            ratios = [best[peer][what] / best["ours"][what] for what in ("seconds", "cpu")]
            print(f"| {peer} | {ratios[0]:.1f} | {ratios[1]:.1f} | {best[peer]['share']:.4f} |")


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
            least = 1_985 if shares is REFUSALS else 2_000  # four refusals in a row end about three of 2,000
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


def measured(
    sides: dict[str, str], flight: int, samples: int, rounds: int, faults: bool
) -> dict[str, dict[str, float]]:
    """The best of each side's rounds, all against endpoints with the same faults."""
    from support.endpoint import EndpointServer

    plan: dict[str, Any] = {"latency_seconds": 0.05, "log": False}
    if faults:
        plan.update(shares=FAULTS, retry_after=1)
    best: dict[str, dict[str, float]] = {}
    for number in range(rounds):
        for side, python in sides.items():
            with EndpointServer(**plan, seed=number) as server:
                found = run_worker(python, __file__, side, server.base_url, str(flight), str(samples))
            known = best.setdefault(side, found)
            best[side] = {name: min(known[name], value) for name, value in found.items()}
    return best


if __name__ == "__main__":
    main()
