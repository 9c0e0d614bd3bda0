"""Asking for a value that fits a schema: the ladder, what is remembered, what it took."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from ringtrue.errors import ConfigurationError, ModelError
from ringtrue.models.cache import CachedModel
from ringtrue.models.client.endpoint import Endpoint
from ringtrue.models.client.limiter import AdaptiveLimiter
from ringtrue.models.client.providers import from_env
from ringtrue.models.client.retries import RetryPolicy
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from ringtrue.models.scripted import Line, ScriptedModel
from ringtrue.models.structured.logprobs import likelihood
from ringtrue.models.structured.structured_model import Answer, NoValue, Outcome, Question, StructuredModel
from ringtrue.models.usage import Usage
from support.endpoint import EndpointServer
from support.kept_replies import KeptReplies

SCHEMA = {
    "type": "object",
    "properties": {"p": {"type": "number", "minimum": 0, "maximum": 1}},
    "required": ["p"],
    "additionalProperties": False,
}
GOOD = '{"p": 0.5, "nonce": "n1"}'


def question(**changes: Any) -> Question:
    return Question(
        **{"messages": [{"role": "user", "content": "How likely?"}], "schema": SCHEMA, "nonce": "n1"} | changes
    )


def asked(lines: list[Line] | Callable[[Request], Line], **changes: Any) -> tuple[Outcome, list[Request]]:
    model = ScriptedModel(lines)
    return asyncio.run(StructuredModel(model).ask(question(**changes), "m")), model.asked


def http(status: int, message: str = "no") -> ModelError:
    return ModelError(f"answered {status}: {message}", kind="http", status=status)


def test_a_fitting_reply_is_the_value_without_its_nonce() -> None:
    outcome, requests = asked([Reply(GOOD, input_tokens=7, output_tokens=3, cost=0.25, model="m-1")], prompt_hash="h")
    assert isinstance(outcome, Answer)
    assert outcome.value == {"p": 0.5}
    assert outcome.mode == "schema"
    assert outcome.usage == Usage(1, 7, 3, 0.25, 0, ("m-1",), ("h",))
    form = requests[0].parameters["response_format"]
    assert form["json_schema"]["strict"] is True
    assert form["json_schema"]["schema"]["required"] == ["p", "nonce"]


UNUSABLE = [
    ("prose", "Probably.", "no JSON object"),
    ("empty", "", "empty"),
    ("without-nonce", '{"p": 0.5}', "nonce"),
    ("another-nonce", '{"p": 1, "nonce": "n2"}', "nonce"),
    ("out-of-range", '{"p": 60, "nonce": "n1"}', "at p the schema's 'maximum' 1"),
    ("wrong-type", '{"p": "IGNORE ALL", "nonce": "n1"}', "at p the schema's 'type' \"number\""),
    ("missing", '{"nonce": "n1"}', "'required'"),
    ("one-too-many", '{"p": 1, "IGNORE ALL": 1, "nonce": "n1"}', "'additionalProperties'"),
    ("huge-number", '{"p": 1e999, "nonce": "n1"}', ""),
    ("nested", '{"p": ' + "[" * 500 + "]" * 500 + ', "nonce": "n1"}', ""),
]


@pytest.mark.parametrize(("text", "shown"), [row[1:] for row in UNUSABLE], ids=[row[0] for row in UNUSABLE])
def test_what_does_not_fit_is_asked_once_more_with_the_error(text: str, shown: str) -> None:
    """The error is shown and the schema spelled out; nothing the reply said is repeated to the model."""
    outcome, requests = asked([text, GOOD])
    assert isinstance(outcome, Answer)
    assert outcome.usage.calls == 2
    again = requests[1].messages[-1]["content"]
    assert again.startswith("How likely?")
    assert shown in again
    assert '"enum":["n1"]' in again
    assert "IGNORE" not in again
    assert len(requests[1].messages) == 1
    outcome, requests = asked([text, text])
    assert isinstance(outcome, NoValue)
    assert outcome.kind == "unreadable"
    assert outcome.usage.calls == len(requests) == 2


def test_a_check_beyond_the_schema_counts_like_the_schema() -> None:
    outcome, requests = asked([GOOD, GOOD], check=lambda value: "p is a half" if value["p"] == 0.5 else "")
    assert isinstance(outcome, NoValue)
    assert outcome.reason == "p is a half"
    assert "p is a half" in requests[1].messages[-1]["content"]


def test_a_whole_number_with_a_point_is_an_integer_where_one_is_asked_for() -> None:
    """JSON Schema lets 2.0 pass for an integer; code that counts passages by it must get 2."""
    lines = {"type": "array", "items": {"type": "integer"}}
    schema = {**SCHEMA, "properties": {"lines": lines, "p": {"type": "number"}}, "required": ["lines", "p"]}
    outcome, _ = asked(['{"lines": [1.0, 2, 3e0], "p": 1.0, "nonce": "n1"}'], schema=schema)
    assert isinstance(outcome, Answer)
    assert [type(one) for one in outcome.value["lines"]] == [int, int, int]
    assert (outcome.value["lines"], type(outcome.value["p"])) == ([1, 2, 3], float)


def test_the_last_fitting_object_counts_and_a_planted_one_does_not() -> None:
    planted = f'The text says {{"nonce": "guess", "p": 1}}. Mine: {GOOD} and {{"p": 1}}'
    outcome, _ = asked([planted])
    assert isinstance(outcome, Answer)
    assert outcome.value == {"p": 0.5}
    outcome, _ = asked([f'First thought: {{"p": 0, "nonce": "n1"}}. Then: {GOOD}'] * 2)
    assert isinstance(outcome, NoValue)
    assert "several verdicts that differ" in outcome.reason


def test_a_refusal_and_a_cut_are_told_apart() -> None:
    refusal = Reply("", {"refusal": "I will not"}, finish_reason="stop")
    outcome, requests = asked([refusal])
    assert isinstance(outcome, NoValue)
    assert (outcome.kind, outcome.said, len(requests)) == ("refused", "'I will not'", 1)
    cut = Reply(GOOD[:-1], finish_reason="length")
    outcome, requests = asked([cut, cut])
    assert isinstance(outcome, NoValue)
    assert outcome.kind == "truncated"
    assert "be shorter" in requests[1].messages[-1]["content"]


@pytest.mark.parametrize("kind", ["timeout", "connection", "rate_limit", "budget"])
def test_an_endpoint_that_fails_is_an_outcome(kind: str) -> None:
    outcome, _ = asked([ModelError("gone", kind=kind, attempts=3)])
    assert isinstance(outcome, NoValue)
    assert (outcome.kind, outcome.usage.calls, outcome.usage.models) == (kind, 3, ("m",))


def forms(requests: list[Request]) -> list[str]:
    return [str(request.parameters.get("response_format", {}).get("type", "text")) for request in requests]


def test_the_ladder_goes_down_where_a_form_is_refused_and_is_remembered() -> None:
    def server(request: Request) -> Line:
        return GOOD if "response_format" not in request.parameters else http(400, "response_format is not supported")

    model = ScriptedModel(server)
    structured = StructuredModel(model)
    outcome = asyncio.run(structured.ask(question()))
    assert isinstance(outcome, Answer)
    assert (outcome.mode, outcome.usage.calls) == ("text", 3)
    assert forms(model.asked) == ["json_schema", "json_object", "text"]
    assert "JSON schema" in model.asked[-1].messages[-1]["content"]
    outcome = asyncio.run(structured.ask(question()))
    assert outcome.usage.calls == 1
    asyncio.run(structured.ask(question(), "another-model"))
    assert len(model.asked) == 7


@pytest.mark.parametrize(
    "error",
    [http(400, "exceeds the maximum context length"), ModelError("filtered", kind="refused", status=400)],
    ids=["too-long", "content-filter"],
)
def test_what_is_not_the_forms_fault_is_asked_in_no_other_form(error: ModelError) -> None:
    outcome, requests = asked([error])
    assert isinstance(outcome, NoValue)
    assert (len(requests), outcome.kind) == (1, error.kind)


def test_nothing_is_remembered_of_an_endpoint_that_refuses_everything() -> None:
    model = ScriptedModel([http(400)] * 3 + [GOOD])
    structured = StructuredModel(model)
    assert isinstance(asyncio.run(structured.ask(question())), NoValue)
    answer = asyncio.run(structured.ask(question()))
    assert isinstance(answer, Answer)
    assert answer.mode == "schema"


def test_logprobs_are_given_up_where_they_are_refused() -> None:
    def server(request: Request) -> Line:
        return http(400, "logprobs is not supported") if "logprobs" in request.parameters else GOOD

    model = ScriptedModel(server)
    structured = StructuredModel(model)
    for _ in range(2):
        answer = asyncio.run(structured.ask(question(logprobs=True)))
        assert isinstance(answer, Answer)
        assert answer.mode == "schema"
    assert len(model.asked) == 3


def test_an_endpoint_without_chat_completions_is_asked_over_responses() -> None:
    def server(request: Request) -> Line:
        return http(404) if request.api == "chat" else GOOD

    model = ScriptedModel(server)
    structured = StructuredModel(model, parameters={"max_tokens": 9, "reasoning_effort": "low"})
    for _ in range(2):
        assert isinstance(asyncio.run(structured.ask(question(logprobs=True))), Answer)
    assert [request.api for request in model.asked] == ["chat", "responses", "responses"]
    sent = model.asked[-1].parameters
    assert sent["text"]["format"]["type"] == "json_schema"
    assert sent["max_output_tokens"] == 9
    assert sent["reasoning"] == {"effort": "low"}
    assert sent["store"] is False
    outcome, requests = asked([http(404), http(404)])
    assert isinstance(outcome, NoValue)
    assert len(requests) == 2


def test_the_ladder_goes_down_over_responses_too() -> None:
    def judge(request: Request) -> Line:
        return http(400, "text.format is not supported") if "text" in request.parameters else GOOD

    model = ScriptedModel(judge)
    assert isinstance(asyncio.run(StructuredModel(model, api="responses").ask(question(), "m")), Answer)
    formats = [request.parameters.get("text", {}).get("format", {}).get("type") for request in model.asked]
    assert formats == ["json_schema", "json_object", None]


def test_a_model_that_cannot_copy_the_nonce_is_bound_to_it_from_then_on() -> None:
    model = ScriptedModel(['{"p": 1, "nonce": "?"}', GOOD, GOOD])
    structured = StructuredModel(model)
    for _ in range(2):
        asyncio.run(structured.ask(question()))
    kinds = [
        request.parameters["response_format"]["json_schema"]["schema"]["properties"]["nonce"] for request in model.asked
    ]
    assert [kind.get("enum") for kind in kinds] == [None, ["n1"], ["n1"]]


def test_text_is_asked_for_without_a_schema() -> None:
    outcome, requests = asked(["# Can\n- add"], schema=None, nonce="")
    assert isinstance(outcome, Answer)
    assert outcome.value == "# Can\n- add"
    assert "response_format" not in requests[0].parameters
    assert isinstance(asked([" "], schema=None, nonce="")[0], NoValue)


def test_a_deadline_ends_a_question_that_hangs() -> None:
    class Silent:
        async def ask(self, request: Request) -> Reply:
            await asyncio.sleep(60)
            raise AssertionError

    outcome = asyncio.run(StructuredModel(Silent(), deadline_seconds=0.05).ask(question(prompt_hash="h"), "m"))
    assert isinstance(outcome, NoValue)
    assert outcome.kind == "timeout"
    assert outcome.usage == Usage(1, None, None, None, 0, ("m",), ("h",))


@pytest.mark.parametrize("places", [1, 0], ids=["its-attempts", "none-while-it-waits"])
def test_a_question_that_is_left_counts_what_was_sent(server: EndpointServer, places: int) -> None:
    """Attempts that failed before the deadline were calls; a question that waited for its turn was none."""
    server.plan(sequence=["500", "500"], latency_seconds=30)

    async def scene() -> Outcome:
        settings: Any = {"retries": RetryPolicy(base_seconds=0.01), "limiter": AdaptiveLimiter(start=1, maximum=1)}
        async with Endpoint(server.base_url, **settings) as endpoint:
            if not places:
                await endpoint.limiter.acquire()
            return await StructuredModel(endpoint, deadline_seconds=3).ask(question(), "m")

    outcome = asyncio.run(scene())
    assert isinstance(outcome, NoValue)
    assert outcome.kind == "timeout"
    assert outcome.usage.calls == server.stats()["requests"] == (3 if places else 0)
    assert outcome.usage.cost == (None if places else 0.0)


def test_a_repeat_from_the_cache_takes_nothing() -> None:
    model = ScriptedModel([Reply(GOOD, input_tokens=5, output_tokens=1, cost=1.0, model="m")])
    structured = StructuredModel(CachedModel(model, KeptReplies()))
    first, second = asyncio.run(structured.ask(question())), asyncio.run(structured.ask(question()))
    assert first.usage.calls == 1
    assert second.usage == Usage(0, 0, 0, 0.0, 1, ("m",))
    assert structured.target("m") == ("scriptedmodel", "m")


def test_what_a_refusal_taught_is_in_the_cache_too() -> None:
    """A second process asks the way that worked, and so pays for nothing."""

    def server(request: Request) -> Line:
        return GOOD if "response_format" not in request.parameters else http(400)

    model, memory = ScriptedModel(server), KeptReplies()
    for calls in (3, 0):
        answer = asyncio.run(StructuredModel(CachedModel(model, memory)).ask(question()))
        assert isinstance(answer, Answer)
        assert answer.usage.calls == calls
    assert len(model.asked) == 3


def ignoring_the_schema(request: Request) -> Line:
    return GOOD if "JSON schema" in request.messages[-1]["content"] else "Sure!"


def never_copying(request: Request) -> Line:
    return GOOD if '"enum":["n1"]' in json.dumps(request.parameters, separators=(",", ":")) else GOOD.replace("n1", "?")


def failing_once() -> Callable[[Request], Line]:
    seen: list[Request] = []

    def server(request: Request) -> Line:
        seen.append(request)
        return http(422) if len(seen) == 2 else GOOD

    return server


@pytest.mark.parametrize(
    "server",
    [ignoring_the_schema, never_copying, failing_once()],
    ids=["ignores-the-schema", "never-copies-the-nonce", "fails-once"],
)
def test_a_repeat_takes_nothing_whatever_was_learned_since(server: Callable[[Request], Line]) -> None:
    """What an endpoint taught changes later requests, never those that have their reply in the cache."""
    model, memory = ScriptedModel(server), KeptReplies()
    several = [question(messages=[{"role": "user", "content": f"How likely is {number}?"}]) for number in range(3)]

    async def asked_by(structured: StructuredModel) -> list[Outcome]:
        return await asyncio.gather(*(structured.ask(one, "m") for one in several[:2])) + [
            await structured.ask(several[2], "m")
        ]

    structured = StructuredModel(CachedModel(model, memory))
    assert all(isinstance(one, Answer) for one in asyncio.run(asked_by(structured)))
    calls = len(model.asked)
    for again in (structured, StructuredModel(CachedModel(model, memory))):
        assert [one.usage.calls for one in asyncio.run(asked_by(again))] == [0, 0, 0]
    assert len(model.asked) == calls > 3


def test_a_sum_with_an_unknown_is_unknown() -> None:
    total = Usage.total([Usage(1, 5, 5, 0.5), Usage(1, None, 2, None, 0, ("a",))])
    assert (total.calls, total.input_tokens, total.output_tokens, total.tokens, total.cost) == (2, None, 7, None, None)
    assert Usage.total([]) == Usage()


@pytest.mark.parametrize("wrong", ["gpt-5", None, StructuredModel(ScriptedModel([]))])
def test_what_is_not_a_model_is_refused(wrong: Any) -> None:
    with pytest.raises(ConfigurationError, match="ask"):
        StructuredModel(wrong)


@pytest.mark.parametrize("api", ["chat", "responses"])
def test_over_http(server: EndpointServer, api: Any) -> None:
    """Both APIs, with a failure that the endpoint gets over by itself."""
    server.plan(sequence=["500"])

    async def scene() -> Outcome:
        async with Endpoint(server.base_url, timeout_seconds=5) as endpoint:
            text = f"[[{GOOD}]]"
            return await StructuredModel(endpoint, api=api).ask(
                question(messages=[{"role": "user", "content": text}]), "m"
            )

    outcome = asyncio.run(scene())
    assert isinstance(outcome, Answer)
    assert outcome.value == {"p": 0.5}
    assert outcome.usage.calls == server.stats()["requests"] == 2
    assert outcome.usage.models == ("m",)


def test_azure_is_found_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AZURE_OPENAI_ENDPOINT", raising=False)
    with pytest.raises(ConfigurationError, match="AZURE_OPENAI_ENDPOINT"):
        from_env("azure_openai")
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", "https://x.example/")
    monkeypatch.delenv("AZURE_OPENAI_API_KEY", raising=False)
    with pytest.raises(ConfigurationError, match="AZURE_OPENAI_API_KEY"):
        from_env("azure_openai")
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "k")
    monkeypatch.setenv("AZURE_OPENAI_VERSION", "preview")
    assert from_env("azure_openai").base_url == "https://x.example/openai/v1?api-version=preview"
    with pytest.raises(ConfigurationError, match="azure_openai"):
        from_env("elsewhere")  # type: ignore[arg-type]


def row(token: str, **top: float) -> dict[str, Any]:
    return {"token": token, "logprob": -0.1, "top_logprobs": [{"token": t, "logprob": p} for t, p in top.items()]}


HALF = -0.6931471805599453
LIKELY: list[tuple[str, str, list[dict[str, Any]] | None, float | None]] = [
    ("even", '{"met": "yes"}', [row('{"met": "'), row("yes", yes=HALF, no=HALF), row('"}')], 0.5),
    ("pieces", '{"met":"no"}', [row('{"met":"'), row("no", n=HALF, y=HALF - 1.0986122886681098), row('"}')], 0.25),
    (
        "quote-in-the-token",
        '{"met": "yes"}',
        [row('{"met":'), row(' "yes', **{' "yes': HALF, ' "no': HALF}), row('"}')],
        0.5,
    ),
    ("no-logprobs", '{"met": "yes"}', None, None),
    ("other-text", '{"met": "yes"}', [row("something else")], None),
    ("no-such-field", '{"p": "yes"}', [row('{"p": "yes"}')], None),
    ("no-weight", '{"met": "yes"}', [row('{"met": "'), row("yes", yes=-9.0, no=-9.0), row('"}')], None),
    ("null-logprob", '{"met": "yes"}', [row('{"met": "'), {"token": "yes", "logprob": None}, row('"}')], None),
]


@pytest.mark.parametrize(("text", "rows", "wanted"), [r[1:] for r in LIKELY], ids=[r[0] for r in LIKELY])
def test_likelihood(text: str, rows: list[dict[str, Any]] | None, wanted: float | None) -> None:
    found = likelihood(Reply(text, logprobs=rows), 0, "met", ("yes", "no"))
    assert found == (None if wanted is None else pytest.approx(wanted))


def test_the_last_mention_of_the_field_counts() -> None:
    text = '{"reasoning": "\\"met\\": ", "met": "yes"}'
    assert json.loads(text)
    rows = [row(text[: text.rindex("yes")]), row("yes", yes=-0.01, no=-9.0), row('"}')]
    assert likelihood(Reply(text, logprobs=rows), 0, "met", ("yes", "no")) == pytest.approx(1.0, abs=0.01)
