"""Shards on a Ray cluster: Ray schedules, retries and spills; limits and budgets are one actor's for all workers.

driver ── map_shards ──> task per shard (max_retries) ──> work(shard, limits) ──> its result
                               │  acquire, release, spend
                               └──────────> GlobalLimits, one actor beside the driver
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from typing import Any, TypeVar

from ringtrue.errors import ConfigurationError, MissingExtra, ModelError, RingtrueError
from ringtrue.models.client.limiter import AdaptiveLimiter, News
from ringtrue.records import Case, Output, Score
from ringtrue.runner.budget import Budget

Result = TypeVar("Result")

RETRIES = 5
"""How often Ray restarts a shard after its worker or its node died."""
Attempt = tuple[int, str]
"""A shard, and which of its attempts: a new one takes back what a dead one held."""


def map_shards(
    work: Callable[[Any, WorkerLimits], Result], shards: Sequence[Any], address: str | None, budget: Budget
) -> Iterator[tuple[int, Result | str]]:
    """The result of each shard with its number, as they finish; a text says why a shard has none."""
    ray = _ray()
    with _cluster(ray, address):
        node = ray.get_runtime_context().get_node_id()
        beside = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(node, soft=False)
        actor = ray.remote(GlobalLimits).options(
            num_cpus=0, scheduling_strategy=beside, max_restarts=-1, max_task_retries=-1, max_concurrency=10_000
        )
        limits = actor.remote(budget)
        task = ray.remote(_work).options(num_cpus=1, max_retries=RETRIES)
        shared = ray.put(work)
        numbers = {task.remote(shared, limits, place, shard): place for place, shard in enumerate(shards)}
        for ref in ray.util.as_completed(list(numbers), yield_obj_refs=True):
            try:
                yield numbers[ref], ray.get(ref)
            except ray.exceptions.RayError as error:
                cause = getattr(error, "cause", None)
                yield numbers[ref], f"{type(cause).__name__}: {cause}" if cause is not None else _first_line(error)


def _work(work: Callable[[Any, WorkerLimits], Any], limits: Any, place: int, shard: Any) -> Any:
    return work(shard, WorkerLimits(limits, (place, secrets.token_hex(4))))


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def _ray() -> Any:
    try:
        import ray
        import ray.util.scheduling_strategies
    except ImportError as error:
        raise MissingExtra("running on Ray", "ray") from error
    return ray


@contextmanager
def _cluster(ray: Any, address: str | None) -> Iterator[None]:
    """A cluster: the one at the address, or one on this machine that ends with the block."""
    if ray.is_initialized():
        yield
        return
    try:
        own = {} if address else {"include_dashboard": False}
        ray.init(address=address or "local", namespace="ringtrue", log_to_driver=False, logging_level="ERROR", **own)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise ConfigurationError(
            f"no Ray cluster answers at {address!r}: {_first_line(error)}; 'ray start --head' starts one, and without "
            "--ray-address this machine is used alone",
            parameter="ray_address",
            value=address,
        ) from error
    try:
        yield
    finally:
        ray.shutdown()


@dataclass
class _Place:
    """The limiter of one endpoint and key, and who holds its places."""

    limiter: AdaptiveLimiter
    held: dict[Attempt, list[float]] = field(default_factory=dict)


class GlobalLimits:
    """Places at endpoints, and what has been used up, for all workers; what a dead attempt held is taken back."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.places: dict[str, _Place] = {}
        self.attempts: dict[int, Attempt] = {}

    async def enter(self, attempt: Attempt) -> str:
        """Begin an attempt at a shard: the places of an earlier one are free again. Which limit is passed already."""
        earlier = self.attempts.get(attempt[0])
        self.attempts[attempt[0]] = attempt
        for place in self.places.values() if earlier else ():
            for started in place.held.pop(earlier, []) if earlier else []:
                place.limiter.release(started)
        return self.budget.spent

    async def acquire(
        self, attempt: Attempt, endpoint: str, maximum: int, again: bool, patience_seconds: float
    ) -> float | tuple[str, str, int | None]:
        """Return when a place was granted; or why there is none, as a message, its kind and its HTTP status."""
        place = self.places.setdefault(endpoint, _Place(AdaptiveLimiter(maximum=maximum)))
        place.limiter.widen(maximum)
        try:
            started = await place.limiter.acquire(again=again, patience_seconds=patience_seconds)
        except ModelError as error:
            return str(error), error.kind, error.status
        if self.attempts.get(attempt[0]) != attempt:  # the task that asked is dead by now
            place.limiter.release(started)
        else:
            place.held.setdefault(attempt, []).append(started)
        return started

    async def release(self, attempt: Attempt, endpoint: str, started: float, news: News, pause_seconds: float) -> None:
        """Take a place back, with what its request learned."""
        place = self.places.get(endpoint)
        held = place.held.get(attempt, []) if place else []
        if place is not None and started in held:
            held.remove(started)
            place.limiter.release(started, news, pause_seconds)

    async def spend(self, cost: float, tokens: int, errors: int) -> str:
        """Count what a worker used up; which limit is passed by now."""
        self.budget.cost += cost
        self.budget.tokens += tokens
        self.budget.errors += errors
        self.budget.look()
        return self.budget.spent


