"""`Chain`: a system that prepares an example, such as a compressor, and one that answers what it hands on."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ringtrue.dialects.coercion import context_text, plain_text
from ringtrue.dialects.dicts import NO_RESPONSE
from ringtrue.dialects.fields import DEFAULT
from ringtrue.identity import digest
from ringtrue.records import Case, Output
from ringtrue.systems.function import FunctionSystem
from ringtrue.systems.identity import Identity
from ringtrue.systems.system import PreparedRequest, System, prepare_request
from ringtrue.systems.truncation import Truncation

_BUILT_IN = (Identity, Truncation)
"""They do the same to the same example always, so that an answer to it may serve a later run."""


@dataclass
class Chain:
    """Code that is given the example, then an endpoint that answers it, if the code did not.

    Latency is that of both. Tokens and dollars are the endpoint's: what code spends on models of its own is not seen.
    The code is asked as many cases at once as it would be alone, while the endpoint has its own number in flight.
    """

    first: FunctionSystem
    then: System
    name: str
    _turn: asyncio.Semaphore = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._turn = asyncio.Semaphore(self.first.in_flight)

    def __getattr__(self, name: str) -> Any:
        """Return what the runner asks of an endpoint: `prepare`, `has_price`, `cost_of`, `allow_in_flight`, `close`."""
        if name in ("prepare", "has_price", "cost_of", "allow_in_flight", "close"):
            return getattr(self.then, name)
        raise AttributeError(name)

    @property
    def in_flight(self) -> int:
        """As many cases as the endpoint is asked at once."""
        return self.then.in_flight

    @property
    def case_seconds(self) -> float:
        """The seconds that a case may take."""
        return self.first.case_seconds

    @property
    def reads_rows(self) -> bool:
        """Whether the code may ask by names of its own."""
        return self.first.reads_rows

    async def answer(self, case: Case, repeat: int) -> Output:
        """Return the code's answer, else the endpoint's answer to the example that the code hands on."""
        async with self._turn:
            handed = await self.first.answer(case, repeat)
        if handed.problem != NO_RESPONSE:
            return handed
        answered = await self.then.answer(_changed_case(case, handed), repeat)
        spent = [one.latency_seconds for one in (handed, answered) if one.latency_seconds is not None]
        return replace(answered, latency_seconds=sum(spent) if spent else None, fields=handed.fields)

    def prepare_request(self, case: Case, repeat: int) -> PreparedRequest:
        """The endpoint's request for the case, and which baseline changes it; other code may change any time."""
        key = None
        if isinstance(self.first.speaker, _BUILT_IN):
            asked = prepare_request(self.then, case, repeat).key
            key = None if asked is None else digest(asked, self.first.signature())
        return PreparedRequest(key, partial(self.answer, case, repeat))

    def signature(self) -> str:
        """Both signatures."""
        return f"{self.name}={self.first.signature()} -> {self.then.signature()}"


def chain_systems(systems: Sequence[System], endpoints: Sequence[System]) -> list[System]:
    """The systems of a run, where the endpoints answer what systems hand on without an answer.

    An endpoint is a system of its own, too, which is sent the whole example; `identity` among the systems is that
    under its own name, so that nothing is asked twice.
    """
    chained: list[System] = []
    for system in systems:
        if not endpoints or not isinstance(system, FunctionSystem) or not system.reads_rows:
            chained.append(system)
            continue
        for endpoint in endpoints:
            name = system.name if len(endpoints) == 1 else f"{system.name}+{endpoint.name}"
            chained.append(Chain(system, endpoint, name))
    whole = any(isinstance(one, Chain) and isinstance(one.first.speaker, Identity) for one in chained)
    return chained if whole else [*chained, *endpoints]


def _changed_case(case: Case, handed: Output) -> Case:
    """The case as an endpoint is to be sent it: with what the code has changed of the example."""
    changed = handed.fields
    return replace(
        case,
        input=plain_text(changed["question"] or "") if "question" in changed else case.input,
        context=context_text(changed["context"] or "") if "context" in changed else case.context,
        messages=DEFAULT.conversation(changed) if "messages" in changed else case.messages,
        fields={**case.fields, **changed},
    )
