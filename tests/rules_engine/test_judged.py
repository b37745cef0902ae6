"""Whole golden matches that were judged once, and come out the same to the last digit (see ``judged/make.py``)."""

import pytest

from rules_engine.registry import SPECS
from tests.rules_engine.judged.make import HERE, MATCHES, judge_golden, path_of


@pytest.mark.nightly
@pytest.mark.parametrize("name", MATCHES)
def test_a_match_is_judged_as_it_was_before(name):
    assert judge_golden(name) == path_of(name).read_text()


def test_the_kept_matches_were_judged_by_the_engines_of_today():
    kept = {path.read_text().splitlines()[0] for path in HERE.glob("*.txt")}
    assert kept == {spec.engine.version for spec in SPECS.values()}
