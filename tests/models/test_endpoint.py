"""An Endpoint against a real server on loopback: every fault ends in a reply or in an error that says what happened."""

from __future__ import annotations

import asyncio
import gc
import logging
import pickle
import subprocess
import sys
import time
import traceback
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import pytest

from ringtrue.errors import ConfigurationError, ModelError
from ringtrue.models.client import http_client as connections
from ringtrue.models.client.endpoint import Endpoint
from ringtrue.models.client.limiter import AdaptiveLimiter
from ringtrue.models.client.prices import Price, Prices
from ringtrue.models.client.retries import RetryPolicy
from ringtrue.models.reply import Reply
from ringtrue.models.request import Api
from support.endpoint import EndpointServer

Result = TypeVar("Result")
KEY = "sk-test-0123456789abcdef"
QUICK = RetryPolicy(5, base_seconds=0.01, seed=0)


def with_endpoint(server: EndpointServer, work: Callable[[Endpoint], Awaitable[Result]], **settings: Any) -> Result:
    async def main() -> Result:
        async with Endpoint(server.base_url, KEY, **{"retries": QUICK, "timeout_seconds": 5} | settings) as endpoint:
            return await asyncio.wait_for(work(endpoint), 60)

    return asyncio.run(main())


async def ask(endpoint: Endpoint, content: str = "say [[yes]]", api: Api = "chat") -> Reply:
    return await endpoint.ask(endpoint.request("m", [{"role": "user", "content": content}], api=api))


def failure(server: EndpointServer, **settings: Any) -> ModelError:
    with pytest.raises(ModelError) as caught:
        with_endpoint(server, ask, **settings)
    return caught.value


@pytest.mark.parametrize("api", ["chat", "responses"])
def test_a_reply_has_text_usage_latency_and_attempts(server: EndpointServer, api: Api) -> None:
    server.plan(latency_seconds=0.05)
    begun = time.monotonic()
    reply = with_endpoint(server, lambda endpoint: ask(endpoint, api=api))
    taken = time.monotonic() - begun
    assert (reply.text, reply.finish_reason, reply.model, reply.attempts) == ("yes", "stop", "m", 1)
    assert (reply.input_tokens, reply.output_tokens, reply.cost, reply.cached) == (2, 1, None, False)
    assert reply.latency_seconds is not None
    assert 0.05 <= reply.latency_seconds < taken
    assert server.stats()["log"][0]["authorization"] == f"Bearer {KEY}"


def test_a_known_model_has_a_cost(server: EndpointServer) -> None:
    server.plan()
    reply = with_endpoint(server, ask, prices=Prices({"m": Price(1.0, 10.0)}))
    assert reply.cost == pytest.approx((2 * 1.0 + 1 * 10.0) / 1e6)


RETRIED = ["429", "429-date", "500", "503", "529", "reset", "half", "garbage", "html", "empty-choices", "error-inside",
           "not-http"]  # fmt: skip


@pytest.mark.parametrize("fault", RETRIED)
def test_a_passing_fault_is_tried_again_and_answered(server: EndpointServer, fault: str) -> None:
    server.plan(sequence=[fault, fault], retry_after=0.1)
    reply = with_endpoint(server, ask)
    assert (reply.text, reply.attempts) == ("yes", 3)
    assert server.stats()["requests"] == 3
    assert server.early() == []


KINDS = {"429": "rate_limit", "reset": "connection", "half": "connection", "not-http": "connection",
         "garbage": "malformed", "html": "malformed", "empty-choices": "malformed"}  # fmt: skip


@pytest.mark.parametrize("fault", [fault for fault in RETRIED if fault != "429-date"])
def test_a_lasting_fault_is_an_error_that_names_the_endpoint(server: EndpointServer, fault: str) -> None:
    server.plan(sequence=[fault] * 9, retry_after=0)
    error = failure(server, retries=RetryPolicy(2, base_seconds=0.01))
    assert (error.kind, error.attempts) == (KINDS.get(fault, "http"), 3)
    assert str(error).startswith(server.base_url)
    assert "3 attempts" in str(error)
    assert len(str(error)) < 400
    assert str(error).isprintable()
    assert server.stats()["requests"] == 3


