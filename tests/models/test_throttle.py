"""How many at once, and how fast: the laws of the throttle against endpoints that are simulated, by their own clock."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count
from random import Random

import pytest

from ringtrue.models.client.retries import RetryPolicy
from ringtrue.models.client.throttle import Throttle

REFUSAL_SECONDS = 0.001


class Simulated:
    """An endpoint that answers after `latency` unless `refuses(now, under_way)`.

    A refusal names `pause` seconds, or the rest of a `window` of the clock.
    """

    def __init__(
        self, refuses: Callable[[float, int], bool], latency: float, pause: float = 1.0, window: float = 0.0
    ) -> None:
        self.refuses, self.latency, self.pause, self.window = refuses, latency, pause, window

    def named_pause(self, now: float) -> float:
        return self.window - now % self.window if self.window else self.pause


class Scene:
    """Questions asked through a throttle, each refused one again after its own wait, on a clock that only jumps."""

    def __init__(self, endpoint: Simulated, questions: int, workers: int = 100) -> None:
        self.throttle = Throttle(100)
        self.endpoint, self.left, self.workers = endpoint, questions, workers
        self.retries = RetryPolicy(base_seconds=1.0, seed=0)
        self.events: list[tuple[float, int, str, float, int]] = []
        self.order = count()
        self.again: list[int] = []
        self.now, self.under_way, self.in_hand, self.accepted = 0.0, 0, 0, 0
        self.outcomes: list[tuple[float, bool]] = []

    def run(self) -> Scene:
        while self.left or self.in_hand:
            self.start()
            self.now, _, what, started, tries = heapq.heappop(self.events)
            if what == "again":
                self.again.append(tries)
            elif what != "open":
                self.end(what == "answered", started, tries)
        return self

    def start(self) -> None:
        throttle = self.throttle
        while self.under_way < throttle.places and (self.again or (self.left and self.in_hand < self.workers)):
            if self.now < throttle.opens_at:
                self.plan(throttle.opens_at, "open")
                return
            tries = self.again.pop(0) if self.again else 0
            if not tries:
                self.left, self.in_hand = self.left - 1, self.in_hand + 1
            throttle.start(self.now)
            self.under_way += 1
            refused = self.endpoint.refuses(self.now, self.accepted)
            self.accepted += not refused
            self.outcomes.append((self.now, refused))
            seconds = REFUSAL_SECONDS if refused else self.endpoint.latency
            self.plan(self.now + seconds, "refused" if refused else "answered", self.now, tries + 1)

    def end(self, answered: bool, started: float, tries: int) -> None:
        full = self.under_way >= self.throttle.places
        self.under_way -= 1
        if answered:
            self.throttle.answer(started, self.now, under_way=self.under_way, full=full)
            self.in_hand, self.accepted = self.in_hand - 1, self.accepted - 1
        else:
            pause = self.endpoint.named_pause(self.now)
            self.throttle.refuse(started, self.now, under_way=self.under_way, pause_seconds=pause)
            self.plan(self.now + self.retries.wait_seconds(tries, pause or None), "again", 0.0, tries)

    def plan(self, at: float, what: str, started: float = 0.0, tries: int = 0) -> None:
        heapq.heappush(self.events, (at, next(self.order), what, started, tries))

    def refused_share(self, after: float = 0.0) -> float:
        late = [refused for at, refused in self.outcomes if at > after]
        return sum(late) / len(late)


def at_random(share: float, seed: int = 0) -> Callable[[float, int], bool]:
    random = Random(seed)
    return lambda now, under_way: random.random() < share


def bucket(rate: float, most: float) -> Callable[[float, int], bool]:
    tokens, filled = most, 0.0

    def refuses(now: float, under_way: int) -> bool:
        nonlocal tokens, filled
        tokens, filled = min(most, tokens + (now - filled) * rate), now
        refused = tokens < 1
        tokens -= not refused
        return refused

    return refuses


def window(most: int, seconds: float) -> Callable[[float, int], bool]:
    current, used = -1, 0

    def refuses(now: float, under_way: int) -> bool:
        nonlocal current, used
        if int(now / seconds) != current:
            current, used = int(now / seconds), 0
        used += 1
        return used > most

    return refuses


@pytest.mark.parametrize(
    ("share", "places", "seconds"), [(0.0, 80, 10), (0.02, 80, 10), (0.05, 80, 10), (0.08, 80, 10), (0.2, 30, 40)]
)
@pytest.mark.parametrize("seed", range(3))
def test_refusals_at_random_do_not_slow_an_endpoint_that_keeps_answering(
    share: float, places: int, seconds: float, seed: int
) -> None:
    scene = Scene(Simulated(at_random(share, seed), 0.05), 2000).run()
    assert scene.throttle.places > places
    assert scene.now < seconds, "one second of work at a hundred at once, and waits of a second and more, that double"


@pytest.mark.parametrize("seed", range(3))
def test_refusals_that_begin_to_come_at_random_slow_for_a_while_only(seed: int) -> None:
    overloaded, random = bucket(50, 10), at_random(0.2, seed)
    changing = Simulated(lambda now, under_way: random(now, 0) if now > 10 else overloaded(now, 0), 0.05, pause=0.0)
    scene = Scene(changing, 4000).run()
    assert scene.throttle.places > 30
    assert scene.now < 120, "500 in the first ten seconds; one place, to which refusals at random would cut, takes 200"


@pytest.mark.parametrize("latency", [0.001, 0.02, 0.05, 0.5])
@pytest.mark.parametrize("most", [1, 10, 50])
@pytest.mark.parametrize("pause", [0.0, 0.02, 1.0])
def test_an_overloaded_endpoint_refuses_less_than_one_in_ten(latency: float, most: int, pause: float) -> None:
    scene = Scene(Simulated(bucket(50, most), latency, pause), 1000).run()
    assert scene.refused_share(after=5) < 0.1
    if most > 1 and latency < 0.5:
        assert scene.now < 1.25 * 1000 / 50, "and is used all the same"


@pytest.mark.parametrize(("most", "seconds", "questions"), [(50, 1, 1000), (60, 60, 300), (600, 60, 3000)])
def test_an_allowance_per_window_is_used_and_hardly_overrun(most: int, seconds: int, questions: int) -> None:
    scene = Scene(Simulated(window(most, seconds), 0.05, window=seconds), questions).run()
    assert scene.refused_share(after=1.5 * seconds) < 0.1
    assert scene.now < 1.5 * seconds * questions / most


@pytest.mark.parametrize("capacity", [1, 4, 20])
@pytest.mark.parametrize("pause", [0.0, 1.0])
def test_an_endpoint_that_bears_few_at_once_gets_as_many(capacity: int, pause: float) -> None:
    scene = Scene(Simulated(lambda now, under_way: under_way >= capacity, 0.1, pause), 50 * capacity).run()
    assert scene.now < 5 / 0.6
    long = Scene(Simulated(lambda now, under_way: under_way >= capacity, 0.1, pause), 500 * capacity).run()
    assert long.now < 50 / 0.9
    assert long.refused_share(after=5) < 0.1


def test_after_an_overload_a_refusal_takes_a_place_and_twelve_answers_give_one() -> None:
    throttle = Throttle(100, limit=16)
    for _ in range(12):
        throttle.refuse(0.0, 0.0, under_way=9)
    assert (throttle.growing, throttle.places > 4) == (False, True)
    before = throttle.limit
    throttle.refuse(1.0, 1.0, under_way=9)
    assert throttle.limit == before - 1
    for _ in range(12):
        throttle.answer(1.0, 1.0, full=True)
    assert throttle.limit == pytest.approx(before)
    throttle.answer(1.0, 1.0, full=False)
    assert throttle.limit == pytest.approx(before), "room that nobody uses proves nothing"


def test_a_pause_counts_for_all_where_nothing_else_is_answered() -> None:
    throttle = Throttle(100)
    throttle.refuse(0.0, 0.0, under_way=15, pause_seconds=60)
    assert throttle.opens_at == 60, "it has not answered yet"
    throttle.answer(0.0, 0.0, full=True)
    assert throttle.opens_at == 0, "now it has"
    for number in range(3):
        throttle.refuse(1.0 + number, 1.0 + number, under_way=0, pause_seconds=60)
    throttle.refuse(4.0, 4.0, under_way=2, pause_seconds=60)
    assert throttle.opens_at == 0, "two are under way and may be answered"
    throttle.refuse(5.0, 5.0, under_way=0, pause_seconds=60)
    assert throttle.opens_at == 65
    throttle.answer(4.5, 4.5, full=False)
    assert throttle.opens_at == 65, "it started before the refused one and proves nothing"
    throttle.answer(5.5, 5.5, full=False)
    assert throttle.opens_at == 0


def test_silence_counts_as_a_refusal_unless_a_later_request_was_answered() -> None:
    throttle = Throttle(8, limit=8, growing=False)
    throttle.answer(5.0, 5.0, full=False)
    throttle.miss(4.0, 6.0)
    assert throttle.places == 8
    throttle.miss(5.5, 6.5)
    assert throttle.places == 7
