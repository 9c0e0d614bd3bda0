"""`Throttle`: how many requests an endpoint bears at once, learned from what it answers and refuses; pure."""

from __future__ import annotations

from dataclasses import dataclass, field

from ringtrue.models.client.load_trial import LoadTrial

LEAST_START = 16
"""How many requests are sent before the first answer, where that is more than a quarter of what is allowed."""


@dataclass(slots=True)
class Throttle:
    """Every answer opens one more place, until more than one request in five is refused; then one law holds.

    The law: a refusal takes one place away, and twelve answers give one back. So an endpoint that bears less than it
    is sent refuses at most one request in thirteen, and one that refuses fewer than that at random keeps its places.
    Below one place the same law sets the time between two requests: a refusal doubles it, twelve answers halve it.

    Where the law does not make refusals rarer, a trial finds out whether load matters. If not, they come at random:
    the places are given back, every answer opens one more again, and the law counts only refusals beyond that share.

    A time that a refusal names is kept by the retries of the refused request. For all others it counts once
    the endpoint answers nothing else: before its first answer, or after four refusals in a row with nothing under way.
    Its first answer, and one to a request that started after the refused ones, ends that pause.
    """

    maximum: int
    limit: float = float(LEAST_START)
    growing: bool = True
    """Whether each answer still opens one more place."""
    spacing_seconds: float = 0.0
    closed_until: float = 0.0
    _next_start: float = 0.0
    random_share: float = 0.0
    """Which share of requests is refused whatever the load."""
    _share: float = field(default=0.0, repr=False)  # of refusals, among the latest outcomes
    _trial: LoadTrial | None = field(default=None, repr=False)  # while the law holds
    _in_a_row: int = 0  # refusals since the last answer
    _answered_start: float = -1.0  # the latest start among the answered
    _refused_start: float = -1.0  # the latest start among the refused

    TOLERATED = 1 / 5
    BEARABLE = 1 / 6
    MOST_AT_RANDOM = 0.8
    ANSWERS_PER_PLACE = 12
    ENOUGH_IN_A_ROW = 4
    LEAST_SPACING_SECONDS = 0.004
    MOST_SPACING_SECONDS = 0.5

    @property
    def places(self) -> int:
        """The number of requests that may be in flight now."""
        return int(self.limit)

    @property
    def opens_at(self) -> float:
        """Before when no request may start."""
        return max(self.closed_until, self._next_start)

    def start(self, now: float) -> None:
        """A request starts."""
        if self._trial:
            self._trial.start(now)
        if self.spacing_seconds:
            self._next_start = max(now, self._next_start) + self.spacing_seconds

    def answer(self, started: float, now: float, *, full: bool, under_way: int = 0) -> None:
        """A request that started then was answered beside others; `full` says that every place was taken."""
        self._share -= self._share * self._weight()
        self._in_a_row = 0
        if started > self._refused_start or self._answered_start < 0:
            self.closed_until = 0.0
        self._answered_start = max(self._answered_start, started)
        if full and not self._is_easing:  # unused room proves nothing
            self._grow()
        self._try(started, now, refused=False, under_way=under_way)

    def refuse(self, started: float, now: float, *, under_way: int = 0, pause_seconds: float = 0.0) -> None:
        """A request that started then was refused, while this many others are under way.

        `pause_seconds` is how long the endpoint asks to be left alone.
        """
        self._in_a_row += 1
        closed = self._answered_start < 0 or (self._in_a_row >= self.ENOUGH_IN_A_ROW and not under_way)
        self._refused_start = max(self._refused_start, started)
        self._share += (1.0 - self._share) * self._weight()
        if self.growing and self._share > self._tolerated_share(self.TOLERATED):
            self.growing = False
            self._trial = LoadTrial.begin(now, self.limit)
        if not self.growing and not self._is_easing:
            self._shrink()
        self._try(started, now, refused=True, under_way=under_way)
        if closed:
            self.close(now, pause_seconds)

    def miss(self, started: float, now: float, *, under_way: int = 0) -> None:
        """A request got no answer in its time: a refusal, unless a later one was answered."""
        if started >= self._answered_start:
            self.refuse(started, now, under_way=under_way)

    def is_latest_answer(self, started: float) -> bool:
        """Whether no request that started later was answered."""
        return started >= self._answered_start

    def close(self, now: float, pause_seconds: float) -> None:
        """Let nothing start before the pause is over."""
        self.closed_until = max(self.closed_until, now + pause_seconds)

    def widen(self, maximum: int, start: int) -> None:
        """Allow this many at once, if fewer were allowed."""
        if maximum > self.maximum:
            self.maximum = maximum
            if self.growing:
                self.limit = max(self.limit, float(start))

    def _grow(self) -> None:
        given_back = 1 / self.ANSWERS_PER_PLACE + self.random_share / (1.0 - self.random_share)
        if self.spacing_seconds:
            self.spacing_seconds *= 0.5**given_back
            if self.spacing_seconds < self.LEAST_SPACING_SECONDS / 2:
                self.spacing_seconds = 0.0
        else:
            step = 1.0 if self.growing else given_back
            self.limit = min(float(self.maximum), self.limit + step)

    def _shrink(self) -> None:
        if self.limit >= 2.0:
            self.limit -= 1.0
        else:
            self.limit = 1.0
            longer = max(2 * self.spacing_seconds, self.LEAST_SPACING_SECONDS)
            self.spacing_seconds = min(longer, self.MOST_SPACING_SECONDS)

    @property
    def _is_easing(self) -> bool:
        return self._trial is not None and self._trial.second is not None

    def _tolerated_share(self, share: float) -> float:
        """A share of the requests that are not refused at random, with those that are."""
        return self.random_share + (1.0 - self.random_share) * share

    def _try(self, started: float, now: float, *, refused: bool, under_way: int) -> None:
        """Go on with the trial; the law may make it begin again, where it takes half of the places away."""
        trial = self._trial
        if trial is None:
            return
        if trial.end(started, refused=refused, under_way=under_way):
            if trial.second is not None:
                self._decide(trial, now)
            elif trial.shares[0] > self._tolerated_share(self.BEARABLE):
                self._ease(trial, now)
            else:
                self._trial = LoadTrial.begin(now, self.limit)
        elif trial.second is None and self.limit <= trial.places / 2:
            self._trial = LoadTrial.begin(now, self.limit)

    def _ease(self, trial: LoadTrial, now: float) -> None:
        """Send half of what was sent in the first half of a trial."""
        self.limit = max(1.0, min(self.limit, trial.used_places) / 2)
        if trial.used_places < 2:
            self.spacing_seconds = min(self.MOST_SPACING_SECONDS, 2 * trial.seconds_each(now))
        trial.ease(now)

    def _decide(self, trial: LoadTrial, now: float) -> None:
        before, self._share = trial.shares
        if trial.load_matters:
            self.random_share = min(self.random_share, self._share)
            self._trial = LoadTrial.begin(now, self.limit)
        else:
            self.random_share = min((before + self._share) / 2, self.MOST_AT_RANDOM)
            self.growing, self._trial = True, None
            self.limit, self.spacing_seconds = trial.places, 0.0

    def _weight(self) -> float:
        # Refusals come at once and answers later, so a share of fewer than some rounds would swing with every burst.
        return 1.0 / max(32.0, 2.0 * self.limit)