@pytest.mark.parametrize("fault", ["400", "401", "404", "redirect"])
def test_a_lasting_refusal_is_asked_once(server: EndpointServer, fault: str) -> None:
    server.plan(sequence=[fault] * 9)
    error = failure(server)
    assert (error.kind, error.status) == ("http", 307 if fault == "redirect" else int(fault))
    assert server.stats()["requests"] == 1
    if fault == "redirect":
        assert "elsewhere.invalid" in str(error)


def test_null_content_is_an_empty_answer(server: EndpointServer) -> None:
    server.plan(sequence=["null-content"])
    assert with_endpoint(server, ask).text == ""


def test_a_connection_that_never_answers_costs_one_attempt(server: EndpointServer) -> None:
    server.plan(sequence=["hang"])
    reply = with_endpoint(server, ask, timeout_seconds=1)
    assert (reply.text, reply.attempts) == ("yes", 2)
    assert reply.latency_seconds is not None
    assert reply.latency_seconds < 1, "the first attempt and the waiting do not count"


def test_a_hung_connection_holds_one_place_and_not_the_run(server: EndpointServer) -> None:
    server.plan(sequence=["hang"])

    async def many(endpoint: Endpoint) -> float:
        hung = asyncio.create_task(ask(endpoint, "first [[0]]"))
        await asyncio.sleep(0.1)
        begun = time.monotonic()
        await asyncio.gather(*[ask(endpoint, f"{i} [[{i}]]") for i in range(50)])
        taken = time.monotonic() - begun
        hung.cancel()
        return taken

    assert with_endpoint(server, many, timeout_seconds=60, max_in_flight=2) < 50


@pytest.mark.parametrize("fault", ["hang", "slow-body", "endless"])
def test_the_timeout_covers_the_whole_body(server: EndpointServer, fault: str) -> None:
    server.plan(sequence=[fault] * 9)
    begun = time.monotonic()
    error = failure(server, timeout_seconds=0.2, retries=RetryPolicy(0))
    assert error.kind == "timeout"
    assert time.monotonic() - begun < 60


