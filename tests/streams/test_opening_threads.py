"""The threads in which requests for streams are answered."""

import asyncio
import threading
from functools import partial

import pytest

from streams.opening_threads import MAX_TAKEN, OPENING_THREADS, OpeningThreads

TIMEOUT = 60


class Busy:
    """Keeps all threads busy until it is over, and notes in which order and where other requests are answered."""

    def __init__(self) -> None:
        self.threads: OpeningThreads[int] = OpeningThreads()
        self.answered: list[tuple[int, str]] = []
        self._over = threading.Event()

    async def begin(self) -> list[asyncio.Task[int]]:
        """Return the requests that keep the threads busy."""
        begun = threading.Barrier(OPENING_THREADS + 1)

        def keep_busy() -> int:
            begun.wait(TIMEOUT)
            self._over.wait(TIMEOUT)
            return -1

        tasks = [asyncio.create_task(self.threads.run(keep_busy)) for _ in range(OPENING_THREADS)]
        await asyncio.sleep(0)
        await asyncio.to_thread(begun.wait, TIMEOUT)
        return tasks

    async def wait_with(self, number: int) -> list[asyncio.Task[int]]:
        """Return as many requests that wait for a thread."""
        tasks = [asyncio.create_task(self.threads.run(partial(self._answer, each))) for each in range(number)]
        await asyncio.sleep(0)
        return tasks

    def end(self) -> None:
        """Let the threads go on."""
        self._over.set()

    def _answer(self, number: int) -> int:
        self.answered.append((number, threading.current_thread().name))
        if number == 1:
            raise LookupError("There is no such match.")
        return number


@pytest.fixture
def busy():
    return Busy()


async def test_requests_that_wait_are_taken_together_and_each_gets_its_answer_or_error(busy):
    before = await busy.begin()
    waiting = await busy.wait_with(MAX_TAKEN)
    busy.end()
    answers = await asyncio.gather(*before, *waiting, return_exceptions=True)
    assert answers[:OPENING_THREADS] == [-1] * OPENING_THREADS
    assert [type(each) for each in answers].count(LookupError) == 1
    assert [each for each in answers[OPENING_THREADS:] if isinstance(each, int)] == [0, *range(2, MAX_TAKEN)]
    assert [number for number, _thread in busy.answered] == list(range(MAX_TAKEN))
    assert len({thread for _number, thread in busy.answered}) == 1


async def test_more_requests_than_a_thread_takes_are_all_answered(busy):
    before = await busy.begin()
    waiting = await busy.wait_with(5 * MAX_TAKEN + 1)
    busy.end()
    await asyncio.gather(*before, *waiting, return_exceptions=True)
    assert sorted(number for number, _thread in busy.answered) == list(range(5 * MAX_TAKEN + 1))
    # The threads wait for more.
    assert await busy.threads.run(lambda: 7) == 7


async def test_a_client_that_has_gone_takes_no_answer_from_others(busy):
    before = await busy.begin()
    gone, *others = await busy.wait_with(4)
    gone.cancel()
    busy.end()
    answers = await asyncio.gather(*before, *others, return_exceptions=True)
    assert answers[OPENING_THREADS + 1 :] == [2, 3]
    assert gone.cancelled()


async def test_a_request_that_takes_long_holds_no_answer_that_was_found_before_it(busy):
    before = await busy.begin()
    begun, over = threading.Event(), threading.Event()

    def take_long() -> int:
        begun.set()
        over.wait(TIMEOUT)
        return 7

    (quick,) = await busy.wait_with(1)
    slow = asyncio.create_task(busy.threads.run(take_long))
    await asyncio.sleep(0)
    busy.end()
    try:
        await asyncio.gather(*before)
        assert await asyncio.to_thread(begun.wait, TIMEOUT)
        assert await quick == 0
        assert not slow.done()
    finally:
        over.set()
    assert await slow == 7


async def test_an_answer_that_cannot_be_handed_over_holds_no_other(busy):
    before = await busy.begin()
    failing = asyncio.create_task(busy.threads.run(lambda: next(iter([]))))
    others = await busy.wait_with(1)
    busy.end()
    answers = await asyncio.gather(*before, failing, *others, return_exceptions=True)
    assert isinstance(answers[OPENING_THREADS], RuntimeError)
    assert answers[OPENING_THREADS + 1 :] == [0]
