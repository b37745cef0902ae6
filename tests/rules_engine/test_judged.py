"""Whole golden matches that were judged once, and come out the same to the last digit (see ``judged/make.py``)."""

import pytest

from rules_engine.registry import SPECS
from tests.rules_engine.judged.make import HERE, MATCHES, judge_golden, judge_part, path_of
from tests.samples import share


@pytest.mark.samples(1)
@pytest.mark.parametrize("name", MATCHES)
def test_a_match_is_judged_as_it_was_before(name):
    """In a run of everything, so is a part of its moves, in the middle."""
    kept = path_of(name).read_text()
    lines = kept.partition("\n\n")[2].splitlines()
    asked = share(len(lines))
    if asked == len(lines):
        assert judge_golden(name) == kept
    else:
        start = (len(lines) - asked) // 2
        assert judge_part(name, start, start + asked) == lines[start : start + asked]


def test_the_kept_matches_were_judged_by_the_engines_of_today():
    kept = {path.read_text().splitlines()[0] for path in HERE.glob("*.txt")}
    assert kept == {spec.engine.version for spec in SPECS.values()}
