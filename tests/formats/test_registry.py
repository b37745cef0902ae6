"""The formats are found by their keys."""

import pytest

from formats.registry import FORMATS, get_format


def test_a_format_is_found_by_its_key():
    assert [get_format(key).key for key in FORMATS] == list(FORMATS)


def test_an_unknown_key_is_refused_by_naming_the_known_ones():
    with pytest.raises(KeyError, match=r"no format 'chess'; known are .*round-robin"):
        get_format("chess")
