"""Of each test some samples are asked in a run of everything, spread over all of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.samples import FEW_EXAMPLES, share, some, spread

COUNTS = st.integers(1, 60)


@given(COUNTS, COUNTS, st.integers(0, 2**32 - 1))
def test_so_many_are_chosen_in_their_order_and_none_twice(count: int, wanted: int, start: int) -> None:
    chosen = spread(list(range(count)), wanted, start=start)
    assert len(chosen) == min(count, wanted)
    assert chosen == sorted(set(chosen))


@pytest.mark.parametrize(
    ("start", "chosen"), [(0, [0, 3, 6]), (1, [1, 4, 7]), (4, [0, 4, 7]), (9, [2, 5, 9]), (10, [0, 3, 6])]
)
def test_they_are_far_apart_and_begin_anywhere(start: int, chosen: list[int]) -> None:
    assert spread(list(range(10)), 3, start=start) == chosen


@pytest.mark.parametrize(("profile", "asked"), [(FEW_EXAMPLES, 2), ("usual", 20), ("thorough", 20)])
def test_of_what_a_test_repeats_a_run_of_everything_asks_an_eighth(profile: str, asked: int) -> None:
    before = settings.get_current_profile_name()
    settings.load_profile(profile)
    try:
        assert (share(20), len(some(range(20), "a name"))) == (asked, asked)
        assert share(2) == (1 if asked == 2 else 2)
    finally:
        settings.load_profile(before)


class Sample:
    """A sample of a test that takes a database, with these marks."""

    fixturenames = ("db",)

    def __init__(self, nodeid: str, *marks: str) -> None:
        self.nodeid, self.marks = nodeid, marks

    def add_marker(self, mark: Any) -> None:
        self.marks += (mark.name,)

    def get_closest_marker(self, name: str) -> Any:
        if name == "django_db" and "commits" in self.marks:
            return pytest.mark.django_db(transaction=True).mark
        return getattr(pytest.mark, name)(1).mark if name in self.marks else None


def asked_of(database: str, samples: list[Sample], request: pytest.FixtureRequest, *, split: bool = True) -> list[str]:
    """Return the names of the samples that a run of everything asks of a database."""
    everything = SimpleNamespace(every_sample=False, thorough=False, keyword="", markexpr="", split=split)
    config = SimpleNamespace(
        option=everything,
        rootpath=request.config.rootpath,
        args=["tests"],
        getini=lambda name: ["tests"],
        getoption=lambda name: database,
        hook=SimpleNamespace(pytest_deselected=lambda items: None),
    )
    items: list[Any] = list(samples)
    # The last one that was registered is called first.
    for hook in reversed(request.config.hook.pytest_collection_modifyitems.get_hookimpls()):
        if hook.plugin_name == "tests.plugins.servers" or hook.plugin_name.endswith("tests/conftest.py"):
            hook.function(config, items)
    return [each.nodeid for each in items]


@pytest.mark.parametrize("on_both", range(8))
def test_postgresql_is_asked_a_sample_of_what_depends_on_it_whichever_samples_it_may_be_asked(
    on_both: int, request: pytest.FixtureRequest
) -> None:
    samples = [
        Sample(f"tests/database/test_{test}.py::test[{number}]", *(["once"] if number != on_both else []))
        for test in "abcdefgh"
        for number in range(8)
    ]
    expected = [f"tests/database/test_{test}.py::test[{on_both}]" for test in "abcdefgh"]
    assert asked_of("postgresql", samples, request) == expected


def test_every_sixth_of_the_other_tests_is_asked_of_postgresql_and_the_rest_of_sqlite(
    request: pytest.FixtureRequest,
) -> None:
    tests = [f"tests/web/test_{test}.py::test" for test in range(300)]
    samples = [Sample(f"{test}[{number}]") for test in tests for number in range(2)]
    asked = {
        database: [name.partition("[")[0] for name in asked_of(database, samples, request)]
        for database in ("sqlite", "postgresql")
    }
    assert sorted(asked["sqlite"] + asked["postgresql"]) == sorted(tests)
    assert 35 < len(asked["postgresql"]) < 65


def test_sqlite_alone_is_asked_every_test(request: pytest.FixtureRequest) -> None:
    samples = [Sample(f"tests/web/test_{test}.py::test") for test in range(30)]
    assert len(asked_of("sqlite", samples, request, split=False)) == 30


@pytest.mark.parametrize("mark", ["once", "browser", "samples", "commits"])
def test_sqlite_is_asked_what_is_for_it_or_for_both(mark: str, request: pytest.FixtureRequest) -> None:
    samples = [Sample(f"tests/web/test_{test}.py::test", mark) for test in range(30)]
    assert len(asked_of("sqlite", samples, request)) == 30


@pytest.mark.parametrize("mark", ["postgresql", "commits", "samples"])
def test_postgresql_is_asked_every_test_that_commits_or_is_marked_for_it_or_for_samples(
    mark: str, request: pytest.FixtureRequest
) -> None:
    samples = [Sample(f"tests/web/test_{test}.py::test", mark) for test in range(30)]
    assert len(asked_of("postgresql", samples, request)) == 30


def test_a_test_of_which_one_sample_is_for_postgresql_is_asked_of_both(request: pytest.FixtureRequest) -> None:
    samples = [
        Sample(f"tests/web/test_{test}.py::test[{number}]", *["postgresql"][number:])
        for test in range(30)
        for number in range(2)
    ]
    assert asked_of("sqlite", samples, request) == [each.nodeid for each in samples if "postgresql" not in each.marks]
    assert len(asked_of("postgresql", samples, request)) == 30
