"""A Ray cluster of several nodes in a network of its own, and what is done on it.

Ray listens on every address of a machine, so it runs in a network namespace that has none but loopback, and in a
process namespace that takes every process of it away at the end. `python ray_scenarios.py NAME FOLDER` does one
scenario and prints what came out as JSON.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__)
SLOW = "import time\n\ndef answer(text):\n    time.sleep(0.02)\n    return text.upper()\n"


def in_namespace(scenario: str, folder: Path, timeout: float) -> Any:
    """What a scenario printed, done where no other machine can be reached."""
    inside = f"ip link set lo up && exec {sys.executable} {HERE} {scenario} {folder}"
    words = ["unshare", "-n", "-p", "-f", "--mount-proc", "--kill-child", "bash", "-c", inside]
    path = os.pathsep.join(str(place) for place in (HERE.parents[1], os.environ.get("PYTHONPATH", "")) if place)
    environment = {**os.environ, "PYTHONPATH": path, "RAY_DISABLE_IMPORT_WARNING": "1"}
    done = subprocess.run(words, capture_output=True, text=True, timeout=timeout, env=environment)
    assert done.returncode == 0, done.stderr[-4_000:] + done.stdout[-2_000:]
    return json.loads(done.stdout.strip().splitlines()[-1])


def why_not() -> str:
    """Why no such namespace can be made here; empty where one can."""
    if shutil.which("unshare") is None or shutil.which("ip") is None:
        return "needs unshare and ip"
    tried = subprocess.run(["unshare", "-n", "-p", "-f", "--mount-proc", "true"], capture_output=True, text=True)
    return "" if tried.returncode == 0 else f"needs root, or user namespaces: {tried.stderr.strip()}"


def command(*words: str) -> tuple[int, str]:
    done = subprocess.run([sys.executable, "-m", "ringtrue", *words], capture_output=True, text=True)
    return done.returncode, done.stderr


def smoke(folder: Path) -> Any:
    """Two shards on Ray as it starts by itself, and what the same command says a second time."""
    first = command(
        "score", str(folder / "a-*.jsonl"), "-e", "exact_match", "--executor", "ray", "-o", str(folder / "out")
    )
    return {"code": first[0], "said": first[1]}


def kills(folder: Path) -> Any:
    """A run on three nodes, of which a worker and then a whole node are killed in the middle of it."""
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    doomed = [cluster.add_node(num_cpus=1), cluster.add_node(num_cpus=1)]
    (folder / "slow.py").write_text(SLOW)
    os.chdir(folder)
    found: dict[str, Any] = {"killed": 0}

    def disturb() -> None:
        wait_for_parts(folder / "out", 1)
        found["killed"] = kill_one_worker()
        wait_for_parts(folder / "out", 3)
        cluster.remove_node(doomed[0], allow_graceful=False)
        found["parts_when_the_node_died"] = len(list((folder / "out").glob("part-*.parquet")))

    killer = threading.Thread(target=disturb)
    killer.start()
    on_ray = ("--executor", "ray", "--ray-address", cluster.address)
    found["run"] = command("run", "-d", "a-*.jsonl", "-s", "slow:answer", "-e", "exact_match", *on_ray, "-o", "out")
    killer.join()
    found["rescore"] = command("rescore", "out", "-e", "starts_with('Q')", *on_ray, "-o", "again")
    found["code"] = command("score", "code.jsonl", "-e", "code_execution", *on_ray, "-o", "code")
    found |= endpoint(folder, on_ray)
    return found


def object_storage(folder: Path) -> Any:
    """Shards in a bucket, scored by pattern into the bucket, and what every command that takes a RUN makes of it."""
    import s3fs
    from moto.server import ThreadedMotoServer
    from ray.cluster_utils import Cluster

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    keys = {"AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any", "AWS_DEFAULT_REGION": "us-east-1"}
    os.environ.update({"AWS_ENDPOINT_URL": f"http://{host}:{port}", **keys})
    bucket = s3fs.S3FileSystem()
    bucket.mkdir("bucket")
    bucket.put(str(folder / "a-*.jsonl"), "bucket/answers/")
    os.chdir(folder)
    score = ("score", "s3://bucket/answers/*.jsonl", "-e", "exact_match")
    on_ray = (
        "--executor",
        "ray",
        "--ray-address",
        Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False}).address,
    )
    found = {
        "score": command(*score, *on_ray, "-o", "s3://bucket/scored"),
        "again": command(*score, *on_ray, "-o", "s3://bucket/scored"),
        "local": command(*score, "-o", "local.jsonl"),
        "rescore": command("rescore", "s3://bucket/scored", "-e", "contains(['Q'])", *on_ray, "-o", "s3://bucket/more"),
        "export": command("export", "s3://bucket/scored/manifest.json", "-o", "exported.jsonl"),
        "export_more": command("export", "s3://bucket/more", "-o", "more.jsonl"),
        "absent": command("score", "s3://bucket/none/*.jsonl", "-e", "exact_match"),
        "elsewhere": command("score", "a-00.jsonl", "-e", "exact_match", "-o", "s3://bucket/rows.jsonl"),
    }
    found["objects"] = sorted(bucket.find("bucket/scored"))
    server.stop()
    return found


def endpoint(folder: Path, on_ray: tuple[str, ...]) -> dict[str, Any]:
    """An endpoint that several workers ask: how many requests it saw at once, and when a limit stopped them."""
    from support.endpoint import EndpointServer

    with EndpointServer(latency_seconds=0.05) as server:
        who = ("--proxy", f"m={server.base_url}", "-m", "m", "--max-workers", "4")
        words = ("run", "-d", "cities-*.jsonl", *who, "-e", "exact_match", *on_ray)
        asked = command(*words, "-o", "asked")
        stats = server.stats()
        server.plan(latency_seconds=0.05)
        stopped = command(*words, "--max-tokens", "400", "-o", "few")
        return {
            "asked": asked,
            "most_at_once": stats["most_at_once"],
            "requests": stats["requests"],
            "stopped": stopped,
            "requests_before_the_limit": server.stats()["requests"],
        }


def wait_for_parts(folder: Path, count: int) -> None:
    until = time.monotonic() + 120
    while len(list(folder.glob("part-*.parquet"))) < count and time.monotonic() < until:
        time.sleep(0.02)


def kill_one_worker() -> int:
    """Kill the first worker that is at work on a shard."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        for name in os.listdir("/proc"):
            if name.isdigit():
                try:
                    title = Path(f"/proc/{name}/cmdline").read_bytes()
                except OSError:
                    continue
                if title.startswith(b"ray::_work"):
                    os.kill(int(name), signal.SIGKILL)
                    return int(name)
        time.sleep(0.01)
    return 0


if __name__ == "__main__":
    scenario = {"smoke": smoke, "kills": kills, "object_storage": object_storage}[sys.argv[1]]
    print(json.dumps(scenario(Path(sys.argv[2]))))