class WorkerLimits:
    """The limits of all workers, as one attempt at a shard sees them."""

    def __init__(self, actor: Any, attempt: Attempt) -> None:
        self.actor, self.attempt = actor, attempt

    def enter(self) -> str:
        """Begin; which limit of the run is passed already, so that the shard is left alone."""
        spent: str = _ray().get(self.actor.enter.remote(self.attempt))
        return spent

    def limiter(self, endpoint: str, maximum: int) -> RemoteLimiter:
        """The one limiter of an endpoint and key."""
        return RemoteLimiter(self.actor, self.attempt, endpoint, maximum)

    def budget(self, budget: Budget) -> SharedBudget:
        """The one budget of the run; its limits are those of the given one."""
        return SharedBudget(
            budget.max_cost, budget.max_tokens, budget.max_errors, budget.count, spend=self.actor.spend.remote
        )


@dataclass(frozen=True)
class RemoteLimiter:
    """A `Limiter` whose places the actor gives out; an attempt that dies loses them."""

    actor: Any
    attempt: Attempt
    endpoint: str
    maximum: int

    async def acquire(self, *, again: bool = False, patience_seconds: float = inf) -> float:
        """Wait for a place and return when it was given; a door closed for longer than the patience raises."""
        found = await self.actor.acquire.remote(self.attempt, self.endpoint, self.maximum, again, patience_seconds)
        if isinstance(found, float):
            return found
        message, kind, status = found
        raise ModelError(message, kind=kind, status=status)

    def release(self, started: float, news: News = "none", pause_seconds: float = 0.0) -> None:
        """Give a place back, with what its request learned."""
        self.actor.release.remote(self.attempt, self.endpoint, started, news, pause_seconds)


@dataclass
class SharedBudget(Budget):
    """A budget that others use up, too: `spend` counts for all and says which limit is passed."""

    spend: Callable[[float, int, int], Any] | None = None
    spent_by_all: str = ""
    telling: set[asyncio.Task[None]] = field(default_factory=set)

    def charge(self, case: Case, output: Output) -> None:
        """Count what an answer used, here and for all."""
        before = self.cost, self.tokens, self.errors
        super().charge(case, output)
        self._report(before)

    def count_scores(self, scores: Iterable[Score]) -> None:
        """Count what judgements used, here and for all."""
        before = self.cost, self.tokens, self.errors
        super().count_scores(scores)
        self._report(before)

    @property
    def spent(self) -> str:
        """The first limit that all workers together exceeded; the empty string while none is."""
        return self.spent_by_all or super().spent

    def _report(self, before: tuple[float, int, int]) -> None:
        used = self.cost - before[0], self.tokens - before[1], self.errors - before[2]
        if self.spend is not None and any(used):
            task = asyncio.get_running_loop().create_task(self._hear(self.spend(*used)))
            self.telling.add(task)
            task.add_done_callback(self.telling.discard)

    async def _hear(self, answer: Any) -> None:
        spent: str = await answer
        if spent:
            self.spent_by_all = spent
            self.passed_limit = self.passed_limit or spent.removeprefix("--max-").partition(" ")[0]


def require_success(failures: Sequence[tuple[str, str]], total: int) -> None:
    """Raise if every shard failed: then the fault is not a shard's own."""
    if failures and len(failures) == total:
        raise RingtrueError(f"no shard could be worked on; the first, {failures[0][0]}: {failures[0][1]}")
