"""The server that `endpoint.py` starts: as little HTTP as clients need, and every way to fail."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
import time
from collections import Counter
from email.utils import formatdate
from typing import Any

FAULTS = (
    "429", "429-date", "500", "503", "529", "400", "401", "404", "redirect", "hang", "reset", "half", "garbage", "html",
    "empty-choices", "error-inside", "slow-body", "endless", "null-content", "not-http", "raw",
)  # fmt: skip
"""What can go wrong. `raw` sends the plan's `raw` status, headers and body."""

DEFAULT_PLAN: dict[str, Any] = {
    "latency_seconds": 0.0,
    "answer": "gold",  # the text between [[ and ]] in the last message; "echo": the last message itself
    "seed": 0,
    "sequence": [],  # faults by arrival; "ok" is none
    "shares": {},  # fault -> share of requests
    "retry_after": 1,  # seconds that 429, 503 and 529 name; None: no header
    "capacity": None,  # more requests than this at once are refused with 429
    "per_second": None,  # more requests than this in one second of the clock are refused until the next one
    "bucket": None,  # [tokens a second, most tokens]: each request takes one, and is refused where there is none
    "refuse_seconds": 0.0,  # so long after the plan was set, every request is refused with 429
    "remaining": None,  # x-ratelimit-remaining-requests, one less for each request
    "reset": "1s",  # x-ratelimit-reset-requests
    "raw": {"status": 200, "headers": {}, "body": ""},
    "log": True,  # off: count only
}