def test_a_body_without_end_is_given_up(server: EndpointServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ringtrue.models.client.endpoint.MAX_BODY_BYTES", 3_000_000)
    server.plan(sequence=["endless"])
    error = failure(server, timeout_seconds=30, retries=RetryPolicy(0))
    assert error.kind == "malformed"
    assert "3,000,000" in str(error)


@pytest.mark.parametrize("fault", ["hang", "429", "500"])
def test_the_deadline_covers_the_retries(server: EndpointServer, fault: str) -> None:
    server.plan(sequence=[fault] * 99, retry_after=0.2)
    begun = time.monotonic()
    retries = RetryPolicy(90, base_seconds=0.1, longest_seconds=0.2)
    error = failure(server, timeout_seconds=0.3, deadline_seconds=2, retries=retries)
    assert time.monotonic() - begun < 15, "ninety attempts and waits take longer"
    assert error.attempts > 1
    assert "2 s" in str(error)


def test_a_wait_beyond_the_deadline_ends_the_call_at_once(server: EndpointServer) -> None:
    server.plan(sequence=["429"] * 9, retry_after=3600)
    begun = time.monotonic()
    error = failure(server)
    assert time.monotonic() - begun < 60
    assert (error.kind, error.status, error.attempts) == ("rate_limit", 429, 1)


def test_a_wait_without_a_header_backs_off(server: EndpointServer) -> None:
    server.plan(sequence=["429"] * 2, retry_after=None)
    assert with_endpoint(server, ask).attempts == 3


def test_no_early_retry_while_the_endpoint_refuses_everything(server: EndpointServer) -> None:
    server.plan(refuse_seconds=1.0, retry_after=0.6)

    async def many(endpoint: Endpoint) -> list[Reply]:
        return await asyncio.gather(*[ask(endpoint, f"{i} [[{i}]]") for i in range(40)])

    replies = with_endpoint(server, many)
    assert [reply.text for reply in replies] == [str(i) for i in range(40)]
    assert server.early() == []
    log = server.stats()["log"]
    closed = [entry["at"] + entry["retry_after"] for entry in log if entry["fault"] == "429"]
    first_round = [entry for entry in log if entry["at"] < min(closed)]
    assert len(first_round) <= 25, "nothing starts before the named time, not even what was never refused"


def test_the_number_in_flight_finds_the_endpoints_capacity(server: EndpointServer) -> None:
    server.plan(capacity=6, latency_seconds=0.02, retry_after=0.05)
    limits = []

    async def many(endpoint: Endpoint) -> list[Reply]:
        async def one(number: int) -> Reply:
            reply = await ask(endpoint, f"{number} [[{number}]]")
            limits.append(endpoint.limiter.limit)  # type: ignore[attr-defined]
            return reply

        return await asyncio.gather(*[one(i) for i in range(400)])

    replies = with_endpoint(server, many, deadline_seconds=30, retries=RetryPolicy(20, base_seconds=0.01))
    assert len(replies) == 400
    assert min(limits) <= 6, "halved until it fits"
    assert max(limits[100:]) <= 12, "and grown carefully"
    stats = server.stats()
    assert stats["faults"]["429"] < 100, "few requests are wasted on refusals"
    assert server.early() == []


def test_a_rate_is_used_up_and_hardly_overrun(server: EndpointServer) -> None:
    server.plan(per_second=50, latency_seconds=0.02)

    async def many(endpoint: Endpoint) -> list[Reply]:
        return await asyncio.gather(*[ask(endpoint, f"{i} [[{i}]]") for i in range(150)])

    replies = with_endpoint(server, many, deadline_seconds=30, max_in_flight=20)
    assert len(replies) == 150
    assert max(reply.attempts for reply in replies) <= 3
    seconds = {int(entry["at"]) for entry in server.stats()["log"]}
    assert 0 < server.stats()["faults"]["429"] <= 20 * len(seconds), "at most one round of twenty in each second"
    assert server.early() == []


def test_server_errors_do_not_slow_the_others_down(server: EndpointServer) -> None:
    server.plan(shares={"500": 0.2}, latency_seconds=0.01)
    limiter = AdaptiveLimiter(start=20, maximum=20)

    async def many(endpoint: Endpoint) -> list[Reply]:
        return await asyncio.gather(*[ask(endpoint, f"{i} [[{i}]]") for i in range(200)])

    replies = with_endpoint(server, many, limiter=limiter)
    assert len(replies) == 200
    assert server.stats()["faults"]["500"] > 20
    assert limiter.limit == 20


def test_a_used_up_allowance_is_waited_for(server: EndpointServer) -> None:
    server.plan(remaining=3, reset="2s")

    async def some(endpoint: Endpoint) -> None:
        for number in range(4):
            await ask(endpoint, f"{number} [[{number}]]")

    with_endpoint(server, some)
    times = [entry["at"] for entry in server.stats()["log"]]
    assert times[2] - times[0] < 2
    assert times[3] - times[2] >= 2


def test_the_planned_mixture_of_faults_is_answered_to_the_last(server: EndpointServer) -> None:
    server.plan(shares={"429": 0.05, "500": 0.02, "hang": 0.01}, latency_seconds=0.01, retry_after=0.3, seed=4)

    async def many(endpoint: Endpoint) -> list[Reply]:
        return await asyncio.gather(*[ask(endpoint, f"{i} [[{i}]]") for i in range(500)])

    replies = with_endpoint(server, many, timeout_seconds=30)
    assert [reply.text for reply in replies] == [str(i) for i in range(500)]
    stats = server.stats()
    assert min(stats["faults"][fault] for fault in ("429", "500", "hang")) > 0
    assert stats["requests"] == 500 + sum(stats["faults"].values()), "nothing is asked again without need"
    assert server.early() == []


def test_a_thousand_at_once(server: EndpointServer) -> None:
    server.plan(latency_seconds=0.05)

    async def many(endpoint: Endpoint) -> list[Reply]:
        return await asyncio.gather(*[ask(endpoint, f"{i} [[{i}]]") for i in range(1000)])

    replies = with_endpoint(server, many, max_in_flight=1000, timeout_seconds=30)
    assert [reply.text for reply in replies] == [str(i) for i in range(1000)]
    assert set(server.asked().values()) == {1}


def test_latency_does_not_count_the_queue(server: EndpointServer) -> None:
    server.plan(latency_seconds=0.1)

    async def many(endpoint: Endpoint) -> list[Reply]:
        return await asyncio.gather(*[ask(endpoint, f"{i} [[{i}]]") for i in range(8)])

    begun = time.monotonic()
    replies = with_endpoint(server, many, max_in_flight=1)
    assert sum(reply.latency_seconds or 9 for reply in replies) < time.monotonic() - begun


def test_cancelling_frees_the_places_and_the_endpoint(server: EndpointServer) -> None:
    server.plan(sequence=["hang"] * 4)

    async def work(endpoint: Endpoint) -> Reply:
        tasks = [asyncio.create_task(ask(endpoint, f"{i}")) for i in range(8)]
        while server.stats()["requests"] < 4:
            await asyncio.sleep(0.02)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert endpoint.limiter.in_flight == 0  # type: ignore[attr-defined]
        return await ask(endpoint)

    assert with_endpoint(server, work, max_in_flight=4, timeout_seconds=60).text == "yes"
    log = server.stats()["log"]
    assert len(log) == 5
    assert all(entry["left_at"] for entry in log), "the server sees every connection end"


def test_cancelling_while_it_waits_for_the_next_attempt(server: EndpointServer) -> None:
    server.plan(sequence=["429"], retry_after=30)

    async def work(endpoint: Endpoint) -> None:
        task = asyncio.create_task(ask(endpoint))
        while not server.stats()["requests"]:
            await asyncio.sleep(0.02)
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with_endpoint(server, work, deadline_seconds=60)
    assert server.stats()["requests"] == 1


def test_no_one_there() -> None:
    async def main() -> None:
        async with Endpoint("http://127.0.0.1:9", retries=RetryPolicy(1, base_seconds=0.01)) as endpoint:
            await ask(endpoint)

    with pytest.raises(ModelError, match=r"127\.0\.0\.1:9/v1 cannot be reached: Connection refused") as caught:
        asyncio.run(main())
    assert (caught.value.kind, caught.value.attempts) == ("connection", 2)


ECHO = {"status": 400, "headers": {}, "body": f'{{"error": {{"message": "bad key Bearer {KEY}"}}}}'}


@pytest.mark.parametrize("fault", ["raw", "401", "not-http", "reset", "hang", "html", "429"])
def test_the_key_is_never_shown(
    server: EndpointServer, fault: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    server.plan(sequence=[fault] * 9, raw=ECHO, retry_after=0)
    error = failure(server, timeout_seconds=0.2, retries=RetryPolicy(1, base_seconds=0.01))
    shown = "".join(traceback.format_exception(error)) + repr(error) + str(vars(error)) + str(pickle.dumps(error.args))
    assert KEY not in shown
    assert error.__cause__ is None
    assert error.__context__ is None, "an exception of the HTTP library holds the request's headers"
    assert KEY not in caplog.text + "".join(capfd.readouterr())
    assert server.stats()["log"][0]["authorization"] == f"Bearer {KEY}"


def test_the_key_is_not_in_the_repr() -> None:
    endpoint = Endpoint("http://h", KEY)
    assert KEY not in repr(endpoint) + str(endpoint) + repr(endpoint.request("m", []))
    assert repr(endpoint) == "Endpoint('http://h/v1', api_key=…)"


@pytest.mark.parametrize("key", ["sk\nx", "schlüssel", "\x00", " ", 5], ids=repr)
def test_a_key_that_cannot_be_sent_is_refused_unshown(key: Any) -> None:
    with pytest.raises(ConfigurationError) as caught:
        Endpoint("http://h", key)
    assert repr(key) not in str(caught.value)
    assert caught.value.value is None


def test_blanks_around_a_key_are_dropped_and_no_key_is_not_a_header(server: EndpointServer) -> None:
    server.plan()

    async def main() -> None:
        for key in (f"{KEY}\n", None, ""):
            async with Endpoint(server.base_url, key) as endpoint:
                await ask(endpoint)

    asyncio.run(main())
    assert [entry["authorization"] for entry in server.stats()["log"]] == [f"Bearer {KEY}", "", ""]


@pytest.mark.parametrize(
    "wrong",
    [{"timeout_seconds": 0}, {"timeout_seconds": True}, {"deadline_seconds": -1}, {"max_retries": -1},
     {"max_in_flight": 0}, {"timeout_seconds": float("nan")}],
    ids=str,
)  # fmt: skip
def test_wrong_settings_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        Endpoint("http://h", **wrong)


def test_a_request_for_another_endpoint_is_refused(server: EndpointServer) -> None:
    server.plan()
    other = Endpoint("http://127.0.0.1:9").request("m", [])
    with pytest.raises(ConfigurationError, match=r"127\.0\.0\.1:9"):
        with_endpoint(server, lambda endpoint: endpoint.ask(other))
    assert server.stats()["requests"] == 0


def test_from_env(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY"):
        Endpoint.from_env()
    assert repr(Endpoint.from_env("http://h")) == "Endpoint('http://h/v1')"
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert repr(Endpoint.from_env()) == "Endpoint('https://api.openai.com/v1', api_key=…)"
    monkeypatch.setenv("OPENAI_BASE_URL", "http://other")
    endpoint = Endpoint.from_env(timeout_seconds=7)
    assert (endpoint.base_url, endpoint.timeout_seconds) == ("http://other/v1", 7)


def test_one_endpoint_serves_one_event_loop_after_another(server: EndpointServer) -> None:
    server.plan()
    endpoint = Endpoint(server.base_url)
    for _ in range(3):
        assert asyncio.run(ask(endpoint)).text == "yes"
    asyncio.run(endpoint.close())
    assert asyncio.run(ask(endpoint)).text == "yes", "closing ends the connections, not the endpoint"


def test_an_endpoint_that_is_never_closed_is_silent(server: EndpointServer) -> None:
    server.plan()
    code = (
        "import asyncio; from ringtrue.models.client.endpoint import Endpoint\n"
        f"endpoint = Endpoint({server.base_url!r})\n"
        "ask = lambda: endpoint.ask(endpoint.request('m', [{'role': 'user', 'content': 'hi'}]))\n"
        "print(asyncio.run(ask()).text, asyncio.run(ask()).text)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("hi hi\n", "")


def test_without_aiohttp_the_extra_is_named() -> None:
    code = (
        "import sys; sys.modules['aiohttp'] = None\n"
        "from ringtrue.models.client.endpoint import Endpoint\n"
        "from ringtrue.errors import MissingExtra\n"
        "try: Endpoint('http://h')\n"
        "except MissingExtra as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "ringtrue[models]" in done.stdout, done.stderr


def test_connections_are_reused_and_closed(server: EndpointServer) -> None:
    server.plan()

    async def main() -> None:
        pool = connections.HttpClient({}, timeout_seconds=5, max_body_bytes=1000)
        body = b'{"model":"m","messages":[{"content":"x"}]}'
        for _ in range(3):
            response = await pool.post(f"{server.base_url}/chat/completions", body)
            assert isinstance(response, connections.Response)
            assert response.status == 200
        session = next(iter(pool._pools.values())).session
        assert session.connector is not None
        assert sum(len(idle) for idle in session.connector._conns.values()) == 1
        await pool.close()
        assert session.closed

    asyncio.run(main())
    gc.collect()


@pytest.mark.filterwarnings("error")
def test_an_endpoint_that_is_collected_in_a_cycle_closes_its_connections_silently(
    server: EndpointServer, capfd: pytest.CaptureFixture[str]
) -> None:
    """As one is after a direct `score()` that failed: the exception's frames and the endpoint hold each other."""
    server.plan()
    said = []

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: said.append(context["message"]))
        for _ in range(5):
            cycle: list[Any] = [Endpoint(server.base_url, KEY)]
            await ask(cycle[0])
            cycle.append(cycle)
            del cycle
            gc.collect()
            await asyncio.sleep(0.01)

    asyncio.run(main())
    assert (said, capfd.readouterr().err) == ([], "")


def test_closing_breaks_nothing_that_is_under_way(server: EndpointServer) -> None:
    """Two runs share an endpoint: the first to end closes it while the other waits for answers."""
    server.plan(latency_seconds=0.2)

    async def main() -> None:
        pool = connections.HttpClient({}, timeout_seconds=5, max_body_bytes=1000)
        url, body = f"{server.base_url}/chat/completions", b'{"model":"m","messages":[{"content":"x"}]}'
        asking = [asyncio.create_task(pool.post(url, body)) for _ in range(4)]
        await asyncio.sleep(0.1)
        session = next(iter(pool._pools.values())).session
        await pool.close()
        assert not session.closed
        later = await pool.post(url, body)
        for response in (*await asyncio.gather(*asking), later):
            assert isinstance(response, connections.Response)
        assert session.closed, "the last to leave closes it"
        await pool.close()

    asyncio.run(main())
    assert server.stats()["requests"] == 5