class Book:
    """The plan and what has happened under it."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self.plan = plan
        self.since = time.monotonic()
        self.requests = 0
        self.answered = 0
        self.at_once = 0
        self.most_at_once = 0
        self.window = (0, 0)  # a second of the clock, and how many requests it had
        self.tokens = plan["bucket"][1] if plan["bucket"] else 0.0
        self.filled_at = self.since
        self.seen: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.log: list[dict[str, Any]] = []

    def fault(self, content: str) -> str:
        plan = self.plan
        self.requests += 1
        self.seen[content] += 1
        if self.requests <= len(plan["sequence"]):
            return str(plan["sequence"][self.requests - 1])
        if plan["capacity"] is not None and self.at_once > plan["capacity"]:
            return "429"
        if time.monotonic() < self.since + plan["refuse_seconds"] or self.over_the_rate():
            return "429"
        if plan["shares"]:
            drawn = hashlib.blake2b(f"{plan['seed']}|{self.seen[content]}|{content}".encode(), digest_size=8).digest()
            point = int.from_bytes(drawn, "big") / 2**64
            for name, share in plan["shares"].items():
                if point < share:
                    return str(name)
                point -= share
        return "ok"

    def over_the_rate(self) -> bool:
        if self.plan["bucket"]:
            rate, most = self.plan["bucket"]
            now = time.monotonic()
            self.tokens = min(most, self.tokens + (now - self.filled_at) * rate)
            self.filled_at = now
            refused = self.tokens < 1
            self.tokens -= not refused
            return bool(refused)
        if self.plan["per_second"] is None:
            return False
        second = int(time.monotonic())
        self.window = (second, self.window[1] + 1 if self.window[0] == second else 1)
        return bool(self.window[1] > self.plan["per_second"])


class Server(asyncio.Protocol):
    """One connection; the parser knows what HTTP clients send, not everything they may."""

    def __init__(self, books: list[Book]) -> None:
        self.books = books
        self.buffer = b""
        self.entry: dict[str, Any] | None = None
        self.book: Book | None = None  # whose request is under way

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def connection_lost(self, error: Exception | None) -> None:
        self.leave()

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        head, blank, rest = self.buffer.partition(b"\r\n\r\n")
        if not blank:
            return
        pairs = [line.split(b": ", 1) for line in head.split(b"\r\n")[1:]]
        headers = {name.lower(): value for name, value in pairs}
        length = int(headers.get(b"content-length", b"0"))
        if len(rest) >= length:
            self.buffer = rest[length:]
            self.serve(head.split(b" ", 2)[1].decode(), rest[:length], headers)

    def serve(self, path: str, body: bytes, headers: dict[bytes, bytes]) -> None:
        book = self.books[0]
        if path == "/plan":
            self.books[0] = Book(json.loads(body))
            self.send(200, b"{}")
        elif path == "/stats":
            names = ("requests", "answered", "most_at_once", "faults", "log")
            self.send(200, json.dumps({name: getattr(book, name) for name in names}).encode())
        elif path.endswith(("/chat/completions", "/responses")):
            self.model(path, json.loads(body), headers, book)
        else:
            self.send(404, b'{"error":{"message":"no such path"}}')

    def model(self, path: str, body: dict[str, Any], headers: dict[bytes, bytes], book: Book) -> None:
        self.book = book
        book.at_once += 1
        book.most_at_once = max(book.most_at_once, book.at_once)
        messages = body["messages"] if "messages" in body else body["input"]
        content = str(messages[-1]["content"])
        fault = book.fault(content)
        if fault != "ok":
            book.faults[fault] += 1
        if book.plan["log"]:
            self.entry = {
                "at": time.monotonic(),
                "content": content,
                "fault": fault,
                "retry_after": None,
                "authorization": headers.get(b"authorization", b"").decode(),
                "left_at": None,
            }
            book.log.append(self.entry)
        if fault in ("ok", "slow-body", "half", "null-content") and book.plan["latency_seconds"]:
            loop = asyncio.get_running_loop()
            loop.call_later(book.plan["latency_seconds"], self.answer, path, body, content, fault, book)
        else:
            self.answer(path, body, content, fault, book)

    def answer(self, path: str, body: dict[str, Any], content: str, fault: str, book: Book) -> None:
        if self.transport.is_closing():
            return
        text = content
        if book.plan["answer"] == "gold" and "[[" in content:
            text = content.split("[[", 1)[1].split("]]", 1)[0]
        reply = (responses if path.endswith("/responses") else completion)(body, content, text)
        if fault == "ok":
            book.answered += 1
            self.send(200, reply, self.allowance(book))
        else:
            self.fail(fault, reply, book)
        if fault not in ("hang", "slow-body", "endless"):
            self.leave()

    def leave(self) -> None:
        if self.book is not None:
            self.book.at_once -= 1
            self.book = None
            if self.entry is not None:
                self.entry["left_at"] = time.monotonic()

    def allowance(self, book: Book) -> dict[str, str]:
        left = book.plan["remaining"]
        if left is None:
            return {}
        return {
            "x-ratelimit-remaining-requests": str(max(0, left - book.requests)),
            "x-ratelimit-reset-requests": book.plan["reset"],
        }

    def fail(self, fault: str, reply: bytes, book: Book) -> None:
        if fault in ("429", "429-date", "503", "529"):
            self.refuse(fault, book)
        elif fault.isdecimal():
            self.send(int(fault), b'{"error":{"message":"a failure on purpose","code":"planned"}}')
        elif fault == "redirect":
            self.send(307, b"", {"Location": "http://elsewhere.invalid/v1"})
        elif fault == "reset":
            self.transport.abort()
        elif fault == "half":
            self.transport.write(head(200, len(reply), {}) + reply[: len(reply) // 2])
            self.transport.close()
        elif fault == "slow-body":
            self.transport.write(head(200, len(reply), {}) + reply[: len(reply) // 2])
            asyncio.get_running_loop().call_later(1.0, self.rest, reply[len(reply) // 2 :])
        elif fault == "endless":
            self.transport.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n")
            asyncio.get_running_loop().call_soon(self.more)
        elif fault == "not-http":
            self.transport.write(b"\x16\x03\x01 this is no HTTP\r\n\r\n")
            self.transport.close()
        elif fault == "raw":
            raw = book.plan["raw"]
            self.send(raw["status"], raw["body"].encode("utf-8", "surrogatepass"), raw["headers"])
        elif fault != "hang":
            self.send(200, BODIES[fault])

    def refuse(self, fault: str, book: Book) -> None:
        seconds = book.plan["retry_after"]
        headers = {}
        if fault == "429-date":
            moment = int(time.time() + seconds) + 1
            seconds = moment - time.time()
            headers = {"Retry-After": formatdate(moment, usegmt=True)}
        elif seconds is not None:
            if book.plan["per_second"] is not None:
                seconds = 1.0 - time.monotonic() % 1.0
            headers = {"Retry-After": str(seconds)}
        if self.entry is not None:
            self.entry["retry_after"] = seconds
        body = b'{"error":{"message":"too many requests","type":"requests","code":"rate_limit_exceeded"}}'
        self.send(int(fault[:3]), body, headers)

    def rest(self, part: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(part)
        self.leave()

    def more(self) -> None:
        if not self.transport.is_closing():
            self.transport.write(b"[" * 1_000_000)
            asyncio.get_running_loop().call_later(0.01, self.more)

    def send(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.transport.write(head(status, len(body), headers or {}) + body)


BODIES = {
    "garbage": b"\x00\xff\x1b[31m}{ not json",
    "html": b"<!doctype html><title>502 Bad Gateway</title>",
    "empty-choices": b'{"id":"x","object":"chat.completion","choices":[]}',
    "error-inside": b'{"error":{"message":"the upstream is away","code":502}}',
    "null-content": b'{"choices":[{"message":{"role":"assistant","content":null},"finish_reason":"stop"}]}',
}


def head(status: int, length: int, headers: dict[str, str]) -> bytes:
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n{lines}\r\n".encode()


def completion(body: dict[str, Any], content: str, text: str) -> bytes:
    sent, came = len(content.split()), len(text.split())
    return json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "model": body["model"],
            "choices": [
                {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"},
            ],
            "usage": {"prompt_tokens": sent, "completion_tokens": came, "total_tokens": sent + came},
        }
    ).encode()


def responses(body: dict[str, Any], content: str, text: str) -> bytes:
    part = {"type": "output_text", "text": text, "annotations": []}
    return json.dumps(
        {
            "id": "resp_1",
            "object": "response",
            "status": "completed",
            "model": body["model"],
            "output": [{"type": "message", "role": "assistant", "content": [part]}],
            "usage": {"input_tokens": len(content.split()), "output_tokens": len(text.split())},
        }
    ).encode()


async def serve() -> None:
    loop = asyncio.get_running_loop()
    books = [Book(dict(DEFAULT_PLAN))]
    server = await loop.create_server(lambda: Server(books), "127.0.0.1", 0, backlog=4096)
    print(server.sockets[0].getsockname()[1], flush=True)
    ended = loop.create_future()
    loop.add_reader(sys.stdin.fileno(), lambda: sys.stdin.buffer.read1(1) or ended.done() or ended.set_result(None))
    await ended


if __name__ == "__main__":
    asyncio.run(serve())
